package gate

import (
	"bufio"
	"fmt"
	"go/version"
	"io"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// ReadKnown reads a list of known failures: a line each, with five fields separated
// by blanks, "FINGERPRINT TARGET VERSIONS URL REASON...". FINGERPRINT is that of a
// finding, or its first elements: a requirement's id covers all of its findings.
// VERSIONS is "*", a version, or "FROM..TO" where either may be missing. Lines that
// begin with # and empty lines are skipped. An unknown id, a missing URL and a
// malformed range are errors with the line's number.
func ReadKnown(r io.Reader) ([]suite.Known, error) {
	var list []suite.Known
	sc := bufio.NewScanner(r)
	n := 1
	bad := func(format string, args ...any) error {
		return fmt.Errorf("gate: known failures, line %d: %s", n, fmt.Sprintf(format, args...))
	}
	for ; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		if len(f) < 5 {
			return nil, bad("expected FINGERPRINT TARGET VERSIONS URL REASON, saw %d fields", len(f))
		}
		k := suite.Known{Fingerprint: f[0], Target: f[1], URL: f[3], Reason: strings.Join(f[4:], " ")}
		if _, err := spec.Lookup(requirement(k)); err != nil {
			return nil, bad("%v", err)
		}
		if !strings.HasPrefix(k.URL, "https://") && !strings.HasPrefix(k.URL, "docs/") {
			return nil, bad("expected an https URL or a page below docs/, saw %q", k.URL)
		}
		if f[2] != "*" {
			from, to, isRange := strings.Cut(f[2], "..")
			if k.From, k.To = from, to; !isRange {
				k.To = from
			}
			for _, v := range []string{k.From, k.To} {
				if strings.HasPrefix(v, "go") && !version.IsValid(v) {
					return nil, bad("expected a version, saw %q", v)
				}
			}
		}
		list = append(list, k)
	}
	if err := sc.Err(); err != nil {
		return nil, bad("%v", err)
	}
	return list, nil
}

// requirement returns the id at the head of a known failure's fingerprint.
func requirement(k suite.Known) string {
	id, _, _ := strings.Cut(k.Fingerprint, "/")
	return id
}

// applies reports whether k is about the target and its version.
func applies(k suite.Known, d *suite.Description) bool {
	if k.Target != d.Name {
		return false
	}
	v := d.Version
	if version.IsValid(v) {
		return (k.From == "" || version.Compare(v, k.From) >= 0) &&
			(k.To == "" || version.Compare(v, k.To) <= 0 || version.Lang(v) == k.To)
	}
	return k.From == "" && k.To == "" || v == k.From || v == k.To
}

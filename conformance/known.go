package conformance

import (
	"bufio"
	"fmt"
	"go/version"
	"io"
	"strings"

	"github.com/spindle-go/spindle/spec"
)

// A KnownFailure is a requirement that a target is known to break, with the
// place where that is written down.
type KnownFailure struct {
	ID     string
	Target string
	From   string // the first version, as go1.23; empty: any
	To     string // the last version; empty: any
	URL    string // an https URL, or a page below docs/
	Reason string
}

// ReadKnown reads a list of known failures: a line each, with five fields
// separated by blanks, "ID TARGET VERSIONS URL REASON...". VERSIONS is "*", a
// version, or "FROM..TO" where either may be missing. Lines that begin with #
// and empty lines are skipped. An unknown id, a missing URL and a malformed
// range are errors with the line's number.
func ReadKnown(r io.Reader) ([]KnownFailure, error) {
	var list []KnownFailure
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		if len(f) < 5 {
			return nil, fmt.Errorf("conformance: known failures, line %d: %d fields, want ID TARGET VERSIONS URL REASON", n, len(f))
		}
		if _, err := spec.Lookup(f[0]); err != nil {
			return nil, fmt.Errorf("conformance: known failures, line %d: %w", n, err)
		}
		k := KnownFailure{ID: f[0], Target: f[1], URL: f[3], Reason: strings.Join(f[4:], " ")}
		if !strings.HasPrefix(k.URL, "https://") && !strings.HasPrefix(k.URL, "docs/") {
			return nil, fmt.Errorf("conformance: known failures, line %d: %q, want an https URL or a page below docs/", n, k.URL)
		}
		if f[2] != "*" {
			from, to, isRange := strings.Cut(f[2], "..")
			k.From, k.To = from, to
			if !isRange {
				k.To = from
			}
			for _, v := range []string{k.From, k.To} {
				if v != "" && strings.HasPrefix(v, "go") && !version.IsValid(v) {
					return nil, fmt.Errorf("conformance: known failures, line %d: %q is no version", n, v)
				}
			}
		}
		list = append(list, k)
	}
	return list, sc.Err()
}

// covers reports whether the list has id for the target, and what it says.
func covers(list []KnownFailure, d Description, id string) (KnownFailure, bool) {
	for _, k := range list {
		if k.ID == id && k.Target == d.Name && inRange(d.Version, k.From, k.To) {
			return k, true
		}
	}
	return KnownFailure{}, false
}

func inRange(v, from, to string) bool {
	if version.IsValid(v) {
		return (from == "" || version.Compare(v, from) >= 0) &&
			(to == "" || version.Compare(v, to) <= 0 || version.Lang(v) == to)
	}
	return from == "" && to == "" || v == from || v == to
}

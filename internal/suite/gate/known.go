package gate

import (
	"bufio"
	"fmt"
	"go/version"
	"io"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// The bounds of a list of known failures.
const (
	maxKnownLine = 64 << 10
	maxKnown     = 4096
	maxKnownSize = 4 << 20
)

// ReadKnown reads a list of known failures: a line each, with five fields separated
// by blanks, "FINGERPRINT TARGET VERSIONS URL REASON...". FINGERPRINT is that of a
// finding, or its first elements: a requirement's id covers all of its findings.
// VERSIONS is "*", a version, or "FROM..TO" where either may be missing. Lines that
// begin with # and empty lines are skipped. Whatever else does not fit, an entry
// that stands there twice included, is an error with the line's number.
func ReadKnown(r io.Reader) ([]suite.Known, error) {
	list := []suite.Known{} // empty is not absent: it replaces the header's
	limited := &io.LimitedReader{R: r, N: maxKnownSize + 1}
	in := bufio.NewReaderSize(limited, maxKnownLine)
	for n := 1; ; n++ {
		bad := func(format string, args ...any) error {
			return fmt.Errorf("gate: known failures, line %d: %w", n, fmt.Errorf(format, args...))
		}
		text, err := in.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return nil, bad("expected at most %d bytes, saw more", maxKnownLine)
		case limited.N <= 0:
			return nil, bad("expected at most %d bytes in all, saw more", maxKnownSize)
		case err == io.EOF && len(text) == 0:
			return list, nil
		case err != nil && err != io.EOF:
			return nil, bad("%w", err)
		}
		line := strings.TrimSpace(string(text))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		k, err := parseKnown(line)
		switch {
		case err != nil:
			return nil, bad("%w", err)
		case len(list) == maxKnown:
			return nil, bad("expected at most %d known failures, saw more", maxKnown)
		case slices.ContainsFunc(list, func(l suite.Known) bool {
			return l.Fingerprint == k.Fingerprint && l.Target == k.Target && l.From == k.From && l.To == k.To
		}):
			return nil, bad("%s of %s is listed twice", k.Fingerprint, k.Target)
		}
		list = append(list, k)
	}
}

func parseKnown(line string) (k suite.Known, err error) {
	f := strings.Fields(line)
	if len(f) < 5 {
		return k, fmt.Errorf("expected FINGERPRINT TARGET VERSIONS URL REASON, saw %d fields", len(f))
	}
	k = suite.Known{Fingerprint: f[0], Target: f[1], URL: f[3], Reason: strings.Join(f[4:], " ")}
	if _, err := spec.Lookup(requirement(k)); err != nil {
		return k, err
	}
	if strings.HasSuffix(k.Fingerprint, "/") || strings.Contains(k.Fingerprint, "//") {
		return k, fmt.Errorf("expected a fingerprint of elements with slashes between them, saw %q", k.Fingerprint)
	}
	if !strings.HasPrefix(k.URL, "https://") && !strings.HasPrefix(k.URL, "docs/") {
		return k, fmt.Errorf("expected an https URL or a page below docs/, saw %q", k.URL)
	}
	if f[2] == "*" {
		return k, nil
	}
	from, to, isRange := strings.Cut(f[2], "..")
	if k.From, k.To = from, to; !isRange {
		k.To = from
	}
	for _, v := range []string{k.From, k.To} {
		if strings.HasPrefix(v, "go") && !version.IsValid(v) {
			return k, fmt.Errorf("expected a version, saw %q", v)
		}
	}
	switch {
	case k.From == "" && k.To == "":
		return k, fmt.Errorf("expected a version, FROM..TO or *, saw %q", f[2])
	case version.IsValid(k.From) && version.IsValid(k.To) && version.Compare(k.From, k.To) > 0 && version.Lang(k.From) != k.To:
		return k, fmt.Errorf("expected the earlier version first, saw %q", f[2])
	}
	return k, nil
}

// listed returns the entries that are about the requirement of the target: those
// that cover a finding, and the others.
func (j *judge) listed(d *suite.Description, row *suite.Row, findings []suite.Event) (seen, unseen []suite.Known) {
	for i, k := range j.Known {
		if !applies(k, d) || requirement(k) != row.ID || row.Standing == suite.NotOffered {
			continue
		}
		j.used[i] = true
		if slices.ContainsFunc(findings, func(e suite.Event) bool { return e.Finding.Covers(k.Fingerprint) }) {
			seen = append(seen, k)
		} else {
			unseen = append(unseen, k)
		}
	}
	return seen, unseen
}

// requirement returns the id at the head of a known failure's fingerprint.
func requirement(k suite.Known) string {
	id, _, _ := strings.Cut(k.Fingerprint, "/")
	return id
}

// applies reports whether k is about the target and its version. Versions of Go
// have an order; of others only the two named are known.
func applies(k suite.Known, d *suite.Description) bool {
	if k.Target != d.Name {
		return false
	}
	v := d.Version
	if k.From == "" && k.To == "" || v != "" && (v == k.From || v == k.To) {
		return true
	}
	ordered := func(bound string) bool { return bound == "" || version.IsValid(bound) }
	return version.IsValid(v) && ordered(k.From) && ordered(k.To) &&
		(k.From == "" || version.Compare(v, k.From) >= 0) &&
		(k.To == "" || version.Compare(v, k.To) <= 0 || version.Lang(v) == k.To)
}

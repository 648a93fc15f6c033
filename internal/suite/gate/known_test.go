package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
)

func TestReadKnown(t *testing.T) {
	list, err := ReadKnown(strings.NewReader(`# what is known

RQ-FIFO mask * https://example.org/1 it takes the newest
RQ-LOST/get/a  go  go1.23..go1.24  docs/lost.md  for a reason
RQ-LOST go go1.24 docs/lost.md for another`))
	want := []suite.Known{
		{Fingerprint: "RQ-FIFO", Target: "mask", URL: "https://example.org/1", Reason: "it takes the newest"},
		{Fingerprint: "RQ-LOST/get/a", Target: "go", From: "go1.23", To: "go1.24", URL: "docs/lost.md", Reason: "for a reason"},
		{Fingerprint: "RQ-LOST", Target: "go", From: "go1.24", To: "go1.24", URL: "docs/lost.md", Reason: "for another"},
	}
	if err != nil || fmt.Sprint(list) != fmt.Sprint(want) {
		t.Errorf("expected %v, saw %v, %v", want, list, err)
	}
	if list, err := ReadKnown(strings.NewReader("# nothing")); err != nil || list == nil {
		t.Errorf("expected a list without entries, which replaces another, saw %v, %v", list, err)
	}
}

func TestReadKnownRefuses(t *testing.T) {
	const tail = " tiny * https://example.org/1 so"
	for _, c := range []struct{ name, text, says string }{
		{"fields", "RQ-FIFO tiny * https://example.org/1", "line 1: expected FINGERPRINT TARGET VERSIONS URL REASON, saw 4 fields"},
		{"id", "\n#\nRQ-FOO" + tail, `line 3: spec: unknown requirement "RQ-FOO"`},
		{"no element", "RQ-FIFO/" + tail, "line 1: expected a fingerprint"},
		{"element", "RQ-FIFO//a" + tail, "line 1: expected a fingerprint"},
		{"url", "RQ-FIFO tiny * http://example.org so", "line 1: expected an https URL"},
		{"version", "RQ-FIFO tiny go1.x..go1.24 https://example.org so", `line 1: expected a version, saw "go1.x"`},
		{"no version", "RQ-FIFO tiny .. https://example.org so", "line 1: expected a version"},
		{"backwards", "RQ-FIFO tiny go1.24..go1.23 https://example.org so", "line 1: expected the earlier version first"},
		{"twice", "RQ-FIFO" + tail + "\n\nRQ-FIFO" + tail, "line 3: RQ-FIFO of tiny is listed twice"},
		{"a long line", "#\nRQ-FIFO" + tail + strings.Repeat("o", 64<<10) + "\n", "line 2: expected at most 65536 bytes"},
		{"a long last line", "#\n\n" + strings.Repeat("o", 65<<10), "line 3: expected at most 65536 bytes"},
		{"many", many(maxKnown + 1), fmt.Sprintf("line %d: expected at most %d", maxKnown+1, maxKnown)},
		{"large", strings.Repeat(strings.Repeat("#", 1023)+"\n", 4<<10) + "#\n", "line 4097: expected at most 4194304 bytes in all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ReadKnown(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("expected an error with %q, saw %v", c.says, err)
			}
		})
	}
	if list, err := ReadKnown(strings.NewReader(many(maxKnown))); err != nil || len(list) != maxKnown {
		t.Errorf("expected %d entries, saw %d, %v", maxKnown, len(list), err)
	}
	exact := "RQ-FIFO" + tail + " "
	exact += strings.Repeat("o", 64<<10-1-len(exact)) + "\n"
	if list, err := ReadKnown(strings.NewReader(exact + "RQ-LOST" + tail)); err != nil || len(list) != 2 {
		t.Errorf("a line of 64 KiB: expected 2 entries, saw %d, %v", len(list), err)
	}
	if _, err := ReadKnown(endless{}); err == nil {
		t.Error("expected an error of a list without an end")
	}
}

// endless has empty lines for ever.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '\n'
	}
	return len(b), nil
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "RQ-FIFO/%d tiny * https://example.org/1 so\n", i)
	}
	return b.String()
}

func TestApplies(t *testing.T) {
	for _, c := range []struct {
		from, to, version string
		want              bool
	}{
		{"", "", "go1.24", true}, {"", "", "", true},
		{"go1.23", "", "go1.24", true}, {"go1.23", "", "go1.22.5", false}, {"go1.23", "", "go1.23", true},
		{"", "go1.23", "go1.23", true}, {"", "go1.23", "go1.23.9", true}, {"", "go1.23", "go1.24", false},
		{"go1.23", "go1.24", "go1.23rc1", true}, {"go1.23.0", "go1.24", "go1.23rc1", false}, {"go1.23", "go1.24", "go1.24.1", true},
		{"1.0", "1.0", "1.0", true}, {"1.0", "1.0", "1.1", false}, {"1.0", "1.2", "1.1", false}, {"1.0", "", "go1.24", false},
		{"", "1.0", "go1.24", false}, {"go1.23", "", "1.0", false}, {"go1.23", "", "", false}, {"", "1.0", "", false},
	} {
		k := suite.Known{Target: "tiny", From: c.from, To: c.to}
		if saw := applies(k, &suite.Description{Name: "tiny", Version: c.version}); saw != c.want {
			t.Errorf("%q..%q of version %q: expected %v", c.from, c.to, c.version, c.want)
		}
	}
}

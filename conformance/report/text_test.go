package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance"
)

var update = flag.Bool("update", false, "write the golden files")

// render returns the report of testdata/events.ndjson: one of everything.
func render(t *testing.T, color, verbose bool) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	text := NewText(&b, color, verbose)
	if _, err := conformance.ReadEvents(f, text.Event); err != nil {
		t.Fatal(err)
	}
	if err := text.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextGolden(t *testing.T) {
	for _, test := range []struct {
		name           string
		color, verbose bool
	}{
		{"plain", false, false},
		{"color", true, false},
		{"verbose", false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := render(t, test.color, test.verbose)
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got == string(want) {
				return
			}
			line := 1
			gots, wants := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for line <= min(len(gots), len(wants)) && gots[line-1] == wants[line-1] {
				line++
			}
			t.Errorf("line %d of %s differs; saw\n%s\nto accept it, run go test ./conformance/report -update", line, golden, got)
		})
	}
}

// What is only colour may not move anything.
func TestTextColorChangesNothingElse(t *testing.T) {
	plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(render(t, true, false), "")
	if plain != render(t, false, false) {
		t.Errorf("without its colours the report differs from the plain one:\n%s", plain)
	}
}

// A reader must be able to add up the last line.
func TestTextCountsAddUp(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(render(t, false, false)), "\n")
	last := lines[len(lines)-1]
	total, parts, ok := strings.Cut(last, ": ")
	if !ok {
		t.Fatalf("expected N requirements: N verdict + ..., saw %q", last)
	}
	want, err := strconv.Atoi(strings.Fields(total)[0])
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for part := range strings.SplitSeq(parts, " + ") {
		n, err := strconv.Atoi(strings.Fields(part)[0])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	rows := regexp.MustCompile(`(?m)^  RQ-\S+ +(MUST|SHOULD) `).FindAllString(strings.Join(lines, "\n"), -1)
	if sum != want || len(rows) != want {
		t.Errorf("%q: the parts add up to %d, and %d requirements are listed", last, sum, len(rows))
	}
}

func TestTextKeepsTheFirstErrorOfWriting(t *testing.T) {
	text := NewText(brokenWriter{}, false, false)
	text.Event(conformance.Event{Event: conformance.HeaderEvent, Header: new(conformance.Header)})
	text.Event(conformance.Event{Event: conformance.FooterEvent, Footer: new(conformance.Footer)})
	if text.Err() != os.ErrClosed {
		t.Errorf("expected %v, saw %v", os.ErrClosed, text.Err())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

package fuzz

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/spec/record"
)

// FuzzHistoryText reads histories as people write them: a text is refused with
// ErrFormat, or it is printed and read again as it was.
func FuzzHistoryText(f *testing.F) {
	for _, s := range seeds {
		run, err := Run(ref.New, encode(f, s))
		if err != nil {
			f.Fatal(err)
		}
		if run.Cap() <= 16 {
			f.Add(run.History().Text())
		}
	}
	f.Add("")
	f.Add("# Threads.\nscenario: \"\"\nseed: 7\nps: 2\nthread P0 x3: \"p b9\\n\"\nthread none: r0\nclock: time\nmoves: yes\n\n" +
		"T0 put P0 1 [1..9]; P0.ring->global 3 4\nT1 steal next P0 [5..?]\nfinal: unknown\n")
	f.Add("ps: 1\nthread P0: p\norder: none\nclock: order\nfinal: P0 runnext 1 ring 0, global 18446744073709551615\n")
	f.Add("ps: 1024\nthread P0 x99999999999: p\nclock: order\nfinal: unknown\n")
	f.Fuzz(func(t *testing.T, text string) {
		if op, err := record.ParseOp(text); err == nil && op.Text() != text {
			t.Fatalf("%q reads as %+v and prints as %q", text, op, op.Text())
		} else if err != nil && !errors.Is(err, record.ErrFormat) {
			t.Fatalf("ParseOp: %v, want ErrFormat", err)
		}
		h, err := record.ParseHistory(strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, record.ErrFormat) {
				t.Fatalf("ParseHistory: %v, want ErrFormat", err)
			}
			return
		}
		if err := h.Answers(); err != nil && !errors.Is(err, record.ErrFormat) {
			t.Fatalf("Answers: %v, want ErrFormat", err)
		}
		again, err := record.ParseHistory(strings.NewReader(h.Text()))
		if err != nil || !reflect.DeepEqual(again, h) {
			t.Fatalf("%+v\ncame back as\n%+v, %v, from\n%s", h, again, err, h.Text())
		}
	})
}

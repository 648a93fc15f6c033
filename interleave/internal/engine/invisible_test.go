package engine_test

import (
	"strings"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestInvisible: what a directive takes out of the schedule is no step, and the
// certificate names it with its reason, once, if it was reached.
func TestInvisible(t *testing.T) {
	first := SitesOf(
		Place{File: "/x/log.go", Line: 7, Action: "interleave:invisible a number for the log"},
		Place{File: "/x/log.go", Line: 9, Action: "interleave:invisible never reached"},
		Place{File: "/x/log.go", Line: 11, Action: "stutter: no directive of ours"},
	)
	two := func(site Site) func(*Exec) {
		return func(x *Exec) {
			w, own := new(word), new(word)
			for _, name := range []string{"a", "b"} {
				x.Go(name, func() { own.load(); w.storeAt(site, w.loadAt(site)+1) })
			}
			x.Finally(func() {
				if w.v != 2 {
					x.Fatalf("%d after two increments", w.v)
				}
			})
		}
	}
	c, f := explore(t, Options{Strategy: Exhaustive}, two(first))
	if f != nil || len(c.Invisible) != 1 || !strings.Contains(c.String(), "out of the schedule by directive: log.go:7 (a number for the log)") {
		t.Errorf("%v, %+v", c, f)
	}
	c, f = explore(t, Options{Strategy: Exhaustive}, two(first+2))
	wants(t, f, Assertion, "1 after two increments")
	if len(c.Invisible) != 0 {
		t.Errorf("%v", c)
	}
}

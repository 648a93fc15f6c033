package engine

import (
	"slices"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// What the documentation leaves open, and the runtime decides.
//
// An exploration goes by a rule there, which its certificate names where it decided something. Under Exec.AnyChoice all that may be chosen is tried.

// A Rule says how is chosen what the documentation of a package, or of the language, leaves open.
type Rule struct{ usual, any string }

// The rules.
var (
	TimeGoesBy  = Rule{"time goes by when no thread can go on", "time goes by at any step, up to 10 times while a thread that can go on does not"} // any: see Exec.LateClock
	SignalWakes = Rule{"Signal wakes the thread that has waited longest", "Signal wakes any thread that waits"}
	MapOrder    = Rule{"a range over a map goes by its keys", "a range over a map goes in any order"}
	MapRange    = Rule{"sync.Map.Range goes by when keys were stored first", "sync.Map.Range goes in any order"}
)

// goesBy notes that a rule has decided something.
func (s *scheduler) goesBy(rule string) {
	if !slices.Contains(s.rules, rule) {
		s.rules = append(s.rules, rule)
	}
}

// Open returns which of n things the operation that Begin has announced does, from 0, by a rule. To be called before End, once.
func Open(r Rule, n int) int {
	switch s := current; {
	case n < 2 || s == nil || controlled && !Controlled(): // a goroutine beside the threads
	case controlled && s.any:
		s.goesBy(r.any)
		return s.pick(n)
	default:
		s.goesBy(r.usual)
	}
	return 0
}

// OpenAt is Open of what is no operation, for a thread or the body: the choice is one at site, if there is one.
func OpenAt(site Site, r Rule, n int) int {
	if n < 2 || !Controlled() || !current.any {
		return Open(r, n)
	}
	begin(nil, object.Choose, site, nil, nil)
	k := Open(r, n)
	end(0, 0, false, false)
	return k
}

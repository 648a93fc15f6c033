package engine

import (
	"fmt"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// What the documentation leaves open, and the runtime decides.
//
// An exploration goes by a rule there, which its certificate names where it decided something. Under Exec.AnyChoice all that may be chosen is tried.

// A Rule says how is chosen what the documentation of a package, or of the language, leaves open.
type Rule struct{ usual, any string }

// mostEarly is how often the clock moves while a thread could go on and does not. Else there would be executions without an end, in which a ticker goes on for
// ever. The rule is that of Musuvathi and Qadeer, Fair stateless model checking, PLDI 2008, with a bound.
const mostEarly = 10

// The rules.
var (
	TimeGoesBy = Rule{"time goes by when no thread can go on",
		fmt.Sprintf("time goes by at any step, up to %d times while a thread that can go on does not", mostEarly)} // see Exec.LateClock
	SignalWakes = Rule{"Signal wakes the thread that has waited longest", "Signal wakes any thread that waits"}
	MapOrder    = Rule{"a range over a map goes by its keys", "a range over a map goes in any order"}
	MapRange    = Rule{"sync.Map.Range goes by when keys were stored first", "sync.Map.Range goes in any order"}
)

// goesBy notes that a rule has decided something.
func (s *scheduler) goesBy(rule string) {
	if !list.Contains(s.rules, rule) {
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

// TakeAt takes one of all by a rule, and returns it and the rest, in their order. There must be one at least. A thread calls it, or the body, and in no operation:
// the choice is one at site.
//
// The rest shares the memory of all. Those that come before the one that is taken are moved, and no others: to take the first, again and again, costs no more
// than to go over all.
func TakeAt[T any](site Site, r Rule, all []T) (one T, rest []T) {
	i := openAt(site, r, len(all))
	one = all[i]
	copy(all[1:], all[:i])
	return one, all[1:]
}

// openAt is Open of what is no operation.
func openAt(site Site, r Rule, n int) int {
	if n < 2 || !Controlled() || !current.any {
		return Open(r, n)
	}
	begin(nil, object.Choose, site, nil, nil)
	k := Open(r, n)
	end(0, 0, false, false)
	return k
}

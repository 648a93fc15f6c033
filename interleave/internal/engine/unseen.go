package engine

import (
	"fmt"
	"regexp"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

// Code that was not seen.
//
// A package that is not rewritten runs between two operations as if it were one
// piece. That is right as long as threads do not meet in it. They can meet in two
// ways: in an object that both pass to it, and in what it has inside, a lock, an
// atomic, a channel, a variable of its own.
//
// A call is taken for an access of each: a read or write of what it is passed,
// and a write of a word that stands for the package. If something orders the two
// calls in every execution, then nothing about them was left out. If nothing
// does, there is a race of accesses that may have been made: a doubt, not a
// failure. Only where it is known that a function reads or writes is it a plain
// access like any other.
//
// What is inside a package may also order what is around the calls, a lock of its
// own does. So after a call in a package all is ordered that came before an
// earlier call in it: a data race may then be missed, where there is a doubt
// anyway, and none is made up.

// An Unseen is a package that is not rewritten.
type Unseen struct {
	Package string
	Inside  string            // what threads can meet in: "locks", "" if there is nothing
	Meets   []string          // packages besides, in which a call of it may come to
	Starts  []string          // functions and methods that come to a go statement
	Chance  map[string]string // functions and methods that come to chance, or time, and what of it: "rand.Int"
}

type unseenPackage struct {
	Unseen
	word      *uint64 // stands for what is inside
	meets     []*unseenPackage
	execution uint64 // that the rest is of
	released  happened
	thread    int
}

// Hiding are packages from which code may be called that writes without a report.
var Hiding = make(map[string]bool)

// NoRace are the functions that say //go:norace, as the runtime names them, without type arguments.
var NoRace = make(map[string]bool)

var unseenPackages = make(map[string]*unseenPackage)

func registerUnseen(all []Unseen) {
	for _, u := range all {
		unseenPackages[u.Package] = &unseenPackage{Unseen: u, word: new(uint64)}
	}
	for _, p := range unseenPackages {
		p.meets = p.meets[:0]
		if p.Inside != "" {
			p.meets = append(p.meets, p)
		}
		for _, name := range p.Meets {
			if q := unseenPackages[name]; q != nil && q != p && q.Inside != "" {
				p.meets = append(p.meets, q)
			}
		}
	}
}

// Reports reports whether all is seen of what a package does that is not rewritten.
func Reports(path string) bool { return Seen && unseenPackages[path] == nil }

// Reached says that the running thread calls, at site, code of a package that is
// not rewritten. Outside of a thread only chance counts.
func Reached(site Site, pkg string) { reachedAs(site, pkg, placeOf(site).Unseen) }

// reachedAs is Reached of a function whose name is the last part of called.
func reachedAs(site Site, pkg, called string) {
	defer handsBack(takesOver())
	s := current
	p := unseenPackages[pkg]
	if p == nil || !Exploring() || s.unwinding {
		return
	}
	if dot := strings.LastIndexByte(called, '.'); dot < 0 || strings.Count(called, ".") > 1 {
		called = "." + called[dot+1:] // a method
	} else {
		called = called[dot+1:]
	}
	if what := p.Chance[called]; what != "" && !ofClock(what) {
		s.doubts.add(Chance, what+", in package "+p.Package, strings.TrimPrefix(called, ".")+" is called "+where(site))
	}
	if !controlled {
		return
	}
	if list.Contains(p.Starts, called) {
		s.doubts.add(NotSeen, "goroutines of package "+p.Package, "called "+where(site))
	}
	for _, q := range p.meets {
		s.meet(q, site)
	}
}

// Chanced says that what goes by chance, or by time, was reached.
func Chanced(site Site, what string) {
	defer handsBack(takesOver())
	if s := current; Exploring() && !s.unwinding && !ofClock(what) && !(Hosted && controlled && what == counting) {
		s.doubts.add(Chance, what, where(site))
	}
}

// ofClock reports whether what goes by time goes by the clock of the exploration.
func ofClock(what string) bool { return Hosted && strings.HasPrefix(what, "time.") }

// Overlooked says that something was reached of which it is not seen what it does.
func Overlooked(site Site, what string) { current.doubts.add(NotSeen, what, where(site)) }

// DoesUnnoted says that a method that is not seen is called of a receiver that was not
// noted, before the exploration.
func DoesUnnoted(site Site) {
	if Controlled() {
		p := placeOf(site)
		current.doubts.add(NotSeen, "what "+p.Unseen+" does, of what "+p.Expr+" was when it was evaluated", place(p))
	}
}

// Exploring reports whether the caller is of an execution that is under way: its body, a
// thread, or a function given to Finally.
func Exploring() bool { return (controlled || current != nil && current.outside) && insider() }

// meet is a call in what p has inside.
func (s *scheduler) meet(p *unseenPackage, site Site) {
	t := s.running
	if p.execution != s.execution {
		p.execution, p.thread, p.released = s.execution, t.ID, happened{}
	}
	if !PlainAccesses {
		if p.thread != t.ID { // nobody knows whether something orders them
			s.doubts.add(NotSeen, p.inside(), "called "+where(site))
		}
		return
	}
	s.meeting = p
	plain(unsafe.Pointer(p.word), 8, site, true)
	s.meeting = nil
	if onlyHides[p.Inside] {
		return
	}
	now := &s.plain.now[t.ID]
	now.Join(&p.released, s.Width)
	p.released.Join(now, s.Width)
	now.Clock[t.ID]++
}

// onlyHides are what leaves accesses of a package unseen, and no operation that orders others.
var onlyHides = map[string]bool{"clear of a slice": true, "functions that say //go:norace": true}

func (p *unseenPackage) inside() string { return p.Inside + " of package " + p.Package }

// surer reports whether an access was made, where the one at hand is only what code
// that was not seen may have done: that one does not take its place.
func (s *scheduler) surer(then *access) bool {
	return (s.may || s.meeting != nil) && placeOf(then.site).Unseen == ""
}

// inDoubt makes a doubt of two accesses that nothing orders, if one of them is
// only what code that was not seen may have done.
func (s *scheduler) inDoubt(now, then *access) bool {
	if s.meeting == nil && !s.may && placeOf(then.site).Unseen == "" {
		return false
	}
	pair := [2]Site{then.site, now.site}
	if s.paired[pair] {
		return true
	}
	if s.paired == nil {
		s.paired = make(map[[2]Site]bool)
	}
	s.paired[pair] = true
	defer handsBack(takesOver()) // the texts are the engine's
	a, b := placeOf(then.site), placeOf(now.site)
	if s.meeting != nil {
		s.doubts.add(NotSeen, s.meeting.inside(), "called "+both(a, b))
		return true
	}
	word := func(p Place, write bool) string {
		switch {
		case p.Unseen != "" && p.Expr != "":
			return "what " + p.Unseen + " does with " + p.Expr
		case p.Unseen != "":
			return "what " + p.Unseen + " does"
		case write:
			return "a write of " + p.Expr
		}
		return "a read of " + p.Expr
	}
	x, y := word(a, then.role == plainWrite), word(b, now.role == plainWrite)
	if a.Unseen == "" {
		x, y = y, x
	}
	if x != y {
		x += " against " + y
	}
	s.doubts.add(NotSeen, x, both(a, b))
	return true
}

func both(a, b Place) string {
	if a.File == b.File && a.Line == b.Line {
		return place(a)
	}
	return place(a) + " and " + place(b)
}

func where(site Site) string { return place(placeOf(site)) }

func place(p Place) string {
	if p.File == "" {
		return "as a thread"
	}
	return fmt.Sprintf("at %s:%d", base(p.File), p.Line)
}

// literal matches what the runtime calls a function literal.
var literal = regexp.MustCompile(`^(func|gowrap|deferwrap)?\d+`)

// functionOf returns the name of a function, or of the function that a literal is
// in, by the name that the runtime has for it: "counter.Counter.Add" of
// "example.com/counter.(*Counter).Add-fm".
func functionOf(name string) string {
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], "-fm")
	parts := strings.Split(name, ".")
	n := 2
	if len(parts) > 2 && !literal.MatchString(parts[2]) {
		n = 3
	}
	return strings.NewReplacer("(*", "", ")", "").Replace(strings.Join(parts[:min(n, len(parts))], "."))
}

// packageOf returns the package of a function by the name that the runtime has
// for it: "context.WithCancel.func1" is of package context.
func packageOf(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	if i := strings.IndexByte(name, '['); i >= 0 { // type arguments may have slashes
		slash = strings.LastIndexByte(name[:i], '/') + 1
	}
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return strings.ReplaceAll(name[:slash+dot], "%2e", ".")
}

package trace

import (
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/conformance/trace/recording"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/follow"
)

// A DanceLog holds a recorded run of threads against the machine, operation by operation. The sets of states that
// agree with what was seen come again and again in a long run: each is made once, and so is each step from one to
// the next.
type DanceLog struct {
	d       *Dance
	b       observer
	objects map[unsafe.Pointer]int
	set     uint32 // of d.sets; 0 before the first G runs
	over    bool   // it has ended, or diverged
	// Operations is how many were seen, from the one that runs the first G on, and Stutters how many of these say
	// nothing of the machine.
	Operations, Stutters int
}

// danceSets are the sets of states that were met, numbered from 1.
type danceSets struct {
	list  []follow.Set[stand]
	wrong []string // which invariant holds in none of each, or ""
	byKey map[uint64][]uint32
	seed  maphash.Seed
	seen  map[observation]uint32
	next  map[[2]uint32]uint32 // what follows a set by an observation; 0: nothing
	sites map[uintptr]*DanceSite
	files map[string][]string
}

// A DanceSite is a place in the code of a scheduler that makes operations.
type DanceSite struct {
	harness.Place
	at danceSite
}

// A DanceOperation is one of a recorded run.
type DanceOperation struct {
	harness.Step
	Site *DanceSite
}

// Log begins to hold a run of a scheduler with these words against the machine. As in an execution
// of the explorer M 1 begins with the first G.
func (d *Dance) Log(w *DanceWords) *DanceLog {
	if d.sets == nil {
		d.sets = &danceSets{byKey: make(map[uint64][]uint32), seed: maphash.MakeSeed(), seen: make(map[observation]uint32),
			next: make(map[[2]uint32]uint32), sites: make(map[uintptr]*DanceSite), files: make(map[string][]string)}
	}
	l := &DanceLog{d: d, objects: make(map[unsafe.Pointer]int)}
	objects := make(DanceObjects)
	w.each(func(addr unsafe.Pointer, word danceWord) {
		n := len(objects) + 1
		l.objects[addr], objects[n] = n, word
	})
	l.b.d = d
	l.b.begin(objects)
	return l
}

// Sets is how many sets of states were met in all logs, and Transitions how many steps between these.
func (d *Dance) Sets() (sets, transitions int) {
	if d.sets == nil {
		return 0, 0
	}
	return len(d.sets.list), len(d.sets.next)
}

// Operation returns what a record of a thread, M 1's being 0, says. Errors are about the source.
func (l *DanceLog) Operation(thread int, r *recording.Record) (DanceOperation, error) {
	at, err := l.d.sets.site(r.PC)
	if err != nil {
		return DanceOperation{}, err
	}
	return DanceOperation{harness.Step{Thread: thread, Kind: recording.KindNames[r.Kind], Object: l.objects[r.Object],
		Read: uint64(r.Read), Wrote: uint64(r.Wrote), Changed: r.Changed}, at}, nil
}

// operation matches one on a line.
var operation = regexp.MustCompile(`([\w.()+ ]+)\.(?:Load|Store|Add|Swap|CompareAndSwap|Lock|Unlock)\(`)

// site returns the place of a program counter, with the comment at the end of its line.
func (s *danceSets) site(pc uintptr) (*DanceSite, error) {
	if at := s.sites[pc]; at != nil {
		return at, nil
	}
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	lines := s.files[frame.File]
	if lines == nil {
		text, err := os.ReadFile(frame.File)
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		lines = strings.Split(string(text), "\n")
		s.files[frame.File] = lines
	}
	if frame.Line < 1 || frame.Line > len(lines) {
		return nil, fmt.Errorf("trace: expected a line of %s, saw %d of %d", path.Base(frame.File), frame.Line, len(lines))
	}
	// What was deferred is done where the function returns.
	for line := frame.Line; !operation.MatchString(lines[frame.Line-1]) && line > 1 && !strings.HasPrefix(lines[line-1], "func "); line-- {
		if strings.HasPrefix(lines[line-1], "\tdefer ") && operation.MatchString(lines[line-1]) {
			frame.Line = line
		}
	}
	place := harness.Place{File: frame.File, Line: frame.Line, Func: frame.Function}
	code, comment, _ := strings.Cut(lines[frame.Line-1], "// ")
	place.Action = strings.TrimSpace(comment)
	if strings.Contains(code, "//interleave:invisible ") { // as for the explorer, which does not see it
		place.Action = "outside: " + place.Action
	}
	if m := operation.FindStringSubmatch(code); m != nil {
		place.Expr = strings.TrimSpace(m[1])
	}
	at := &DanceSite{place, parseDance(place)}
	s.sites[pc] = at
	return at, nil
}

// See goes on by an operation. The error is a *Divergence if the machine lacks it, or if no invariant of the machine
// would hold. Else it wraps follow.ErrMany.
func (l *DanceLog) See(op *DanceOperation) error {
	if l.over {
		return errors.New("trace: an operation after the end of a log")
	}
	diverges := func(n *Divergence) error {
		l.over = true
		n.Step, n.Thread, n.Action = l.Operations, op.Thread, op.Site.at.label()
		return n
	}
	if op.Kind == recording.KindNames[recording.Hand] || op.Kind == recording.KindNames[recording.Born] {
		return nil // they are for the order alone
	}
	if l.set == 0 {
		if op.Thread != 0 {
			return diverges(&Divergence{Expected: "M 1 to run the first G before others do anything", Observed: op.Site.at.shown(&op.Step)})
		}
		if op.Site.at.is("GetCASNext") && op.Changed {
			l.set = l.d.number(l.d.first())
		}
		return nil
	}
	l.Operations++
	o, divergence := l.b.observe(&op.Step, &op.Site.at)
	if divergence != nil {
		return diverges(divergence)
	}
	if o.nothing() {
		l.Stutters++
		return nil
	}
	next, tried, err := l.step(&o)
	switch {
	case err != nil:
		l.over = true
		return err
	case next == 0:
		return diverges(&Divergence{Expected: l.d.expected(tried, op.Thread), Observed: op.Site.at.shown(&op.Step)})
	}
	l.set = next
	if name := l.d.sets.wrong[next-1]; name != "" {
		return diverges(&Divergence{Expected: name, Observed: "that it does not, after " + op.Site.at.shown(&op.Step)})
	}
	return nil
}

// End ends a log. What is left must be at rest, as at the end of an execution.
func (l *DanceLog) End() error {
	if l.over || l.set == 0 {
		return errors.New("trace: a log ends that was over, or had not begun")
	}
	l.over = true
	o := observation{mode: ended}
	l.b.values.time(&o)
	next, tried, err := l.step(&o)
	if err != nil {
		return err
	}
	if next == 0 || l.b.holder >= 0 {
		return &Divergence{Step: l.Operations, Expected: l.d.goesOn(tried), Observed: "no further operation"}
	}
	return nil
}

// step returns what follows the set. Tried is known if nothing does.
func (l *DanceLog) step(o *observation) (next uint32, tried follow.Set[stand], err error) {
	s := l.d.sets
	o.wrote = 0
	o.word = danceWord{}
	seen := s.seen[*o]
	if seen == 0 {
		seen = uint32(len(s.seen)) + 1
		s.seen[*o] = seen
	}
	key := [2]uint32{l.set, seen}
	if next = s.next[key]; next != 0 {
		return next, nil, nil
	}
	after, tried, _, err := follow.Advance(l.d.rules, s.list[l.set-1], o)
	if err != nil || len(after) == 0 {
		return 0, tried, err
	}
	if len(s.list) > mostSets {
		return 0, tried, fmt.Errorf("%w: expected at most %d sets in all runs, saw more", follow.ErrMany, mostSets)
	}
	next = l.d.number(after)
	s.next[key] = next
	return next, nil, nil
}

// mostSets bounds the sets.
const mostSets = 1 << 20

// number returns the number of a set.
func (d *Dance) number(set follow.Set[stand]) uint32 {
	s := d.sets
	key := uint64(0)
	for i := range set {
		key += maphash.Comparable(s.seed, set[i])
	}
	for _, n := range s.byKey[key] {
		if other := s.list[n-1]; len(other) == len(set) && !slices.ContainsFunc(set, func(e stand) bool { return !slices.Contains(other, e) }) {
			return n
		}
	}
	s.list = append(s.list, slices.Clone(set))
	s.wrong = append(s.wrong, d.breaks(set))
	n := uint32(len(s.list))
	s.byKey[key] = append(s.byKey[key], n)
	return n
}

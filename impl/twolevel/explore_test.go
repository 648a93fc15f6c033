package twolevel

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A scene is a scheduler under the explorer. It begins with one M that has a P and runs a task, and has no end: Ms that find
// nothing sleep.
type scene struct {
	name   string
	procs  int
	spawns int // so many tasks it spawns
	calls  int // so many syscalls it enters
	kept   int // so many tasks stay in a syscall
	main   func(*Task)
	long   bool // to hold it against the machine takes a minute
}

// begun begins a scene.
func begun(x *interleave.Exec, sc scene) *Scheduler {
	s, err := New(sc.procs)
	if err != nil {
		x.Fatalf("%v", err)
	}
	m := s.newm()
	m.born, m.spin, m.p = true, none, true
	s.free.Add(-1)
	s.tasks.Add(1)
	s.ms.Add(1)
	t := &Task{s: s, f: sc.main}
	x.Daemon("M1", func() { m.execute(t); m.mstart() })
	return s
}

// What tasks do in scenes.

func nothing(*Task) {}

func call(t *Task) { t.Block(func() {}) }

// forever runs on, and leaves its P to no other.
func forever(*Task) {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

func callForever(t *Task) { t.Block(func() { forever(t) }) }

// does is a task that does one after the other.
func does(list ...func(*Task)) func(*Task) {
	return func(t *Task) {
		for _, f := range list {
			f(t)
		}
	}
}

// spawn is what starts a task.
func spawn(f func(*Task)) func(*Task) { return func(t *Task) { t.Go(f) } }

// scenes are explored to their end.
var scenes = []scene{
	{name: "end", procs: 2, main: nothing},
	{name: "spawn, one P", procs: 1, spawns: 1, main: spawn(nothing)},
	{name: "call, one P", procs: 1, calls: 1, main: call},
	{name: "spawn, call, one P", procs: 1, spawns: 1, calls: 1, main: does(spawn(nothing), call)},
	{name: "call for ever, one P", procs: 1, spawns: 1, calls: 1, kept: 1, main: does(spawn(nothing), callForever)},
	{name: "call beside one for ever, one P", procs: 1, spawns: 1, calls: 2, kept: 1, main: does(spawn(callForever), call)},
	{name: "three, one P", procs: 1, spawns: 2, calls: 1, main: does(spawn(nothing), spawn(nothing), call)},
	{name: "spawn", procs: 2, spawns: 1, main: spawn(nothing)},
	{name: "spawn beside work", procs: 2, spawns: 1, main: does(spawn(nothing), forever)},
	{name: "spawn two beside work", procs: 2, spawns: 2, main: does(spawn(nothing), spawn(nothing), forever)},
	{name: "spawn work, beside work", procs: 2, spawns: 2, main: does(spawn(forever), spawn(nothing), forever)},
	{name: "spawn work, 3 Ps", procs: 3, spawns: 2, main: does(spawn(forever), spawn(forever), forever)},
	{name: "call", procs: 2, calls: 1, main: call},
	{name: "call, then work", procs: 2, calls: 1, main: does(call, forever)},
	{name: "call for ever", procs: 2, spawns: 1, calls: 1, kept: 1, main: does(spawn(nothing), callForever)},
	{name: "spawn a call beside work", procs: 2, spawns: 1, calls: 1, main: does(spawn(call), forever), long: true},
}

// atRest looks at a scheduler in which no M can go on: each sleeps, or runs a task that does not end.
func atRest(x *interleave.Exec, s *Scheduler, sc scene) {
	nspin := harness.Object(x, unsafe.Pointer(&s.nspin))
	for _, step := range harness.Taken(x) {
		if step.Object == nspin && nspin >= 0 && int32(step.Wrote) > s.procs {
			x.Fatalf("DN-SPIN-BOUND: %d Ms spin, with %d Ps", int32(step.Wrote), s.procs)
		}
	}
	if n := s.nspin.Load(); n != 0 {
		x.Fatalf("DN-SPIN-COUNT: nspin is %d, and no M spins", n)
	}
	if n := s.ntwo.Load(); n != 0 {
		x.Fatalf("DN-SPIN-COUNT: ntwo is %d, and no M waits for a P", n)
	}
	free, queued := int(s.free.Load()), int(s.queue.size.Load())
	if queued > 0 && free != 0 {
		x.Fatalf("DN-WORK-QUIET: %d tasks wait in the queue beside a free P, and no M comes", queued)
	}
	runs := int(s.tasks.Load()) - 1 - queued - sc.kept
	switch busy := sc.procs - free; {
	case busy > runs && queued > 0 && sc.kept > 0:
		x.Fatalf("SY-HANDOFF: %d tasks wait in the queue, and a P lies with an M in a syscall", queued)
	case busy > runs:
		x.Fatalf("DN-P-OWNED: %d Ps are busy, and %d tasks run", busy, runs)
	case busy < runs:
		x.Fatalf("DN-ONE-PLACE: %d tasks have not ended, and are nowhere", runs-busy)
	}
	if n, most := s.idle.wakes, uint64(2*sc.spawns+2*sc.calls); n > most {
		x.Fatalf("DN-WAKES: %d Ms were woken for %d spawns and %d syscalls, expected at most %d", n, sc.spawns, sc.calls, most)
	}
}

// play explores a scene.
func play(t *testing.T, sc scene, opts ...interleave.Option) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		s := begun(x, sc)
		x.Finally(func() { atRest(x, s, sc) })
	}, opts...)
}

func TestScenes(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WORK-QUIET")
	t.Attr("req", "DN-SPIN-BOUND")
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			play(t, sc, interleave.Exhaustive())
		})
	}
}

package checks

import (
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// waitFaces are designs of the pools that are waited for, that several close, and whose tasks end by runtime.Goexit.
var waitFaces = []struct {
	name, check string
	p           spec.Profile
	f           scheduler.Factory
	falls       []string
	keeps       []string
}{
	{"waits", "wait", spec.Pool, newWaitPool(noWaitBug), nil, []string{"SC-WAIT-RETURNS", "SC-WAIT-WAITS"}},
	{"waits for what was there", "wait", spec.Pool, newWaitPool(waitsByTicket), nil, []string{"SC-WAIT-RETURNS", "SC-WAIT-WAITS"}},
	{"wakes one that waits", "wait", spec.Pool, newWaitPool(wakesOneWaiter), []string{"SC-WAIT-RETURNS"}, nil},
	{"waits for an empty queue", "wait", spec.Pool, newWaitPool(waitsForQueue), []string{"SC-WAIT-WAITS", "SC-WAIT-RETURNS"}, nil},
	{"looks, and then waits", "", spec.Pool, newWaitPool(looksBeforeItWaits), []string{"SC-WAIT-RETURNS"}, nil},
	{"waits for Close", "wait", spec.Pool, newWaitPool(waitsForClose), []string{"SC-WAIT-RETURNS"}, nil},
	{"several close", "closers", spec.Pool + ",closers=any", newWaitPool(noWaitBug), nil, []string{"SC-CLOSE-WAITS", "SC-CLOSE-RETURNS"}},
	{"a goroutine for each task, several close", "closers", spec.Preemptive + ",closers=any", newPerTask, nil, []string{"SC-CLOSE-WAITS", "SC-CLOSE-RETURNS"}},
	{"the second Close returns at once", "closers", spec.Pool + ",closers=any", newWaitPool(secondReturns), []string{"SC-CLOSE-WAITS"}, nil},
	{"the second Close panics", "closers", spec.Pool + ",closers=any", newWaitPool(secondPanics), []string{"SC-CALLS"}, nil},
	{"the second Close hangs", "closers", spec.Pool + ",closers=any", newWaitPool(secondHangs), []string{"SC-CLOSE-RETURNS"}, nil},
	{"replaces its workers", "exit", spec.Pool + ",exits=isolated,workers=exact", newWaitPool(noWaitBug), nil, []string{"SC-EXIT", "SC-WORKERS", "SC-CLOSE-WORKERS"}},
	{"a goroutine for each task, which ends it", "exit", spec.Preemptive + ",exits=isolated", newPerTask, nil, []string{"SC-EXIT", "SC-CLOSE-WORKERS"}},
	{"loses its workers", "exit", spec.Pool + ",exits=isolated", newWaitPool(losesExited), []string{"SC-EXIT"}, nil},
	{"counts behind the call", "exit", spec.Pool + ",exits=isolated", newWaitPool(countsBehind), []string{"SC-EXIT"}, nil},
	{"replaces each twice", "exit", spec.Pool + ",exits=isolated,workers=exact", newWaitPool(replacesTwice), []string{"SC-EXIT"}, nil},
	{"does not wait for those that replace", "exit", spec.Pool + ",exits=isolated", newWaitPool(forgetsReplaced), []string{"SC-EXIT", "SC-CALLS"}, nil},
	{"runs tasks where they are submitted", "exit", spec.Pool + ",exits=isolated,submits=outside", newInline, []string{"SC-EXIT", "SC-CALLS"}, nil},
}

// inline runs tasks in the goroutine of Submit, and has none of its own. It is right as far as no task ends that.
type inline struct {
	mu     sync.Mutex
	closed bool
}

func newInline(int) scheduler.Scheduler { return new(inline) }

func (s *inline) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return errClosed
	}
	task(nil)
	return nil
}

func (s *inline) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// perTask is a goroutine for each task, which the explorer sees.
type perTask struct {
	inline
	tasks sync.WaitGroup
}

func newPerTask(int) scheduler.Scheduler { return new(perTask) }

func (s *perTask) Submit(task func(scheduler.Task)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.tasks.Go(func() { task(nil) })
	return nil
}

func (s *perTask) Close() error {
	s.inline.Close()
	s.tasks.Wait()
	return nil
}

// TestWaitFaces: right ones pass, and each flaw is found as what it is, on threads.
func TestWaitFaces(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-WAIT-RETURNS")
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	for _, c := range tier.Some(t, waitFaces, 4) {
		if c.check != "" { // else threads are seldom so near to one another
			t.Run(c.name, func(t *testing.T) { judgedBy(t, c.p, c.f, "^stress/"+c.check+"$", c.falls, c.keeps...) })
		}
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/(wait|exit|closers)$")
	for _, id := range []string{"SC-WAIT-RETURNS", "SC-WAIT-WAITS"} {
		if got := rows[id].Standing; got != suite.NotOffered {
			t.Errorf("%s: expected that a pool without Waiter is not judged, saw %s", id, got)
		}
	}
}

// TestWaitFacesExplored is TestWaitFaces in the explorer.
func TestWaitFacesExplored(t *testing.T) {
	tier.OnlyFull(t)
	t.Attr("req", "SC-EXIT")
	for _, c := range tier.Some(t, waitFaces, 2) {
		t.Run(c.name, func(t *testing.T) { judgedBy(t, c.p, c.f, "^interleave/graphs$", c.falls, c.keeps...) })
	}
}

// TestSettlesComeToEnd: a thread that waits for all tasks may go on when all have ended that were accepted before, and surely does when none is left.
func TestSettlesComeToEnd(t *testing.T) {
	t.Attr("req", "SC-WAIT-RETURNS")
	for _, c := range []struct {
		outside, tasks []string
		want           bool
	}{
		{[]string{"s0 v"}, []string{""}, true},
		{[]string{"v s0 v"}, []string{""}, true},
		{[]string{"s0 v a0"}, []string{"w0"}, false},
		{[]string{"s0 v", "a0"}, []string{"w0"}, true},
		{[]string{"s0 v", "v a0"}, []string{"w0"}, false},      // both may wait for the task
		{[]string{"s0 v s2"}, []string{"s1", "", "j1"}, false}, // what it has spawned may wait behind the last
		{[]string{"s0 j1 v s2"}, []string{"s1", "", "j1"}, true},
		{[]string{"s0 v c", "v c"}, []string{""}, true},
	} {
		p, err := (&record.TaskGraph{Name: "x", Workers: 1, Outside: c.outside, Tasks: c.tasks}).Program()
		if err != nil {
			t.Fatal(err)
		}
		if got := comesToEnd(p, nil); got != c.want {
			t.Errorf("%v %v: expected %v, saw %v", c.outside, c.tasks, c.want, got)
		}
	}
}

// TestJudgeFaces holds the judge to what runs by hand show of threads that wait and close, and of tasks that join and exit.
func TestJudgeFaces(t *testing.T) {
	t.Attr("req", "SC-WAIT-WAITS")
	graph := func(outside string, tasks ...string) record.TaskGraph {
		return record.TaskGraph{Name: "x", Workers: 1, Outside: strings.Split(outside, "|"), Tasks: tasks}
	}
	waits, closes, joins := graph("s0 v|v", ""), graph("s0 c|c", ""), graph("s0", "f1 n1", "")
	const s0, closed = "T0>s0 T0<s0 ", " R>c R<c"
	for _, c := range []struct {
		name, profile string
		g             record.TaskGraph
		run, want     string
	}{
		{"all have ended", "pool", waits, s0 + "T0>v T1>v 0+ 0- T0<v T1<v" + closed, ""},
		{"one runs", "pool", waits, s0 + "T0>v 0+ T0<v 0- T1>v T1<v" + closed, "SC-WAIT-WAITS/runs"},
		{"one waits", "pool", waits, s0 + "T0>v T0<v 0+ 0- T1>v T1<v" + closed, "SC-WAIT-WAITS/waits"},
		{"it came later", "pool", waits, "T1>v " + s0 + "T1<v T0>v 0+ 0- T0<v" + closed, ""},
		{"it came meanwhile", "pool", waits, "T0>s0 T1>v T0<s0 T1<v T0>v 0+ 0- T0<v" + closed, ""},
		{"waits for ever", "pool", waits, s0 + "T0>v T1>v 0+ 0- T0<v rest", "SC-WAIT-RETURNS"},
		{"waits for one that does not run", "pool", waits, s0 + "T0>v T1>v rest", "SC-WORK"},
		{"waits for one that runs", "pool", waits, s0 + "T0>v T1>v 0+ rest", ""},
		{"panics", "pool", waits, s0 + "T0>v 0+ 0- T0<v!panic:_no T1>v T1<v" + closed, "SC-CALLS/wait"},
		{"two close", "pool,closers=any", closes, s0 + "T0>c T1>c 0+ 0- T0<c T1<c", ""},
		{"the second is early", "pool,closers=any", closes, s0 + "T0>c T1>c T1<c 0+ 0- T0<c", "SC-CLOSE-WAITS/waits"},
		{"the second hangs", "pool,closers=any", closes, s0 + "T0>c T1>c 0+ 0- T0<c rest", "SC-CLOSE-RETURNS"},
		{"the first hangs", "pool,closers=any", closes, s0 + "T0>c T1>c 0+ 0- T1<c rest", "SC-CLOSE-RETURNS"},
		{"joins", "pool", joins, s0 + "0+ 0>f1 0<f1 0>n1 1+ 1- 0<n1 0-" + closed, ""},
		{"joins too early", "pool", joins, s0 + "0+ 0>f1 0<f1 0>n1 1+ 0<n1 1- 0-" + closed, "SC-JOIN/early"},
		{"joins for ever", "pool", joins, s0 + "0+ 0>f1 0<f1 0>n1 1+ 1- rest", "SC-JOIN"},
		{"joins, and keeps its worker", "pool", joins, s0 + "0+ 0>f1 0<f1 0>n1 rest", "SC-JOIN/keeps"},
		{"joins what was refused", "pool,refuse=anytime", joins, s0 + "0+ 0>f1 0<f1!refused:_no 0>n1 0<n1 0-" + closed, ""},
		{"joins one that runs", "pool", joins, s0 + "0+ 0>f1 0<f1 0>n1 1+ rest", ""},
		{"exits, and the next is lost", "pool,exits=isolated", graph("s0 s1", "e", ""), s0 + "T0>s1 T0<s1 0+ 0- rest", "SC-EXIT/SC-WORK"},
		{"exits, and takes along the one that joins it", "pool,exits=isolated", graph("s0", "f1 n1", "e"), s0 + "0+ 0>f1 0<f1 0>n1 1+ 1- 0-" + closed, "SC-EXIT/along"},
		{"exits, and another goes on", "pool,exits=isolated", graph("s0", "f1 n1", "e"), s0 + "0+ 0>f1 0<f1 0>n1 1+ 1- 0<n1 0-" + closed, ""},
		{"exits, and Close hangs", "pool,exits=isolated", graph("s0", "e"), s0 + "0+ 0- R>c rest", "SC-EXIT/SC-CLOSE-RETURNS"},
	} {
		contract, err := spec.ParseSchedulerContract(c.profile)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range judge(runOf(t, c.g, c.run), contract).findings {
			got = append(got, f.Fingerprint)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: expected %q, saw %q", c.name, c.want, got)
		}
	}
}

// sleepPool is a goroutine for each task, which sleeps. WaitTasks does not wait for those that sleep.
type sleepPool struct {
	perTask
	awake   int
	change  sync.Cond
	forgets bool // wrong
}

func newSleepPool(forgets bool) scheduler.Factory {
	return func(int) scheduler.Scheduler {
		s := &sleepPool{forgets: forgets}
		s.change.L = &s.mu
		return s
	}
}

func (s *sleepPool) add(n int) {
	s.mu.Lock()
	s.awake += n
	s.change.Broadcast()
	s.mu.Unlock()
}

func (s *sleepPool) Submit(task func(scheduler.Task)) error {
	s.add(1)
	err := s.perTask.Submit(func(scheduler.Task) {
		defer s.add(-1)
		task(sleepTask{s})
	})
	if err != nil {
		s.add(-1)
	}
	return err
}

func (s *sleepPool) WaitTasks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.awake > 0 {
		s.change.Wait()
	}
}

type sleepTask struct{ s *sleepPool }

func (t sleepTask) Sleep(d time.Duration) {
	if t.s.forgets {
		t.s.add(-1)
		defer t.s.add(1)
	}
	time.Sleep(d)
}

// TestWaitsForOthers: a thread that waits for all tasks waits for those that have left their workers, and for no other that has ended.
func TestWaitsForOthers(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "SC-WAIT-WAITS")
	judgedBy(t, spec.Pool, newSleepPool(false), "^stress/wait$", nil, "SC-WAIT-WAITS")
	judgedBy(t, spec.Pool, newSleepPool(true), "^stress/wait$", []string{"SC-WAIT-WAITS"})
	judgedBy(t, spec.Pool+",exits=isolated", newWaitPool(countsBehind), "^stress/wait$", []string{"SC-EXIT"})
}

package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// runOf reads a run from words: "T0>s0" begins a step, "T0<s0" ends it, "T0<s0!text" with a text; "0+" is the begin of task 0, "0-"
// its end; "rest", "stall" and "free" are the runner's; "one" and "two" are how many goroutines the scheduler has; and "dead1" is a report of one task that waits for nobody.
func runOf(t *testing.T, g record.TaskGraph, text string) *record.TaskRun {
	t.Helper()
	r := &record.TaskRun{Graph: g}
	for _, w := range strings.Fields(text) {
		e := record.TaskEvent{Who: record.Runner}
		switch w {
		case "rest":
			e.What = record.AtRest
		case "stall":
			e.What = record.Stalled
		case "free":
			e.What = record.Released
		case "one":
			e.What, e.Text = record.Alive, "1: at p.go:7"
		case "two":
			e.What, e.Text = record.Alive, "2: at p.go:7"
		case "dead1":
			e.What, e.Text = record.Deadlock, "1"
		default:
			w, e.Text, _ = strings.Cut(w, "!")
			e.Text = strings.ReplaceAll(e.Text, "_", " ")
			at := strings.IndexAny(w, "+-<>")
			who := w[:at]
			if name, ok := strings.CutPrefix(who, "T"); ok {
				fmt.Sscan(name, &e.Who)
				e.Who = ^e.Who
			} else if who != "R" {
				fmt.Sscan(who, &e.Who)
			}
			e.What, e.Step = map[byte]record.TaskSight{'+': record.Begins, '-': record.Ends, '>': record.Does, '<': record.Did}[w[at]], w[at+1:]
		}
		r.Events = append(r.Events, e)
	}
	return r
}

// TestJudge holds the judge to what runs by hand show, and to what they do not show.
func TestJudge(t *testing.T) {
	t.Attr("req", "SC-LOST")
	graph := func(workers int, outside string, tasks ...string) record.TaskGraph {
		return record.TaskGraph{Name: "x", Workers: workers, Outside: strings.Split(outside, "|"), Tasks: tasks}
	}
	one, two := graph(1, "s0", ""), graph(2, "s0 s1", "", "")
	const closed, reported = " R>c R<c", "cooperative,deadlock=reported"
	for _, c := range []struct {
		name    string
		g       record.TaskGraph
		profile spec.Profile
		run     string
		want    string // fingerprints
	}{
		{"right", one, "pool", "T0>s0 T0<s0 0+ 0-" + closed, ""},
		{"begins before Submit returns", one, "pool", "T0>s0 0+ 0- T0<s0" + closed, ""},
		{"twice", one, "pool", "T0>s0 T0<s0 0+ 0- 0+ 0-" + closed, "SC-TWICE"},
		{"not at all", one, "pool", "T0>s0 T0<s0" + closed, "SC-CLOSE-WAITS/waits SC-LOST"},
		{"not at all, and close says nothing", one, "pool,close=unsaid", "T0>s0 T0<s0" + closed, ""},
		{"waits for ever", one, "pool", "T0>s0 T0<s0 rest free R>c 0+ 0- R<c", "SC-WORK"},
		{"waits while some run, to no end", one, "pool", "T0>s0 T0<s0 stall free R>c 0+ 0- R<c", "SC-WORK"},
		{"close is too early", one, "pool", "T0>s0 T0<s0 0+ R>c R<c 0-", "SC-CLOSE-WAITS/runs"},
		{"accepted beside Close, runs after it", graph(1, "s0|c", ""), "pool", "T1>c T0>s0 T0<s0 T1<c 0+ 0-", ""},
		{"accepted beside Close, and never runs", graph(1, "s0|c", ""), "pool", "T1>c T0>s0 T0<s0 T1<c", "SC-LOST"},
		{"spawned beside Close by one that was early", graph(1, "s0|c", "s1", ""), "pool", "T0>s0 T0<s0 0+ T1>c 0>s1 0<s1 0- T1<c 1+ 1-", "SC-CLOSE-WAITS/waits"},
		{"refused", one, "pool", "T0>s0 T0<s0!refused:_no" + closed, "SC-ACCEPT"},
		{"may be refused", one, "pool,refuse=anytime", "T0>s0 T0<s0!refused:_no" + closed, ""},
		{"refused, and runs", one, "pool,refuse=anytime", "T0>s0 T0<s0!refused:_no 0+ 0-" + closed, "SC-REFUSED"},
		{"runs, and is refused", one, "pool,refuse=anytime", "T0>s0 0+ 0- T0<s0!refused:_no" + closed, "SC-REFUSED"},
		{"refused beside Close", graph(1, "s0|c", ""), "pool", "T0>s0 T1>c T0<s0!refused:_no T1<c", ""},
		{"panics beside Close", graph(1, "s0|c", ""), "pool", "T1>c T0>s0 T0<s0!refused:_panic:_send T1<c", "SC-CALLS/submit"},
		{"panics after Close", graph(1, "c s0", ""), "pool", "T0>c T0<c T0>s0 T0<s0!refused:_panic:_closed", ""},
		{"accepted after Close", graph(1, "c s0", ""), "pool", "T0>c T0<c T0>s0 T0<s0 0+ 0-", "SC-CLOSED"},
		{"after Close, and nothing is said of that", graph(1, "c s0", ""), "pool,closed=unsaid", "T0>c T0<c T0>s0 T0<s0 0+ 0-", ""},
		{"after Close, never runs, and nothing is said of that", graph(1, "c s0", ""), "pool,closed=unsaid", "T0>c T0<c T0>s0 T0<s0", ""},
		{"after Close, and a stop", graph(1, "c s0", ""), "pool,closed=unsaid", "T0>c T0<c T0>s0 T0<s0 rest free", ""},
		{"after Close, and one waits for it", graph(1, "c s0 j0", ""), "pool,closed=unsaid", "T0>c T0<c T0>s0 T0<s0 T0>j0 rest free", "-"},
		{"after Close, and one before it never runs", graph(1, "s0|c s1", "", ""), "pool,closed=unsaid", "T0>s0 T0<s0 T1>c T1<c T1>s1 T1<s1 rest free", "SC-CLOSE-WAITS/waits SC-LOST"},
		{"from before Close to after it, never runs, and nothing is said of that", graph(1, "s0|c", ""), "pool,closed=unsaid", "T0>s0 T1>c T1<c T0<s0 rest free", ""},
		{"from beside Close to after it, never runs, and nothing is said of that", graph(1, "s0|c", ""), "pool,closed=unsaid", "T1>c T0>s0 T1<c T0<s0", ""},
		{"from beside Close to after it, and never runs", graph(1, "s0|c", ""), "pool", "T1>c T0>s0 T1<c T0<s0", "SC-LOST"},
		{"before Close, never runs, and nothing is said of what comes after", one, "pool,closed=unsaid", "T0>s0 T0<s0" + closed, "SC-CLOSE-WAITS/waits SC-LOST"},
		{"beside Close, never runs, and nothing is said of what comes after", graph(1, "s0|c", ""), "pool,closed=unsaid", "T1>c T0>s0 T0<s0 T1<c", "SC-LOST"},
		{"close panics", one, "pool", "T0>s0 T0<s0 0+ 0- R>c R<c!panic:_x", "SC-CALLS/close"},
		{"close hangs", one, "pool", "T0>s0 T0<s0 0+ 0- R>c rest free", "SC-CLOSE-RETURNS"},
		{"submit hangs", one, "pool", "T0>s0 rest free", "SC-CALLS/submit-hangs"},
		{"submit waits for the one worker", graph(1, "s0 s1", "w0", ""), "pool,waits=worker", "T0>s0 T0<s0 0+ 0>w0 T0>s1 rest free", "?"},
		{"submit waits for the one worker, beside Close", graph(1, "s0 c", "s1", ""), "pool,waits=worker", "T0>s0 T0<s0 0+ 0>s1 T0>c rest free", "SC-CALLS/submit-hangs"},
		{"submit waits for the one worker, beside Close, and a thread sleeps", graph(1, "s0 c|z9000 a0", "s1", ""), "pool,waits=worker", "T0>s0 T0<s0 T1>z9000 0+ 0>s1 T0>c rest", "?"},
		{"submit waits for the one worker, and should not", graph(1, "s0 s1", "w0", ""), "pool", "T0>s0 T0<s0 0+ 0>w0 T0>s1 rest free", "SC-CALLS/submit-hangs"},
		{"submit waits beside a free worker", graph(2, "s0 s1", "w0", ""), "pool,waits=worker", "T0>s0 T0<s0 0+ 0>w0 T0>s1 rest free", "SC-CALLS/submit-hangs"},
		{"a task waits beside a submission that may wait", graph(2, "s0 s1", "", ""), "pool,waits=worker", "T0>s0 T0<s0 T0>s1 rest free", "SC-CALLS/submit-hangs SC-WORK"},
		{"one of two that meet", graph(2, "s0 s1", "m0", "m0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>m0 rest free R>c 0<m0 0- 1+ 1- R<c", "SC-TOGETHER"},
		{"one of two that meet, with one worker", graph(1, "s0 s1", "m0", "m0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>m0 rest", "?"},
		{"one that was spawned", graph(2, "s0", "s1 j1", ""), "pool", "T0>s0 T0<s0 0+ 0>s1 0<s1 0>j1 rest free", "SC-STEAL"},
		{"made ready, and not woken", graph(1, "s0 s1", "p0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>p0 1+ 1<a0 1- rest free", "SC-WAKE"},
		{"parked, for nobody", graph(1, "s0", "p0"), "pool", "T0>s0 T0<s0 0+ 0>p0 rest", "?"},
		{"blocks, and is not replaced", graph(1, "s0 s1", "b0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>b0 rest free", "SY-BLOCK"},
		{"blocks, and another waits for a worker that is idle beside it", graph(2, "s0 s1", "b0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>b0 rest free", "SC-WORK"},
		{"blocks, and one that was made ready waits for its worker", graph(1, "s0 s1 a0", "p0", "b1"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>p0 1+ 1>b1 T0<a0 rest free", "SY-BLOCK"},
		{"blocks, and is not replaced, nor need be", graph(2, "s0 s1 s2", "b0", "w1", "a0"), "pool,block=one", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>b0 1+ 1>w1 rest free", "?"},
		{"blocks, and is not replaced, and need be", graph(2, "s0 s1 s2", "b0", "w1", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>b0 1+ 1>w1 rest free", "SY-BLOCK"},
		{"all block, and none is replaced, where one is enough", graph(2, "s0 s1 s2", "b0", "b0", "a0"), "pool,block=one", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>b0 1+ 1>b0 rest free", "SY-BLOCK"},
		{"one blocks, and another waits beside an idle worker, where one is enough", graph(3, "s0 s1 s2", "b0", "w0", "a0"), "pool,block=one", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>b0 1+ 1>w0 rest free", "SC-TOGETHER"},
		{"waits, and leaves its worker, which runs no other", graph(1, "s0 s1", "w0", "a0"), leaving, "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>w0 rest free", "SC-WORK"},
		{"waits, and keeps its worker", graph(1, "s0 s1", "w0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>w0 rest free", "?"},
		{"waits off its worker, and does not go on", graph(1, "s0 s1", "w0", "a0"), leaving, "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>w0 1+ 1<a0 1- rest free", "SC-WAKE"},
		{"waits off its worker for a task, and does not go on", graph(1, "s0 s1", "j1", ""), leaving, "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>j1 1+ 1- rest free", "SC-WAKE"},
		{"meets off its worker, and does not go on", graph(1, "s0 s1", "m0", "m0"), leaving, "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>m0 1+ 1>m0 1<m0 1- rest free", "SC-WAKE"},
		{"meets off its worker, and one has not come", graph(2, "s0 s1", "m0", "m0"), leaving, "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>m0 rest free", "SC-WORK"},
		{"yields for ever beside an idle worker, where no task keeps its worker", graph(2, "s0 s1", "l0", "a0"), leaving + ",fair=yield", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>l0 stall free", "FA-YIELD"},
		{"may go on, and does not", graph(1, "s0 s1", "b0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>b0 1+ 1<a0 1- rest free", "SY-RETURN"},
		{"may go on, and all workers are taken", graph(1, "s0 s1", "b0", "a0 w1"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>b0 1+ 1<a0 1>w1 rest free", "?"},
		{"blocks, and its call was not made", graph(1, "s0 s1", "b0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>b0 0<b0!called_0_times 0- 1+ 1<a0 1-" + closed, "SY-RETURN/calls"},
		{"yields, and does not come back", graph(1, "s0", "y"), "pool", "T0>s0 T0<s0 0+ 0>y rest free", "SC-WAKE/yield"},
		{"newest first", graph(1, "s0 s1", "", ""), "pool,order=fifo", "T0>s0 T0<s0 T0>s1 T0<s1 1+ 1- 0+ 0-" + closed, "SC-ORDER"},
		{"newest first, in any order", graph(1, "s0 s1", "", ""), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 1+ 1- 0+ 0-" + closed, ""},
		{"newest first, of two workers", two, "pool,order=fifo", "T0>s0 T0<s0 T0>s1 T0<s1 1+ 1- 0+ 0-" + closed, ""},
		{"a panic loses a task", graph(1, "s0 s1", "x", ""), "pool,panics=isolated", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0- rest free", "SC-PANIC/SC-WORK"},
		{"turns that help nobody", graph(1, "s0 s1", "l0", "a0"), "pool,fair=yield", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>l0 stall free", "FA-YIELD"},
		{"turns, and nothing is said of that", graph(1, "s0 s1", "l0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>l0 stall free", "?"},
		{"readies that help nobody", graph(1, "s0 s1 s2", "t0", "t0", "a0"), "pool,fair=switch", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>t0 1+ 1>t0 stall free", "FA-READY"},
		{"readies that help nobody, which is not promised", graph(1, "s0 s1 s2", "t0", "t0", "a0"), "pool,fair=yield", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>t0 1+ 1>t0 stall free", "?"},
		{"a turn that is lost", graph(1, "s0 s1 s2", "t0", "t0", "a0"), "pool,fair=switch", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>t0 1+ 1>t0 rest free", "SC-WAKE"},
		{"a turn of one that was refused", graph(1, "s0 s1 s2", "t0", "t0", "a0"), "pool,fair=switch,refuse=anytime", "T0>s0 T0<s0 T0>s1 T0<s1!refused:_no 0+ 0>t0 rest free", "?"},
		{"readies beside an idle worker", graph(2, "s0 s1 s2", "t0", "t0", "a0"), "pool,fair=switch", "T0>s0 T0<s0 T0>s1 T0<s1 T0>s2 T0<s2 0+ 0>t0 1+ 1>t0 stall free", "SC-TOGETHER"},
		{"submits itself again, which helps nobody", graph(1, "s0 s1", "g0", "a0"), "pool,again=fair", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>g0 stall free", "FA-AGAIN"},
		{"submits itself again, where all run whatever others do", graph(1, "s0 s1", "g0", "a0"), "preemptive", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>g0 stall free", "FA-AGAIN"},
		{"submits itself again, which helps nobody, and that is not promised", graph(1, "s0 s1", "g0", "a0"), "pool", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>g0 stall free", "?"},
		{"submits itself again beside an idle worker", graph(2, "s0 s1", "g0", "a0"), "pool,again=fair", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>g0 stall free", "SC-TOGETHER"},
		{"submits itself again, and is lost", graph(1, "s0 s1", "g0", "a0"), "pool", "T0>s0 T0<s0 0+ 0>g0 rest free", "SC-WORK/again"},
		{"submits itself again, and is refused", graph(1, "s0 s1", "g0", "a0"), "pool", "T0>s0 T0<s0 0+ 0>g0 0<g0!refused:_no 0-" + closed, "SC-ACCEPT"},
		{"a thread keeps submitting, which helps nobody", graph(1, "s0 g0", "s1", "a0"), "pool,again=fair", "T0>s0 T0<s0 0+ 0>s1 0<s1 0- T0>g0 stall free", "FA-AGAIN"},
		{"a thread keeps submitting what is lost", graph(1, "s0 g0", "a0"), "pool,again=fair", "T0>s0 T0<s0 T0>g0 rest free", "SC-WORK SC-WORK/fed"},
		{"spins beside one that waits", graph(1, "s0 s1", "h0", "a0"), "preemptive", "T0>s0 T0<s0 T0>s1 T0<s1 0+ 0>h0 stall free", "FA-PREEMPT"},
		{"a deadlock", graph(1, "s0", "p0"), reported, "T0>s0 T0<s0 0+ 0>p0 R>c dead1 R<c", ""},
		{"a deadlock, kept secret", graph(1, "s0", "p0"), reported, "T0>s0 T0<s0 0+ 0>p0 R>c R<c", "SC-DEADLOCK"},
		{"a deadlock beside one that has ended", graph(1, "s0 s1", "p0", ""), reported, "T0>s0 T0<s0 0+ 0>p0 T0>s1 T0<s1 1+ 1- R>c dead1 R<c", ""},
		{"a deadlock beside one that can go on", graph(1, "s0 s1", "p0", "y"), reported, "T0>s0 T0<s0 0+ 0>p0 T0>s1 T0<s1 1+ R>c dead1 R<c", "SC-DEADLOCK-TRUE/early"},
		{"a deadlock of none", one, reported, "T0>s0 T0<s0 0+ R>c dead1 R<c", "SC-DEADLOCK-TRUE"},
	} {
		contract, err := spec.ParseSchedulerContract(string(c.profile))
		if err != nil {
			t.Fatal(err)
		}
		v := judge(runOf(t, c.g, c.run), contract)
		var got []string
		for _, f := range v.findings {
			got = append(got, f.Fingerprint)
		}
		if v.doubt != "" {
			got = append(got, "?")
		}
		slices.Sort(got)
		if strings.Join(got, " ") != strings.TrimPrefix(c.want, "-") {
			t.Errorf("%s: expected %q, saw %q %s", c.name, c.want, got, v.doubt)
		}
		// Behind a stop of which nothing is said all is judged, unless somebody waits.
		if stopped := c.want != "" && (strings.Contains(c.run, "rest") || strings.Contains(c.run, "stall")); v.cut != stopped {
			t.Errorf("%s: expected cut %v, saw %v", c.name, stopped, v.cut)
		}
	}
}

// The oracle takes what always comes to its end, and nothing else.
func TestOracle(t *testing.T) {
	for text, want := range map[string]bool{
		"1 s0|":               true,
		"2 s0 s1|m0/m0":       true,
		"1 s0 s1|m0/m0":       false, // the second has no worker
		"2 s0 s1 s2|w0/w0/a0": false,
		"3 s0 s1 s2|w0/w0/a0": true,
		"1 s0 s1|p0/a0":       true, // who parks leaves its worker
		"1 s0 s1|w0/a0":       false,
		"1 s0 s1|b0/a0":       true, // who blocks leaves its worker
		"1 s0 s1|b0/a0 w1":    false,
		"1 s0 s1|b0/a0 j0":    false, // it comes back to a worker, and there is none
		"1 s0 s1|a0/w0":       false, // it ends only if the second is submitted once the first runs
		"1 s0|s1 j1/":         false,
		"2 s0|s1 j1/":         true,
		"1 s0|j0":             false,
		"1 s0 c a0|w0":        false, // Close waits for the task, and the task for who is in Close
		"2 c s0|a0":           true,
		"1 c w0 s0|a0":        false,
		"1 s0 s1|y/y":         true,
	} {
		head, tasks, _ := strings.Cut(text, "|")
		g := record.TaskGraph{Name: text, Workers: int(head[0] - '0'), Outside: []string{head[2:]}, Tasks: strings.Split(tasks, "/")}
		p, err := g.Program()
		if err != nil {
			t.Fatal(err)
		}
		if got := comesToEnd(p, nil); got != want {
			t.Errorf("%s: expected %v, saw %v", text, want, got)
		}
		if waits := (spec.SchedulerContract{"waits": spec.ForWorker}); !want && comesToEnd(p, waits) {
			t.Errorf("%s: expected no end where submissions may wait and may not", text)
		}
	}
	// What ends only if submissions do not wait.
	for text, want := range map[string]bool{
		"1 s0|s1/":             false, // the only worker waits for itself
		"2 s0|s1/":             true,
		"2 s0 s1|s2/s3/ /":     false, // both workers wait for one
		"3 s0 s1|s2/s3/ /":     true,
		"1 s0 s1|p0/a0":        true,
		"2 s0 s1 s2 a0|w0/w0/": false,
		"3 s0 s1 s2 a0|w0/w0/": true,
		"1 s0 c|":              true,
		"1 s0 s1 s2| / / ":     true,
		"2 s0 s1|w0/s2 a0/":    false, // the third has no worker until the second says so
	} {
		head, tasks, _ := strings.Cut(text, "|")
		g := record.TaskGraph{Name: text, Workers: int(head[0] - '0'), Outside: []string{head[2:]}, Tasks: strings.Split(tasks, "/")}
		p, err := g.Program()
		if err != nil {
			t.Fatal(text, err)
		}
		if !comesToEnd(p, nil) {
			t.Errorf("%s: expected an end where no submission waits", text)
		}
		if got := comesToEnd(p, spec.SchedulerContract{"waits": spec.ForWorker}); got != want {
			t.Errorf("%s: expected %v where submissions may wait, saw %v", text, want, got)
		}
	}
}

// What is enumerated is in order of size, each graph once, within the contract.
func TestEnumerated(t *testing.T) {
	size := func(g record.TaskGraph) (n int) {
		for _, list := range [][]string{g.Outside, g.Tasks} {
			for _, script := range list {
				steps, _ := record.ParseTaskScript(script)
				n += len(steps)
			}
		}
		return n
	}
	for _, c := range []struct {
		profile spec.Profile
		caps    scheduler.Capabilities
		never   string // letters that no graph may have
		need    []string
	}{
		{"pool", scheduler.Capabilities{Block: true}, "pylhx", []string{"s0 s1/b0|a0 on 1"}},
		{"pool", scheduler.Capabilities{}, "bpylhx", []string{"s0 s1/m0|m0 on 2", "s0/s1 j1| on 2", "s0 c s1/| on 1"}},
		{"pool,submits=one", scheduler.Capabilities{}, "pylhx", []string{"s0 s1/m0|m0 on 2"}},
		{"cooperative", scheduler.Capabilities{Spawn: true, Park: true, Yield: true}, "lhx", []string{"s0 s1/p0|a0 on 1"}},
	} {
		contract, _ := spec.ParseSchedulerContract(string(c.profile))
		s := scope{steps: 4, threads: 2, tasks: 2, workers: []int{1, 2}, caps: c.caps, contract: contract}
		list, whole := s.graphs()
		seen, last := make(map[string]bool), 0
		for _, g := range list {
			if seen[g.Name] {
				t.Errorf("%s: %s comes twice", c.profile, g.Name)
			}
			seen[g.Name] = true
			if n := size(g); n < last {
				t.Errorf("%s: %s has %d steps, and comes behind one of %d", c.profile, g.Name, n, last)
			} else {
				last = n
			}
			scripts := strings.Join(g.Outside, " ") + " " + strings.Join(g.Tasks, " ")
			if strings.ContainsAny(scripts, c.never) {
				t.Errorf("%s: %s has a step that is not offered", c.profile, g.Name)
			}
			if c.profile == "pool,submits=one" && (strings.Contains(strings.Join(g.Tasks, ""), "s") || len(g.Outside) == 2 && strings.Contains(g.Outside[0], "s") && strings.Contains(g.Outside[1], "s")) {
				t.Errorf("%s: %s has several that submit", c.profile, g.Name)
			}
		}
		for _, name := range c.need {
			if !seen[name] {
				t.Errorf("%s: expected %s, saw it not", c.profile, name)
			}
		}
		few := s
		few.most = 5
		if some, all := few.graphs(); !whole || all || len(some) != 5 {
			t.Errorf("%s: expected all, and then the first 5, saw whole %v and %v, %d", c.profile, whole, all, len(some))
		}
	}
}

// TestEndedTooEarly: while Close waits, a worker that ends too early looks like one that does not steal. It is said that this may be so.
func TestEndedTooEarly(t *testing.T) {
	t.Attr("req", "SC-STEAL")
	contract, err := spec.ParseSchedulerContract(string(spec.Pool))
	if err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{
		"T0>s0 T0<s0 0+ 0>s1 0<s1 0>j1 rest free":          "1 of 2 workers are idle",
		"T0>s0 T0<s0 0+ T0>c 0>s1 0<s1 0>j1 rest free":     "1 of 2 workers are idle, or have ended: Close was called, and has to wait for all tasks",
		"T0>s0 T0<s0 0+ T0>c 0>s1 0<s1 0>j1 one rest free": "1 of 2 workers have ended, or have not begun: Close was called, and has to wait for all tasks; the scheduler has no goroutine left but for the tasks that have begun (at p.go:7)",
		"T0>s0 T0<s0 0+ T0>c 0>s1 0<s1 0>j1 two rest free": "1 of 2 workers are idle; the goroutines of the scheduler: at p.go:7",
	} {
		v := judge(runOf(t, record.TaskGraph{Name: "x", Workers: 2, Outside: []string{"s0 c"}, Tasks: []string{"s1 j1", ""}}, text), contract)
		if len(v.findings) != 1 || v.findings[0].Requirement != "SC-STEAL" || !strings.HasSuffix(v.findings[0].Observed, "; "+says) || v.early != strings.Contains(text, "one") {
			t.Errorf("%s: expected SC-STEAL, and %q, saw %+v", text, says, v)
		}
	}
}

// TestNoNeedToPark: a task that finds that its event has happened has not parked, and says nothing of those that do.
func TestNoNeedToPark(t *testing.T) {
	t.Attr("req", "SC-WAKE")
	target, err := InProcess("x", spec.Pool, newParkPool(noParkBug))
	if err != nil {
		t.Fatal(err)
	}
	for want, g := range []record.TaskGraph{
		{Name: "no need", Workers: 1, Outside: []string{"s0"}, Tasks: []string{"a0 p0"}},
		{Name: "parks", Workers: 2, Outside: []string{"s0 s1"}, Tasks: []string{"a1 p0", "w1 z20000 a0"}},
	} {
		p, err := g.Program()
		if err != nil {
			t.Fatal(err)
		}
		run, err := target.Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if v := judge(run, factsOf(target).contract); len(v.findings) > 0 || v.judged["SC-WAKE"] != int64(want) {
			t.Errorf("%s: expected SC-WAKE judged %d times, saw %d; %+v\n%v", g.Name, want, v.judged["SC-WAKE"], v.findings, run.Lines())
		}
	}
}

// TestStaysAtWork: who is at work for a moment is at rest. Who is at work most of the time is not, though it waits in some looks.
func TestStaysAtWork(t *testing.T) {
	t.Attr("req", "SC-SPIN")
	for _, c := range []struct {
		looks []int // at work in so many, each time
		want  int
	}{{[]int{20, 40, 40}, 20}, {[]int{21, 0, 0}, 7}, {[]int{40, 20, 0}, 20}, {[]int{40, 0, 40}, 26}, {[]int{40, 40, 0}, 26}, {[]int{40, 40, 40}, 40}} {
		next := 0
		if n := staysAtWork(t.Context(), func(context.Context) int { next++; return c.looks[next-1] }); n != c.want {
			t.Errorf("%v of %d: expected %d, saw %d", c.looks, looks, c.want, n)
		}
	}
}

// TestUsed: who uses much of a processor is at work, whether it waits in some looks or not; but for a moment anybody may.
func TestUsed(t *testing.T) {
	t.Attr("req", "SC-IDLE")
	for _, c := range []struct {
		shares []float64 // of a processor, each time
		works  bool
	}{{[]float64{0}, false}, {[]float64{0.08}, false}, {[]float64{1, 1, 0.04}, false}, {[]float64{0.6, 0.4, 1}, true}} {
		next := 0
		u := used(t.Context(), func(context.Context) float64 { next++; return c.shares[next-1] })
		if a := (activity{used: u}); a.works() != c.works || a.rests() == c.works || next != len(c.shares) {
			t.Errorf("%v: expected at work %v, saw %v after %d looks", c.shares, c.works, a, next)
		}
	}
	for looks, want := range map[int][2]bool{10: {false, true}, 11: {false, false}, 20: {false, false}, 21: {true, false}} {
		if a := (activity{looks: looks}); a.works() != want[0] || a.rests() != want[1] {
			t.Errorf("%v: expected at work, at rest: %v", a, want)
		}
	}
}

// TestShareBesideOthers: a process that works two fifths of the time is seen to do so, however little other processes leave it.
func TestShareBesideOthers(t *testing.T) {
	t.Attr("req", "SC-IDLE")
	for had, looks := range map[time.Duration]int{100: 1, 60: 2, 30: 4} { // of each time, in ms
		spent, n := time.Duration(0), 0
		s := shareOf(t.Context(), func() time.Duration { return spent }, func() time.Duration {
			n++
			spent += had * time.Millisecond * 2 / 5
			return had * time.Millisecond
		})
		if s < 0.399 || s > 0.401 || n != looks {
			t.Errorf("%d ms each time: expected a share of 0.4 after %d looks, saw %v after %d", had, looks, s, n)
		}
	}
}

// TestCoveredByTime: whether a long sleep is over before the threads outside have ended is decided by when that was, and not by what was noted first.
func TestCoveredByTime(t *testing.T) {
	t.Attr("req", "TM-LOST")
	g := record.TaskGraph{Name: "x", Workers: 1, Outside: []string{"s0"}, Tasks: []string{"z400000"}}
	for ends, want := range map[time.Duration]bool{399 * time.Millisecond: false, 400 * time.Millisecond: true, 500 * time.Millisecond: true} {
		run := runOf(t, g, "T0>s0 T0<s0 0+ 0>z400000 T0- 0<z400000 0- R>c R<c")
		for i := range run.Events {
			switch e := &run.Events[i]; {
			case e.What == record.Ends && e.Who < 0:
				e.At = ends
			case e.What == record.Did && e.Who == 0:
				e.At = 500 * time.Millisecond
			}
		}
		contract, err := spec.ParseSchedulerContract(string(spec.Pool))
		if err != nil {
			t.Fatal(err)
		}
		if v := judge(run, contract); (v.covered != "") != want {
			t.Errorf("the thread ends after %v: expected covered %v, saw %q", ends, want, v.covered)
		}
	}
}

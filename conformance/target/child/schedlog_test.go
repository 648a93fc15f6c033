package child

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec/record"
)

// program reads "WORKERS: THREAD|THREAD / TASK/TASK": a graph.
func program(t testing.TB, text string) *record.TaskProgram {
	t.Helper()
	workers, scripts, _ := strings.Cut(text, ":")
	outside, tasks, some := strings.Cut(scripts, "/")
	g := record.TaskGraph{Name: text, Outside: strings.Split(outside, "|")}
	g.Workers, _ = strconv.Atoi(workers)
	if some {
		g.Tasks = strings.Split(tasks, "/")
	}
	p, err := g.Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// log reads "WHO WHAT [STEP] [= TEXT]; ...". WHO is T0, T1, a task, or D: the driver. WHAT is begins, ends, release, does or did; "s0" alone is does and did. An event is
// 1 µs behind the one before it, or at the time behind @, in µs.
func log(text string) (events []record.TaskEvent) {
	at := time.Duration(0)
	for part := range strings.SplitSeq(text, ";") {
		part, said, _ := strings.Cut(strings.TrimSpace(part), " = ")
		part, when, timed := strings.Cut(part, " @")
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		e := record.TaskEvent{Text: said}
		if n, ok := strings.CutPrefix(words[0], "T"); ok {
			e.Who, _ = strconv.Atoi(n)
			e.Who = ^e.Who
		} else if words[0] == "D" {
			e.Who = record.Runner
		} else {
			e.Who, _ = strconv.Atoi(words[0])
		}
		if at += time.Microsecond; timed {
			n, _ := strconv.Atoi(when)
			at = time.Duration(n) * time.Microsecond
		}
		e.At, e.What = at, record.TaskSight(words[1])
		if len(words) > 2 {
			e.Step = words[2]
		}
		switch e.What {
		case record.Begins, record.Ends, record.Does, record.Did, record.Released, "dances":
			events = append(events, e)
		default: // a step
			e.What, e.Step = record.Does, words[1]
			done := e
			done.What = record.Did
			e.Text = ""
			events = append(events, e, done)
		}
	}
	return events
}

// logs are logs of a graph: whole ones that a driver may write, of right schedulers and of wrong ones, and such that no driver can.
var logs = []struct {
	graph string
	log   string
	wrong string // in checkLog's error; "" if there is none
	early string // in checkEnd's
}{
	// What right schedulers do, and what wrong ones do: the judge says so.
	{"1:s0/", "T0 s0; 0 begins; 0 ends; T0 ends; D c", "", ""},
	{"1:s0 c/", "T0 s0; 0 begins; 0 ends; T0 c; T0 ends", "", ""},
	{"1:s0/", "T0 does s0; 0 begins; 0 ends; T0 did s0; T0 ends; D c", "", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 begins; 0 ends; 0 ends; T0 ends; D c", "", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; 0 begins; 0 ends; T0 ends; D c", "", ""},
	{"1:s0/y y", "T0 s0; 0 begins; 0 does y; 0 begins; 0 does y; 0 did y; 0 did y; 0 y; 0 ends; 0 ends; T0 ends; D c", "", ""},
	{"1:s0/", "T0 s0 = refused: full; 0 begins; 0 ends; T0 ends; D c", "", ""},
	{"1:s0/", "T0 s0 = refused: full; T0 ends; D c", "", ""},
	{"1:s0 s1/s2//", "T0 s0 = refused: full; T0 s1; T0 ends; 1 begins; 1 ends; D c = it is late", "", ""},
	{"1:s0/x", "T0 s0; 0 begins; 0 ends; T0 ends; D c", "", ""},
	{"1:s0/a0 w0", "T0 s0; 0 begins; 0 did a0; 0 w0; 0 ends; T0 ends; D c", "", ""},
	{"2:s0 s1/m0/m0", "T0 s0; T0 s1; T0 ends; 0 begins; 1 begins; 0 does m0; 1 does m0; 0 did m0; 1 did m0; 0 ends; 1 ends; D c", "", ""},
	{"2:s0 s1/m0/m0", "T0 s0; T0 s1 = refused: x; T0 ends; 0 begins; 0 m0; 0 ends; D c", "", ""},
	{"1:s0 j0/f1 n1/", "T0 s0; 0 begins; 0 f1; 1 begins; 1 ends; 0 n1; 0 ends; T0 j0; T0 ends; D c", "", ""},
	{"1:s0 a0/p0", "T0 s0; T0 did a0; 0 begins; 0 p0 = " + record.NoNeed + "; 0 ends; T0 ends; D c", "", ""},
	{"1:s0 w0/", "T0 s0; 0 begins; 0 ends; T0 does w0; D release; T0 did w0; T0 ends; D c", "", ""},
	{"1:w0|w0", "T0 does w0; T1 does w0; D release; T0 did w0; T0 ends; D c; T1 did w0; T1 ends", "", ""},
	{"1:r3", "T0 r3 = refused: no; T0 ends; D c", "", ""},
	{"1:s0|c/", "T1 c; T0 s0; T0 ends; 0 begins; 0 ends; T1 ends", "", ""},
	{"1:s0/s1/", "T0 s0; 0 begins; 0 s1; 0 ends; 0 begins; 0 s1; 0 ends; 1 begins; 1 ends; T0 ends; D c", "", ""},

	// What is not over yet.
	{"1:s0/", "T0 s0; T0 ends; D c", "", "1 tasks that were accepted have not ended"},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; T0 ends", "", "no Close has returned"},
	{"1:s0|/", "T0 s0; 0 begins; 0 ends; T0 ends", "", "thread 1 has not ended"},
	{"1:s0 w0/", "T0 s0; 0 begins; 0 ends; T0 w0; T0 ends; D c", "", "event 0 has not happened"},
	{"2:s0 s1/m0/m0", "T0 s0; T0 s1; T0 ends; 0 begins; 0 m0; 0 ends; 1 begins; 1 ends; D c", "its script has more steps", ""},
	{"2:s0 s1/m0/m0", "T0 s0; T0 s1; T0 ends; 0 begins; 0 m0; 0 ends; D c", "", "have not ended"},
	{"1:s0 j0/", "T0 s0; T0 j0; T0 ends; D c", "", "have not ended"},

	// What no driver can see.
	{"1:s0/", "T0 s0; 0 begins; 0 ends; T0 ends; D c @3", "times that do not fall", ""},
	{"1:s0/", "0 begins", "no step has submitted the task", ""},
	{"1:s0/", "T0 did s0", "the step has not begun", ""},
	{"1:s0 s1//", "T0 s1", "another step there", ""},
	{"1:s0 s1//", "T0 s0; T0 s0", "another step there", ""},
	{"1:s0/", "T0 does s0; T0 does s0", "it is in step s0", ""},
	{"1:s0/", "T0 ends", "more steps", ""},
	{"1:s0/", "T0 does s0; T0 ends", "it is in step s0", ""},
	{"1:s0/", "T0 s0; T0 ends; T0 ends", "the thread has ended", ""},
	{"1:s0/", "T0 s0; 0 ends", "the task has not begun", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; 0 ends", "the task has ended", ""},
	{"1:s0/y", "T0 s0; 0 begins; 0 y; 0 y", "another step there", ""},
	{"1:s0/y", "T0 s0; 0 y", "the task has not begun", ""},
	{"1:s0/y", "T0 s0; 0 begins; 0 begins; 0 w0", "no such step", ""},
	{"1:s0/", "T0 s0; 1 begins", "no such task or thread", ""},
	{"1:s0/", "T1 ends", "no such task or thread", ""},
	{"1:s0/", "-2000000000 ends", "no such task or thread", ""},
	{"1:s0/", "D begins", "a task begins, without a step", ""},
	{"1:s0/", "T0 begins", "a task begins, without a step", ""},
	{"1:s0/", "D ends", "a thread or a task ends", ""},
	{"1:s0/", "T0 release", "the driver releases a run, once", ""},
	{"1:s0/", "D release; D release", "the driver releases a run, once", ""},
	{"1:s0/", "T0 dances", "no event of a driver is called so", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; D c", "thread 0 has not ended", ""},
	{"1:s0 c/", "T0 s0; 0 begins; 0 ends; T0 c; T0 ends; D c", "only where no script does", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; T0 ends; D c; D c", "it closes once", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; T0 ends; D did c", "the step has not begun", ""},
	{"1:s0/", "T0 s0; 0 begins; 0 ends; T0 ends; D s0", "the driver only closes", ""},
	{"1:s0/x", "T0 s0; 0 begins; 0 x", "a panic is not logged", ""},
	{"1:a0", "T0 does a0", "only the end is logged", ""},
	{"1:a0", "T0 did a0 = refused: x", "this step has no text", ""},
	{"1:s0/", "T0 does s0 = refused: x", "this step has no text", ""},
	{"1:s0/", "T0 s0 = no", `begins with "refused: "`, ""},
	{"1:s0/p0", "T0 s0; 0 begins; 0 p0 = no", "did not park", ""},
	{"1:s0/" + strings.Repeat("y ", 30), "T0 s0; 0 begins; " + strings.Repeat("0 y; ", 31), "another step there", ""},
}

func TestLogs(t *testing.T) {
	for _, tt := range logs {
		g, events := program(t, tt.graph), log(tt.log)
		err := checkLog(g, events, strings.Contains(tt.log, "release"))
		if tt.wrong != "" {
			if !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s: %s: expected ErrProtocol with %q, saw %v", tt.graph, tt.log, tt.wrong, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %s: %v", tt.graph, tt.log, err)
			continue
		}
		for n := range events { // it may be looked at at any time
			if err := checkLog(g, events[:n], true); err != nil {
				t.Errorf("%s: %s: up to event %d: %v", tt.graph, tt.log, n, err)
			}
		}
		switch err := checkEnd(g, events); {
		case tt.early == "" && err != nil:
			t.Errorf("%s: %s: %v", tt.graph, tt.log, err)
		case tt.early != "" && (!errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), tt.early)):
			t.Errorf("%s: %s: expected ErrProtocol with %q, saw %v", tt.graph, tt.log, tt.early, err)
		}
	}
	if err := checkLog(program(t, "1:w0"), log("T0 does w0; D release"), false); !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "no release before it was asked") {
		t.Errorf("a release that nobody has asked: %v", err)
	}
	g := program(t, "1:s0/")
	many := log("T0 s0" + strings.Repeat("; 0 begins; 0 ends", mostEvents(g)/2))
	if err := checkLog(g, many, false); !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%d events: %v", len(many), err)
	}
}

func TestExtends(t *testing.T) {
	begin := log("T0 s0; 0 begins")
	for text, want := range map[string]bool{
		"T0 s0; 0 begins": true, "T0 s0; 0 begins; 0 ends": true, "T0 s0": false, "T0 s0; 0 ends": false, "T0 s0; 0 begins @90; 0 ends": false, "T0 s0 = refused: x; 0 begins; 0 ends": false,
	} {
		if extends(log(text), begin) != want {
			t.Errorf("%s: expected %v", text, want)
		}
	}
}

func TestPendingIn(t *testing.T) {
	for text, want := range map[string]bool{
		"":                              false,
		"T0 does s0":                    true,
		"T0 s0":                         true,
		"T0 s0 = refused: x":            false,
		"T0 s0; 0 begins":               true,
		"T0 s0; 0 begins; 0 ends":       false,
		"T0 s0; 0 begins; 0 ends; T0 v": false,
		"T0 does v":                     true,  // what waits for all tasks has the bound of a task
		"T0 does v; T1 does c":          false, // unless it may wait for Close
		"T0 does v; T0 did v":           false,
		"T0 does c":                     false,
		"T0 s0; T0 s1; 0 begins; 0 ends; T0 does c": true,
	} {
		if pendingIn(log(text)) != want {
			t.Errorf("%s: expected %v", text, want)
		}
	}
}

// The log of a scheduler that runs tasks twice may be whole before its driver can answer: that is no fault of the driver.
func TestRanTwice(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                  false,
		"T0 s0; T0 s1; 0 begins; 1 begins":  false,
		"T0 s0; 0 begins; 0 ends; 0 begins": true,
		"T0 s0; T0 s1; 0 begins; 1 begins; 1 begins": true,
	} {
		if ranTwice(log(text)) != want {
			t.Errorf("%s: expected %v", text, want)
		}
	}
}

func TestSleepersOf(t *testing.T) {
	now := 1000 * time.Microsecond
	for text, want := range map[string]sleeping{
		"":                                       {},
		"0 does w0 @100":                         {},
		"0 does z500 @100":                       {task: 0, overdue: 400 * time.Microsecond},
		"0 does z900 @100":                       {others: true}, // it is over this moment
		"0 does z950 @100":                       {others: true},
		"0 does z500 @100; 0 did z500 @700":      {},
		"0 does z500 @100; 0 ends @700":          {},
		"0 does k0 @100":                         {others: true},
		"T0 does z500 @100":                      {others: true}, // a thread outside uses any clock
		"1 does z500 @100; 0 does z700 @100":     {task: 1, overdue: 400 * time.Microsecond},
		"1 does z500 @100; 0 does z500 @100":     {task: 0, overdue: 400 * time.Microsecond},
		"1 does z500 @100; 0 does z5000000 @100": {task: 1, overdue: 400 * time.Microsecond, others: true},
	} {
		if got := sleepersOf(log(text), now); got != want {
			t.Errorf("%s: expected %+v, saw %+v", text, want, got)
		}
	}
}

func TestCrowdedLogs(t *testing.T) {
	for _, tt := range []struct {
		graph, log string
		want       []string
	}{
		{"1:s0 s1//", "T0 s0; T0 s1; 0 begins; 0 ends; 1 begins; 1 ends", nil},
		{"1:s0 s1//", "T0 s0; T0 s1; 0 begins; 1 begins; 0 ends; 1 ends", []string{"2 of 1"}},
		{"2:s0 s1//", "T0 s0; T0 s1; 0 begins; 1 begins; 0 ends; 1 ends", nil},
		{"1:s0 s1/y/", "T0 s0; T0 s1; 0 begins; 0 does y; 1 begins; 1 ends; 0 did y; 0 ends", nil},
		{"1:s0 s1/y/", "T0 s0; T0 s1; 0 begins; 0 does y; 1 begins; 0 did y; 1 ends; 0 ends", []string{"2 of 1"}},
		{"1:s0 s1/w0/a0", "T0 s0; T0 s1; 0 begins; 0 does w0; 1 begins; 1 did a0; 1 ends; 0 did w0; 0 ends", []string{"2 of 1"}}, // it keeps its worker
		{"1:s0 s1 r2//", "T0 s0; T0 s1; T0 r2; 0 begins; 1 begins", nil},
	} {
		var got []string
		for _, e := range crowded(program(t, tt.graph), log(tt.log), false) {
			if e.What == record.TooMany {
				got = append(got, e.Text)
			}
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %s: expected %q, saw %q", tt.graph, tt.log, tt.want, got)
		}
	}
}

// What comes of a stop stands before the release.
func TestNoted(t *testing.T) {
	r := &running{stops: []record.TaskEvent{{What: record.AtRest}}}
	if got := fmt.Sprint(r.noted(log("T0 does w0; D release; T0 did w0"))[1].What); got != string(record.AtRest) {
		t.Errorf("saw %s", got)
	}
	if got := r.noted(log("T0 s0")); len(got) != 2 {
		t.Errorf("a run that was not released: %v", got)
	}
}

package features

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/sched"
	"github.com/spindle-go/spindle/tla/variant"
)

// Ms are enough for all that can go on at a time, unless a size says less.
func TestConfig(t *testing.T) {
	for _, c := range []struct {
		of   string
		size Size
		want string
	}{
		{"", Size{Ps: 2, Gs: 3}, "2 Ps, 3 Ms, 3 Gs"},
		{"block", Size{Ps: 2, Gs: 3}, "2 Ps, 6 Ms, 3 Gs"},
		{"syscall", Size{Ps: 2, Gs: 2}, "2 Ps, 5 Ms and sysmon, 2 Gs"},
		{"syscall", Size{Ps: 2, Gs: 2, Ms: 3}, "2 Ps, 3 Ms and sysmon, 2 Gs"},
		{"net", Size{Ps: 1, Gs: 1}, "1 P, 2 Ms and sysmon, 1 G"},
		{"stw", Size{Ps: 2, Gs: 3, Grows: true}, "2 to 3 Ps, 4 Ms, 3 Gs"},
		{"shrink", Size{Ps: 2, Gs: 2}, "2 Ps, 3 Ms, 2 Gs, beside stw"},
		{"tick", Size{Ps: 2, Gs: 2}, "2 Ps, 3 Ms, 2 Gs, beside yield"},
		{"tick syscall", Size{Ps: 2, Gs: 1}, "2 Ps, 4 Ms and sysmon, 1 G"},
	} {
		of := strings.Fields(c.of)
		r := Row{Of: of, Answer: &Answer{Config: Config(of, nil, c.size)}}
		if got := r.where(); got != c.want {
			t.Errorf("%q, %+v: expected %s, saw %s", c.of, c.size, c.want, got)
		}
	}
	if n := len(Pairs()); n != 78 {
		t.Errorf("expected 78 pairs, saw %d", n)
	}
	for _, p := range Pairs() {
		if len(configs(p[:], nil, ofTwo)) == 0 {
			t.Errorf("%v has no configuration", p)
		}
	}
}

// No cell says "holds" of what was not explored to its end.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		j    Judged
		want string
	}{
		{Judged{"P", 0, true, 5, false}, "holds"},
		{Judged{"P", 0, false, 5, false}, "not ended, 5"},
		{Judged{"P", 3, true, 5, false}, "falls, 3"},
		{Judged{"P", 3, false, 5, false}, "falls, 3"},
		{Judged{"P", 3, true, 5, true}, "falls, 3"},
		{Judged{"P", 0, true, 5, true}, "holds but for lack of Ms"},
		{Judged{"P", 0, false, 5, true}, "not ended, 5"},
	} {
		if got := c.j.String(); got != c.want {
			t.Errorf("%+v: expected %q, saw %q", c.j, c.want, got)
		}
	}
	a := &Answer{Ended: false, Distinct: 7, Stopped: "more than 7 states", Judged: []Judged{{Property: "SyscallQuiet", Falls: 4}, {Property: "POwned"}}}
	if got := a.Verdict(true) + ", " + a.Verdict(false) + ", " + a.extent(); got != "not ended, 7, SyscallQuiet falls, 4, not ended, 7 states" {
		t.Error(got)
	}
	some := &Answer{Ended: true, Judged: []Judged{{Property: "POwned", Ended: true}, {Property: "WorkLive"}}}
	if a.Whole() || some.Whole() || !(&Answer{Ended: true, Judged: some.Judged[:1]}).Whole() {
		t.Error("expected an answer to be whole if all states were visited and each property is answered")
	}
	a.Stopped = "timeout"
	if got := a.extent(); got != "not ended, 7 states (timeout)" {
		t.Error(got)
	}
}

// What falls with all mends needs a reason of its own, and one that is for other features
// is none.
func TestUnexplained(t *testing.T) {
	for _, c := range []struct {
		of, property string
		mended       bool
		want         bool
	}{
		{"yield", "WorkQuiet", false, false},
		{"yield", "WorkQuiet", true, true},
		{"yield", "POwned", false, true},
		{"tick block", "WorkQuiet", false, false},
		{"tick block", "WorkQuiet", true, true},
		{"syscall stw", "StopQuiet", false, false},
		{"syscall stw", "StopQuiet", true, true},
		{"block stw", "StopQuiet", false, true},
		{"net", "PollPrompt", true, false},
	} {
		r := &Row{Of: strings.Fields(c.of), Answer: &Answer{Judged: []Judged{{Property: c.property, Falls: 9}}}}
		if got := r.Unexplained(c.mended); got != c.want {
			t.Errorf("%+v: saw %v", c, got)
		}
	}
	for _, r := range Reasons {
		if r.Mend != "" && !slices.Contains(variant.Mended(), r.Mend) {
			t.Errorf("%q: expected one of the mends %q, saw %q", r.Text, variant.Mended(), r.Mend)
		}
	}
	// Without one mend that mend's reason is one, and no other's.
	for without, want := range map[string]bool{"": true, "stop_again": false, "safe_again": true} {
		r := &Row{Of: []string{"syscall", "stw"}, Without: without, Answer: &Answer{Judged: []Judged{{Property: "StopQuiet", Falls: 9}}}}
		if got := r.Unexplained(true); got != want {
			t.Errorf("StopQuiet with all mends without %q: expected %v, saw %v", without, want, got)
		}
	}
}

// The rule for Ms gives enough of them. With fewer, what is wrong for that reason alone is
// not called so, and not said to hold either.
func TestEnoughMs(t *testing.T) {
	of := []string{"block", "stw"}
	for ms, want := range map[int]string{0: "holds", 2: "holds but for lack of Ms"} {
		c := Config(of, variant.Mended(), Size{Ps: 2, Gs: 1, Ms: ms})
		if ms > 0 {
			c = Config(of, variant.Mended(), Size{Ps: 2, Gs: 2, Ms: ms})
		}
		a, err := ask(t.Context(), c, false, nil, Limits{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict(true) != want || a.Lacks > 0 != (ms > 0) {
			t.Errorf("%s: expected %s, saw %+v, %v", Text(&c), want, &Row{Of: of, Answer: a}, err)
		}
	}
}

// Who waits for an M in injectglist holds the lock, and so the others wait for that: none of them
// is calm, and none becomes free.
func TestWaitsWithTheLock(t *testing.T) {
	c := Config([]string{"net"}, variant.Mended(), oneP)
	a, err := ask(t.Context(), c, true, nil, Limits{})
	if err != nil || !a.Whole() || a.Lacks == 0 || len(a.Fell()) > 0 {
		t.Errorf("%s: expected that all but lacks Ms, saw %v, %v", Text(&c), a.Fell(), err)
	}
}

// A pair is answered if a configuration was explored to its end in which both act, and
// not by its name, nor by a part of the states.
func TestPairIsMet(t *testing.T) {
	tier.OnlyFull(t)
	ctx := t.Context()
	k := Asker{Limits: Limits{States: 1000}}
	rows, err := k.Pair(ctx, [2]string{"yield", "lock"}, variant.Mended())
	if err != nil || len(rows) < 2 || slices.ContainsFunc(rows, (*Row).Met) || strings.Contains(PairRow(rows[0]), "holds") {
		t.Errorf("after 1000 states: %v, %v", rows, err)
	}
	// What none answers within the limit is asked with a larger one, and with one P at last.
	k.Limits.States = 50
	rows, err = k.Pair(ctx, [2]string{"yield", "preempt"}, variant.Mended())
	if last := rows[len(rows)-1]; err != nil || !last.OneP() || last.Met() {
		t.Errorf("expected that one P is tried last, in vain, saw %v, %v", last, err)
	}
	k.Limits.States = 5000
	rows, err = k.Pair(ctx, [2]string{"yield", "preempt"}, variant.Mended())
	if last := rows[len(rows)-1]; err != nil || last.OneP() || !last.Met() || last.Distinct < k.Limits.States {
		t.Errorf("expected that it is met with 2 Ps, saw %v, %v", last, err)
	}
	// With one P one M alone has it: no other can take a step of preempt, but sysmon.
	k.Limits.States = 0
	for pair, want := range map[[2]string]bool{{"yield", "preempt"}: true, {"yield", "lock"}: false} {
		c := Config(pair[:], variant.Mended(), Size{Ps: 1, Gs: 1})
		b, err := k.both(ctx, pair, &c)
		if err != nil {
			t.Fatal(err)
		}
		a, err := ask(ctx, c, false, b, k.Limits)
		r := &Row{Of: pair[:], Answer: a, both: b}
		if err != nil || !a.Ended || !r.Took() || r.Met() != want {
			t.Errorf("%v: %v, %v; expected that both act: %v", pair, r, err, want)
		}
	}
	// tick alone never acts: nothing is on the global queue.
	pair := [2]string{"tick", "timer"}
	c := sched.Config{Ps: 1, Ms: 2, Gs: 1, RingCap: 4, FirstM: []int{1}, FirstP: []int{1}, Features: pair[:], Fixes: variant.Mended()}
	b, err := k.both(ctx, pair, &c)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ask(ctx, c, false, b, k.Limits)
	if r := (&Row{Of: pair[:], Answer: a, both: b}); err != nil || !a.Ended || r.Took() || r.Met() || r.together() != "not both" {
		t.Errorf("tick without a global queue: %v, %v", r, err)
	}
}

// What actions a feature has is found, not told.
func TestOwn(t *testing.T) {
	var k Asker
	all, err := k.own(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for feature, want := range map[string]string{
		"yield": "Goyield Gosched", "tick": "Tick TickGet", "syscall": "EnterSyscall Retake ExitSyscall", "block": "EnterSyscallBlock", "preempt": "Preempt Preempted",
		"idlework": "SubmitExtra", "inject": "Inject", "net": "NetBlock SysPoll", "timer": "TimerSet TimerDue", "stw": "StopWorld Resize", "safepoint": "ForEachP SafeWait", "lock": "LockThread",
	} {
		got := all[feature]
		for _, name := range strings.Fields(want) {
			if !got[name] {
				t.Errorf("%s: expected %s, saw %v", feature, name, got)
			}
		}
		for _, name := range []string{"Ready", "WakepLoad", "GetNext", "Block", "Stop", "GlobGet", "HandoffLock"} {
			if got[name] {
				t.Errorf("%s: saw %s, which is taken without", feature, name)
			}
		}
	}
	for name, own := range all["shrink"] {
		if own {
			t.Errorf("shrink: expected none of its own, saw %s", name)
		}
	}
}

// cells are those of a line of a table.
func cells(line string) []string {
	list := strings.Split(strings.Trim(line, "| "), "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// table are the lines below a title of the file.
func table(t *testing.T, text, title string) []string {
	t.Helper()
	_, text, ok := strings.Cut(text, "\n## "+title+"\n")
	if !ok {
		t.Fatalf("FEATURES.md has no %q", title)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 3 {
		t.Fatalf("%q: expected a table, saw %q", title, text)
	}
	width := len(cells(lines[0]))
	for _, l := range lines[2:] {
		c := cells(l)
		if len(c) != width || slices.Contains(c, "") {
			t.Errorf("%q: expected %d cells and none empty, saw %q", title, width, l)
		}
	}
	return lines[2:]
}

func file(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../FEATURES.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// limitsOf are those of the command that the file says it is printed by.
func limitsOf(t *testing.T, text string) Limits {
	t.Helper()
	_, after, _ := strings.Cut(text, "-max-states ")
	n, err := strconv.Atoi(strings.FieldsFunc(after, func(r rune) bool { return r < '0' || r > '9' })[0])
	if err != nil || n < 1 {
		t.Fatalf("FEATURES.md does not say its limits: %v", err)
	}
	return Limits{Workers: 2, States: n, Live: min(n, Alive)}
}

// Every feature and every pair has its rows, in all of which something was asked; each
// pair has one that was explored to an end, and in which both features act; and nothing
// that is promised falls with all mends.
func TestFile(t *testing.T) {
	text := file(t)
	rows := func(title string, of []string) (list [][]string) {
		for _, l := range table(t, text, title) {
			if c := cells(l); c[0] == Name(of) {
				list = append(list, c)
			}
		}
		return list
	}
	for _, part := range Parts() {
		for _, of := range Singles() {
			list := rows(part.Title, of)
			if len(list) == 0 {
				t.Errorf("%s: nothing is asked about %s", part.Title, Name(of))
			}
			for _, row := range list {
				for i, p := range Properties() {
					falls := strings.HasPrefix(row[3+i], "falls, ")
					if falls && !Explained(p, of, part.Mended, "") {
						t.Errorf("%s, %s: %s %s: no reason is given", part.Title, row[0], p, row[3+i])
					}
				}
			}
		}
	}
	for _, of := range Needs() {
		if len(rows(NeedTitle, of)) != 1 {
			t.Errorf("%s: expected a row of %s", NeedTitle, Name(of))
		}
	}
	for i, mend := range variant.Mended() {
		if !slices.ContainsFunc(table(t, text, NeedTitle), func(l string) bool { return len(cells(l)) > 2+i && strings.Contains(cells(l)[2+i], "falls, ") }) {
			t.Errorf("nothing falls without %s alone", mend)
		}
	}
	for _, p := range Pairs() {
		list := rows(PairTitle, p[:])
		if len(list) == 0 {
			t.Errorf("nothing is asked about %v", p)
			continue
		}
		for _, row := range list {
			for _, verdict := range strings.Split(row[3]+"; "+row[4], "; ") {
				property, how, _ := strings.Cut(verdict, " ")
				if strings.HasPrefix(how, "falls, ") && !Explained(property, p[:], true, "") {
					t.Errorf("%v, with all mends: %s: no reason is given", p, verdict)
				}
			}
		}
		last := list[len(list)-1]
		if strings.HasPrefix(last[2], "not ended") || !strings.HasPrefix(last[5], "in ") {
			t.Errorf("%v: the features do not meet: %q", p, last)
		}
	}
	for _, r := range Reasons {
		if r.Page == "" {
			continue
		}
		if _, err := os.Stat("../findings/" + r.Page); err != nil {
			t.Error(err)
		}
	}
	if !strings.HasSuffix(text, ReasonsText()) {
		t.Error("the reasons in FEATURES.md are not those of the code: spindle model -features -pairs -markdown prints it")
	}
}

// A repeat is a row of the file that can be asked again.
type repeat struct {
	title string
	line  string
	again func(k *Asker) (string, error)
}

// The file says what is found. Rows that cost little are asked again. Those that have not ended are not: with which limit they were asked, their pair decides.
func TestFileIsAsFound(t *testing.T) {
	text := file(t)
	most := 60_000 // states
	if tier.Full(t) {
		most = 1_000_000
	}
	var all []repeat
	add := func(title string, r *Row, again func(k *Asker) (string, error)) {
		for _, l := range table(t, text, title) {
			c := cells(l)
			if c[0] != Name(r.Of) || c[1] != r.where() {
				continue
			}
			if n, err := strconv.Atoi(strings.TrimSuffix(c[2], " states")); err == nil && n <= most {
				all = append(all, repeat{title, l, again})
			}
		}
	}
	ctx := t.Context()
	for _, part := range Parts() {
		for _, of := range Singles() {
			for _, c := range configs(of, part.Fixes, slices.Concat(ofOne, growth)) {
				add(part.Title, &Row{Of: of, Answer: &Answer{Config: c}}, func(k *Asker) (string, error) {
					a, err := ask(ctx, c, true, nil, k.Limits)
					return AloneRow(&Row{Of: of, Answer: a}), err
				})
			}
		}
	}
	for _, p := range Pairs() {
		for _, c := range configs(p[:], variant.Mended(), slices.Concat(least, ofTwo, []Size{oneP})) {
			add(PairTitle, &Row{Of: p[:], Answer: &Answer{Config: c}}, func(k *Asker) (string, error) {
				b, err := k.both(ctx, p, &c)
				if err != nil {
					return "", err
				}
				l := k.Limits
				if slices.ContainsFunc(least, func(s Size) bool { return Text(&c) == Text(new(Config(p[:], nil, s))) }) {
					l.States *= more
				}
				a, err := ask(ctx, c, false, b, l)
				return PairRow(&Row{Of: p[:], Answer: a, both: b}), err
			})
		}
	}
	if len(all) < 10 {
		t.Fatalf("expected at least 10 rows to ask again, saw %d", len(all))
	}
	k := &Asker{Limits: limitsOf(t, text)}
	for _, r := range tier.Some(t, all, 2) {
		got, err := r.again(k)
		if err != nil || got != r.line {
			t.Errorf("%s: expected what is found, %v\n  found: %s\nthe file: %s\nspindle model -features -pairs -markdown prints it", r.title, err, got, r.line)
		}
	}
}

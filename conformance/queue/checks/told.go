package checks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// What a target tells that explores its executions itself: a child that runs under loom, say.
// It tells the different histories of a scenario, and whether these are all. Each history is
// judged here. That these are all is the target's word. It is held against what is known
// without the target: all calls of one thread may come before all of the other, and so on, so
// that there must be a history for each order of whole calls.
//
// An explorer runs its threads in some order, and by a memory model a call may miss what was
// done in that order before it. So the stamps of a history order the calls of one thread, and
// the quiet calls, and nothing else: a history is wrong if it is wrong however the calls of
// different threads came.

// An Explorer is a target that explores the executions of a scenario itself.
type Explorer interface {
	Target
	// Explores names what explores them, such as loom; empty: nothing does.
	Explores() string
	// Explore runs s in every execution, up to so many. Errors are those of Run. A crash
	// may come with the histories before it.
	Explore(ctx context.Context, s record.Scenario, executions int) (*queue.Exploration, error)
}

// explores returns the explorer that a target is, if it is one.
func explores(t Target) (Explorer, bool) {
	x, ok := t.(Explorer)
	return x, ok && x.Explores() != ""
}

// toldCheck is the check of what such targets tell.
var toldCheck = check{
	name: "interleave/explored", witness: spec.Interleave, told: true, quiet: true, complete: true, enumerates: pairsOf,
	doc: "every execution of every small scenario of two threads, explored by the target itself, memory orders and all; each history is judged",
	requirements: slices.DeleteFunc(slices.Clone(exploredIDs), func(id string) bool {
		return id == "RQ-RACE" // a history does not show it
	}),
}

// pairsOf lists the scenarios of two threads and three calls. With SPINDLE_LONG=1 there are
// more.
func pairsOf(f facts) ([]record.Scenario, string) {
	e := newEnumeration(f)
	n := 2
	if suite.Long() {
		n = 4
	}
	list, which := e.plan(effort{sizes: n, scenarios: longEffort.scenarios})
	return list, fmt.Sprintf("all %d scenarios of %s, from %d states", len(list), which, len(e.states)+len(e.held))
}

// Enumerate returns the scenarios that the suite makes for queues of a profile, with these
// capabilities, of at most so many threads and calls: the smaller ones first. It is an error
// if there are none, or more than most.
func Enumerate(p spec.Profile, caps queue.Capabilities, threads, calls, most int) ([]record.Scenario, error) {
	contract, ok := p.Contract()
	if !ok {
		return nil, fmt.Errorf("checks: expected a profile of queues, saw %q", p)
	}
	e := newEnumeration(facts{profile: p, contract: contract, caps: caps, kind: suite.Child}.beside())
	var within []size
	n := 0
	for _, of := range sizes {
		if of.threads > threads || of.calls > calls {
			continue
		}
		if n += e.count(of, most-n); n > most {
			return nil, fmt.Errorf("checks: expected at most %d scenarios, saw more at %d threads and %d calls", most, of.threads, of.calls)
		}
		within = append(within, of)
	}
	if n == 0 {
		return nil, fmt.Errorf("checks: expected a size with scenarios, from %dx%d to 3x%d, saw %dx%d", sizes[0].threads, sizes[0].calls, sizes[len(sizes)-1].calls, threads, calls)
	}
	list := make([]record.Scenario, 0, n)
	for _, of := range within {
		list = append(list, e.all(of)...)
	}
	for i := range list {
		list[i] = heldTo(list[i], p)
	}
	return list, nil
}

// telling is the check of what a target tells, while it is carried out.
type telling struct {
	exploration
	x         Explorer
	histories int
	short     int    // scenarios of which not all executions are known
	doubt     string // why the whole shows nothing
}

// exploreTold carries a check out on a target that explores. It goes on after a finding.
func exploreTold(ctx context.Context, c *check, x Explorer, k *suite.Task) suite.Outcome {
	e := &telling{exploration: exploration{Task: k, check: c, facts: factsOf(x)}, x: x}
	e.out = suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64), Cut: make(map[string]string)}
	for i := range c.scenarios {
		k.Progress("%d of %d", i, c.scenarios)
		s := heldTo(c.scenario(nil, i), e.facts.profile)
		how := e.scenario(ctx, s)
		if ctx.Err() != nil {
			stopped := k.Stopped(ctx, fmt.Sprintf("%d of %d scenarios", i, c.scenarios))
			how = &stopped
		}
		if how != nil {
			e.out.Ended, e.out.Reason, e.out.At = how.Ended, how.Reason, i+1
			break
		}
		e.out.Scenarios++
	}
	if e.out.Ended == suite.Completed && e.doubt != "" {
		e.out.Ended, e.out.Reason = suite.Inconclusive, e.doubt
	}
	e.out.Complete = e.out.Ended == suite.Completed && e.short == 0 && len(e.out.Cut) == 0 && e.out.Scenarios > 0
	switch {
	case e.out.Complete:
		e.out.Note = fmt.Sprintf("complete by %s as the target says", x.Explores())
	case e.short > 0 || e.out.Ended != suite.Completed:
		e.out.Note = fmt.Sprintf("of %d of %d scenarios %s has explored all executions, as the target says", e.out.Scenarios-e.short, c.scenarios, x.Explores())
	default:
		e.out.Note = fmt.Sprintf("all executions by %s as the target says, not all of them judged by each requirement", x.Explores())
	}
	e.out.Note += fmt.Sprintf("; %d histories of %d executions", e.histories, e.out.Executions)
	return e.out
}

// scenario has the target explore s, and judges what it tells. It returns how the check ends,
// if it ends there.
func (e *telling) scenario(ctx context.Context, s record.Scenario) *suite.Outcome {
	if ctx.Err() != nil {
		return nil // the caller sees that
	}
	most := e.check.executions()
	told, err := e.x.Explore(ctx, s, most)
	var crash *queue.CrashError
	var slow *queue.HangError
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &slow):
		return &suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf("scenario %s: expected what was explored within %v, saw no answer", s.Name, slow.After)}
	case errors.As(err, &crash):
	case err != nil:
		return &suite.Outcome{Ended: suite.Error, Reason: err.Error()}
	}
	if told == nil {
		told = new(queue.Exploration)
	}
	if crash == nil && (len(told.Histories) == 0 || told.Executions < len(told.Histories)) {
		return &suite.Outcome{Ended: suite.Error, Reason: fmt.Sprintf("scenario %s: expected a history and as many executions at least, saw %d histories of %d executions", s.Name, len(told.Histories), told.Executions)}
	}
	e.out.Executions += told.Executions
	unjudged, right := "", crash == nil
	seen := make(map[uint64]bool)
	for _, h := range told.Histories {
		h.Scenario = s
		l, err := linesOf(h)
		if err != nil {
			return &suite.Outcome{Ended: suite.Error, Reason: fmt.Sprintf("checks: the target's history of scenario %q: %v", s.Name, err)}
		}
		key := fingerprint(l.oneByOne())
		if seen[key] {
			continue
		}
		seen[key] = true
		e.histories++
		e.out.Calls += len(h.Ops)
		v := l.judge(e.facts.profile)
		if v.Doubt != "" {
			return &suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf("scenario %s: %s", s.Name, v.Doubt)}
		}
		ids := e.Requirements
		if hidden(h) {
			ids = byCounting(ids)
		}
		for id, n := range about(h, ids) {
			e.out.Judged[id] += n
		}
		right = right && len(v.Findings) == 0
		if unjudged == "" {
			unjudged = v.Unjudged
		}
		e.tell(s, l.wide(), v.Findings)
	}
	if crash != nil {
		var ops []record.Op
		if crash.Op.Kind != 0 {
			ops = []record.Op{crash.Op}
		}
		v := crashed("", crash.Error(), nil, ops)
		e.tell(s, nil, v.Findings)
		unjudged = v.Unjudged
	}
	if unjudged != "" {
		e.cut(fmt.Sprintf("scenario %s: %s", s.Name, unjudged))
	}
	switch {
	case crash != nil:
		e.short++
	case !told.Complete:
		e.short++
		if told.Executions < most && e.doubt == "" {
			e.doubt = fmt.Sprintf("scenario %s: expected all executions, or %d of them, saw %d that the target does not call complete", s.Name, most, told.Executions)
		}
	case right && e.doubt == "":
		if order := e.without(s, told.Histories); order != "" {
			e.doubt = fmt.Sprintf("scenario %s: expected a history of the calls in the order %s, which no order of steps can keep from coming, saw none among the %d that the target calls complete", s.Name, order, len(told.Histories))
		}
	}
	return nil
}

// tell sends findings out, with the history that shows them, if there is one.
func (e *telling) tell(s record.Scenario, h *record.History, list []record.Finding) {
	for _, f := range list {
		e.check.fails(s)
		if e.Found(f.Fingerprint) {
			e.Find(f)
			continue
		}
		f.Evidence = append(slices.Clone(f.Evidence), asked(s))
		if h != nil {
			if data, err := json.Marshal(h); err == nil {
				if kept := e.Keep(fmt.Sprintf("%s-%s-%s-%v.json", e.x.Describe().Name, e.check.name, f.Requirement, e.Seed), append(data, '\n')); kept != "" {
					f.Again = append(f.Again, record.Again{Kind: record.JudgeAgain, File: kept, Command: fmt.Sprintf("spindle replay -profile %s %s", e.facts.profile, record.Quote(kept))})
				}
			}
		}
		e.Find(f)
	}
}

// without returns an order of whole calls, one after the other, of which none of the histories
// is, or "".
func (e *telling) without(s record.Scenario, histories []*record.History) string {
	all := make([]*lines, len(histories))
	for i, h := range histories {
		all[i], _ = linesOf(h)
	}
	var left []int
	for t := range s.Threads {
		script, _ := record.ParseScript(s.Threads[t].Script)
		left = append(left, len(script)*max(1, s.Threads[t].Repeat))
	}
	for order := range merges(left) {
		may := func(l *lines) bool {
			h := l.inOrder(order)
			vs, _ := sequential.Replay(h, sequential.RulesOf(e.facts.profile, h.Capacity))
			return len(vs) == 0
		}
		if !slices.ContainsFunc(all, may) {
			if len(order) == 0 {
				return "of the quiet ones"
			}
			var text []string
			for _, t := range order {
				text = append(text, fmt.Sprintf("T%d", t))
			}
			return strings.Join(text, " ")
		}
	}
	return ""
}

// lines is a history as what each thread called: of calls of different threads nobody knows
// which came first.
type lines struct {
	h      *record.History
	before []int     // numbers of calls
	free   [][][]int // by thread: its calls, each with the gets that made room for it
	after  []int
}

// linesOf takes a history apart. It is an error if it is none of its scenario, or not whole.
func linesOf(h *record.History) (*lines, error) {
	s := &h.Scenario
	if err := h.Check(); err != nil {
		return nil, err
	}
	if err := h.Answers(); err != nil {
		return nil, err
	}
	if len(h.Final.Ps) != s.Ps {
		return nil, fmt.Errorf("%w: expected the final contents of %d Ps, saw %d", record.ErrFormat, s.Ps, len(h.Final.Ps))
	}
	l := &lines{h: h, free: make([][][]int, len(s.Threads))}
	calls := make([][]record.Instr, len(s.Threads))
	var ends [2][]int // by thread: how many of its calls there are up to the end of before, and of the script
	quiet := func(text string) {
		list, _ := record.ParseQuiet(text)
		for _, q := range list {
			calls[q.Thread] = append(calls[q.Thread], q.Instr)
		}
	}
	counted := func() (n []int) {
		for t := range calls {
			n = append(n, len(calls[t]))
		}
		return n
	}
	quiet(s.Before)
	ends[0] = counted()
	for t := range s.Threads {
		script, _ := record.ParseScript(s.Threads[t].Script)
		for range max(1, s.Threads[t].Repeat) {
			calls[t] = append(calls[t], script...)
		}
	}
	ends[1] = counted()
	quiet(s.After)
	made := make([]int, len(s.Threads))
	room := make([][]int, len(s.Threads)) // the gets of a thread since its last call
	for i := range h.Ops {
		op := &h.Ops[i]
		t := op.Thread
		n := made[t]
		group := append(room[t], i)
		if room[t] = nil; op.Kind == record.Get && calls[t][n].Kind != record.Get {
			room[t] = group
			continue
		}
		made[t]++
		switch {
		case n < ends[0][t]:
			l.before = append(l.before, group...)
		case n < ends[1][t]:
			l.free[t] = append(l.free[t], group)
		default:
			l.after = append(l.after, group...)
		}
	}
	return l, nil
}

// A stamper gives the calls of a history new stamps.
type stamper struct {
	h   *record.History
	now int64
}

func (l *lines) stamper() *stamper {
	h := *l.h
	h.Ops, h.Clock = slices.Clone(l.h.Ops), record.ClockCounter
	return &stamper{h: &h}
}

func (s *stamper) call(i int) { s.now++; s.h.Ops[i].Call = s.now }
func (s *stamper) ret(i int)  { s.now++; s.h.Ops[i].Return = s.now }

func (s *stamper) each(list []int) {
	for _, i := range list {
		s.call(i)
		s.ret(i)
	}
}

func (s *stamper) sorted() *record.History {
	slices.SortStableFunc(s.h.Ops, func(a, b record.Op) int { return int(a.Call - b.Call) })
	return s.h
}

// inOrder returns the history as if whole calls had come one after the other, in an order of
// threads.
func (l *lines) inOrder(order []int) *record.History {
	s := l.stamper()
	s.each(l.before)
	at := make([]int, len(l.free))
	for _, t := range order {
		s.each(l.free[t][at[t]])
		at[t]++
	}
	s.each(l.after)
	return s.sorted()
}

// oneByOne returns it thread by thread: it is the same of two histories that say the same.
func (l *lines) oneByOne() *record.History {
	var order []int
	for t := range l.free {
		order = append(order, slices.Repeat([]int{t}, len(l.free[t]))...)
	}
	return l.inOrder(order)
}

// wide returns the first of widest.
func (l *lines) wide() *record.History {
	for h := range l.widest() {
		return h
	}
	return nil // there is one
}

// widest yields the history in the ways in which its calls may have overlapped, the widest
// ones: each thread is in some call from the first to the last moment, and at each moment one
// of them goes on to its next call. Any other way has an order between two calls that one of
// these does not have.
func (l *lines) widest() iter.Seq[*record.History] {
	calls := make([][]int, len(l.free))
	steps := make([]int, len(l.free))
	for t := range l.free {
		calls[t] = slices.Concat(l.free[t]...)
		steps[t] = max(0, len(calls[t])-1)
	}
	return func(yield func(*record.History) bool) {
		for order := range merges(steps) {
			s := l.stamper()
			s.each(l.before)
			at := make([]int, len(calls))
			for t := range calls {
				if len(calls[t]) > 0 {
					s.call(calls[t][0])
				}
			}
			for _, t := range order {
				s.ret(calls[t][at[t]])
				at[t]++
				s.call(calls[t][at[t]])
			}
			for t := range calls {
				if len(calls[t]) > 0 {
					s.ret(calls[t][at[t]])
				}
			}
			s.each(l.after)
			if !yield(s.sorted()) {
				return
			}
		}
	}
}

// merges yields the orders in which threads can take so many turns each.
func merges(turns []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		left := slices.Clone(turns)
		var order []int
		var next func() bool
		next = func() bool {
			some := false
			for t := range left {
				if left[t] == 0 {
					continue
				}
				some = true
				left[t]--
				order = append(order, t)
				ok := next()
				order = order[:len(order)-1]
				left[t]++
				if !ok {
					return false
				}
			}
			return some || yield(order)
		}
		next()
	}
}

// judge judges the history. It is wrong if it is wrong in each of widest: the findings are
// those in the first.
func (l *lines) judge(p spec.Profile) (first Verdict) {
	n, doubt := 0, ""
	for h := range l.widest() {
		v := Judge(spec.Interleave, h, p)
		if n++; n == 1 {
			first = v
		}
		if v.Doubt != "" {
			doubt = v.Doubt
		} else if len(v.Findings) == 0 {
			return v
		}
		if len(sequential.Conserve(h)) > 0 {
			return v // whatever came first
		}
	}
	if doubt != "" {
		return Verdict{Doubt: doubt}
	}
	return first
}

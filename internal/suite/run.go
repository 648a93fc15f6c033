package suite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Options are the parameters of a run.
type Options struct {
	Seed record.Seed
	// Budget is for each target, its opening included; 0: DefaultBudget. It counts the
	// time in which this process ran (package awake).
	Budget time.Duration
	// Select chooses checks, as the function Select does.
	Select string
	Shard  Shard
	Strict bool        // noted in the header, for the gate
	Known  []Known     // noted in the header, for the gate
	Sink   func(Event) // gets every event, in order; nil: nobody
	// Keep puts data that belongs to a finding into a file and returns its path, or
	// "". Nil: nothing is kept.
	Keep func(name string, data []byte) string
	// Again returns how a check's findings are seen again; nil: the spindle
	// command's way.
	Again func(d *Description, check string, seed record.Seed) record.Again
	// Elsewhere are checks that other processes carry out; nil: none.
	Elsewhere *Elsewhere
	// Witnesses, if any, are those whose checks are carried out; no controls then.
	Witnesses []spec.Witness
}

// Elsewhere are checks that are carried out in other processes. What is said of them there is
// taken over in their place.
type Elsewhere struct {
	Checks []string // their names
	// Events waits for the events of all of them. It is called once, when the first of them is
	// due. The time that it takes is no part of a budget.
	Events func() ([]Event, error)
	// Ready is closed when they have been prepared, which takes memory of this process; nil: it takes none.
	Ready <-chan struct{}

	asked  bool
	events []Event
	err    error
}

// has reports whether a check is carried out elsewhere.
func (e *Elsewhere) has(check string) bool { return e != nil && slices.Contains(e.Checks, check) }

// prepares reports whether they are being prepared.
func (e *Elsewhere) prepares() bool {
	if e == nil || e.Ready == nil {
		return false
	}
	select {
	case <-e.Ready:
		return false
	default:
		return true
	}
}

// of returns the findings and the result of a check.
func (e *Elsewhere) of(check string) (list []Event, err error) {
	if !e.asked {
		e.asked = true
		e.events, e.err = e.Events()
	}
	return eventsOf(e.events, check), e.err
}

// DefaultBudget is what a target has if Options.Budget is 0.
const DefaultBudget = 3 * time.Minute

// Run judges each target. Its last event is the footer. Errors are those of the
// options (ErrSelect, ErrNothing); whatever happens later is in the events. When
// ctx ends, what is not done is inconclusive and the footer comes all the same.
func Run(ctx context.Context, o Options, sources ...Source) error {
	chosen, some := make([][]Check, len(sources)), false
	var names []string
	all := sha256.New()
	for i, s := range sources {
		if slices.Contains(names, s.Name) {
			return fmt.Errorf("%w: target %q is named twice", ErrSelect, s.Name)
		}
		names = append(names, s.Name)
		var err error
		if chosen[i], err = Select(o.Select, s.Subject.Checks); err != nil {
			return err
		}
		fmt.Fprintf(all, "%q\n", s.Name)
		for _, c := range chosen[i] {
			fmt.Fprintf(all, "\t%q\n", c.Name)
		}
		chosen[i] = o.Shard.of(chosen[i])
		some = some || len(chosen[i]) > 0
	}
	if !some {
		return nothing(o.Select, sources)
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	r := &runner{Options: o, events: make(map[EventKind]int), witnesses: make(map[*Subject][]spec.Witness), names: names}
	begin := time.Now()
	known := slices.Clone(o.Known)
	for _, s := range sources {
		known = append(known, s.Known...)
	}
	r.send(Event{Event: HeaderEvent, Header: &Header{
		Schema: Schema, Suite: Version, Contract: Contract,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		Seed: o.Seed, Budget: o.Budget.String(), Targets: names, Chosen: digest(all), Select: o.Select, Shard: o.Shard.String(), Strict: o.Strict, Known: known, Begin: begin,
	}})
	// A run whose budget has ended is inconclusive already; its controls have what the
	// targets left.
	left, pause, cancel := awake.WithPauses(ctx, time.Duration(len(sources))*o.Budget)
	defer cancel()
	r.pauses = append(r.pauses, pause)
	for i, s := range sources {
		r.target(ctx, s, chosen[i])
	}
	if o.Witnesses == nil {
		r.controls(left)
	}
	r.send(Event{Event: FooterEvent, Footer: &Footer{
		Events: r.events, Interrupted: errors.Is(ctx.Err(), context.Canceled), Elapsed: time.Since(begin),
	}})
	return nil
}

// A Shard is one of several runs that share the checks: the I-th of N, from 1. The
// zero Shard has all.
type Shard struct{ I, N int }

// String returns "i/n", or "" for all.
func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// of returns the shard's checks: every N-th.
func (s Shard) of(checks []Check) []Check {
	if s.N == 0 {
		return checks
	}
	var list []Check
	for i := s.I - 1; i < len(checks); i += s.N {
		list = append(list, checks[i])
	}
	return list
}

// runner is one run.
type runner struct {
	Options
	events    map[EventKind]int
	witnesses map[*Subject][]spec.Witness // that took part
	carried   []string                    // the names of the checks that did
	names     []string                    // of the sources, and of the targets opened so far
	keeping   sync.Mutex
	pauses    []func() (goOn func()) // of the budgets
}

// keep is Options.Keep, for one caller at a time.
func (r *runner) keep(name string, data []byte) string {
	if r.Keep == nil {
		return ""
	}
	r.keeping.Lock()
	defer r.keeping.Unlock()
	return r.Keep(name, data)
}

func (r *runner) send(e Event) {
	if e.Event != FooterEvent && e.Event != ProgressEvent {
		r.events[e.Event]++
	}
	if r.Sink != nil {
		r.Sink(e)
	}
}

func (r *runner) target(ctx context.Context, s Source, checks []Check) {
	ctx, pause, cancel := awake.WithPauses(ctx, r.Budget)
	defer cancel()
	r.pauses = append(r.pauses[:1], pause)
	t, err := open(ctx, s, func(text string) { r.send(Event{Event: ProgressEvent, Target: s.Name, Text: text}) })
	if err != nil {
		ended := Error
		if errors.Is(err, ErrOpen) {
			ended = Inconclusive
		}
		r.send(Event{Event: TargetEvent, Target: s.Name, Text: err.Error(), Ended: ended})
		return
	}
	defer t.Close()
	d := t.Describe()
	d.Subject = s.Subject.Name
	if d.Name != s.Name && slices.Contains(r.names, d.Name) {
		r.send(Event{Event: TargetEvent, Target: s.Name, Ended: Error, Text: fmt.Sprintf("expected a name of its own, saw %q, which is another target's", d.Name)})
		return
	}
	r.names = append(r.names, d.Name)
	if s.Subject.NotOffered != nil {
		d.NotOffered = make(map[string]string)
		for i := range spec.Requirements {
			if q := &spec.Requirements[i]; q.In(d.Profile) {
				if why := s.Subject.NotOffered(t, q.ID); why != "" {
					d.NotOffered[q.ID] = why
				}
			}
		}
	}
	if s.Subject.Notes != nil {
		d.Notes = append(slices.Clone(d.Notes), s.Subject.Notes(t)...)
	}
	j := &Judged{Select: r.Select, Shard: r.Shard.String()}
	tell := func(e Event) {
		e.Target = d.Name
		j.Add(e)
		r.send(e)
	}
	todo := r.plan(checks, t, &d)
	tell(Event{Event: TargetEvent, Description: &d, Checks: namesOf(todo)})
	for i := range todo {
		if p := &todo[i]; p.plan.Lacks == "" && !slices.Contains(r.witnesses[s.Subject], p.Witness) {
			r.witnesses[s.Subject] = append(r.witnesses[s.Subject], p.Witness)
		}
		if p := &todo[i]; p.plan.Lacks == "" && !slices.Contains(r.carried, p.Name) {
			r.carried = append(r.carried, p.Name)
		}
	}
	for from := 0; from < len(todo); {
		to := from
		for to < len(todo) && todo[to].Parallel && !todo[to].elsewhere {
			to++
		}
		if to-from > 1 {
			r.together(ctx, todo[from:to], t, &d, tell)
			from = to
			continue
		}
		r.check(ctx, &todo[from], t, &d, tell)
		from++
	}
	for _, row := range j.Standings() {
		tell(Event{Event: RequirementEvent, Requirement: &row})
	}
}

// open opens a source, and gives up when ctx ends: what comes later is closed.
func open(ctx context.Context, s Source, progress func(string)) (Target, error) {
	type opened struct {
		t   Target
		err error
	}
	done := make(chan opened, 1)
	lines := make(chan string)
	go func() {
		t, err := s.Open(ctx, func(text string) {
			select {
			case lines <- text:
			case <-ctx.Done():
			}
		})
		done <- opened{t, err}
	}()
	late := make(<-chan time.Time)
	over := ctx.Done()
	for {
		select {
		case text := <-lines:
			progress(text)
		case o := <-done:
			if o.err != nil && ctx.Err() != nil {
				return nil, fmt.Errorf("%w: %w", ErrOpen, context.Cause(ctx))
			}
			return o.t, o.err
		case <-over: // it should notice by itself
			over, late = nil, time.After(time.Second)
		case <-late:
			go func() {
				if o := <-done; o.t != nil {
					o.t.Close()
				}
			}()
			return nil, fmt.Errorf("%w: %w", ErrOpen, context.Cause(ctx))
		}
	}
}

// ErrOpen is wrapped by the error of a target that was not open when the budget
// ended, or an interrupt came.
var ErrOpen = errors.New("suite: the target was not open in time")

// planned is a check that the stream will have a result of.
type planned struct {
	*Check
	ids       []string // by which the target is judged
	plan      Plan
	elsewhere bool
}

// plan returns those of checks that the target gets.
func (r *runner) plan(checks []Check, t Target, d *Description) (list []planned) {
	for i := range checks {
		c := &checks[i]
		p := planned{Check: c, ids: c.Judges(d), elsewhere: r.Elsewhere.has(c.Name)}
		if !c.Fits(d.Profile) || len(p.ids) == 0 || r.Witnesses != nil && !slices.Contains(r.Witnesses, c.Witness) {
			continue
		}
		if !p.elsewhere {
			p.plan = c.plan(t)
		}
		if !p.plan.Elsewhere {
			list = append(list, p)
		}
	}
	return list
}

func namesOf(list []planned) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// takeOver tells what is said of a check elsewhere.
func (r *runner) takeOver(p *planned, d *Description, tell func(Event)) {
	var goOn []func()
	for _, pause := range r.pauses {
		goOn = append(goOn, pause())
	}
	list, err := r.Elsewhere.of(p.Name)
	for _, f := range goOn {
		f()
	}
	for _, e := range list {
		if e.Finding != nil {
			r.again(d, p.Name, e.Finding)
		}
		if e.Result != nil {
			e.Result.judges(p.ids)
		}
		tell(Event{Event: e.Event, Check: e.Check, Finding: e.Finding, Result: e.Result})
	}
	if !slices.ContainsFunc(list, func(e Event) bool { return e.Event == CheckEvent }) {
		why := "it was carried out in another process, which did not come to its result"
		if err != nil {
			why = err.Error()
		}
		tell(Event{Event: CheckEvent, Check: p.Name, Result: &Result{
			Witness: p.Witness, Requirements: p.ids, Outcome: Outcome{Ended: Error, Reason: why},
		}})
	}
}

// check carries out one check, or takes over what is carried out elsewhere.
func (r *runner) check(ctx context.Context, p *planned, t Target, d *Description, tell func(Event)) {
	c := p.Check
	if p.elsewhere {
		r.takeOver(p, d, tell)
		return
	}
	progress := func(text string) { tell(Event{Event: ProgressEvent, Check: c.Name, Text: text}) }
	progress(cmp.Or(p.plan.Lacks, p.plan.Text))
	run := &Task{
		Check: c, Requirements: p.ids, Seed: r.Seed, Budget: r.Budget,
		found: make(map[string]bool), broken: make(map[string]bool), keep: r.keep, beside: r.Elsewhere.prepares,
		progress: progress,
		emit: func(f record.Finding) {
			r.again(d, c.Name, &f)
			tell(Event{Event: FindingEvent, Check: c.Name, Finding: &f})
		},
	}
	tell(Event{Event: CheckEvent, Check: c.Name, Result: carry(ctx, c, t, run, p.plan)})
}

// together carries out checks that do not mind each other, on all processors. Their
// events are told in the order of the checks.
func (r *runner) together(ctx context.Context, list []planned, t Target, d *Description, tell func(Event)) {
	type line struct {
		check int
		event Event // of no kind: the check has ended
	}
	lines, next := make(chan line), make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		go func() {
			for i := range next {
				r.check(ctx, &list[i], t, d, func(e Event) { lines <- line{i, e} })
				lines <- line{check: i}
			}
		}()
	}
	go func() {
		defer close(next)
		for i := range list {
			next <- i
		}
	}()
	held, ended := make([][]Event, len(list)), make([]bool, len(list))
	for turn := 0; turn < len(list); {
		switch l := <-lines; l.event.Event {
		case "":
			ended[l.check] = true
		case ProgressEvent:
			tell(l.event)
		default:
			held[l.check] = append(held[l.check], l.event)
		}
		for ; turn < len(list) && ended[turn]; turn++ {
			for _, e := range held[turn] {
				tell(e)
			}
			held[turn] = nil
		}
	}
}

// eventsOf returns the findings and the result of a check among events.
func eventsOf(events []Event, check string) (list []Event) {
	for _, e := range events {
		if e.Check == check && (e.Event == FindingEvent && e.Finding != nil || e.Event == CheckEvent && e.Result != nil) {
			list = append(list, e)
		}
	}
	return list
}

// again puts first how the whole check is run again, if that can be said.
func (r *runner) again(d *Description, check string, f *record.Finding) {
	var a record.Again
	switch {
	case r.Again != nil:
		a = r.Again(d, check, r.Seed)
	case d.Command != "":
		a = record.Again{Kind: record.RunAgain, Command: fmt.Sprintf("spindle check -run '^%s$' -seed %v %s", check, r.Seed, d.Command)}
	}
	if a.Command != "" {
		f.Again = append([]record.Again{a}, f.Again...)
	}
}

// controls judges the controls of each witness that took part.
func (r *runner) controls(ctx context.Context) {
	var subjects []*Subject
	for s := range r.witnesses {
		subjects = append(subjects, s)
	}
	slices.SortFunc(subjects, func(a, b *Subject) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range subjects {
		of, nth := make(map[spec.Witness]int), make(map[spec.Witness]int)
		list := slices.DeleteFunc(slices.Clone(s.Controls), func(k Control) bool {
			return !slices.Contains(r.witnesses[s], k.Check.Witness) || k.With && !slices.Contains(r.carried, k.Check.Name)
		})
		for _, k := range list {
			of[k.Check.Witness]++
		}
		for i := range list {
			k := &list[i]
			caught := k.run(ctx, r.Seed)
			nth[caught.Witness]++
			caught.Nth, caught.Of = nth[caught.Witness], of[caught.Witness]
			r.send(Event{Event: ControlEvent, Target: s.Name, Check: k.Check.Name, Control: &caught})
		}
	}
}

// controlBudget bounds one control.
const controlBudget = 20 * time.Second

// controlTries is how often a control is judged whose check is a sample: that may miss what is wrong by chance, beside other programs mostly.
const controlTries = 3

// run judges the control until it is caught, or has been judged often enough.
func (k *Control) run(ctx context.Context, seed record.Seed) Caught {
	c := k.try(ctx, seed)
	for n := 1; n < controlTries && k.Check.Sample && c.Finding == nil && c.Ended != Error && ctx.Err() == nil; n++ {
		c = k.try(ctx, seed+record.Seed(n))
	}
	return c
}

// try judges the control once, up to the first finding of those that must come.
func (k *Control) try(ctx context.Context, seed record.Seed) Caught {
	c := Caught{Witness: k.Check.Witness, What: k.What}
	if ctx.Err() != nil {
		c.Ended, c.Reason = Inconclusive, "it was not checked: the run had ended"
		return c
	}
	t, err := k.Open()
	if err != nil {
		c.Ended, c.Reason = Error, err.Error()
		return c
	}
	defer t.Close()
	ctx, cancel := awake.WithTimeout(ctx, controlBudget)
	defer cancel()
	d := t.Describe()
	run := &Task{
		Check: &k.Check, Requirements: k.Check.Judges(&d), Seed: seed, Budget: controlBudget,
		found: make(map[string]bool), broken: make(map[string]bool), progress: func(string) {},
		emit: func(f record.Finding) {
			if c.Finding == nil && slices.Contains(k.Falls, f.Requirement) {
				c.Finding = &f
				cancel() // the rest of the plan says nothing more
			}
		},
	}
	res := carry(ctx, &k.Check, t, run, k.Check.plan(t))
	c.Ended, c.Reason = res.Ended, res.Reason
	if c.Finding != nil {
		c.Ended, c.Reason = Completed, ""
	}
	return c
}

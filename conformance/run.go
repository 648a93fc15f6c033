package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Options are the parameters of a run.
type Options struct {
	Seed   uint64
	Budget time.Duration // for each target; what is not done by then is inconclusive. 0: DefaultBudget
	// Select chooses checks: requirement ids joined by commas, or a regular
	// expression on the names of checks. Empty: all.
	Select string
	Strict bool
	Known  []KnownFailure
	Sink   func(Event) // gets every event, in order; nil: nobody
	// Keep is called with the history behind each finding and returns where it
	// was put, or "".
	Keep func(target, check string, h *record.History) string
	// Again returns the command that shows a finding again; nil: the spindle
	// command's.
	Again func(d Description, check string, seed uint64) string
}

// DefaultBudget is what a target has if Options.Budget is 0.
const DefaultBudget = 3 * time.Minute

// Source is a target still to be opened. Opening may take long: progress gets
// a line now and then.
type Source struct {
	Name string
	Open func(ctx context.Context, progress func(string)) (Target, error)
	// Checks, if any, are carried out on this target instead of those for queues:
	// each brings its own Judge.
	Checks []Check
	// Control is their positive control: a check in which one of its requirements
	// must fall, of what Doc says is wrong on purpose.
	Control *Check
}

// Opened is the Source of a target that exists already.
func Opened(t Target) Source {
	return Source{Name: t.Describe().Name, Open: func(context.Context, func(string)) (Target, error) { return t, nil }}
}

// Run judges each target and returns the run's footer, which is also its last
// event. Errors are those of the options (ErrSelect, ErrNothing); whatever
// happens later is in the events. When ctx ends, what is not done is
// inconclusive and the footer comes all the same.
func Run(ctx context.Context, o Options, sources ...Source) (Footer, error) {
	if len(sources) == 0 {
		return Footer{}, fmt.Errorf("%w: no target", ErrNothing)
	}
	chosen, some := make([][]Check, len(sources)), false
	for i, s := range sources {
		var err error
		if chosen[i], err = s.Select(o.Select); err != nil {
			return Footer{}, err
		}
		some = some || len(chosen[i]) > 0
	}
	if !some {
		return Footer{}, nothing(o.Select)
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Sink == nil {
		o.Sink = func(Event) {}
	}
	if o.Again == nil {
		o.Again = again
	}
	r := &runner{Options: o, judged: make(map[spec.Witness]bool), counts: make(map[string]int), begin: time.Now()}
	r.Sink(Event{Event: HeaderEvent, Header: &Header{
		Suite: SuiteVersion, Spec: SpecVersion, Protocol: ProtocolVersion, Schema: SchemaVersion,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		Seed: o.Seed, Budget: o.Budget.String(), Select: o.Select, Strict: o.Strict, Begin: r.begin,
		RecorderNs: int64(recorder.Cost(recorder.NewClock(record.ClockTime))),
	}})
	for i, s := range sources {
		r.target(ctx, s, chosen[i])
	}
	r.controls(ctx)
	return r.footer(ctx), nil
}

// again is how the spindle command shows a check's run again.
func again(d Description, check string, seed uint64) string {
	if d.Command == "" {
		return ""
	}
	return fmt.Sprintf("spindle check -run '^%s$' -seed %#x %s", check, seed, d.Command)
}

// runner is one run.
type runner struct {
	Options
	judged  map[spec.Witness]bool // by which queues were judged, or were to be
	extra   []*Check              // the controls that sources bring
	begin   time.Time
	verdict Verdict
	targets int
	ran     int
	found   int
	counts  map[string]int // requirement verdicts, over all targets
	reasons []string
}

func (r *runner) because(format string, args ...any) {
	r.reasons = append(r.reasons, fmt.Sprintf(format, args...))
}

func (r *runner) target(ctx context.Context, s Source, checks []Check) {
	r.targets++
	if s.Control != nil && len(checks) > 0 {
		r.extra = append(r.extra, s.Control)
	}
	for i := range checks {
		if w := checks[i].Witness; checks[i].Judge == nil && w != spec.Interleave {
			r.judged[w] = true
		}
	}
	t, err := s.Open(ctx, func(text string) { r.Sink(Event{Event: ProgressEvent, Target: s.Name, Text: text}) })
	if err != nil {
		v := Error
		if ctx.Err() != nil {
			v = Inconclusive
		}
		r.verdict = Merge(r.verdict, v)
		r.because("%s: %v", s.Name, err)
		r.Sink(Event{Event: TargetEvent, Target: s.Name, Text: err.Error()})
		return
	}
	defer t.Close()
	d := t.Describe()
	r.Sink(Event{Event: TargetEvent, Target: d.Name, Description: &d})
	ctx, cancel := context.WithTimeout(ctx, r.Budget)
	defer cancel()
	j := &judging{runner: r, target: t, desc: d, results: make(map[string]CheckResult)}
	for i := range checks {
		if checks[i].Witness == spec.Interleave {
			if !explorable(t) {
				continue // go test explores, where the source is
			}
			r.judged[spec.Interleave] = true
		}
		if c := checks[i].forTarget(d); c.fits(d.Profile) && len(c.of(d)) > 0 {
			j.check(ctx, c)
		}
	}
	j.requirements()
}

func (r *runner) footer(ctx context.Context) Footer {
	f := Footer{
		Verdict: r.verdict, Targets: r.targets, Checks: r.ran, Findings: r.found,
		Counts: r.counts, Reasons: r.reasons, Elapsed: time.Since(r.begin),
	}
	for _, n := range r.counts {
		f.Requirements += n
	}
	f.Exit = f.Verdict.Exit(r.Strict)
	if errors.Is(ctx.Err(), context.Canceled) {
		f.Verdict = Merge(f.Verdict, Inconclusive)
		f.Exit = ExitInterrupted
	}
	r.Sink(Event{Event: FooterEvent, Footer: &f})
	return f
}

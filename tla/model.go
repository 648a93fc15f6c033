package tla

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/constants"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/variant"
)

// A Set is a time of day: the gate is run for every change, night when nobody waits.
type Set string

// The sets. Each holds those before it.
const (
	Gate  Set = "gate"
	Full  Set = "full"
	Night Set = "night"
)

// Sets lists them, the smallest first.
func Sets() []Set { return []Set{Gate, Full, Night} }

// Has reports whether what belongs to other is run when s is asked for.
func (s Set) Has(other Set) bool { return slices.Index(Sets(), other) <= slices.Index(Sets(), s) }

// A Model is a question that is answered by exploring all states: a row, which the
// head of a file of cfg has.
type Model struct {
	Name   string // of cfg/NAME.cfg
	Module string
	Set    Set
	// Violates is the invariant or property that must fail, "" if all must hold.
	Violates string
	// Asks is what the head notes that the configuration asks, with blanks between the names.
	Asks string
	// Generated and Distinct are states, of a model that holds; Depth is how deep
	// the search goes, or how many states the counterexample has, with one worker.
	Generated, Distinct int64
	Depth               int
	Seconds             float64 // about, with one worker, of TLC or of who judges it alone
	HeapMB              int     // 0 is tlc.DefaultHeapMB
	MachineAlone        bool    // the Go machine judges it, and TLC does not: it is too large
	Absent              bool    // nothing is expected yet, so that there is nothing to compare with
}

// A Mutant is a known-bad variant: members of the constant Bugs, in a model in
// which a property must then fall.
type Mutant struct {
	Bugs     []string
	Model    string
	Violates string
	Depth    int // states of the counterexample, with one worker
	Set      Set // "" is Full
	// Equivalent says why nothing falls; all of the model must then be explored, and
	// have these states. As many as without the bugs would mean that no step differs.
	Equivalent          string
	Generated, Distinct int64
}

// Name is the model's, with the bugs behind it.
func (m *Mutant) Name() string { return m.Model + "+" + strings.Join(m.Bugs, "+") }

// A Task is one run of TLC with what it must give.
type Task struct {
	Model
	Question string  // one sentence, the first line of the configuration
	Mutant   *Mutant // nil: the model itself
	Config   string  // the text
	Liveness bool    // a temporal property that is no safety property is checked
}

// Task returns the run of a model, with the files of dir.
func (m *Model) Task(dir fs.FS) (*Task, error) {
	text, err := fs.ReadFile(dir, "cfg/"+m.Name+".cfg")
	if err != nil {
		return nil, fmt.Errorf("tla: model %s: %w", m.Name, err)
	}
	t := &Task{Model: *m, Config: string(text), Question: question(string(text))}
	t.Liveness, err = hasLiveness(dir, m.Module, t.Config)
	if err == nil {
		err = overridden(dir, m.Module, t.Config)
	}
	if err != nil {
		return nil, fmt.Errorf("tla: model %s: %w", m.Name, err)
	}
	return t, nil
}

// question is the comment on a configuration's first line.
func question(config string) string {
	line, _, _ := strings.Cut(config, "\n")
	text, ok := strings.CutPrefix(line, `\* `)
	if !ok {
		return ""
	}
	return text
}

var bugsLine = regexp.MustCompile(`(?m)^(\s*Bugs = )\{\}[ \t]*$`)

// Task returns the run of a mutant: that of its model with another line for Bugs.
func (m *Mutant) Task(dir fs.FS) (*Task, error) {
	base, err := Find(dir, m.Model)
	if err != nil {
		return nil, err
	}
	if base.Absent {
		return nil, fmt.Errorf("tla: mutant %s: cfg/%s.cfg does not say what is expected", m.Name(), m.Model)
	}
	return m.Of(base, dir)
}

// Of returns the run of a mutant of a model that need not have a row.
func (m *Mutant) Of(base *Model, dir fs.FS) (*Task, error) {
	t, err := base.Task(dir)
	if err != nil {
		return nil, err
	}
	if n := len(bugsLine.FindAllString(t.Config, -1)); n != 1 {
		return nil, fmt.Errorf("tla: mutant %s: expected one line %q in cfg/%s.cfg, saw %d", m.Name(), "Bugs = {}", m.Model, n)
	}
	set := `{"` + strings.Join(m.Bugs, `", "`) + `"}`
	t.Config = bugsLine.ReplaceAllString(t.Config, "${1}"+set)
	t.Mutant = m
	t.Name, t.Violates, t.Depth, t.Generated, t.Distinct = m.Name(), m.Violates, m.Depth, m.Generated, m.Distinct
	t.Set = cmp.Or(m.Set, Full)
	if m.Equivalent == "" {
		t.Seconds = min(t.Seconds, 3) // most fall soon
	}
	t.Question = "Does " + m.Violates + " fall with " + strings.Join(m.Bugs, " and ") + "?"
	if m.Equivalent != "" {
		t.Question = "Does nothing fall with " + strings.Join(m.Bugs, " and ") + "? " + m.Equivalent
	}
	return t, nil
}

// short is the most seconds of a job that is Short for package tlc.
const short = 5

// Job returns what TLC gets: the modules of dir, with the edits that the configuration
// asks for. With more than one worker liveness would be wrong at random, so it always has
// one.
func (t *Task) Job(dir fs.FS, workers int) (tlc.Job, error) {
	if t.Liveness {
		workers = 1
	}
	files, err := t.edited(dir)
	if err != nil {
		return tlc.Job{}, fmt.Errorf("tla: model %s: %w", t.Name, err)
	}
	return tlc.Job{Files: files, Module: t.Module, Config: t.Config, Workers: workers, HeapMB: t.HeapMB, Short: 0 < t.Seconds && t.Seconds <= short}, nil
}

// edited are the modules of dir with the fixes and bugs of the configuration.
func (t *Task) edited(dir fs.FS) (fs.FS, error) {
	cfg, err := tlc.ParseConfig(t.Config)
	if err != nil {
		return nil, err
	}
	// TLC says what is missing.
	r := constants.New(map[string]string{"Fixes": cmp.Or(cfg.Constants["Fixes"], "{}"), "Bugs": cmp.Or(cfg.Constants["Bugs"], "{}")})
	fixes, bugs := r.Strings("Fixes"), r.Strings("Bugs")
	if err := r.Err(); err != nil {
		return nil, err
	}
	return variant.Family(Family(t.Module)).Apply(dir, fixes, bugs)
}

// Expected says on one line what is expected.
func (m *Model) Expected() string {
	if m.Violates != "" {
		return "violates " + m.Violates
	}
	return "holds"
}

// enoughMs is the invariant of module Sched that no M waits for ever for another one, which
// the runtime would make.
const enoughMs = "EnoughMs"

// Verdict is what a run found, with the bound that it is about.
func (t *Task) Verdict(r *tlc.Result) string {
	if r.Outcome == tlc.Holds {
		return r.String() + t.Bound() + t.Assumes()
	}
	return r.String()
}

// Assumes is what is said behind "holds" of a model that takes something about the world
// for granted, "" of others: which assumptions of its Fixes, which are no fixes.
func (t *Task) Assumes() string {
	cfg, err := tlc.ParseConfig(t.Config)
	if err != nil {
		return ""
	}
	var list []string
	all, _ := variant.Family(Family(t.Module)).Variants() // Audit says what is wrong with it
	for _, v := range all {
		if v.Assumed && strings.Contains(cfg.Constants["Fixes"], `"`+v.Name+`"`) {
			list = append(list, v.Name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ", if " + strings.Join(list, " and ")
}

// Bound is " with N Ms", sysmon beside them, if a configuration of the dance does not ask
// whether it has Ms enough: it says nothing then of a run in which the runtime has more.
// Else it is "".
func (t *Task) Bound() string {
	cfg, err := tlc.ParseConfig(t.Config)
	if err != nil || Family(t.Module) != "Sched" || slices.Contains(cfg.Invariants, enoughMs) {
		return ""
	}
	n := 0
	for m := range strings.SplitSeq(strings.Trim(cfg.Constants["Ms"], "{}"), ",") {
		if strings.TrimSpace(m) != cfg.Constants["Sysmon"] {
			n++
		}
	}
	return fmt.Sprintf(" with %d Ms", n)
}

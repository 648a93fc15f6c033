package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// The profiles of schedulers. Each begins the name of a contract: "pool,panics=isolated".
const (
	Pool        Profile = "pool"        // any scheduler: what is accepted runs, once, and no task waits beside an idle worker
	Cooperative Profile = "cooperative" // pool; no more tasks at a time than workers; panics end alone; a task that yields lets all others run
	Preemptive  Profile = "preemptive"  // pool; tasks that do not end keep no other from running
)

// schedulerContracts are those of the named profiles of schedulers.
var schedulerContracts = map[Profile]SchedulerContract{
	Pool:        {},
	Cooperative: {"workers": Exact, "panics": Isolated, "fair": Yielding},
	Preemptive:  {"fair": Preempted},
}

// SchedulerNotes says what each profile of schedulers holds a scheduler to.
var SchedulerNotes = map[Profile]string{
	Pool:        "every task that is accepted runs, once; none waits beside an idle worker longer than the bound; close waits for all",
	Cooperative: "pool, and at most so many tasks at a time as there are workers; panics are isolated; a task that yields lets all others run",
	Preemptive:  "pool, and all tasks run although some do not end; trades the bound on how many run at a time",
}

// SchedulerProfiles lists them, the weakest first.
func SchedulerProfiles() []Profile { return []Profile{Pool, Cooperative, Preemptive} }

// The values of the choices of a scheduler that no queue has.
const (
	AtLeast   = "at-least"
	Waits     = "waits"
	Refused   = "refused"
	Isolated  = "isolated"
	Yielding  = "yield"
	Switching = "switch"
	Preempted = "preempt"
	Fair      = "fair"
	Outside   = "outside"
	Alone     = "alone"
	ForWorker = "worker"
	ForTasks  = "tasks"
	Reported  = "reported"
	Two       = "two"
	Own       = "own"
	AsRuntime = "runtime"
	Leaving   = "cooperative"
	All       = "all"
)

// A SchedulerChoice is one question that the contract of a scheduler answers. Its first value is that of the
// profile pool.
type SchedulerChoice struct {
	Name, About string
	Values      []Value
}

// SchedulerChoices lists the choices, in the order in which reports show them.
var SchedulerChoices = []SchedulerChoice{
	{"order", "which task runs first", []Value{
		{AnyOrder, "Tasks begin in any order."},
		{FirstIn, "With one worker, tasks that one thread submits begin in the order in which it submitted them."},
	}},
	{"submits", "which threads may submit", []Value{
		{Anyone, "Any number of threads submit at once, and so do tasks."},
		{Outside, "Any number of threads submit at once; a task does not, but by a call of its own (Spawner)."},
		{One, "One thread at a time submits; a task does not, but by a call of its own (Spawner)."},
	}},
	{"closes", "when Close may be called", []Value{
		{Beside, "Close may be called while other threads submit: what they submit is accepted and runs, or is refused."},
		{Alone, "Close is called when no other thread submits; tasks may still spawn."},
	}},
	{"closers", "how often Close is called", []Value{
		{One, "Close is called once."},
		{Anyone, "Any number of threads call Close, at once, and again when it has returned. Each call waits as the first does."},
	}},
	{"refuse", "when a submission may be refused before the scheduler is closed", []Value{
		{Never, "Before Close is called, every submission is accepted."},
		{Anytime, "A submission may be refused at any time."},
	}},
	{"waits", "what a submission may wait for", []Value{
		{Never, "A submission returns, whatever tasks do."},
		{ForWorker, "A submission may wait until a worker is free, or until Close is called. A task that submits keeps its worker meanwhile. What fair says is then not checked: behind tasks that do not end, no other need be accepted."},
	}},
	{"workers", "how many tasks run at a time", []Value{
		{AtLeast, "As many tasks run at a time as there are workers; there may be more."},
		{Exact, "As many tasks run at a time as there are workers, and no more."},
	}},
	{"tasks", "whether a task may keep its worker while it waits", []Value{
		{Anyone, "A task may keep its worker while it waits, and others run on the other workers."},
		{Leaving, "No task keeps its worker while it waits: it leaves it, by the means of the scheduler, and is made ready. What tasks that keep their workers do to others is not checked."},
	}},
	{"block", "how many workers are left while tasks block (Blocker)", []Value{
		{All, "While tasks block (Blocker), other tasks run on as many workers as there are."},
		{One, "A task that blocks (Blocker) may keep its worker. Other tasks run on the workers that are left, and on one at least, however many block."},
	}},
	{"resizes", "what a change of the number of workers may wait for", []Value{
		{Never, "A change of the number of workers (Resizer) returns, whatever tasks do."},
		{ForTasks, "A change of the number of workers (Resizer) may wait until every task that runs has ended, or has left its worker for a moment. No other task need run meanwhile."},
	}},
	{"joins", "what a task may run while it joins another (Joiner)", []Value{
		{Anyone, "While a task joins another, it may run any task on its own stack, and goes on when that has ended. A task that needs what it holds then waits for ever."},
		{Own, "While a task joins another, it runs none on its own stack but those that it has forked or spawned, and those that come of them."},
	}},
	{"bound", "how long a task may wait beside an idle worker, how late it may be woken, and how late a thread that waits for all tasks", []Value{
		{"100ms", "The bound is 100 ms."},
		{"1s", "The bound is one second."},
	}},
	{"close", "what Close waits for", []Value{
		{Waits, "Close returns when all tasks have ended that were accepted before, and those that they spawned."},
		{Unsaid, "When Close returns, and what it leaves undone, is not checked."},
	}},
	{"closed", "what a submission comes to after Close has returned", []Value{
		{Refused, "What is submitted after Close has returned is refused: by an error, or by a panic."},
		{Unsaid, "What is submitted after Close is not checked."},
	}},
	{"panics", "what becomes of a panic of a task", []Value{
		{Unsaid, "What a panic of a task does is not checked."},
		{Isolated, "A task that panics ends alone: all others run, and the worker goes on."},
	}},
	{"exits", "what becomes of a task that ends by runtime.Goexit", []Value{
		{Unsaid, "What a task does that ends by runtime.Goexit is not checked."},
		{Isolated, "A task that ends by runtime.Goexit, as t.FailNow does, ends alone: all others run, and its worker goes on, or another takes its place."},
	}},
	{"deadlock", "what Close does when the tasks that are left have parked, and nothing can make them ready", []Value{
		{Unsaid, "What Close does when tasks can never go on is not checked."},
		{Reported, "When no task that is left can ever go on, Close returns, and says how many they are (Deadlocker)."},
	}},
	{"wakes", "how many workers are woken", []Value{
		{Unsaid, "How often workers are woken is not checked."},
		{Two, "At most two workers are woken (WakeCounter) for each task that is accepted, made ready, or yields, four for one that blocks or sleeps, and two for each worker that there is; none while there is nothing to do."},
	}},
	{"fair", "what a task that does not end keeps others from", []Value{
		{None, "Whether others run beside tasks that do not end, on as many workers, is not checked."},
		{Yielding, "Tasks that yield (Yielder) let all others run."},
		{Switching, "Tasks that yield (Yielder), and tasks that park and make each other ready (Parker), let all others run."},
		{Preempted, "All tasks run, whatever others do."},
	}},
	{"again", "what tasks keep others from that submit themselves again whenever they run", []Value{
		{Unsaid, "Whether others run beside tasks that submit themselves again and again is not checked, unless all tasks run, whatever others do (fair=preempt)."},
		{Fair, "Tasks that submit themselves again whenever they run, and threads that keep submitting, let all others run."},
	}},
	{"parts", "how the parts of the scheduler decide", []Value{
		{Unsaid, "How the parts of the scheduler decide is not checked."},
		{AsRuntime, "By counts, clocks and chance the parts decide as the Go runtime's do. This is checked of impl/sched alone."},
	}},
}

// A SchedulerContract is what a scheduler promises, choice by choice. A choice that is left out is that of the profile pool.
type SchedulerContract map[string]string

// Of returns the value of the choice. It panics if there is none of that name.
func (c SchedulerContract) Of(choice string) Value {
	at := slices.IndexFunc(SchedulerChoices, func(q SchedulerChoice) bool { return q.Name == choice })
	if at < 0 {
		panic(fmt.Sprintf("spec: %q is no choice of a scheduler", choice))
	}
	value := c[choice]
	if choice == "again" && c["fair"] == Preempted {
		value = Fair
	}
	return SchedulerChoices[at].Values[max(0, SchedulerChoices[at].index(value))]
}

// Is reports whether the choice has that value.
func (c SchedulerContract) Is(choice, value string) bool { return c.Of(choice).Name == value }

func (q *SchedulerChoice) index(value string) int {
	return slices.IndexFunc(q.Values, func(v Value) bool { return v.Name == value })
}

// Profile returns the name of c: a named profile, or the one that is nearest, with the choices that differ. Its
// error says which choice is unknown, or has a value that it does not know.
func (c SchedulerContract) Profile() (Profile, error) {
	for name, value := range c {
		at := slices.IndexFunc(SchedulerChoices, func(q SchedulerChoice) bool { return q.Name == name })
		if at < 0 {
			return "", fmt.Errorf("spec: contract of a scheduler: expected one of the choices %s, saw %q", schedulerChoiceNames(), name)
		}
		if q := &SchedulerChoices[at]; q.index(value) < 0 {
			return "", fmt.Errorf("spec: choice %s of a scheduler: expected one of %s, saw %q", name, q.names(), value)
		}
	}
	var best []string
	for _, p := range SchedulerProfiles() {
		differ := append([]string{string(p)}, c.differs(p)...)
		if best == nil || len(differ) < len(best) {
			best = differ
		}
	}
	return Profile(strings.Join(best, ",")), nil
}

// differs returns what is to be stated behind the name of p. A profile gives no value to again by its fair, where c has another.
func (c SchedulerContract) differs(p Profile) (list []string) {
	base := maps.Clone(schedulerContracts[p])
	base["fair"] = c.Of("fair").Name
	for _, q := range SchedulerChoices {
		v := c.Of(q.Name).Name
		if q.Name == "fair" && !schedulerContracts[p].Is("fair", v) || !base.Is(q.Name, v) {
			list = append(list, q.Name+"="+v)
		}
	}
	return list
}

func (q *SchedulerChoice) names() string {
	var names []string
	for _, v := range q.Values {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

func schedulerChoiceNames() string {
	var names []string
	for _, q := range SchedulerChoices {
		names = append(names, q.Name)
	}
	return strings.Join(names, ", ")
}

// ParseSchedulerContract reads what Profile gives: the name of a profile of schedulers, and then choices that
// differ from it.
func ParseSchedulerContract(text string) (SchedulerContract, error) {
	name, rest, more := strings.Cut(text, ",")
	named, ok := schedulerContracts[Profile(strings.TrimSpace(name))]
	if !ok {
		return nil, fmt.Errorf("spec: contract of a scheduler: expected a profile, one of %s, and then CHOICE=VALUE, joined by commas, saw %q", join(SchedulerProfiles()), name)
	}
	c := make(SchedulerContract)
	for choice, value := range named {
		c[choice] = value
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ",")
		choice, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return nil, fmt.Errorf("spec: contract of a scheduler: expected CHOICE=VALUE, saw %q", part)
		}
		c[choice] = value
	}
	_, err := c.Profile()
	return c, err
}

func join(list []Profile) string {
	var names []string
	for _, p := range list {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

var parsedSchedulers sync.Map // by Profile: its contract

// Scheduler returns what the profile promises of a scheduler. It reports false for the profile of something else.
func (p Profile) Scheduler() (SchedulerContract, bool) {
	if c, ok := parsedSchedulers.Load(p); ok {
		return c.(SchedulerContract), true
	}
	if name, _, _ := strings.Cut(string(p), ","); schedulerContracts[Profile(name)] == nil {
		return nil, false
	}
	c, err := ParseSchedulerContract(string(p))
	if err != nil {
		return nil, false
	}
	parsedSchedulers.Store(p, c)
	return c, true
}

// fulfils reports whether c fulfils all conditions.
func (c SchedulerContract) fulfils(all []Condition) bool {
	return !slices.ContainsFunc(all, func(q Condition) bool { return !slices.Contains(q.Values, c.Of(q.Choice).Name) })
}

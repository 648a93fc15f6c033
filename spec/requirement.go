// Package spec is the contract of an M:N work-stealing scheduler in Go: the
// numbered requirements, by profile. It knows nothing of any implementation. What each
// call may do, package sequential says.
//
// A requirement's id is for ever: it is never reused, and it is no position in
// a document, so that a list of known failures may name it.
//
//interleave:off
package spec

import (
	"fmt"
	"slices"
	"strings"
)

// A Level says how binding a requirement is.
type Level string

// The levels.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
)

// A Witness is a way of checking a requirement. Each finds what another misses.
type Witness string

// The witnesses.
const (
	Sequence        Witness = "sequence"        // calls in a fixed order, held against the sequential machine
	Stress          Witness = "stress"          // real threads; ids counted
	Linearizability Witness = "linearizability" // real threads; a moment for each call, object by object
	Interleave      Witness = "interleave"      // every interleaving of small scenarios, on the real code (go test)
	Property        Witness = "property"        // generated programs, shrunk (go test)
	Fuzz            Witness = "fuzz"            // scripts from bytes (go test -fuzz)
	Scene           Witness = "scene"           // parts of impl/sched, whose clock and counters the check drives
	Model           Witness = "model"           // every state of the protocol, in TLA+ (spindle tlc) and in Go (spindle model)
)

// Witnesses lists them in the order in which reports show them.
func Witnesses() []Witness {
	return []Witness{Sequence, Stress, Linearizability, Interleave, Property, Fuzz, Scene, Model}
}

// A Profile names what a target is held to: a contract, as Contract.Profile writes it,
// or the protocol. Each target declares one.
type Profile string

// The named profiles.
const (
	Core      Profile = "core"       // any queue: nothing lost, nothing twice, emptiness never lies; any order
	FIFO      Profile = "fifo"       // core, and first in, first out
	LIFODeque Profile = "lifo-deque" // core; the owner takes the newest, thieves the oldest (Chase-Lev)
	Tokio     Profile = "tokio"      // fifo; a thief takes half, rounded up; no runnext for thieves; overflow to an injector
	GoRT      Profile = "gort"       // the Go runtime's own rules
	Protocol  Profile = "protocol"   // the machines of the model themselves
)

// ProfileNotes says what each profile holds a queue to, and what it trades.
var ProfileNotes = map[Profile]string{
	Core:      "nothing lost, nothing taken twice, nothing invented, emptiness never lies; any order",
	FIFO:      "core, and first in, first out; trades the newest-first locality of a deque",
	LIFODeque: "core, and the owner takes the newest, thieves the oldest; trades fairness: the oldest may wait for ever; and a thief that loses a race may find nothing",
	Tokio:     "fifo, and a thief takes half, rounded up, into its own ring; trades exact capacity: a slow thief makes a ring look full; and certainty of steals: beside another thief at work on the victim or on its own ring, a thief finds nothing",
	GoRT:      "the Go runtime's rules: runnext, overflow of half a ring, steals of half, the global queue's shares",
	Protocol:  "no implementation but the protocol: what the model's machines promise in every interleaving of small configurations",
}

// Profiles lists them, the weakest first.
func Profiles() []Profile { return []Profile{Core, FIFO, LIFODeque, Tokio, GoRT, Protocol} }

// ParseProfile returns the profile that the text names: Protocol, or a contract as
// ParseContract or ParseSchedulerContract reads it, under its shortest name.
func ParseProfile(text string) (Profile, error) {
	if Profile(text) == Protocol {
		return Protocol, nil
	}
	if c, ok := Profile(text).Scheduler(); ok {
		return c.Profile()
	}
	if name, _, _ := strings.Cut(text, ","); slices.Contains(SchedulerProfiles(), Profile(name)) {
		_, err := ParseSchedulerContract(text)
		return "", err
	}
	c, err := ParseContract(text)
	if err != nil {
		return "", err
	}
	return c.Profile()
}

// A Requirement is one promise of the contract.
type Requirement struct {
	ID       string
	Level    Level
	Sentence string // what must hold
	Intent   string // if this fails, look at ...
	Source   string // the function, paper or issue it comes from
	// When says for which contracts, of a run queue or of a scheduler, it holds: all of them if it is empty.
	// No requirement of the protocol has one.
	When []Condition
	// Asked says which of these contracts ask for the calls that it is about. Under the
	// others a target that does not offer them lacks nothing. Empty: all.
	Asked     []Condition
	Mechanism []string  // rows of the list of mechanisms, such as "M02"
	Witnesses []Witness // what checks it
}

// In reports whether the requirement belongs to p. To that of the protocol belong
// all that the model checks.
func (r *Requirement) In(p Profile) bool {
	if p == Protocol {
		return slices.Contains(r.Witnesses, Model)
	}
	if c, ok := p.Scheduler(); ok {
		return r.ofScheduler() && c.fulfils(r.When)
	}
	c, ok := p.Contract()
	return ok && strings.HasPrefix(r.ID, "RQ-") && fulfils(c, r.When)
}

// ofScheduler reports whether the requirement is one of whole schedulers, of which a caller sees what they do: not
// of queues, and not of the model's machines.
func (r *Requirement) ofScheduler() bool {
	return !strings.HasPrefix(r.ID, "RQ-") && !slices.Contains(r.Witnesses, Model)
}

// Optional reports whether p, to which the requirement belongs, lets a target do
// without the calls that it is about.
func (r *Requirement) Optional(p Profile) bool {
	if c, ok := p.Scheduler(); ok {
		return !c.fulfils(r.Asked)
	}
	c, ok := p.Contract()
	return ok && !fulfils(c, r.Asked)
}

// Profiles returns the named profiles that the requirement belongs to.
func (r *Requirement) Profiles() []Profile {
	return slices.DeleteFunc(slices.Concat(Profiles(), SchedulerProfiles()), func(p Profile) bool {
		return !r.In(p) || p == Protocol && strings.HasPrefix(r.ID, "RQ-")
	})
}

// Fulfils reports whether p is a contract that fulfils all conditions. Without any, every
// profile does.
func (p Profile) Fulfils(all []Condition) bool {
	if len(all) == 0 {
		return true
	}
	if c, ok := p.Scheduler(); ok {
		return c.fulfils(all)
	}
	c, ok := p.Contract()
	return ok && fulfils(c, all)
}

// Holds says for which contracts the requirement holds: "order is fifo". The model's have
// none.
func (r *Requirement) Holds() string {
	if !strings.HasPrefix(r.ID, "RQ-") && !r.ofScheduler() {
		return "for the protocol"
	}
	words := func(all []Condition) string {
		var list []string
		for _, q := range all {
			list = append(list, q.String())
		}
		return strings.Join(list, ", ")
	}
	text := "for every contract"
	if len(r.When) > 0 {
		text = "where " + words(r.When)
	}
	if len(r.Asked) > 0 {
		text += "; a target may do without, but where " + words(r.Asked)
	}
	return text
}

func fulfils(c Contract, all []Condition) bool {
	return !slices.ContainsFunc(all, func(q Condition) bool { return !q.In(c) })
}

// Lookup returns the requirement of that id, or an error that names the ids
// nearest to it.
func Lookup(id string) (*Requirement, error) {
	var near []string
	for i := range Requirements {
		r := &Requirements[i]
		if r.ID == id {
			return r, nil
		}
		if strings.Contains(r.ID, strings.ToUpper(id)) || strings.HasPrefix(r.ID, strings.ToUpper(id)[:min(4, len(id))]) {
			near = append(near, r.ID)
		}
	}
	if len(near) > 0 && len(near) < 12 {
		return nil, fmt.Errorf("spec: unknown requirement %q; near it: %s", id, strings.Join(near, ", "))
	}
	return nil, fmt.Errorf("spec: unknown requirement %q; the command requirements lists all", id)
}

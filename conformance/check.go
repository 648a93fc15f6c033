package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Check has one witness judge something: scenarios of one kind, most of the time.
type Check struct {
	Name    string // "witness/what"
	Doc     string // what is run, in one sentence
	Witness spec.Witness
	// Requirements are those that the check would see broken. For a profile
	// that lacks one, the check leaves it out.
	Requirements []string
	Profiles     []spec.Profile // whose targets it fits; nil: all
	// Kinds are the calls that a target must offer, as script letters.
	Kinds string
	// Start says that the target's indices must be able to start anywhere.
	Start bool
	// Loot says that its thieves take several at once, where the target can: a
	// check of the witness stress needs them to, and to one of linearizability
	// it must be known what they moved.
	Loot bool
	// Scenarios is the plan: how many are run.
	Scenarios int
	// Observe is what must have been seen, summed over all scenarios, for the
	// plan to count as carried out; see observe.
	Observe map[string]int
	// Complete says that the plan is all there is: a fixed list, not a sample.
	Complete bool
	// Judge, if not nil, carries the check out: it is not about scenarios. Only a
	// Source brings such checks. When ctx ends, what it came to is inconclusive.
	Judge func(ctx context.Context, progress func(text string)) Exploration
	// States is the plan of a check that judges states: how many there are.
	States int64

	scenario func(g *gen, i int) record.Scenario
}

// forTarget returns the check as it is carried out on a target: where each
// history comes through a pipe, at several microseconds a call, a sample is a
// third as large. A list that is complete stays whole, but where the capacity
// is what it is there is no going through several.
func (c Check) forTarget(d Description) *Check {
	if c.Complete && c.Witness != spec.Interleave && !d.Capabilities.Resize {
		c.Scenarios = min(c.Scenarios, 2)
	}
	if d.Kind != InProcessKind && !c.Complete {
		c.Scenarios = (c.Scenarios + 2) / 3
	}
	return &c
}

// Plan describes the check's plan in words.
func (c *Check) Plan() string {
	s := fmt.Sprintf("%d scenarios", c.Scenarios)
	switch {
	case c.Judge != nil && c.States > 0:
		return fmt.Sprintf("all %d states", c.States)
	case c.Judge != nil:
		return c.Doc
	case c.Witness == spec.Interleave:
		return fmt.Sprintf("every interleaving of %d scenarios, or %d executions of each", c.Scenarios, executionsPlanned())
	}
	if c.Complete {
		s = fmt.Sprintf("all %d scenarios", c.Scenarios)
	}
	for _, name := range slices.Sorted(mapKeys(c.Observe)) {
		s += fmt.Sprintf(", %d %s", c.Observe[name], name)
	}
	return s
}

func mapKeys(m map[string]int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// lacks says why the check cannot run on a target, or "".
func (c *Check) lacks(d Description) string {
	for _, k := range []byte(c.Kinds) {
		if !d.Capabilities.Supports(record.Kind(k)) {
			return fmt.Sprintf("the target does not offer %v", record.Kind(k))
		}
	}
	if c.Loot && c.Witness == spec.Stress && !(d.Capabilities.Batch && d.Capabilities.Resize) {
		return "the target does not offer steals from queue to queue (BatchStealer), or only of large rings"
	}
	if (c.Witness == spec.Linearizability || c.Witness == spec.Interleave) && !d.Capabilities.Moves && (d.Profile == spec.GoRT || c.Loot && half(d)) {
		return "the target does not say what its calls move (Mover)"
	}
	if c.Start && !d.Capabilities.Start {
		return "the target's indices cannot be made to start near their end"
	}
	return ""
}

// fits reports whether the check is meant for targets of profile p.
func (c *Check) fits(p spec.Profile) bool {
	return c.Profiles == nil || slices.Contains(c.Profiles, p)
}

// of returns the check's requirements that belong to d's profile and that d's
// capabilities let it judge.
func (c *Check) of(d Description) []string {
	var ids []string
	for _, id := range c.Requirements {
		if r, err := spec.Lookup(id); err == nil && r.In(d.Profile) && notOffered(id, d.Capabilities) == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// needs says which calls a requirement is about, as script letters: without
// them there is nothing to judge.
var needs = map[string]string{
	"RQ-LEN": "l", "RQ-DRAIN": "d", "RQ-PUT-BATCH": "b", "RQ-GLOBAL-FIFO": "q", "RQ-GLOBAL-BATCH": "m",
	"RQ-RUNNEXT-FIRST": "n", "RQ-RUNNEXT-KICK": "n", "RQ-RUNNEXT-OWNER": "n", "RQ-STEAL-RUNNEXT": "nr", "RQ-OVERFLOW": "q",
}

// notOffered says what a target must offer to be judged by a requirement and
// does not, or "".
func notOffered(id string, caps queue.Capabilities) string {
	for _, k := range []byte(needs[id]) {
		if !caps.Supports(record.Kind(k)) {
			return fmt.Sprintf("the target does not offer %v", record.Kind(k))
		}
	}
	switch {
	case id == "RQ-STEAL-HALF" || id == "RQ-STEAL-ORDER":
		if !caps.Batch {
			return "the target does not offer steals from queue to queue (BatchStealer)"
		}
	case id == "RQ-CAPACITY" && caps.Capacity == 0:
		return "the target does not say its capacity (Bounded)"
	case id == "RQ-WRAP" && !caps.Start:
		return "the target's indices cannot be made to start near their end (Starter)"
	}
	return ""
}

// gen makes scenarios for one target from one seed.
type gen struct {
	*rand.Rand
	caps    queue.Capabilities
	profile spec.Profile
}

func newGen(seed uint64, check string, i int, d Description) *gen {
	h := uint64(14695981039346656037)
	for _, c := range []byte(check) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return &gen{rand.New(rand.NewPCG(seed, h+uint64(i))), d.Capabilities, d.Profile}
}

// capacity returns want where the target can be given a capacity, else its own.
func (g *gen) capacity(want int) int {
	if g.caps.Resize {
		return want
	}
	return g.caps.Capacity
}

// ask is the capacity to put in a scenario.
func (g *gen) ask(want int) int {
	if g.caps.Resize {
		return want
	}
	return 0
}

// thief returns the P of a thief: its own where steals go from ring to ring.
func (g *gen) thief(p int) int {
	if g.half() {
		return p
	}
	return record.None
}

// half reports whether steals take half of a ring into the thief's own.
func (g *gen) half() bool { return half(Description{Profile: g.profile, Capabilities: g.caps}) }

func half(d Description) bool {
	return d.Capabilities.Batch && (d.Profile == spec.GoRT || d.Profile == spec.Tokio)
}

func (g *gen) gort() bool { return g.profile == spec.GoRT }

// mix returns n letters drawn by weight from the kinds that the target offers;
// weights is letters, repeated as often as they weigh.
func (g *gen) mix(n int, weights string) string {
	var usable []byte
	for _, k := range []byte(weights) {
		if g.caps.Supports(record.Kind(k)) {
			usable = append(usable, k)
		}
	}
	var b strings.Builder
	for range n {
		k := usable[g.IntN(len(usable))]
		b.WriteByte(k)
		switch record.Kind(k) {
		case record.PutBatch:
			fmt.Fprint(&b, 1+g.IntN(max(2, g.capacity(8)*3/4)))
		case record.GlobalGet:
			fmt.Fprint(&b, 1+g.IntN(max(2, g.capacity(8))))
		}
	}
	return b.String()
}

// sizes draws a small capacity most of the time: overflow, wrap-around of the
// ring and the last element are then always near.
func (g *gen) size() int { return []int{2, 4, 4, 8, 8, 16, 64, 256}[g.IntN(8)] }

// nearEnd returns a start of the indices from which a ring of c wraps soon.
func nearEnd(c int) uint32 { return uint32(-int32(c + c/2)) }

// start draws a start of the indices, often near their end.
func (g *gen) start(c int) uint32 {
	if !g.caps.Start || g.IntN(2) == 0 {
		return 0
	}
	return nearEnd(c)
}

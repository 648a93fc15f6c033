package spec

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Contract is what a run queue promises, choice by choice. A choice that is left
// empty is that of the profile core. Choices says what each value means.
type Contract struct {
	Order     string `json:"order,omitempty"`
	GetMiss   string `json:"get-miss,omitempty"`
	StealMiss string `json:"steal-miss,omitempty"`
	Bound     string `json:"bound,omitempty"`
	Refuse    string `json:"refuse,omitempty"`
	Full      string `json:"full,omitempty"`
	Batch     string `json:"batch,omitempty"`
	Returns   string `json:"returns,omitempty"`
	Rest      string `json:"rest,omitempty"`
	Slot      string `json:"slot,omitempty"`
	Puts      string `json:"puts,omitempty"`
	Gets      string `json:"gets,omitempty"`
	Steals    string `json:"steals,omitempty"`
	Empty     string `json:"empty,omitempty"`
	Len       string `json:"len,omitempty"`
	Indices   string `json:"indices,omitempty"`
	Sizes     string `json:"sizes,omitempty"`
	Closed    string `json:"closed,omitempty"`
	ClosedPut string `json:"closed-put,omitempty"`
}

// AtRest reports whether a value of get-miss, steal-miss or refuse lets a call find nothing,
// or be refused, when no other call is at work.
func AtRest(when string) bool { return when == Anytime || when == Answered }

// The values of the choices.
const (
	AnyOrder  = "any"
	FirstIn   = "fifo"
	OwnerLast = "owner-lifo"

	Never   = "never"
	Beside  = "beside"
	Anytime = "anytime"

	BesidePut   = "beside-put"
	BesideTake  = "beside-take"
	BesideSteal = "beside-steal"
	Answered    = "answered"

	Unsaid = "unsaid"
	AtMost = "at-most"
	Exact  = "exact"
	Fresh  = "fresh"
	Grows  = "grows"

	Refuses   = "refuse"
	Overflows = "overflow"

	None     = "none"
	One      = "one"
	HalfUp   = "half-up"
	HalfDown = "half-down"
	Some     = "some"

	Newest = "newest"
	Oldest = "oldest"

	ToThief  = "thief"
	ToGlobal = "global"

	OwnerOnly = "owner"
	Thieves   = "thieves"
	Anyone    = "any"

	AtMoment = "moment"
	AtQuiet  = "quiet"

	Wide        = "wide"
	FreeRunning = "free-running"

	EverySize     = "every"
	Powers        = "powers"
	PowersFromTwo = "powers-from-2"

	Drains = "drains"
	Drops  = "drops"
)

// A Choice is one question that a contract answers.
type Choice struct {
	Name   string
	About  string  // what it is about, in a few words
	Values []Value // the first is that of the profile core
	field  func(*Contract) *string
}

// A Value is one answer, with what it promises as a sentence.
type Value struct{ Name, Sentence string }

// Choices lists the choices, in the order in which reports show them.
var Choices = []Choice{
	{"order", "which G a take gives", []Value{
		{AnyOrder, "A take gives any G that is there."},
		{FirstIn, "Every take gives the oldest G: first in, first out."},
		{OwnerLast, "The owner takes the newest G, a thief the oldest."},
	}, func(c *Contract) *string { return &c.Order }},
	{"get-miss", "when a get may find nothing although there is a G", []Value{
		{Never, "A get that finds nothing saw the queue empty at some moment of the call."},
		{Beside, "A get finds nothing only if it saw the queue empty, or another call was at work beside it."},
		{BesidePut, "A get finds nothing only if it saw the queue empty, or a put into the queue was at work beside it."},
		{BesideTake, "A get finds nothing only if it saw the queue empty, or another get or steal from the queue was at work beside it."},
		{BesideSteal, "A get finds nothing only if it saw the queue empty, or a steal from the queue was at work beside it."},
		{Anytime, "A get may find nothing at any time."},
	}, func(c *Contract) *string { return &c.GetMiss }},
	{"steal-miss", "when a steal may find nothing although there is a G", []Value{
		{Never, "A steal that finds nothing saw the queue empty at some moment of the call."},
		{Beside, "A steal finds nothing only if it saw the queue empty, or another call was at work beside it."},
		{BesidePut, "A steal finds nothing only if it saw the queue empty, or a put into the queue, or into the thief's own, was at work beside it."},
		{BesideTake, "A steal finds nothing only if it saw the queue empty, or a get or another steal from the queue, or from the thief's own, was at work beside it."},
		{BesideSteal, "A steal finds nothing only if it saw the queue empty, or another steal from the queue, or from the thief's own, was at work beside it."},
		{Answered, "A steal may find nothing at any time; but where a thief steals twice beside an owner that puts or gets, and a G is left, some schedule gives the thief one."},
		{Anytime, "A steal may find nothing at any time."},
	}, func(c *Contract) *string { return &c.StealMiss }},
	{"bound", "what the number means that the queue says it holds (Bounded)", []Value{
		{Unsaid, "How many Gs the queue holds is not checked."},
		{AtMost, "The queue never holds more Gs than its capacity; it may refuse one before."},
		{Fresh, "The queue never holds more Gs than its capacity, and a fresh one holds so many; once a G was taken it may refuse one before."},
		{Exact, "The queue never holds more Gs than its capacity, and is full when it holds so many."},
		{Grows, "The queue grows: it is never full."},
	}, func(c *Contract) *string { return &c.Bound }},
	{"refuse", "when a put may be refused although there is room", []Value{
		{Anytime, "A put may be refused at any time."},
		{Beside, "A put is refused only if the queue was full at some moment of the call, or another call was at work beside it."},
		{BesidePut, "A put is refused only if the queue was full at some moment of the call, or another put into the queue was at work beside it."},
		{BesideTake, "A put is refused only if the queue was full at some moment of the call, or a get or a steal from the queue was at work beside it."},
		{BesideSteal, "A put is refused only if the queue was full at some moment of the call, or a steal from the queue was at work beside it."},
		{Never, "A put is refused only if the queue was full at some moment of the call."},
	}, func(c *Contract) *string { return &c.Refuse }},
	{"full", "what happens to a put on a full queue", []Value{
		{Refuses, "A put on a full queue is refused."},
		{Overflows, "A put on a full queue moves the older half, and the new G, to the global queue."},
	}, func(c *Contract) *string { return &c.Full }},
	{"batch", "how many Gs a steal from queue to queue takes (BatchStealer)", []Value{
		{None, "Steals from queue to queue are not checked."},
		{One, "A steal from queue to queue takes one G."},
		{HalfUp, "A steal from queue to queue takes half of the Gs, rounded up."},
		{HalfDown, "A steal from queue to queue takes half of the Gs, rounded down, but at least one."},
		{Some, "A steal from queue to queue takes one G or more, as far as the thief's queue has room."},
	}, func(c *Contract) *string { return &c.Batch }},
	{"returns", "which G of its batch a steal gives", []Value{
		{Newest, "A steal gives the newest G of its batch."},
		{Oldest, "A steal gives the oldest G of its batch."},
	}, func(c *Contract) *string { return &c.Returns }},
	{"rest", "where the rest of a batch goes", []Value{
		{ToThief, "The other Gs of a batch go to the thief's queue, in their order."},
		{ToGlobal, "The other Gs of a batch go to the global queue, in their order."},
	}, func(c *Contract) *string { return &c.Rest }},
	{"slot", "a slot in front (RunNext), and which threads may take from it", []Value{
		{None, "A slot in front is not checked."},
		{OwnerOnly, "The slot in front is taken from by the owner alone."},
		{Thieves, "The slot in front is taken from by the owner, and by a thief that asks for it and sees the rest empty."},
	}, func(c *Contract) *string { return &c.Slot }},
	{"puts", "which threads may put", []Value{
		{OwnerOnly, "One thread at a time puts: the owner."},
		{Anyone, "Any number of threads put at once."},
	}, func(c *Contract) *string { return &c.Puts }},
	{"gets", "which threads may get", []Value{
		{OwnerOnly, "One thread at a time gets: the owner."},
		{Anyone, "Any number of threads get at once."},
	}, func(c *Contract) *string { return &c.Gets }},
	{"steals", "which threads may steal", []Value{
		{Anyone, "Any number of threads steal at once."},
		{One, "One thread at a time steals."},
		{None, "No thread steals."},
	}, func(c *Contract) *string { return &c.Steals }},
	{"empty", "what the answer of Empty is worth", []Value{
		{AtMoment, "What Empty answers was true at some moment of the call."},
		{AtQuiet, "What Empty answers is true if no other call is at work beside it."},
		{Unsaid, "What Empty answers is not checked."},
	}, func(c *Contract) *string { return &c.Empty }},
	{"len", "what the answer of Len is worth (Sized)", []Value{
		{AtQuiet, "What Len answers is true if no other call is at work beside it."},
		{AtMoment, "What Len answers was true at some moment of the call."},
	}, func(c *Contract) *string { return &c.Len }},
	{"indices", "whether free-running indices may go past their end (Starter)", []Value{
		{Wide, "What comes of indices that start near their end is not checked."},
		{FreeRunning, "Free-running indices that start just below 2^8, 2^15, 2^16, 2^31 or 2^32 go past it, and nothing changes."},
	}, func(c *Contract) *string { return &c.Indices }},
	{"sizes", "which capacities a factory in Go can be asked for", []Value{
		{Unsaid, "Which capacities can be asked for is not checked."},
		{EverySize, "Every capacity from 1 can be asked for, and the queue then has it; any other is refused with an error."},
		{Powers, "Every power of two can be asked for as capacity, and the queue then has it; any other is refused with an error."},
		{PowersFromTwo, "Every power of two from 2 can be asked for as capacity, and the queue then has it; any other is refused with an error."},
	}, func(c *Contract) *string { return &c.Sizes }},
	{"closed", "what takes that wait give once the queue is closed (Taker, Closer)", []Value{
		{Unsaid, "What it does to close the queue is not checked."},
		{Drains, "Once the queue is closed, no take waits: each gives a G of those that are there, and then none."},
		{Drops, "Once the queue is closed, no take waits, and what was there is gone: each gives none."},
	}, func(c *Contract) *string { return &c.Closed }},
	{"closed-put", "what a put does once the queue is closed", []Value{
		{Unsaid, "No thread puts beside a close, or after it."},
		{Refuses, "Once the queue is closed, every put is refused."},
	}, func(c *Contract) *string { return &c.ClosedPut }},
}

// contracts are those of the named profiles.
var contracts = map[Profile]Contract{
	Core:      {},
	FIFO:      {Order: FirstIn},
	LIFODeque: {Order: OwnerLast, StealMiss: Beside},
	Tokio:     {Order: FirstIn, StealMiss: Beside, Batch: HalfUp},
	GoRT: {
		Order: FirstIn, Bound: Exact, Refuse: Never, Full: Overflows, Batch: HalfUp,
		Slot: Thieves, Indices: FreeRunning,
	},
}

// Of returns the value of the choice in c, and the place of it among Values.
func (q *Choice) Of(c Contract) Value { return q.Values[q.index(c)] }

func (q *Choice) index(c Contract) int {
	name := *q.field(&c)
	if name == "" {
		return 0
	}
	return slices.IndexFunc(q.Values, func(v Value) bool { return v.Name == name })
}

func (q *Choice) names() string {
	var names []string
	for _, v := range q.Values {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

// Whole returns c with every choice written out; a queue that says when it is full,
// and not when it refuses, refuses nothing else. Its error says which choice has a value
// that it does not know, or which two exclude each other.
func (c Contract) Whole() (Contract, error) {
	if c.Refuse == "" && (c.Bound == Exact || c.Bound == Grows) {
		c.Refuse = Never
	}
	for i := range Choices {
		q := &Choices[i]
		at := q.index(c)
		if at < 0 {
			return c, fmt.Errorf("spec: choice %s: expected one of %s, saw %q", q.Name, q.names(), *q.field(&c))
		}
		*q.field(&c) = q.Values[at].Name
	}
	for _, x := range []struct {
		wrong bool
		why   string
	}{
		{c.Full == Overflows && c.Bound != Exact, "full=overflow needs bound=exact: only a queue of a known length can be full"},
		{c.Full == Overflows && c.Refuse != Never, "full=overflow needs refuse=never: what overflows refuses nothing"},
		{c.Full == Overflows && (c.Puts != OwnerOnly || c.Gets != OwnerOnly || c.Order != FirstIn), "full=overflow is checked for queues with one owner, first in, first out"},
		{c.Slot != None && c.Order != FirstIn, "a slot is checked in front of a queue that is first in, first out"},
		{c.Slot != None && (c.Puts != OwnerOnly || c.Gets != OwnerOnly), "a slot is checked for queues with one owner"},
		{c.Refuse != Anytime && c.Bound != Exact && c.Bound != Grows, "refuse=" + c.Refuse + " needs bound=exact or bound=grows: else it is not known when the queue is full"},
		{c.Refuse == Anytime && c.Bound == Exact, "bound=exact needs refuse=never or refuse=beside: else it says no more than bound=at-most"},
		{c.Refuse == Anytime && c.Bound == Grows, "bound=grows needs refuse=never or refuse=beside: else it says nothing"},
		{c.Order == OwnerLast && c.Gets == Anyone, "order=owner-lifo needs gets=owner: there is one owner, which takes the newest"},
		{c.ClosedPut == Refuses && c.Closed == Unsaid, "closed-put=refuse needs closed=drains or closed=drops: else the queue is not closed"},
		{c.Closed != Unsaid && (c.Slot != None || c.Full == Overflows), "takes that wait are checked for queues without a slot and without a global queue"},
		{c.Rest == ToGlobal && c.Full != Overflows, "rest=global needs full=overflow: else there is no global queue"},
	} {
		if x.wrong {
			return c, fmt.Errorf("spec: contract: %s", x.why)
		}
	}
	return c, nil
}

// Sentences returns what c promises, a sentence for each choice.
func (c Contract) Sentences() []string {
	var list []string
	for i := range Choices {
		list = append(list, Choices[i].Of(c).Sentence)
	}
	return list
}

// Profile returns the name of c: a named profile, or the one that is nearest, with
// the choices that differ: "fifo,steal-miss=beside". Its error is that of Whole.
func (c Contract) Profile() (Profile, error) {
	c, err := c.Whole()
	if err != nil {
		return "", err
	}
	best, text := -1, ""
	for _, p := range Profiles() {
		named, ok := contracts[p]
		if !ok {
			continue
		}
		differ := []string{string(p)}
		for i := range Choices {
			if q := &Choices[i]; q.index(c) != q.index(named) {
				differ = append(differ, q.Name+"="+q.Of(c).Name)
			}
		}
		if best < 0 || len(differ) < best {
			best, text = len(differ), strings.Join(differ, ",")
		}
	}
	return Profile(text), nil
}

// ParseContract reads what Profile gives: the name of a profile, or choices, or the
// name and then choices that differ from it.
func ParseContract(text string) (Contract, error) {
	var c Contract
	for i, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			named, known := contracts[Profile(part)]
			if i > 0 || !known {
				return c, fmt.Errorf("spec: contract: expected a profile, one of %s, and then CHOICE=VALUE, joined by commas, saw %q", profileNames(), part)
			}
			c = named
			continue
		}
		at := slices.IndexFunc(Choices, func(q Choice) bool { return q.Name == name })
		if at < 0 {
			return c, fmt.Errorf("spec: contract: expected one of the choices %s, saw %q", choiceNames(), name)
		}
		q := &Choices[at]
		if value == "" { // which Whole would take for that of core
			return c, fmt.Errorf("spec: choice %s: expected one of %s, saw %q", q.Name, q.names(), value)
		}
		*q.field(&c) = value
	}
	return c.Whole()
}

func profileNames() string {
	var names []string
	for _, p := range Profiles() {
		if _, ok := contracts[p]; ok {
			names = append(names, string(p))
		}
	}
	return strings.Join(names, ", ")
}

func choiceNames() string {
	var names []string
	for i := range Choices {
		names = append(names, Choices[i].Name)
	}
	return strings.Join(names, ", ")
}

var parsed sync.Map // by Profile: its contract

// Contract returns what the profile promises. It reports false for a text that is no
// contract, such as that of the model's profile.
func (p Profile) Contract() (Contract, bool) {
	if c, ok := parsed.Load(p); ok {
		return c.(Contract), true
	}
	c, err := ParseContract(string(p))
	if err != nil {
		return Contract{}, false
	}
	parsed.Store(p, c)
	return c, true
}

// A Condition says for which values of a choice a requirement holds.
type Condition struct {
	Choice string
	Values []string
}

// If makes a condition.
func If(choice string, values ...string) Condition { return Condition{choice, values} }

// String returns the condition in words: "order is fifo".
func (q Condition) String() string { return q.Choice + " is " + strings.Join(q.Values, " or ") }

// In reports whether c fulfils the condition.
func (q Condition) In(c Contract) bool {
	at := slices.IndexFunc(Choices, func(x Choice) bool { return x.Name == q.Choice })
	if at < 0 {
		panic(fmt.Sprintf("spec: condition on %q, which is no choice", q.Choice))
	}
	return slices.Contains(q.Values, Choices[at].Of(c).Name)
}

package record

import (
	"fmt"
	"strconv"
	"strings"
)

// A Scenario is what a target is asked to do: a script for each logical
// thread. It is data: the same scenario goes to a Go value, to a child
// process, or lies in a file beside the history that it gave.
type Scenario struct {
	Name     string `json:"name"`
	Seed     Seed   `json:"seed,omitempty"`
	Ps       int    `json:"ps"`                 // number of Ps, at least 1
	Capacity int    `json:"capacity,omitempty"` // of each ring, in Gs; 0: the target's own
	// Start is the value of every ring's free-running indices at the start;
	// 0 where nothing is asked. Near 2^32 the indices wrap during the run.
	Start   uint32   `json:"start,omitempty"`
	Threads []Thread `json:"threads"`
	// Before and After are calls at quiescent moments, before any script begins and when all
	// have ended, made one after another: see ParseQuiet. Not with Order.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Shared says that several threads may own one P: more than one thread puts, or gets.
	Shared bool `json:"shared,omitempty"`
	// GetMiss is when a get may find nothing although there is a G, by the contract that the
	// target is held to: the value of the choice get-miss of spec.Choices; "" is never. Who
	// runs the scenario then asks again before he takes one miss for an empty queue.
	GetMiss string `json:"get-miss,omitempty"`
	// Holds is how many Gs a thread may hold in its own queue when it steals into it, or takes a
	// batch from the global queue: before that it takes out what is more, by gets. 0: it takes
	// out everything. Not with Order, where the scenario sees to room.
	Holds int `json:"holds,omitempty"`
	// Order, when present, runs the scenario on one thread: the k-th call is
	// the next one of thread Order[k].
	Order []int `json:"order,omitempty"`
	// Snapshot asks for Op.After; only with Order, and only of targets that
	// can show their contents.
	Snapshot bool `json:"snapshot,omitempty"`
}

// A Thread is one logical thread: the P that it owns and what it calls.
type Thread struct {
	P      int    `json:"p"`                // the P it owns, or None for a thief without one
	Script string `json:"script"`           // see ParseScript
	Repeat int    `json:"repeat,omitempty"` // how often the script runs; 0 means once
}

// An Instr is one call of a script.
type Instr struct {
	Kind Kind
	Arg  int // -1 when the script gave none
}

// String returns the call as a script has it: "p", "s1".
func (in Instr) String() string {
	if in.Arg < 0 {
		return string(in.Kind)
	}
	return fmt.Sprintf("%c%d", in.Kind, in.Arg)
}

// Gs returns how many Gs the call hands in.
func (in Instr) Gs() int {
	switch {
	case in.Kind == PutBatch:
		return max(1, in.Arg)
	case in.Kind.Puts():
		return 1
	}
	return 0
}

// ParseScript reads a script: the letters of Kind, each with an optional
// decimal argument, blanks between them ignored. The argument of b is the
// size of the batch (default 1), of m the most Gs asked for (default 1), of
// s, r, e, l and c the P that it is about (default: for e, l and c the thread's own
// P, for steals the next P after it, for a thread without a P always P0).
// Errors wrap ErrFormat and give the offset in bytes.
func ParseScript(script string) ([]Instr, error) {
	var out []Instr
	for i := 0; i < len(script); {
		c := script[i]
		if c == ' ' || c == '\n' || c == '\t' {
			i++
			continue
		}
		k := Kind(c)
		if kindNames[k] == "" {
			return nil, fmt.Errorf("record: script offset %d: expected one of the letters pnbgsrdelqmtc, saw %q: %w", i, c, ErrFormat)
		}
		in := Instr{Kind: k, Arg: -1}
		j := i + 1
		for j < len(script) && script[j] >= '0' && script[j] <= '9' {
			j++
		}
		if j > i+1 {
			switch k {
			case PutBatch, GlobalGet, Steal, StealNext, Empty, Len, CloseQueue:
			default:
				return nil, fmt.Errorf("record: script offset %d: %q takes no argument: %w", i, c, ErrFormat)
			}
			n, err := strconv.Atoi(script[i+1 : j])
			if err != nil || n > 1<<16 {
				return nil, fmt.Errorf("record: script offset %d: argument %s is above 65536: %w", i, script[i+1:j], ErrFormat)
			}
			in.Arg = n
		}
		out = append(out, in)
		i = j
	}
	return out, nil
}

// A QuietCall is one call at a quiet moment.
type QuietCall struct {
	Thread int
	Instr
}

// ParseQuiet reads calls at quiescent moments: scripts, each behind the number of its thread,
// with blanks between them, such as "T0:pp T1:s0 T0:g". Errors wrap ErrFormat.
func ParseQuiet(text string) ([]QuietCall, error) {
	var list []QuietCall
	for _, part := range strings.Fields(text) {
		number, script, ok := strings.Cut(part, ":")
		digits, named := strings.CutPrefix(number, "T")
		thread, err := strconv.Atoi(digits)
		if !ok || !named || err != nil || thread < 0 || strconv.Itoa(thread) != digits {
			return nil, fmt.Errorf("record: quiet calls: expected T0:SCRIPT, saw %.40q: %w", part, ErrFormat)
		}
		ins, err := ParseScript(script)
		if err != nil {
			return nil, err
		}
		for _, in := range ins {
			list = append(list, QuietCall{thread, in})
		}
	}
	return list, nil
}

// maxCalls bounds the calls of one scenario, and the Gs that it puts, so that a
// hostile or mistaken one is refused instead of run for hours.
const maxCalls = 1 << 26

// Check reports what is wrong with the scenario, or nil. Errors wrap
// ErrFormat.
func (s *Scenario) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("record: scenario %q: %s: %w", s.Name, fmt.Sprintf(format, args...), ErrFormat)
	}
	if s.Ps < 1 || s.Ps > 1024 {
		return bad("ps: expected 1 to 1024, saw %d", s.Ps)
	}
	if s.Capacity < 0 || s.Capacity > 1<<16 {
		return bad("capacity: expected 0 to 65536, saw %d", s.Capacity)
	}
	if len(s.Threads) == 0 {
		return bad("no threads")
	}
	if len(s.GetMiss) > 40 || strings.Trim(s.GetMiss, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return bad("get-miss: expected a value of that choice, saw %.60q", s.GetMiss)
	}
	if s.Holds < 0 || s.Holds > 1<<16 || s.Holds > 0 && s.Order != nil {
		return bad("holds: expected 0 to 65536, and 0 with an order, saw %d", s.Holds)
	}
	before, err := ParseQuiet(s.Before)
	if err != nil {
		return fmt.Errorf("scenario %q, before: %w", s.Name, err)
	}
	after, err := ParseQuiet(s.After)
	if err != nil {
		return fmt.Errorf("scenario %q, after: %w", s.Name, err)
	}
	quiet := append(before, after...)
	for _, q := range quiet {
		if q.Thread >= len(s.Threads) {
			return bad("a quiet call names thread %d of %d", q.Thread, len(s.Threads))
		}
	}
	if s.Order != nil && len(quiet) > 0 {
		return bad("quiet calls beside an order of all calls")
	}
	owned := make(map[int]int)
	calls, puts := 0, 0
	for i, t := range s.Threads {
		if t.P < None || t.P >= s.Ps {
			return bad("thread %d: expected as its P -1 (none) or 0 to %d, saw %d", i, s.Ps-1, t.P)
		}
		if other, ok := owned[t.P]; ok && t.P != None && !s.Shared {
			return bad("threads %d and %d both own P%d", other, i, t.P)
		}
		owned[t.P] = i
		ins, err := ParseScript(t.Script)
		if err != nil {
			return fmt.Errorf("scenario %q, thread %d: %w", s.Name, i, err)
		}
		for _, q := range quiet {
			if q.Thread == i {
				ins = append(ins, q.Instr)
			}
		}
		for _, in := range ins {
			if in.Kind.Owner() && t.P == None {
				return bad("thread %d owns no P but its script has %q", i, byte(in.Kind))
			}
			switch in.Kind {
			case Steal, StealNext, Empty, Len, CloseQueue:
				if in.Arg >= s.Ps {
					return bad("thread %d: P%d does not exist", i, in.Arg)
				}
				if in.Kind.Takes() && s.Victim(i, in) == t.P {
					return bad("thread %d steals from its own P%d", i, t.P)
				}
			}
		}
		if t.Repeat < 0 || t.Repeat > maxCalls {
			return bad("thread %d: repeat is %d", i, t.Repeat)
		}
		if calls += s.Calls(i); calls > maxCalls {
			return bad("more than %d calls", maxCalls)
		}
		if puts += s.Puts(i); puts > maxCalls {
			return bad("more than %d Gs put", maxCalls)
		}
	}
	left := make([]int, len(s.Threads))
	for i := range s.Threads {
		left[i] = s.Calls(i)
	}
	for k, t := range s.Order {
		if t < 0 || t >= len(s.Threads) {
			return bad("order[%d] names thread %d of %d", k, t, len(s.Threads))
		}
		if left[t]--; left[t] < 0 {
			return bad("order[%d] asks thread %d for more calls than its script has", k, t)
		}
	}
	if s.Snapshot && s.Order == nil {
		return bad("snapshot without order")
	}
	return nil
}

// Victim returns the P that in is about when thread t runs it.
func (s *Scenario) Victim(t int, in Instr) int { return in.Victim(s.Threads[t].P, s.Ps) }

// Victim returns the P that the call is about, made by the owner of own, or by a
// thread without a P, among so many Ps.
func (in Instr) Victim(own, ps int) int {
	switch {
	case in.Arg >= 0:
		return in.Arg
	case own == None:
		return 0
	case in.Kind == Steal || in.Kind == StealNext:
		return (own + 1) % ps
	}
	return own
}

// Calls returns how many calls thread t makes. The scripts must be well formed.
func (s *Scenario) Calls(t int) int {
	ins, _ := ParseScript(s.Threads[t].Script)
	return len(ins)*max(1, s.Threads[t].Repeat) + len(s.quiet(t))
}

// quiet returns the calls of thread t at quiet moments.
func (s *Scenario) quiet(t int) (list []Instr) {
	for _, text := range [...]string{s.Before, s.After} {
		if text == "" {
			continue
		}
		calls, _ := ParseQuiet(text)
		for _, q := range calls {
			if q.Thread == t {
				list = append(list, q.Instr)
			}
		}
	}
	return list
}

// Puts returns how many Gs thread t hands in.
func (s *Scenario) Puts(t int) int {
	ins, _ := ParseScript(s.Threads[t].Script)
	n := 0
	for _, in := range ins {
		n += in.Gs()
	}
	n *= max(1, s.Threads[t].Repeat)
	for _, in := range s.quiet(t) {
		n += in.Gs()
	}
	return n
}

// FirstID returns the id of thread t's first G. IDs are dense: the threads'
// ranges follow one another from 1, and each thread hands its ids in
// ascending order.
func (s *Scenario) FirstID(t int) ID {
	id := ID(1)
	for i := range t {
		id += ID(s.Puts(i))
	}
	return id
}

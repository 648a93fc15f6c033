package trace

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// A Trace is a history of threads that ran freely, made ready for the machine: of each
// call what it was given, what it returned, and when it was called and had returned. Its
// steps nobody saw.
type Trace struct {
	config runqueue.Config
	calls  [][]*record.Op // of each thread of the machine
	left   record.Contents
}

// NewTrace makes a trace of h, in which all calls have returned. Errors wrap ErrOutside.
func NewTrace(h *record.History) (*Trace, error) {
	s := h.Scenario
	s.Order = nil
	c, ps, err := runqueue.OfScenario(&s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutside, err)
	}
	t := &Trace{config: c, calls: make([][]*record.Op, c.Ps)}
	t.left.Ps, t.left.Global = make([]record.PContents, c.Ps), h.Final.Global
	for p, left := range h.Final.Ps {
		t.left.Ps[ps[p]] = left
	}
	t.config.Scripts = make([][]runqueue.Instr, c.Ps)
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Return == 0 {
			return nil, fmt.Errorf("%w: %v", ErrOutside, op)
		}
		in := runqueue.Instr{Op: kindOf[op.Kind], Most: max(1, op.Want)}
		for _, id := range op.In {
			in.Gs = append(in.Gs, int(id))
		}
		switch op.Kind {
		case record.Steal, record.StealNext, record.Empty, record.Len:
			in.Victim = ps[op.P]
		}
		t.calls[op.Thread] = append(t.calls[op.Thread], op)
		t.config.Scripts[op.Thread] = append(t.config.Scripts[op.Thread], in)
	}
	return t, nil
}

var kindOf = func() map[record.Kind]runqueue.Op {
	m := make(map[record.Kind]runqueue.Op)
	for op, kind := range kinds {
		m[kind] = op
	}
	return m
}()

// Module returns the module TraceData for tla/TraceRunQueue.tla.
func (t *Trace) Module() string {
	var b strings.Builder
	b.WriteString("----------------------------- MODULE TraceData -----------------------------\n")
	b.WriteString("\\* Calls of each thread, and what was left: see TraceRunQueue.\n")
	b.WriteString("EXTENDS Integers, Sequences\n\nTrace ==\n  <<\n")
	for p, calls := range t.calls {
		left := &t.left.Ps[p]
		fmt.Fprintf(&b, "    [owner |-> %s, ring |-> %s, next |-> %d, calls |-> <<\n", boolean(!t.loner(p)), tuple(left.Ring), left.Runnext)
		for k, op := range calls {
			b.WriteString("      " + t.call(p, k, op))
			if k+1 < len(calls) {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteString("    >>]")
		if p+1 < len(t.calls) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "  >>\n\nTraceGlobal == %s\n\n", tuple(t.left.Global))
	b.WriteString("=============================================================================\n")
	return b.String()
}

// call is a call in TLA+.
func (t *Trace) call(p, k int, op *record.Op) string {
	in := &t.config.Scripts[p][k]
	victim, n, ok := 0, in.Most, op.OK
	switch op.Kind {
	case record.Steal, record.StealNext, record.Empty:
		victim = in.Victim + 1
	case record.Len:
		victim, n = in.Victim+1, op.Count
	case record.Get:
		ok = op.FromRunnext
	}
	return fmt.Sprintf("[op |-> %q, gs |-> %s, v |-> %d, n |-> %d, out |-> %s, ok |-> %s, lo |-> %d, hi |-> %d]",
		in.Op.String(), tuple(op.In), victim, n, tuple(op.Out), boolean(ok), op.Call, op.Return)
}

// Config returns TLC's configuration of the module TraceRunQueue.
func (t *Trace) Config() string {
	set := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprint(i+1))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	c := &t.config
	return fmt.Sprintf(`SPECIFICATION TraceSpec
CONSTANTS
  NoP = 0
  NoG = 0
  Ps = %s
  Gs = %s
  Loners <- TraceLoners
  Cap = %d
  W = %d
  Start = %d
  Scripts <- TraceScripts
  Free <- TraceFree
  MaxPuts = 0
  Batch = 1
  Bugs = {}
INVARIANTS Exact NotAccepted
`, set(c.Ps), set(c.Gs), c.Capacity, c.Wrap, c.Start)
}

func (t *Trace) loner(p int) bool {
	for _, l := range t.config.Loners {
		if l == p {
			return true
		}
	}
	return false
}

func boolean(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }

func tuple(ids []record.ID) string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprint(id))
	}
	return "<<" + strings.Join(list, ", ") + ">>"
}

package sched

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// A Trace says which G ran when, and where: Config.Trace. WriteTo writes it in the Trace Event Format of
// Chrome, which Perfetto opens: a row for each P, with the Gs that it ran, and why each stopped; and
// a row for each M whose G was in Block. It is to be called when the scheduler was closed.
//
// A trace costs two looks at the clock for each time that a G runs, and 40 bytes.
type Trace struct {
	mu  sync.Mutex
	all []span
}

// A span is a G that runs on a P, or is in Block.
type span struct {
	from, to int64 // as nanotime counts
	g        uint64
	p, m     int32 // p is -1 in Block
	why      string
}

// traceBatch is how many spans an M keeps before it puts them where all are.
const traceBatch = 1 << 10

// add puts spans of an M where all are, and returns an empty list for the next.
func (t *Trace) add(spans []span) []span {
	t.mu.Lock() // outside: a trace
	t.all = append(t.all, spans...)
	t.mu.Unlock() // outside: a trace
	return spans[:0]
}

// traces begins a span of m, if there is a trace.
func (m *M) traces() {
	if m.s.config.Trace != nil {
		m.since = m.s.env.nanotime()
	}
}

// traced ends a span, if there is a trace: g ran on p, or was in Block if p is nil, and stopped why. The next one begins.
func (m *M) traced(g *G, p *P, why string) {
	if t := m.s.config.Trace; t != nil {
		m.ends(t, g, p, why)
	}
}

// ends is the part of traced for who has a trace. It stands apart, so that the compiler inlines the test.
func (m *M) ends(t *Trace, g *G, p *P, why string) {
	on := int32(-1)
	if p != nil {
		on = int32(p.id)
	}
	now := m.s.env.nanotime()
	m.spans = append(m.spans, span{m.since, now, g.ID(), on, m.id, why})
	m.since = now
	if len(m.spans) == traceBatch {
		m.spans = t.add(m.spans)
	}
}

// flush: m has ended.
func (m *M) flush() {
	if t := m.s.config.Trace; t != nil {
		m.spans = t.add(m.spans)
	}
}

// The processes of the trace.
const (
	tracePs = 1
	traceMs = 2
)

// A traceEvent is an event of the Trace Event Format. Times are in µs.
type traceEvent struct {
	Name string         `json:"name"`
	Kind string         `json:"ph"`
	From float64        `json:"ts"`
	Took float64        `json:"dur,omitempty"`
	Of   int            `json:"pid"`
	Row  int32          `json:"tid"`
	Args map[string]any `json:"args"`
}

// WriteTo writes the trace as JSON.
func (t *Trace) WriteTo(w io.Writer) (n int64, err error) {
	t.mu.Lock()         // outside: a trace
	defer t.mu.Unlock() // outside: a trace
	events := []traceEvent{
		{Name: "process_name", Kind: "M", Of: tracePs, Args: map[string]any{"name": "Ps"}},
		{Name: "process_name", Kind: "M", Of: traceMs, Args: map[string]any{"name": "Ms in Block"}},
	}
	slices.SortFunc(t.all, func(a, b span) int { return cmp.Compare(a.from, b.from) }) // they are from many Ms
	rows := make(map[[2]int32]bool)
	for _, s := range t.all {
		of, row, name := tracePs, s.p, "P"
		if s.p < 0 {
			of, row, name = traceMs, s.m, "M"
		}
		if key := [2]int32{int32(of), row}; !rows[key] {
			rows[key] = true
			events = append(events, traceEvent{Name: "thread_name", Kind: "M", Of: of, Row: row, Args: map[string]any{"name": fmt.Sprintf("%s %d", name, row)}})
		}
		events = append(events, traceEvent{
			Name: fmt.Sprintf("G %d", s.g), Kind: "X", From: micro(s.from), Took: micro(s.to - s.from), Of: of, Row: row,
			Args: map[string]any{"M": s.m, "stopped": s.why},
		})
	}
	b, err := json.Marshal(map[string]any{"traceEvents": events, "displayTimeUnit": "ns"})
	if err != nil {
		return 0, err
	}
	written, err := w.Write(b)
	return int64(written), err
}

func micro(ns int64) float64 { return float64(ns) / float64(time.Microsecond) }

package record

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// The text form of a history: a file for people to read, to write and to
// compare.
//
//	# Lines like this one are comments.
//	scenario: overflow-3
//	ps: 2
//	capacity asked: 4
//	thread P0 x2: pppg
//	thread none: s0
//	clock: time
//	capacity: 4
//
//	T0 put P0 1 [5..8]
//	T1 steal P0 = 1 [7..12]
//	...
//	final: P0 ring 2 3, P1
//
// Further keys: seed; start; order, the threads' numbers; shared, snapshot and moves,
// whose value is yes; before and after, calls at quiescent moments; get-miss, when gets may
// miss; holds, how many Gs a thief may hold. What comes again and again in a script or in an
// order is a group: "(pg)256p". What a history does not have is left out, but for the last line: a run that did
// not come to its end has "final: unknown". Thus a file that was cut off does not read as
// a shorter run.

// MaxText bounds the text of a history, in bytes.
const MaxText = 64 << 20

// unknownEnd is the final contents of a run that did not come to its end.
const unknownEnd = "unknown"

// Text returns the history in its text form.
func (h *History) Text() string {
	s := &h.Scenario
	var b []byte
	line := func(key, value string) { b = append(b, key+": "+value+"\n"...) }
	number := func(key string, n uint64) {
		if n != 0 {
			line(key, strconv.FormatUint(n, 10))
		}
	}
	yes := func(key string, is bool) {
		if is {
			line(key, "yes")
		}
	}
	line("scenario", word(s.Name))
	number("seed", uint64(s.Seed))
	number("ps", uint64(s.Ps))
	number("capacity asked", uint64(s.Capacity))
	number("start", uint64(s.Start))
	for _, t := range s.Threads {
		line("thread "+t.title(), word(groupedScript(t.Script)))
	}
	if s.Before != "" {
		line("before", word(s.Before))
	}
	if s.After != "" {
		line("after", word(s.After))
	}
	yes("shared", s.Shared)
	if s.GetMiss != "" {
		line("get-miss", s.GetMiss)
	}
	number("holds", uint64(s.Holds))
	if len(s.Order) > 0 {
		line("order", groupedOrder(s.Order))
	} else if s.Order != nil {
		line("order", "none")
	}
	yes("snapshot", s.Snapshot)
	line("clock", word(h.Clock))
	number("capacity", uint64(h.Capacity))
	yes("moves", h.Moves)
	b = append(b, '\n')
	for i := range h.Ops {
		b = append(h.Ops[i].appendText(b), '\n')
	}
	end := unknownEnd
	if len(h.Final.Ps) > 0 {
		end = h.Final.Text()
	}
	line("final", end)
	return string(b)
}

// title says what a thread owns, and how often its script runs if that is said.
func (t Thread) title() string {
	s := "none"
	if t.P != None {
		s = "P" + strconv.Itoa(t.P)
	}
	if t.Repeat != 0 {
		s += " x" + strconv.Itoa(t.Repeat)
	}
	return s
}

// word returns text as it is if it can stand at the end of a line, else quoted.
func word(text string) string {
	if quoted := strconv.Quote(text); text == "" || text != strings.TrimSpace(text) || quoted[1:len(quoted)-1] != text {
		return quoted
	}
	return text
}

// ParseHistory reads a history in its text form, and holds it to Check. Errors
// wrap ErrFormat and give the number of the line, or are the reader's.
func ParseHistory(from io.Reader) (*History, error) {
	text, err := io.ReadAll(io.LimitReader(from, MaxText+1))
	if err != nil {
		return nil, fmt.Errorf("record: history: %w", err)
	}
	if len(text) > MaxText {
		return nil, fmt.Errorf("record: history: %w: expected at most %d bytes, saw more", ErrFormat, MaxText)
	}
	f := file{h: new(History), seen: make(map[string]bool)}
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		text = rest
		r := &reader{rest: string(line)}
		if f.line++; !ended {
			r.rest = ""
			r.fail("the line to end")
		}
		if f.read(r); r.err == nil {
			r.end()
		}
		if r.err != nil {
			return nil, fmt.Errorf("record: history: line %d: %w", f.line, r.err)
		}
	}
	if !f.seen["final"] {
		return nil, fmt.Errorf("record: history: line %d: %w: expected the final contents, saw the end", f.line+1, ErrFormat)
	}
	if err := f.h.Check(); err != nil {
		return nil, fmt.Errorf("record: history: %w", err)
	}
	return f.h, nil
}

// file is a history as far as it was read.
type file struct {
	h    *History
	line int
	seen map[string]bool // keys
}

func (f *file) read(r *reader) {
	switch {
	case r.err != nil:
	case r.rest == "" || r.rest[0] == '#':
		r.rest = ""
	case f.seen["final"]:
		r.fail("the end after the final contents")
	case len(r.rest) > 1 && r.rest[0] == 'T' && '0' <= r.rest[1] && r.rest[1] <= '9':
		f.h.Ops = append(f.h.Ops, r.op())
	default:
		key, _, found := strings.Cut(r.rest, ":")
		if !found || f.seen[key] {
			r.fail("a call, or a key that did not come before")
			return
		}
		if len(f.h.Ops) > 0 && key != "final" {
			r.fail("a call, or the final contents")
			return
		}
		f.seen[key] = !strings.HasPrefix(key, "thread ")
		f.entry(key, r)
	}
}

// entry reads a line of the head, or the last.
func (f *file) entry(key string, r *reader) {
	h, s := f.h, &f.h.Scenario
	if strings.HasPrefix(key, "thread ") {
		s.Threads = append(s.Threads, r.thread())
		return
	}
	r.expect(key + ": ")
	switch key {
	case "scenario":
		s.Name = r.word()
	case "seed":
		s.Seed = Seed(r.unsigned("a seed", math.MaxUint64))
	case "ps":
		s.Ps = r.count("how many Ps")
	case "capacity asked":
		s.Capacity = r.count("a capacity")
	case "start":
		s.Start = uint32(r.unsigned("an index of 32 bits", math.MaxUint32))
	case "order":
		s.Order = r.order()
	case "before":
		s.Before = r.word()
	case "after":
		s.After = r.word()
	case "shared":
		r.expect("yes")
		s.Shared = true
	case "get-miss":
		s.GetMiss = r.word()
	case "holds":
		s.Holds = r.count("how many Gs a thief holds")
	case "snapshot":
		r.expect("yes")
		s.Snapshot = true
	case "clock":
		h.Clock = r.word()
	case "capacity":
		h.Capacity = r.count("a capacity")
	case "moves":
		r.expect("yes")
		h.Moves = true
	case "final":
		if !r.accept(unknownEnd) {
			h.Final = *r.contents()
		}
	default:
		r.rest = key
		r.fail("a key of a history")
	}
}

func (r *reader) order() []int {
	order := []int{}
	if r.accept("none") {
		return order
	}
	text := r.rest
	whole, err := ungrouped(text, " ")
	if err != nil {
		r.fail("an order with groups as they are printed")
	}
	for r.rest = whole; ; {
		order = append(order, r.count("the number of a thread"))
		if !r.accept(" ") {
			break
		}
	}
	if whole != text && groupedOrder(order) != text {
		r.fail("an order with groups as they are printed")
	}
	return order
}

func (r *reader) thread() Thread {
	t := Thread{P: None}
	r.expect("thread ")
	if !r.accept("none") {
		t.P = r.p()
	}
	if r.accept(" x") {
		t.Repeat = r.count("how often the script runs")
	}
	r.expect(": ")
	text := r.word()
	script, err := ungrouped(text, "")
	if err != nil || script != text && groupedScript(script) != text {
		r.fail("a script with groups as they are printed")
	}
	t.Script = script
	return t
}

// word takes the rest of the line: as it is, or quoted where it has to be.
func (r *reader) word() string {
	text := r.rest
	if strings.HasPrefix(text, `"`) {
		unquoted, err := strconv.Unquote(text)
		if err != nil {
			r.fail("a quoted text")
		}
		text = unquoted
	}
	if word(text) != r.rest {
		r.fail("a text in quotes only where it needs them")
	}
	r.rest = ""
	return text
}

package child

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"unsafe"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/strictjson"
	"github.com/spindle-go/spindle/spec/record"
)

const (
	mostHello   = 1 << 20  // bytes of the first line
	mostNotes   = 20       // notes in it
	mostChoices = 100      // in its contract
	mostRing    = 1 << 16  // Gs in a ring, as in record.Scenario
	mostSizes   = 20       // capacities listed in it
	mostMemory  = 96 << 20 // bytes of an answer as a value
	// mostHistories is how many different ones of a scenario are expected at most: a small
	// scenario has a handful.
	mostHistories = 1000
)

func protocolError(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrProtocol, fmt.Errorf(format, args...))
}

// name is what a target may be called. Lists of known failures and names of
// files have it.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+/-]{0,99}$`)

// readHello reads and checks a child's first line.
func readHello(line []byte) (Hello, error) {
	limits := strictjson.Limits{Memory: 4 * mostHello}
	// What else stands there may mean something else in another version.
	var version struct {
		Hello *struct {
			Protocol int `json:"protocol"`
		} `json:"hello"`
	}
	var g Greeting
	if err := strictjson.Decode(line, &version, limits); err != nil {
		return Hello{}, protocolError("expected a hello, saw %.80q: %w", line, err)
	}
	switch {
	case version.Hello == nil:
		return Hello{}, protocolError("expected a hello in the first line, saw %.80q", line)
	case version.Hello.Protocol == 1:
		return Hello{}, protocolError(`expected protocol %d, saw 1. What changed: seeds are strings as "0x2a", and places have the names "ring", "runnext" and "global"; `+
			`there is no "probe"; seq is any number; a history needs no scenario. See PROTOCOL.md of package conformance/target/child`, Version)
	case version.Hello.Protocol != Version:
		return Hello{}, protocolError("expected protocol %d, saw %d", Version, version.Hello.Protocol)
	}
	if err := strictjson.Decode(line, &g, limits); err != nil {
		return Hello{}, protocolError("expected a hello, saw %.80q: %w", line, err)
	}
	return *g.Hello, g.Hello.check()
}

// check checks what a child says of itself and makes it fit to be shown.
func (h *Hello) check() error {
	if h.Subject == "" {
		h.Subject = Queue
	}
	c, sizes := h.Capabilities.Capacity, h.Capabilities.Sizes
	switch {
	case h.Subject != Queue:
		return protocolError("expected the subject %q, saw %.40q", Queue, h.Subject)
	case !name.MatchString(h.Name):
		return protocolError("expected a name of 1 to 100 letters, digits and . _ + / -, saw %.120q", h.Name)
	case h.Profile != "" && !name.MatchString(h.Profile):
		return protocolError("expected the name of a profile, saw %.120q", h.Profile)
	case len(h.Contract) > mostChoices:
		return protocolError("expected a contract of at most %d choices, saw %d", mostChoices, len(h.Contract))
	case c < 0 || c > mostRing:
		return protocolError("expected a capacity of 0 to %d, saw %d", mostRing, c)
	case len(sizes) > mostSizes:
		return protocolError("expected at most %d sizes, saw %d", mostSizes, len(sizes))
	case len(sizes) > 0 && !h.Capabilities.Resize:
		return protocolError("expected no sizes where the capacity cannot be set (resize), saw %v", sizes)
	case slices.ContainsFunc(sizes, func(n int) bool { return n < 1 || n > mostRing }):
		return protocolError("expected sizes of 1 to %d, saw %v", mostRing, sizes)
	case !slices.IsSorted(sizes) || len(slices.Compact(slices.Clone(sizes))) < len(sizes):
		return protocolError("expected sizes that ascend, saw %v", sizes)
	case h.Capabilities.Resize && !slices.Contains(sizes, c) && (c < 2 || c&(c-1) != 0):
		return protocolError("expected a capacity that is a power of two from 2, or one of its sizes, since it can be set (resize), saw %d", c)
	case h.Explores != "" && !name.MatchString(h.Explores):
		return protocolError("expected the name of an explorer, saw %.120q", h.Explores)
	case len(h.Notes) > mostNotes:
		return protocolError("expected at most %d notes, saw %d", mostNotes, len(h.Notes))
	}
	h.Version = printable.Line(h.Version, 200)
	for i := range h.Notes {
		h.Notes[i] = printable.Line(h.Notes[i], 500)
	}
	return nil
}

// bounds are what the answer to one question can need.
type bounds struct {
	line   int // bytes of its text
	memory int // bytes as a value
}

// boundsOf computes the bounds of the answer to s, on the large side: a wrong
// queue, whose answer must come through, hands out more than was put. Lines are
// at most most bytes in any case.
func boundsOf(s *record.Scenario, caps queue.Capabilities, most int) bounds {
	const (
		text   = 128 << 10 // of a crash with its stack, escaped
		op     = 400       // all of a call but ids
		id     = 21        // with its comma
		places = 60        // all of a P's contents but ids
		list   = 2         // a list that grows by doubling took this much more
	)
	var calls, puts, ps int64 = 0, 0, int64(s.Ps)
	for t := range s.Threads {
		calls += int64(s.Calls(t))
		puts += int64(s.Puts(t))
	}
	// Before a thread steals it takes out what it has itself, by calls that no
	// script has.
	ops := 2 * (calls + puts)
	ids := 4*puts + 2*(puts+1)*ps // in, out, what was left
	contents := ps
	opSize := int64(unsafe.Sizeof(record.Op{}))
	if caps.Moves {
		loot := puts // what one call may move
		if c := int64(capacity(s, caps)); c > 0 {
			loot = min(loot, 2*c)
		}
		ids += 2*puts + ops*loot
		opSize += 4 * int64(unsafe.Sizeof(record.Move{}))
	}
	if s.Snapshot {
		ids += 2 * calls * puts
		contents += calls * (ps + 1)
	}
	line := text + ops*op + ids*id + contents*places
	memory := text + list*(ops*opSize+ids*8+contents*int64(unsafe.Sizeof(record.PContents{})+unsafe.Sizeof(record.Contents{})))
	return bounds{int(min(line, int64(most))), int(min(memory, mostMemory))}
}

// times returns the bounds of n such answers in one line of at most most bytes.
func (b bounds) times(n, most int) bounds {
	return bounds{min(n*b.line, most), min(n*b.memory, mostMemory)}
}

// capacity is that of each ring when s is run, 0 if there is none.
func capacity(s *record.Scenario, caps queue.Capabilities) int {
	if s.Capacity > 0 && caps.Resize {
		return s.Capacity
	}
	return caps.Capacity
}

// readAnswer reads a child's answer to the question q.
func readAnswer(line []byte, q *Request, caps queue.Capabilities, b bounds) (*Answer, error) {
	a := new(Answer)
	if err := strictjson.Decode(line, a, strictjson.Limits{Memory: b.memory}); err != nil {
		return nil, protocolError("expected an answer, saw %.80q: %w", line, err)
	}
	answered := a.History != nil || a.Crash != nil || len(a.Histories) > 0
	switch {
	case a.Seq != q.Seq:
		return nil, protocolError("expected the answer to seq %d, saw seq %d", q.Seq, a.Seq)
	case answered == (a.Error != ""):
		return nil, protocolError("expected a history, a crash or an error in the answer, saw %.80q", line)
	}
	if err := a.explored(q); err != nil {
		return nil, err
	}
	for _, h := range append(slices.Clip(a.Histories), a.History) {
		if h == nil {
			continue
		}
		h.Scenario = *q.Scenario // whatever it says that it was asked
		if err := checkAnswers(h, capacity(q.Scenario, caps)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// explored checks what the answer to q says of an exploration.
func (a *Answer) explored(q *Request) error {
	n := len(a.Histories)
	switch {
	case q.Cmd != Explore:
		if n > 0 || a.Executions != 0 || a.Complete {
			return protocolError("expected the history of one execution, saw %d histories of %d executions", n, a.Executions)
		}
	case a.Error != "":
		if a.Executions != 0 || a.Complete {
			return protocolError("expected no executions beside an error, saw %d, complete %v", a.Executions, a.Complete)
		}
	case a.History != nil && a.Crash == nil:
		return protocolError("expected the histories of all executions, saw the history of one")
	case slices.Contains(a.Histories, nil):
		return protocolError("expected histories, saw null among %d", n)
	case n > mostHistories:
		return protocolError("expected at most %d different histories, saw %d", mostHistories, n)
	case a.Executions < n || a.Executions > q.Executions:
		return protocolError("expected %d to %d executions, as many as histories at least and as asked for at most, saw %d", n, q.Executions, a.Executions)
	case a.Crash != nil && a.Complete:
		return protocolError("expected complete false beside a crash, at which the exploration ended, saw true")
	}
	return nil
}

// checkAnswers checks what no queue can answer. Whether the calls are those of
// the script is checked by whoever judges the history.
func checkAnswers(h *record.History, capacity int) error {
	switch h.Clock {
	case record.ClockOrder, record.ClockCounter, record.ClockTime:
	default:
		return protocolError("expected the clock order, counter or time, saw %.40q", h.Clock)
	}
	if h.Capacity != capacity {
		return protocolError("expected a history of rings with capacity %d, as in the hello or in the scenario, saw %d", capacity, h.Capacity)
	}
	for i := range h.Ops {
		switch op := &h.Ops[i]; op.Kind {
		case record.Put, record.PutNext, record.PutBatch, record.GlobalPut:
			if op.Count > len(op.In) {
				return protocolError("expected a %v that accepts at most the %d it was given, saw n %d in call %d", op.Kind, len(op.In), op.Count, i)
			}
		}
	}
	return nil
}

// result turns an answer into what Client.Run returns.
func (a *Answer) result() (*record.History, error) {
	switch {
	case a.Crash != nil:
		e := &queue.CrashError{Text: printable.Line(a.Crash.Text, mostText), Stack: printable.Lines(a.Crash.Stack, mostStack)}
		if a.Crash.Op != nil {
			e.Op = *a.Crash.Op
		}
		return a.History, e
	case a.Error != "":
		return nil, fmt.Errorf("%w: %s", ErrRefused, printable.Line(a.Error, mostText))
	}
	return a.History, nil
}

// Errors of a child. ErrProtocol, ErrStart and ErrRefused are wrapped by errors
// with the particulars: expected and seen.
var (
	// ErrProtocol: the child did not keep to the protocol.
	ErrProtocol = errors.New("child: broken protocol")
	// ErrStart: it could not be started or did not introduce itself.
	ErrStart = errors.New("child: did not start")
	// ErrRefused: it says that it cannot run the scenario.
	ErrRefused = errors.New("child: refused")
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("child: closed")
)

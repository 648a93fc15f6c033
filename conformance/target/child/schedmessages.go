package child

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/strictjson"
	"github.com/spindle-go/spindle/spec/record"
)

// SchedulerVersion is the version of the protocol of schedulers.
const SchedulerVersion = 3

// SchedulerSubject is the subject of children that are schedulers.
const SchedulerSubject = "scheduler"

// The questions beside Run.
const (
	lookCmd    = "look"
	releaseCmd = "release"
)

// A SchedulerHello is how a child introduces itself that is a scheduler.
type SchedulerHello struct {
	Protocol int    `json:"protocol"`
	Subject  string `json:"subject"`
	Name     string `json:"name"`
	Version  string `json:"version,omitempty"`
	Profile  string `json:"profile,omitempty"`
	// Contract says what the target promises where it differs from its profile.
	Contract     map[string]string      `json:"contract,omitempty"`
	Capabilities scheduler.Capabilities `json:"capabilities"`
	Workers      []int                  `json:"workers,omitempty"`    // numbers of workers that it can have; none: any
	IdleTimes    []int64                `json:"idle_times,omitempty"` // in microseconds
	// Housekeeping is how the names of threads begin that the language's runtime has for itself.
	Housekeeping []string `json:"housekeeping,omitempty"`
	// LightWorkers says that its workers are no threads of the system: what Close leaves of them is not seen from outside.
	LightWorkers bool     `json:"light_workers,omitempty"`
	Notes        []string `json:"notes,omitempty"`
}

// same returns an error if another describes another target, its notes aside.
func (h *SchedulerHello) same(another *SchedulerHello) error {
	was, is := *h, *another
	was.Notes, is.Notes = nil, nil
	a, err := json.Marshal(was)
	if err != nil {
		return err
	}
	b, err := json.Marshal(is)
	if err == nil && string(a) != string(b) {
		err = protocolError("expected the hello as before, saw another: %.200s instead of %.200s", b, a)
	}
	return err
}

// The bounds of a hello.
const (
	mostHouse     = 40
	mostHouseName = 15
	mostWorkers   = 1024
	mostIdleTimes = 20
)

// readSchedulerHello reads and checks the first line of a child that is a scheduler.
func readSchedulerHello(line []byte) (SchedulerHello, error) {
	var g struct {
		Hello *SchedulerHello `json:"hello"`
	}
	if err := strictjson.Decode(line, &g, strictjson.Limits{Memory: 4 * mostHello}); err != nil {
		return SchedulerHello{}, protocolError("expected a hello, saw %.80q: %w", line, err)
	}
	h := g.Hello
	switch {
	case h == nil:
		return SchedulerHello{}, protocolError("expected a hello in the first line, saw %.80q", line)
	case h.Subject != SchedulerSubject:
		return *h, protocolError("expected the subject %q, saw %.40q", SchedulerSubject, h.Subject)
	case h.Protocol != SchedulerVersion:
		return *h, protocolError("expected protocol %d of schedulers, saw %d", SchedulerVersion, h.Protocol)
	case !name.MatchString(h.Name):
		return *h, protocolError("expected a name of 1 to 100 letters, digits and . _ + / -, saw %.120q", h.Name)
	case h.Profile != "" && !name.MatchString(h.Profile):
		return *h, protocolError("expected the name of a profile, saw %.120q", h.Profile)
	case len(h.Contract) > mostChoices:
		return *h, protocolError("expected a contract of at most %d choices, saw %d", mostChoices, len(h.Contract))
	case len(h.Workers) > mostSizes || !slices.IsSorted(h.Workers) || len(slices.Compact(slices.Clone(h.Workers))) < len(h.Workers):
		return *h, protocolError("expected at most %d numbers of workers that ascend, saw %v", mostSizes, h.Workers[:min(len(h.Workers), mostSizes+1)])
	case slices.ContainsFunc(h.Workers, func(n int) bool { return n < 1 || n > mostWorkers }):
		return *h, protocolError("expected numbers of workers of 1 to %d, saw %v", mostWorkers, h.Workers)
	case len(h.IdleTimes) > mostIdleTimes || slices.ContainsFunc(h.IdleTimes, func(n int64) bool { return n < 1 || n > int64(time.Hour/time.Microsecond) }):
		return *h, protocolError("expected at most %d idle times of 1 microsecond to an hour, saw %v", mostIdleTimes, h.IdleTimes[:min(len(h.IdleTimes), mostIdleTimes+1)])
	case len(h.Housekeeping) > mostHouse || slices.ContainsFunc(h.Housekeeping, func(s string) bool { return s == "" || len(s) > mostHouseName }):
		return *h, protocolError("expected at most %d names of threads of 1 to %d bytes in housekeeping, saw %.200q", mostHouse, mostHouseName, h.Housekeeping)
	case len(h.Notes) > mostNotes:
		return *h, protocolError("expected at most %d notes, saw %d", mostNotes, len(h.Notes))
	}
	h.Version = printable.Line(h.Version, 200)
	for i := range h.Notes {
		h.Notes[i] = printable.Line(h.Notes[i], 500)
	}
	return *h, nil
}

// A schedulerQuestion is one question.
type schedulerQuestion struct {
	Seq   int         `json:"seq"`
	Cmd   string      `json:"cmd"`
	Graph *childGraph `json:"graph,omitempty"`
}

// A childGraph is a task graph as it is sent.
type childGraph struct {
	Workers int      `json:"workers"`
	Outside []string `json:"outside"`
	Tasks   []string `json:"tasks"`
	Last    bool     `json:"last,omitempty"` // once Close has returned nothing is submitted
	Most    int      `json:"most"`           // events
}

func graphOf(g *record.TaskProgram, last bool) *childGraph {
	c := &childGraph{Workers: g.Workers, Outside: g.Outside, Tasks: g.Tasks, Last: last, Most: mostEvents(g)}
	if c.Tasks == nil {
		c.Tasks = []string{}
	}
	return c
}

// A schedulerAnswer is the answer to one question.
type schedulerAnswer struct {
	Seq    int          `json:"seq"`
	Events []childEvent `json:"events,omitzero"`
	Error  string       `json:"error,omitempty"`
	Full   bool         `json:"full,omitempty"` // there were more events than the question allows
	Now    int64        `json:"now,omitempty"`  // in nanoseconds
	SoFar  []childEvent `json:"sofar,omitzero"`
	Turns  int64        `json:"turns,omitempty"`
}

// A childEvent is an event as an array: what, who, step, nanoseconds, and a text where there is one.
type childEvent record.TaskEvent

// mostEventText bounds the text of an event, in bytes.
const mostEventText = 2000

// UnmarshalJSON reads an array of four or five.
func (e *childEvent) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil || len(parts) < 4 || len(parts) > 5 {
		return fmt.Errorf("expected an event of 4 or 5 values, saw %.80q", b)
	}
	var at int64
	for i, to := range []any{&e.What, &e.Who, &e.Step, &at, &e.Text}[:len(parts)] {
		if err := json.Unmarshal(parts[i], to); err != nil {
			return fmt.Errorf("value %d of event %.80q: %w", i, b, err)
		}
	}
	e.At = time.Duration(at)
	e.Text = printable.Line(e.Text, mostEventText)
	return nil
}

// MarshalJSON writes the array.
func (e childEvent) MarshalJSON() ([]byte, error) {
	list := []any{e.What, e.Who, e.Step, int64(e.At), e.Text}
	if e.Text == "" {
		list = list[:4]
	}
	return json.Marshal(list)
}

func taskEvents(list []childEvent) []record.TaskEvent {
	out := make([]record.TaskEvent, len(list))
	for i, e := range list {
		out[i] = record.TaskEvent(e)
	}
	return out
}

func sample(list []childEvent) []childEvent { return list[:min(len(list), 5)] }

// mostEvents is how many events the run of a graph has at most: twice, for tasks that run twice.
func mostEvents(g *record.TaskProgram) int {
	steps := 0
	for _, lists := range [][][]record.TaskStep{g.Threads, g.Scripts} {
		for _, list := range lists {
			steps += 2*len(list) + 4
		}
	}
	return 2*steps + 64
}

// mostLine is how long the line of an answer may be.
func mostLine(g *record.TaskProgram) int { return 64<<10 + 200*mostEvents(g) }

// readSchedulerAnswer reads a line of a child that runs g.
func readSchedulerAnswer(line []byte, g *record.TaskProgram) (*schedulerAnswer, error) {
	a := new(schedulerAnswer)
	if err := strictjson.Decode(line, a, strictjson.Limits{Memory: 64<<10 + 4*len(line) + 256*mostEvents(g)}); err != nil {
		return nil, protocolError("expected an answer, saw %.80q: %w", line, err)
	}
	a.Error = printable.Line(a.Error, mostText)
	return a, nil
}

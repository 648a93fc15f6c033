package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/conformance/target/child/hostile"
	"github.com/spindle-go/spindle/spec/record"
)

// hostileChild is the command hostile: the child that a seed stands for.
func hostileChild() {
	seed, err := strconv.ParseUint(os.Args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	hostile.Of(seed).Be()
}

// liar is the command liar: a child whose queue, or whose histories, are wrong in the
// way that its argument names.
func liar() {
	l, ok := lies[strings.Join(os.Args[1:], " ")]
	if !ok {
		panic("liar: expected one of the lies, saw " + strings.Join(os.Args[1:], " "))
	}
	if l.profile == "" {
		l.profile = "fifo"
	}
	say := json.NewEncoder(os.Stdout).Encode
	capabilities := queue.Capabilities{Capacity: l.capacity, Misses: l.heeds}
	name := l.name
	if name == "" {
		name = "liar"
	}
	_ = say(child.Greeting{Hello: &child.Hello{Protocol: child.Version, Name: name, Profile: l.profile, Capabilities: capabilities}})
	in := bufio.NewReader(os.Stdin)
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		var q child.Request
		if err != nil || json.Unmarshal(line, &q) != nil {
			return
		}
		s := *q.Scenario
		if !l.heeds {
			s.GetMiss = ""
		}
		if l.asked != nil {
			l.asked(n, &s)
		}
		f := queue.Single(func() *liarQueue { return &liarQueue{lie: &l} })
		h, err := drive.Run(context.Background(), f, s)
		a := child.Answer{Seq: q.Seq, History: h}
		if err != nil {
			a.Error = err.Error()
		} else if h.Capacity = l.capacity; l.tell != nil {
			l.tell(&a)
		}
		_ = say(a)
	}
}

// A lie is one way to be wrong.
type lie struct {
	name     string
	profile  string
	capacity int
	asked    func(n int, s *record.Scenario) // before the n-th scenario is run
	tell     func(a *child.Answer)           // instead of the truth
	refuse   bool                            // every put
	newest   bool                            // first
	misses   bool                            // at every other get
	heeds    bool                            // Scenario.GetMiss; who does not asks once at the end
	none     bool                            // from the 21st get on, one behind a look says that there is nothing
}

var lies = map[string]lie{
	"right":       {},
	"mask":        {name: "mask", newest: true, none: true},
	"empty":       {tell: func(a *child.Answer) { a.History.Ops, a.History.Final = nil, none(a.History) }},
	"empty, gort": {profile: "gort", tell: func(a *child.Answer) { a.History.Ops, a.History.Final = nil, none(a.History) }},
	"half":        {tell: func(a *child.Answer) { a.History.Ops = a.History.Ops[:len(a.History.Ops)/2] }},
	"other": {asked: func(_ int, s *record.Scenario) {
		*s = record.Scenario{Ps: s.Ps, Threads: []record.Thread{{Script: "pg"}}, Order: []int{0, 0}}
	}},
	"refuse":          {refuse: true},
	"misses":          {misses: true, heeds: true},
	"misses unheeded": {misses: true},
	"huge": {tell: func(a *child.Answer) {
		for i := range a.History.Ops {
			if op := &a.History.Ops[i]; op.Kind.Puts() {
				op.Count = 1 << 40
			}
		}
	}},
	"slow":     {asked: func(n int, _ *record.Scenario) { time.Sleep(5 * time.Second) }},
	"hangs":    {asked: func(n int, _ *record.Scenario) { time.Sleep(time.Hour) }},
	"capacity": {capacity: 8, tell: func(a *child.Answer) { a.History.Capacity = 1 << 19 }},
	"escapes": {tell: func(a *child.Answer) {
		*a = child.Answer{Seq: a.Seq, Crash: &child.Crash{Text: "\x1b[2Ja\n::error::pwned\npass: exit 0", Stack: "\x1b]0;x\a\n##[error]pwned\n::error::pwned"}}
	}},
	"named": {name: "a\n::error::pwned\npass: exit 0; 1 target, 24 checks, 0 findings"},
	"hangs once": {asked: func(int, *record.Scenario) {
		// A file tells the processes of one run apart: the first one hangs.
		if f, err := os.OpenFile(os.Getenv("SPINDLE_INTERNAL_ONCE"), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
			time.Sleep(time.Hour)
		}
	}},
}

func none(h *record.History) record.Contents {
	return record.Contents{Ps: make([]record.PContents, len(h.Final.Ps))}
}

type liarQueue struct {
	lie  *lie
	mu   sync.Mutex
	ids  []record.ID
	gets int
	look bool // the last call was a look
}

func (q *liarQueue) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.look = false
	if q.lie.refuse {
		return false
	}
	q.ids = append(q.ids, id)
	return true
}

func (q *liarQueue) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.gets++
	if q.lie.misses && q.gets%2 == 1 {
		return 0, false
	}
	if q.lie.none && q.look && q.gets > 20 {
		q.look = false
		return 0, false
	}
	return q.take()
}

func (q *liarQueue) take() (id record.ID, ok bool) {
	q.look = false
	n := len(q.ids)
	switch {
	case n == 0:
		return 0, false
	case q.lie.newest:
		id, q.ids = q.ids[n-1], q.ids[:n-1]
	default:
		id, q.ids = q.ids[0], q.ids[1:]
	}
	return id, true
}

func (q *liarQueue) Steal() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take()
}

func (q *liarQueue) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.look = true
	return len(q.ids) == 0
}

package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/spec/record"
)

// exploring begins the names of the deeds of a child that explores.
const exploring = "explored: "

// Explores reports whether the child explores.
func (b Behaviour) Explores() bool { return strings.HasPrefix(b.Deed, exploring) }

// Explore returns all histories of s on the right queue, whose calls are whole: each order of
// the calls is one execution.
func Explore(s record.Scenario) (*queue.Exploration, error) {
	before, _ := record.ParseQuiet(s.Before)
	after, _ := record.ParseQuiet(s.After)
	scripts, left := make([][]record.Instr, len(s.Threads)), make([]int, len(s.Threads))
	var order []int
	quiet := func(list []record.QuietCall) {
		for _, q := range list {
			scripts[q.Thread] = append(scripts[q.Thread], q.Instr)
			order = append(order, q.Thread)
		}
	}
	quiet(before)
	begun := len(order)
	for t := range s.Threads {
		script, err := record.ParseScript(s.Threads[t].Script)
		if err != nil {
			return nil, err
		}
		script = slices.Repeat(script, max(1, s.Threads[t].Repeat))
		scripts[t], left[t] = append(scripts[t], script...), len(script)
	}
	quiet(after)
	ends := slices.Clone(order[begun:])
	order = order[:begun:begun]
	whole := s
	whole.Before, whole.After, whole.Threads = "", "", slices.Clone(s.Threads)
	for t := range scripts {
		var b strings.Builder
		for _, in := range scripts[t] {
			b.WriteString(in.String())
		}
		whole.Threads[t].Script, whole.Threads[t].Repeat = b.String(), 0
	}
	out := &queue.Exploration{Complete: true}
	var run func(order []int) error
	run = func(order []int) error {
		some := false
		for t := range left {
			if left[t] == 0 {
				continue
			}
			some = true
			left[t]--
			err := run(append(order, t))
			left[t]++
			if err != nil {
				return err
			}
		}
		if some {
			return nil
		}
		one := whole
		one.Order = append(slices.Clone(order), ends...)
		h, err := drive.Run(context.Background(), queue.Single(right), one)
		if err != nil {
			return err
		}
		h.Scenario, h.Clock = record.Scenario{}, record.ClockCounter
		out.Histories = append(out.Histories, h)
		out.Executions++
		return nil
	}
	return out, run(order)
}

// explorations are the deeds of a child that explores.
func explorations() []deed {
	told := func(change func(a *child.Answer)) func(*actor, []byte) {
		return func(c *actor, line []byte) {
			var a child.Answer
			if json.Unmarshal(line, &a) == nil && len(a.Histories) > 0 {
				change(&a)
				line = encode(a)
			}
			c.say(line)
		}
	}
	var deeds []deed
	add := func(harm Harm, rows map[string]func(*actor, []byte)) {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			deeds = append(deeds, deed{exploring + name, harm, true, strings.Contains(name, "without end"), rows[name]})
		}
	}
	add(None, map[string]func(*actor, []byte){"nothing": told(func(*child.Answer) {})})
	add(Wrong, map[string]func(*actor, []byte){
		"no executions":         told(func(a *child.Answer) { a.Executions = 0 }),
		"no histories":          told(func(a *child.Answer) { a.Histories = nil }),
		"more than were asked":  told(func(a *child.Answer) { a.Executions = 1 << 40 }),
		"the history of one":    told(func(a *child.Answer) { a.History, a.Histories = a.Histories[0], nil }),
		"a crash, and complete": told(func(a *child.Answer) { a.Crash = &child.Crash{Text: "x"} }),
		"null among histories":  told(func(a *child.Answer) { a.Histories[0] = nil }),
		"an error besides":      told(func(a *child.Answer) { a.Error = "no" }),
		"histories without end": func(c *actor, line []byte) {
			_, rest, _ := bytes.Cut(line, []byte(`"histories":[`))
			var one json.RawMessage
			if json.NewDecoder(bytes.NewReader(rest)).Decode(&one) != nil {
				return
			}
			c.write(fmt.Appendf(nil, `{"seq":%d,"histories":[`, c.asked.Seq))
			flood(string(one)+",")(c, nil)
		},
	})
	add(Lies, map[string]func(*actor, []byte){
		"the first history alone": told(func(a *child.Answer) { a.Histories, a.Executions = a.Histories[:1], 1 }),
		"not complete":            told(func(a *child.Answer) { a.Complete = false }),
		"of another scenario": told(func(a *child.Answer) {
			x, err := Explore(record.Scenario{Name: "other", Ps: 1, Threads: []record.Thread{{P: 0, Script: "ppg"}}})
			if err == nil {
				a.Histories, a.Executions = x.Histories, x.Executions
			}
		}),
		"all taken twice": told(func(a *child.Answer) {
			for _, h := range a.Histories {
				h.Final.Ps[0].Ring = append(h.Final.Ps[0].Ring, 1)
			}
		}),
	})
	return deeds
}

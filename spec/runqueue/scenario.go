package runqueue

import (
	"fmt"

	"github.com/spindle-go/spindle/spec/record"
)

var opOf = map[record.Kind]Op{
	record.Put: Put, record.PutNext: PutNext, record.PutBatch: PutBatch, record.Get: Get,
	record.Steal: Steal, record.StealNext: StealNext, record.Drain: Drain, record.Empty: Empty,
	record.Len: Len, record.GlobalPut: GlobalPut, record.GlobalGet: GlobalGet,
}

// OfScenario is the configuration in which each thread makes the calls of s. Thread i of
// s is thread i of the machine, and owns the P of that number here: ps has for each P of s
// what it is here. A P that nobody owns comes after the threads. Ids are Gs.
func OfScenario(s *record.Scenario) (c Config, ps []int, err error) {
	if err := s.Check(); err != nil {
		return Config{}, nil, err
	}
	if s.Order != nil {
		return Config{}, nil, fmt.Errorf("runqueue: scenario %q has an order of its own", s.Name)
	}
	ps = make([]int, s.Ps)
	for p := range ps {
		ps[p] = -1
	}
	for t, th := range s.Threads {
		if th.P == record.None {
			c.Loners = append(c.Loners, t)
		} else {
			ps[th.P] = t
		}
	}
	c.Ps = len(s.Threads)
	for p := range ps {
		if ps[p] < 0 {
			ps[p] = c.Ps
			c.Ps++
		}
	}
	c.Scripts = make([][]Instr, c.Ps)
	for t := range s.Threads {
		if c.Scripts[t], err = calls(s, t, ps); err != nil {
			return Config{}, nil, err
		}
	}
	c.Gs = max(1, int(s.FirstID(len(s.Threads)))-1)
	c.Capacity = s.Capacity
	// More Gs than that never pass an index, so it does not come round to where it was.
	for c.Wrap = 2 * c.Capacity; c.Wrap > 0 && c.Wrap <= 2*c.Gs; {
		c.Wrap *= 2
	}
	if c.Wrap > 0 {
		c.Start = int(s.Start % uint32(c.Wrap))
	}
	return c, ps, c.check()
}

// calls are those of thread t.
func calls(s *record.Scenario, t int, ps []int) ([]Instr, error) {
	script, err := record.ParseScript(s.Threads[t].Script)
	if err != nil {
		return nil, err
	}
	next := int(s.FirstID(t))
	var list []Instr
	for range max(1, s.Threads[t].Repeat) {
		for _, in := range script {
			i := Instr{Op: opOf[in.Kind], Most: max(1, in.Arg)}
			switch in.Kind {
			case record.Put, record.PutNext, record.GlobalPut:
				i.Gs = []int{next}
			case record.PutBatch:
				for k := range max(1, in.Arg) {
					i.Gs = append(i.Gs, next+k)
				}
			case record.Steal, record.StealNext, record.Empty, record.Len:
				i.Victim = ps[s.Victim(t, in)]
			}
			next += len(i.Gs)
			if list = append(list, i); len(list) > maxScript {
				return nil, fmt.Errorf("runqueue: scenario %q: thread %d makes more than %d calls", s.Name, t, maxScript)
			}
		}
	}
	return list, nil
}

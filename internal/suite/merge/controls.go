package merge

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// controls returns those of all shards, each once. A witness that missed its fault
// in one shard has missed it. Each shard must have controls of each of its witnesses, since
// those of another process say nothing about it. A control that comes with its check (With) is
// in one shard alone.
func controls(shards []*Shard) (list []suite.Event, err error) {
	type key struct {
		subject string
		witness spec.Witness
	}
	all := make(map[key][]suite.Event) // by Nth
	for _, s := range shards {
		here := make(map[key][]suite.Event)
		for _, e := range s.controls {
			k := key{e.Target, e.Control.Witness}
			here[k] = append(here[k], e)
		}
		for _, t := range s.targets {
			for _, name := range t.Checks {
				k := key{t.Description.Subject, t.Results[name].Witness}
				if t.Results[name].Ended != suite.Skipped && here[k] == nil {
					return nil, mismatch("%s has no control for checker %q of subject %q", s.name, k.witness, k.subject)
				}
			}
		}
		for k, events := range here {
			next := 0 // both are in the subject's order
			for _, e := range events {
				at := slices.IndexFunc(all[k][next:], func(was suite.Event) bool { return was.Check == e.Check && was.Control.What == e.Control.What })
				switch {
				case at < 0:
					all[k] = slices.Insert(all[k], next, e)
					next++
					continue
				case worse(e.Control, all[k][next+at].Control):
					all[k][next+at] = e
				}
				next += at + 1
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b key) int {
		return cmp.Or(strings.Compare(a.subject, b.subject), strings.Compare(string(a.witness), string(b.witness)))
	})
	for _, k := range keys {
		for i, e := range all[k] {
			control := *e.Control
			control.Nth, control.Of = i+1, len(all[k])
			e.Control = &control
			list = append(list, e)
		}
	}
	return list, nil
}

// worse reports whether a says less for the witness than b.
func worse(a, b *suite.Caught) bool {
	rank := func(c *suite.Caught) int {
		switch {
		case c.Ended == suite.Error:
			return 0
		case c.Finding == nil:
			return 1
		case c.Ended != suite.Completed:
			return 2
		}
		return 3
	}
	return rank(a) < rank(b)
}

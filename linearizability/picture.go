package linearizability

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// pictureParts is how many operations a picture shows at most.
const pictureParts = 80

// Picture writes an HTML page that shows the history of one object as bars on
// a line of time, with the longest orders that explain part of it. The page
// needs no network. Without an object it shows the first illegal one, or else
// the one with the most operations.
//
// Of a long history it shows the calls around the explanation: what was taken
// before is left out, and so is what was called after.
func Picture(w io.Writer, h *record.History, rules spec.Rules, objects ...string) error {
	all := project(h, rules)
	var o *object
	var e *Explanation
	for _, c := range all {
		if c.err != nil || len(objects) > 0 && !slices.Contains(objects, c.name) {
			continue
		}
		j := judge(c, Options{Rules: rules, Timeout: time.Second})
		if j.Verdict == Illegal {
			o, e = c, j.Explanation
			break
		}
		if o == nil || len(c.parts) > len(o.parts) {
			o = c
		}
	}
	if o == nil {
		return fmt.Errorf("linearizability: no picture: the history tells nothing about %v", objects)
	}
	win := o.window(e)
	m, ops := porcupineModel(win)
	_, info := porcupine.CheckOperationsVerbose(m, ops, 2*time.Second)
	if e != nil {
		for _, op := range e.Ops {
			info.AddAnnotations([]porcupine.Annotation{{
				Tag: e.Requirement, Start: op.Call, End: max(op.Call, op.Return),
				Description: op.String(), Details: e.Sentence, BackgroundColor: "#ffb3b3",
			}})
		}
	}
	return porcupine.Visualize(m, info, w)
}

// window returns the part of an object's history that a picture shows: all of
// a short one, else the calls from the first to the last of e's, and what was in
// the object then. IDs that were taken before are left out with their puts, so
// lengths stay what they were.
func (o *object) window(e *Explanation) *object {
	if len(o.parts) <= pictureParts || o.order != fifo {
		return o.cut()
	}
	from, until := o.parts[0].call, o.parts[min(len(o.parts)-1, pictureParts)].call
	if e != nil && len(e.Ops) > 0 {
		from, until = e.Ops[0].Call, e.Ops[0].Call
		for _, op := range e.Ops {
			// The put may be long ago; what matters is when it showed.
			if op.Kind.Takes() || op.Kind == record.Empty || len(e.Ops) == 1 {
				until = max(until, op.Return)
			}
			from = max(from, op.Call)
		}
		from = min(from, until)
		margin := max(1, (until-from)/4)
		from, until = from-margin, until+margin
	}
	gone := make(map[[2]uint64]bool) // lane, id
	for i := range o.parts {
		if p := &o.parts[i]; p.takes() && p.ret < from {
			for _, id := range o.taken(p) {
				gone[[2]uint64{uint64(p.lane), id}] = true
			}
		}
	}
	win := *o
	win.parts = nil
	shift := make(map[int32]int32)
	for i := range o.parts {
		p := o.parts[i]
		if p.call > until || !p.puts() && p.ret < from {
			continue
		}
		if p.deed == swap && p.ret < from {
			p.deed, p.old = put, 0
		}
		if p.puts() && p.deed == put {
			p.ids = slices.DeleteFunc(slices.Clone(p.ids), func(id record.ID) bool { return gone[[2]uint64{uint64(p.lane), id}] })
			if len(p.ids) == 0 {
				continue
			}
		}
		if p.deed == seeFull {
			continue // it counts from the beginning
		}
		if p.rule&ruleAfter != 0 {
			if at, ok := shift[p.after]; ok {
				p.after = at
			} else {
				p.rule &^= ruleAfter
			}
		}
		shift[int32(i)] = int32(len(win.parts))
		win.parts = append(win.parts, p)
	}
	return win.cut()
}

// taken returns what p takes.
func (o *object) taken(p *part) []record.ID {
	if p.deed == swap {
		return []record.ID{p.old}
	}
	return p.ids
}

// cut keeps the last parts of a history that is still too long to be drawn.
func (o *object) cut() *object {
	if len(o.parts) <= 4*pictureParts {
		return o
	}
	c := *o
	c.parts = o.parts[:4*pictureParts]
	return &c
}

//go:build spindle_runtime

package engine

import (
	"fmt"
	"path"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// What a report says of channels.

// channelName returns what a channel is called.
func (s *scheduler) channelName(n int) string {
	k := &s.house.talk
	if n < 0 {
		return "a nil channel"
	}
	if k.called[n] != "" {
		return k.called[n]
	}
	by, whose := k.names[n].by, k.names[n].whose
	switch {
	case whose != nil:
		return fmt.Sprintf("a channel of package %s, made for %s:%d", path.Base(path.Dir(by.File)), place.Base(whose.File), whose.Line)
	case by != nil:
		return fmt.Sprintf("the channel made at %s:%d", place.Base(by.File), by.Line)
	}
	return fmt.Sprintf("channel %d", n)
}

// waitsAt says which channel a thread waits at, or what its select waits for: "" if it is none.
func (s *scheduler) waitsAt(t *thread) string {
	on := t.seat.on
	switch {
	case !t.seat.partner || len(on.Cases) == 0:
		return ""
	case t.Next.Kind != object.Select:
		return s.channelName(on.Cases[0].Chan)
	}
	return s.casesOf(on)
}

// casesOf says what an operation waits for.
func (s *scheduler) casesOf(on *object.Channels) string {
	var all []string
	for _, k := range on.Cases {
		all = append(all, s.caseName(k))
	}
	return strings.Join(all, " or ")
}

// caseName says what a case does.
func (s *scheduler) caseName(k object.Case) string {
	if k.Send {
		return "send to " + s.channelName(k.Chan)
	}
	return "receive from " + s.channelName(k.Chan)
}

// tell notes what came of an operation on channels.
func (s *scheduler) tell(event int32, op *object.Op, did *object.Communicated, ready []int) {
	on := op.On
	var with, all []string
	for _, p := range did.Partner {
		with = append(with, s.byID[p].name)
	}
	for _, i := range ready {
		if i != did.Case {
			all = append(all, s.caseName(on.Cases[i]))
		}
	}
	text := ""
	switch {
	case op.Kind == object.Select && did.Case >= 0:
		text = s.caseName(on.Cases[did.Case]) + ", "
	case op.Kind != object.Select && place.Of(s.Events[event].Site).Expr == "":
		text = "of " + s.channelName(on.Cases[0].Chan) + ", "
	}
	send := did.Case >= 0 && on.Cases[did.Case].Send
	switch {
	case op.Kind == object.Look:
		text += fmt.Sprintf("= %d", s.Events[event].Read)
	case op.Kind == object.Close && (len(did.After) > 0 || on.Cases[0].Closed):
		text += "panics: it is closed"
	case op.Kind == object.Close && len(with) > 0:
		text += "wakes " + strings.Join(with, ", ")
	case op.Kind == object.Close:
		text += "wakes none"
	case did.Waits && op.Kind == object.Select && len(on.Cases) > 0:
		text += "waits, to " + s.casesOf(on)
	case did.Waits:
		text += "waits"
	case did.Case < 0:
		text += "default: nothing is ready"
	case len(with) > 0 && send:
		text += "to " + with[0]
	case send && s.isClosed(on, did.Case):
		text += "panics: it is closed"
	case send:
		text += "into the buffer"
	case len(did.After) > 0 && s.Events[did.After[0]].Kind == object.Close:
		text += "closed"
	case len(did.After) > 0:
		text += fmt.Sprintf("from %s in step %d", s.byID[s.Events[did.After[0]].Thread].name, did.After[0])
	}
	if len(all) > 0 {
		text += " (ready, too: " + strings.Join(all, ", ") + ")"
	}
	s.tellOf(event, strings.TrimSuffix(text, ", "))
}

// tellOf notes what an event was, if it is asked for.
func (s *scheduler) tellOf(event int32, text string) {
	if s.told == nil {
		return
	}
	for len(s.told) <= int(event) {
		s.told = append(s.told, "")
	}
	s.told[event] = text
}

func (s *scheduler) isClosed(on *object.Channels, i int) bool {
	_, closed, _ := s.house.talk.state.Observe(&on.Cases[i])
	return closed
}

// alone says since when a thread waits at a channel, and why it has no partner.
func (s *scheduler) alone(t *thread) string {
	if !t.seat.partner {
		return ""
	}
	var others []*thread
	why := "a select without cases"
	if on := t.seat.on; len(on.Cases) > 0 {
		why = "the channel is nil"
	}
	for _, k := range t.seat.on.Cases {
		if k.Chan < 0 {
			continue
		}
		why = "no other thread has been at the other side"
		for i := range s.Events {
			e := &s.Events[i]
			if e.On == nil || int(e.Thread) == t.ID || e.Kind == object.Look {
				continue
			}
			at := list.ContainsFunc(e.On.Cases, func(o object.Case) bool { return o.Chan == k.Chan && (o.Send != k.Send || e.Kind == object.Close) })
			if o := s.byID[e.Thread]; at && !list.Contains(others, o) {
				others = append(others, o)
			}
		}
	}
	var all []string
	for _, o := range others {
		does := "waits"
		if o.done {
			does = "has ended"
		}
		all = append(all, o.name+" was at the other side, and "+does)
	}
	if all != nil {
		why = strings.Join(all, "; ")
	}
	return fmt.Sprintf(" since step %d (%s)", t.Last, why)
}

package trace

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// compare holds an operation against the machine's step.
func (t *replayer) compare(a *runqueue.Access, s *harness.Step, at site) *Divergence {
	right := t.named(a) == at.action && a.How.String() == s.Kind
	if right && !t.same(a.Word, s.Object) {
		return t.elsewhere(a.Word, s, at)
	}
	reads, writes := a.How == runqueue.Load || a.How == runqueue.Swap, a.How == runqueue.Store || a.How == runqueue.Swap && !a.Failed
	switch {
	case !right:
	case a.How == runqueue.Swap && a.Failed == s.Changed,
		reads && !t.equal(a.Word, a.Read, s.Read, false),
		writes && !t.equal(a.Word, a.Wrote, s.Wrote, true):
		right = false
	}
	if right {
		return nil
	}
	return &Divergence{Expected: t.phrase(a), Observed: at.shown(s) + t.meaning(a, s)}
}

// along holds an operation against what rides along with a step. One line reads the loot
// of both ways to take some: it is said to be with GrabCASHead, and reads after GrabCASNext
// what that has stored.
func (t *replayer) along(a *runqueue.Access, s *harness.Step, at site) *Divergence {
	kind, value := "Load", s.Read
	switch {
	case a.How == runqueue.Section:
		if s.Kind == "Unlock" && t.same(a.Word, s.Object) {
			return nil
		}
		return &Divergence{Action: at.action, Expected: "the unlock of " + t.named(a), Observed: at.shown(s)}
	case a.Store && at.action == t.named(a):
		kind, value = "Store", s.Wrote
	}
	switch {
	case a.Also.Object != runqueue.NoObject && !t.same(a.Also, s.Object):
		return t.elsewhere(a.Also, s, at)
	case a.Also.Object == runqueue.NoObject, s.Kind != kind, !t.equal(a.Also, a.Value, value, kind == "Store"):
		expected := fmt.Sprintf("nothing with %s", t.named(a))
		if a.Also.Object != runqueue.NoObject {
			expected = fmt.Sprintf("with %s: %s of %v, %d", t.named(a), kind, a.Also, a.Value)
		}
		return &Divergence{Action: at.action, Expected: expected, Observed: at.shown(s)}
	}
	return nil
}

// same reports whether an object is a word: one that was not seen is from now on.
func (t *replayer) same(w runqueue.Word, object int) bool {
	known, seen := t.objects[w]
	other, taken := t.words[object]
	switch {
	case seen:
		return known == object
	case taken:
		return other == w
	}
	t.objects[w], t.words[object] = object, w
	return true
}

func (t *replayer) elsewhere(w runqueue.Word, s *harness.Step, at site) *Divergence {
	observed := at.shown(s)
	if other, ok := t.words[s.Object]; ok {
		observed += fmt.Sprintf(", which is %v", other)
	}
	return &Divergence{Action: at.action, Expected: fmt.Sprintf("an operation on %v", w), Observed: observed}
}

// equal reports whether a value of the code is one of the machine. Learn says that it was
// written, and so may be the first of a G.
func (t *replayer) equal(w runqueue.Word, want uint8, got uint64, learn bool) bool {
	if w.Object == runqueue.Head || w.Object == runqueue.Tail {
		return uint64(want) == got%t.wrap
	}
	if want == 0 || got == 0 {
		return want == 0 && got == 0
	}
	g, known := t.gs[got]
	_, has := t.refs[want]
	if learn && !known && !has {
		t.gs[got], t.refs[want] = want, got
		return true
	}
	return known && g == want
}

// phrase words a step of the machine.
func (t *replayer) phrase(a *runqueue.Access) string {
	text := fmt.Sprintf("%s: %v of %v", t.named(a), a.How, a.Word)
	switch {
	case a.How == runqueue.Load:
		text += fmt.Sprintf(" = %d", a.Read)
	case a.How == runqueue.Store:
		text += fmt.Sprintf(" %d", a.Wrote)
	case a.How == runqueue.Swap && a.Failed:
		text += fmt.Sprintf(" that fails, being %d", a.Read)
	case a.How == runqueue.Swap:
		text += fmt.Sprintf(" %d -> %d", a.Read, a.Wrote)
	}
	return text
}

// meaning says which Gs an operation's references are.
func (t *replayer) meaning(a *runqueue.Access, s *harness.Step) string {
	if a.Word.Object != runqueue.Slot && a.Word.Object != runqueue.Next {
		return ""
	}
	text := ""
	for _, ref := range []uint64{s.Read, s.Wrote} {
		if g, ok := t.gs[ref]; ok && ref != 0 && !strings.Contains(text, fmt.Sprintf(" %d is", ref)) {
			text += fmt.Sprintf(", where %d is G %d", ref, g)
		}
	}
	return text
}

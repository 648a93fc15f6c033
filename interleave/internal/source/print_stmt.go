package source

import (
	"fmt"
	"strings"
)

func (w *printer) list(list []*stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *printer) block(list []*stmt) {
	w.depth++
	w.list(list)
	w.depth--
}

// once reports whether what the call takes is evaluated before it, and not in it.
func (s *stmt) once() bool {
	return s.call.takes && (s.form == 1 || s.op != nil && strings.Count(s.call.write("", "$", ""), "$") > 1)
}

func placeText(place int) string { return [...]string{"", "g.a.", "g.b."}[place+1] }

func (w *printer) stmt(s *stmt) {
	switch s.kind {
	case operate, assign:
		w.line("%s", w.simple(s))
	case library:
		x := s.x.String()
		if s.op != nil {
			x = w.number(s.op)
		}
		r := fmt.Sprint("l", s.dst)
		if s.once() { // evaluated once, before the call
			w.line("func(v int32) {")
			w.line("\t%s", s.call.write(placeText(s.place), "v", r))
			w.line("}(%s)", x)
			return
		}
		text := s.call.write(placeText(s.place), x, r)
		if strings.Contains(text, ":=") || strings.Contains(text, "\n") {
			text = "{\n" + text + "\n}"
		}
		w.line("%s", text)
	case locked:
		w.locked(s)
	case counts:
		w.counts(s)
	case loops:
		w.loops(s)
	case branch:
		w.line("if %s {", w.cond(s.cond))
		w.block(s.body)
		if len(s.els) > 0 {
			w.line("} else {")
			w.block(s.els)
		}
		w.line("}")
	case breaks:
		w.line("break")
	case continues:
		w.line("continue")
	case returns:
		w.line("return")
	case panics:
		w.line("panic(stop{})")
	case yields:
		w.line("runtime.Gosched()")
	case starts:
		w.line([...]string{"go g.t%d()", "g.wg.Go(g.t%d)", "go func() { g.t%d() }()"}[s.form], s.child)
	case joins:
		w.line("g.wg.Wait()")
	case makes:
		at := placeText(s.place)
		w.line([...]string{"seq0 = slices.Values(%sxs)", "seq1 = slices.Backward(%sxs)", "seq2 = maps.Values(%smp)", "rd = bytes.NewBuffer(%sline[:2])"}[s.late], at)
	case uses:
		w.uses(s)
	}
}

func (w *printer) uses(s *stmt) {
	switch s.late {
	case buffer:
		w.line("{")
		w.line("\tc, _ := rd.ReadByte()")
		w.line("\tl%d = int32(c)", s.dst)
		w.line("}")
		return
	case keyed:
		w.line("l%d = 0", s.dst)
		w.line("for v := range seq2 {")
		w.line("\tl%d += v", s.dst)
	case values:
		w.line("l%d = 0", s.dst)
		w.line("for v := range seq0 {")
		w.line("\tl%d = (l%d*2 + int32(v)) %% 50", s.dst, s.dst)
	case backward:
		w.line("l%d = 0", s.dst)
		w.line("for _, v := range seq1 {")
		w.line("\tl%d = (l%d*2 + int32(v)) %% 50", s.dst, s.dst)
	}
	w.block(s.body)
	w.line("}")
}

func (w *printer) locked(s *stmt) {
	object := [...]string{"g.m", "g.rw"}[s.lock.guards()]
	take := [lockKinds]string{"Lock", "RLock", "Lock", "TryLock", "TryRLock", "TryLock"}[s.lock]
	give := [lockKinds]string{"Unlock", "RUnlock", "Unlock", "Unlock", "RUnlock", "Unlock"}[s.lock]
	switch {
	case s.lock.tries() && s.form == 1:
		w.line("if !%s.%s() {", object, take)
		w.block(s.els)
		w.line("} else {")
		w.block(s.body)
		w.line("\t%s.%s()", object, give)
		w.line("}")
	case s.lock.tries():
		w.line("if %s.%s() {", object, take)
		w.block(s.body)
		w.line("\t%s.%s()", object, give)
		if len(s.els) > 0 {
			w.line("} else {")
			w.block(s.els)
		}
		w.line("}")
	case s.form == 1:
		w.line("func() {")
		w.line("\t%s.%s()", object, take)
		w.line("\tdefer %s.%s()", object, give)
		w.block(s.body)
		w.line("}()")
	default:
		if s.form == 2 && s.lock == mutex {
			object = "locker"
		}
		w.line("%s.%s()", object, take)
		w.list(s.body)
		w.line("%s.%s()", object, give)
	}
}

// How loops are written.
const (
	clause = iota // for i := 0; i < n; i++
	ranged        // for range n
	inBody        // of a loop that waits: the condition is in the body
	byGoto
	loopForms
)

func (w *printer) counts(s *stmt) {
	w.label++
	i, define := fmt.Sprint("i", w.label), ":="
	if s.reg < locals {
		i, define = fmt.Sprint("l", s.reg), "="
	}
	switch s.form {
	case byGoto:
		if define == ":=" {
			w.line("{")
			w.line("%s := int32(0)", i)
		} else {
			w.line("%s = 0", i)
		}
		label := fmt.Sprintf("again%d", w.label)
		w.line("%s:", label)
		w.line("if %s < %d {", i, s.n)
		w.block(s.body)
		w.line("\t%s++", i)
		w.line("\tgoto %s", label)
		w.line("}")
		if define == ":=" {
			w.line("}")
		}
		return
	case ranged:
		if define == ":=" {
			w.line("for range %d {", s.n)
			break
		}
		fallthrough
	default:
		w.line("for %s %s 0; %s < %d; %s++ {", i, define, i, s.n, i)
	}
	w.block(s.body)
	w.line("}")
}

func (w *printer) loops(s *stmt) {
	w.label++
	post := w.simple(s.post)
	switch {
	case s.form == byGoto && s.cond != nil:
		if s.init != nil {
			w.line("%s", w.simple(s.init))
		}
		label := fmt.Sprintf("again%d", w.label)
		w.line("%s:", label)
		w.line("if %s {", w.cond(s.cond))
		w.block(s.body)
		if post != "" {
			w.line("\t%s", post)
		}
		w.line("\tgoto %s", label)
		w.line("}")
		return
	case s.form == inBody && s.cond != nil:
		w.line("for %s; ; %s {", w.simple(s.init), post)
		w.line("\tif !(%s) {", w.cond(s.cond))
		w.line("\t\tbreak")
		w.line("\t}")
	case s.cond == nil && s.init == nil && s.post == nil:
		w.line("for {")
	case s.cond == nil:
		w.line("for %s; ; %s {", w.simple(s.init), post)
	case s.init == nil && s.post == nil:
		w.line("for %s {", w.cond(s.cond))
	default:
		w.line("for %s; %s; %s {", w.simple(s.init), w.cond(s.cond), post)
	}
	w.block(s.body)
	w.line("}")
}

package record

import "fmt"

// Answers reports where the calls of h are not those that its scenario asks for,
// or nil: of each thread the calls of its script, in the script's order, with
// its ids, and all of them if the run came to its end; with an order, in that
// order, one after another. Without this, a target that makes half of the calls
// is judged by half. h must have passed Check. Errors wrap ErrFormat.
//
// One thing may be there that no script asks for. A steal and a batch get may
// bring more than the one G that they return, and need room for it: a thread
// that runs freely and owns a P may make gets before such a call, until one finds
// nothing.
func (h *History) Answers() error {
	s := &h.Scenario
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	scripts := asked(s)
	for i := range h.Ops {
		op := &h.Ops[i]
		var why string
		switch {
		case h.Ended() && op.Return == 0:
			why = "expected it to return before the final contents were taken"
		case h.Ended() && s.Snapshot && op.After == nil:
			why = "expected the contents after it"
		case s.Order != nil:
			why = h.inOrder(i)
		}
		if why == "" {
			why = scripts[op.Thread].next(op)
		}
		if why != "" {
			return bad("call %d, %v: %s", i, op, why)
		}
	}
	switch {
	case !h.Ended():
	case s.Order != nil && len(h.Ops) < len(s.Order):
		return bad("expected %d calls, saw %d", len(s.Order), len(h.Ops))
	case s.Order == nil:
		for t := range scripts {
			if sc := &scripts[t]; sc.made < sc.calls {
				return bad("expected %d calls of thread %d, saw %d", sc.calls, t, sc.made)
			}
		}
	}
	return nil
}

// inOrder says why call i is not the next one of a fixed order.
func (h *History) inOrder(i int) string {
	order := h.Scenario.Order
	switch {
	case i >= len(order):
		return fmt.Sprintf("expected %d calls", len(order))
	case h.Ops[i].Thread != order[i]:
		return fmt.Sprintf("expected a call of thread %d", order[i])
	case i > 0 && (h.Ops[i-1].Return == 0 || h.Ops[i-1].Return > h.Ops[i].Call):
		return "expected the call before it to have returned"
	}
	return ""
}

// A script is what one thread is to call, and how far it has come.
type script struct {
	s           *Scenario
	thread      int
	instrs      []Instr
	made, calls int
	id          ID   // of the next G
	dry         bool // its own queue was found empty, so that there is room
}

func asked(s *Scenario) []script {
	all := make([]script, len(s.Threads))
	id := ID(1)
	for t := range all {
		instrs, _ := ParseScript(s.Threads[t].Script)
		all[t] = script{s: s, thread: t, instrs: instrs, calls: s.Calls(t), id: id}
		id += ID(s.Puts(t))
	}
	return all
}

// next says why op is not the thread's next call.
func (c *script) next(op *Op) string {
	if c.made == c.calls {
		return fmt.Sprintf("expected %d calls of thread %d", c.calls, c.thread)
	}
	in := c.instrs[c.made%len(c.instrs)]
	if op.Kind == Get && c.mayMakeRoom(in) {
		if c.dry {
			return fmt.Sprintf("expected a %v after a get that found nothing", in.Kind)
		}
		c.dry = !op.OK
		return ""
	}
	c.dry = false
	c.made++
	switch {
	case op.Kind != in.Kind:
		return fmt.Sprintf("expected a %v", in.Kind)
	case in.Kind.Puts():
		return c.puts(op, in)
	}
	p := c.s.Threads[c.thread].P
	if !in.Kind.Owner() {
		p = c.s.Victim(c.thread, in)
	}
	switch {
	case op.P != p:
		return fmt.Sprintf("expected P%d", p)
	case in.Kind == GlobalGet && op.Want != max(1, in.Arg):
		return fmt.Sprintf("expected it to ask for %d", max(1, in.Arg))
	}
	return ""
}

// mayMakeRoom reports whether gets may come before in.
func (c *script) mayMakeRoom(in Instr) bool {
	return c.s.Order == nil && c.s.Threads[c.thread].P != None && (in.Kind.Steals() || in.Kind == GlobalGet)
}

// puts says why op does not put what in is to put.
func (c *script) puts(op *Op, in Instr) string {
	n := in.Gs()
	if len(op.In) != n {
		return fmt.Sprintf("expected %d Gs", n)
	}
	for _, id := range op.In {
		if id != c.id {
			return fmt.Sprintf("expected G %d where it puts %d", c.id, id)
		}
		c.id++
	}
	if op.Count < 0 || op.Count > n {
		return fmt.Sprintf("expected 0 to %d Gs accepted, saw %d", n, op.Count)
	}
	return ""
}

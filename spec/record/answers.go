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
// nothing; and on, where a get may find nothing although there is something.
func (h *History) Answers() error {
	s := &h.Scenario
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	scripts := asked(s)
	quiet := phases{order: s.quietOrder()}
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
		if sc := &scripts[op.Thread]; why == "" {
			made := sc.made
			if why = sc.next(op); why == "" && s.Order == nil {
				why = quiet.next(op, sc.part, sc.made == made)
			}
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
	parts       [3][]Instr // before, script, after
	part        int        // of the last call
	made, calls int
	id          ID   // of the next G
	dry         bool // its own queue was found empty, so that there is room
}

func asked(s *Scenario) []script {
	all := make([]script, len(s.Threads))
	id := ID(1)
	for t := range all {
		all[t] = script{s: s, thread: t, calls: s.Calls(t), id: id}
		all[t].parts[1], _ = ParseScript(s.Threads[t].Script)
		id += ID(s.Puts(t))
	}
	for part, text := range map[int]string{0: s.Before, 2: s.After} {
		calls, _ := ParseQuiet(text)
		for _, q := range calls {
			all[q.Thread].parts[part] = append(all[q.Thread].parts[part], q.Instr)
		}
	}
	return all
}

// next says why op is not the thread's next call.
func (c *script) next(op *Op) string {
	if c.made == c.calls {
		return fmt.Sprintf("expected %d calls of thread %d", c.calls, c.thread)
	}
	in := c.instr()
	if op.Kind == Get && c.mayMakeRoom(in) {
		if c.dry {
			return fmt.Sprintf("expected a %v after a get that found nothing", in.Kind)
		}
		c.dry = !op.OK && (c.s.GetMiss == "" || c.s.GetMiss == "never")
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

// instr returns the next call, and notes its part.
func (c *script) instr() Instr {
	before, script, after := c.parts[0], c.parts[1], c.parts[2]
	at := c.made - len(before)
	switch {
	case at < 0:
		c.part = 0
		return before[c.made]
	case at < c.calls-len(before)-len(after):
		c.part = 1
		return script[at%len(script)]
	}
	c.part = 2
	return after[c.made-(c.calls-len(after))]
}

// quietOrder returns the threads of the quiet calls, before and after, in order.
func (s *Scenario) quietOrder() (order [2][]int) {
	for i, text := range [...]string{s.Before, s.After} {
		calls, _ := ParseQuiet(text)
		for _, q := range calls {
			order[i] = append(order[i], q.Thread)
		}
	}
	return order
}

// phases follows whether quiet calls come in their order, and at quiet moments.
type phases struct {
	order [2][]int // of threads, before and after: what is still to come
	ret   int64    // the latest return so far
	quiet bool     // the last call was a quiet one
	begun bool
}

// next says why op, of that part, does not come when it must. A get that makes room comes
// with the call that it makes room for.
func (p *phases) next(op *Op, part int, room bool) (why string) {
	quiet := part != 1
	switch {
	case part > 0 && len(p.order[0]) > 0:
		why = fmt.Sprintf("expected a call of thread %d first, before the threads run", p.order[0][0])
	case quiet && (len(p.order[part/2]) == 0 || p.order[part/2][0] != op.Thread):
		why = "expected another thread's call at this quiet moment"
	case p.begun && (quiet || p.quiet) && op.Call < p.ret:
		why = "expected it to be called when all calls before it had returned"
	}
	if why == "" && quiet && !room {
		p.order[part/2] = p.order[part/2][1:]
	}
	p.quiet, p.begun = quiet, true
	if p.ret = max(p.ret, op.Return); op.Return == 0 {
		p.ret = maxStamp
	}
	return why
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

package source

// setter stores data, and then the flag for which others wait.
func (m *maker) setter() (list []*stmt) {
	for range 1 + m.IntN(2) {
		s := &stmt{kind: operate, dst: -1, op: &op{kind: store, word: m.IntN(flag), b: expr{n: int32(1 + m.IntN(2))}, via: m.via()}}
		switch {
		case m.one(4):
			s = m.locks()
		case m.one(6):
			s = m.counted()
		}
		list = append(list, s)
	}
	set := &stmt{kind: operate, dst: -1, op: &op{kind: store, word: flag, b: expr{n: 1}, via: m.via()}}
	if m.one(6) {
		set.op.kind, set.dst = swap, m.local()
	}
	list = append(list, set)
	if m.one(3) {
		list = append(list, m.simple())
	}
	return list
}

// counter is a register for a loop that counts, false if there are no more.
func (m *maker) counter() (int, bool) {
	if m.one(5) {
		return m.local(), true
	}
	m.counters++
	return locals + 1 + m.counters, m.counters <= mostLoops
}

// counted is a loop of a few rounds, now and then of many.
func (m *maker) counted() *stmt {
	reg, ok := m.counter()
	if !ok {
		return m.simple()
	}
	s := &stmt{kind: counts, dst: -1, reg: reg, n: 2 + m.IntN(4), form: m.loopForm(), body: m.simples(1 + m.IntN(2))}
	if s.reg < locals {
		m.noted = append(m.noted, s.reg)
	}
	switch {
	case m.one(3): // it looks, and no more than that
		s.body = []*stmt{{kind: operate, op: m.loads(m.IntN(words)), dst: m.local()}}
		if m.one(2) {
			s.body[0].dst = -1
		}
		if m.one(4) {
			s.n = 40
		}
	case m.one(3):
		s.body = append(s.body, m.locks())
	case m.one(2) && s.form != byGoto:
		leave := &stmt{kind: breaks, dst: -1}
		if m.one(3) {
			leave = m.leaves()
		}
		s.body = append(s.body, &stmt{kind: branch, dst: -1, cond: m.cond(), body: []*stmt{leave}})
	}
	return s
}

func (m *maker) loopForm() int {
	if m.gotos {
		return byGoto
	}
	return m.IntN(byGoto)
}

// leaves leaves a loop.
func (m *maker) leaves() *stmt {
	kinds := []kind{breaks}
	if m.t.Form >= named {
		kinds = append(kinds, returns)
	}
	if m.t.Form >= caught {
		kinds = append(kinds, panics, panics)
	}
	return &stmt{kind: kinds[m.IntN(len(kinds))], dst: -1}
}

// waiter is a thread that waits.
func (m *maker) waiter() (list []*stmt) {
	if m.one(3) {
		list = append(list, m.simple())
	}
	if reg, ok := m.counter(); ok && m.IntN(3) == 0 {
		list = append(list, &stmt{kind: counts, dst: -1, reg: reg, n: 2, form: m.loopForm(), body: []*stmt{m.waits()}})
	} else {
		list = append(list, m.waits())
	}
	if m.one(3) {
		list = append(list, m.simple())
	}
	return list
}

// waits is a loop without a bound: it waits for the flag, most of the time.
func (m *maker) waits() *stmt {
	m.spins++
	defer func() { m.spins-- }()
	s := &stmt{kind: loops, dst: -1, form: m.loopForm(), cond: &cond{op: m.loads(flag), equal: true}}
	switch {
	case m.one(8): // until a word is free
		s.cond = &cond{op: &op{kind: cas, word: m.IntN(flag), b: expr{n: 1}, via: m.via()}, n: 1}
	case m.one(8):
		s.cond = &cond{op: m.loads(m.IntN(flag)), equal: m.one(2), n: int32(m.IntN(2))}
	}
	// What is read in a round and used behind the loop, or in the next.
	kept := m.local()
	m.noted = append(m.noted, kept, kept)
	look := &stmt{kind: operate, op: m.loads(m.IntN(flag)), dst: kept}
	switch m.IntN(8) {
	default:
		s.body = append(s.body, look)
	case 0:
		if call := m.call(own); call.call.gives {
			call.dst, call.x = kept, expr{of: variable, at: (kept + 1) % locals}
			look.dst = (kept + 1) % locals
			s.body = append(s.body, look, call)
		} else {
			s.body = append(s.body, call)
		}
	case 1:
		s.post = look
	case 2:
		s.body = append(s.body, m.call(own))
	}
	switch {
	case m.one(3): // the init statement reads what the body has written in a loop before
		began := (kept + 1 + m.IntN(locals-1)) % locals
		s.init = &stmt{kind: assign, dst: began, x: expr{of: variable, at: kept}}
		m.noted = append(m.noted, began, began, began)
	case m.one(6):
		s.init = m.header()
	}
	if m.one(6) && s.post == nil {
		s.post = m.header()
	}
	switch {
	case m.one(8):
		s.body = append(s.body, m.call(own))
	case m.one(8):
		s.body = append(s.body, &stmt{kind: yields, dst: -1})
	case m.one(8):
		s.body = append(s.body, m.locks())
	case m.one(8) && s.form != byGoto:
		s.body = append(s.body, &stmt{kind: branch, dst: -1, cond: m.cond(), body: []*stmt{{kind: continues, dst: -1}}}, m.simple())
	}
	if m.one(3) && s.form != byGoto || m.t.Form >= caught && s.form != byGoto && m.one(2) { // it is left in the body
		until := *s.cond
		until.equal = !until.equal
		leave := &stmt{kind: branch, dst: -1, cond: &until, body: []*stmt{m.leaves()}}
		s.cond = nil
		if m.one(4) {
			s.body = append(s.body, leave)
		} else {
			s.body = append([]*stmt{leave}, s.body...)
		}
	}
	return s
}

// header is what stands in the header of a loop.
func (m *maker) header() *stmt {
	if m.one(3) {
		return m.operation()
	}
	return &stmt{kind: assign, dst: m.local(), x: m.expr()}
}

// later makes something that reads its things when it is used, and uses it: all under
// the lock of the things, or they are the thread's own.
func (m *maker) later() []*stmt {
	if m.lates {
		return m.simples(1)
	}
	m.lates = true
	l := late(m.IntN(int(lates)))
	place := own
	if m.one(2) {
		place = underMutex + m.IntN(2)
	}
	m.guarded, m.reading = place, place == underRW
	list := []*stmt{{kind: makes, dst: -1, late: l, place: place}, m.simple(), {kind: uses, late: l, place: place, dst: m.local()}}
	if (l == values || l == backward) && m.one(2) {
		list[2].body = []*stmt{{kind: operate, op: m.loads(m.IntN(flag)), dst: (list[2].dst + 1) % locals}}
	}
	m.guarded, m.reading = own, false
	if place == own {
		return list
	}
	return []*stmt{{kind: locked, dst: -1, lock: []lock{mutex, reader}[place], body: list}}
}

// child has the last thread started by another.
func (m *maker) child() {
	th := m.p.Threads[len(m.p.Threads)-1]
	parent := m.p.Threads[m.IntN(len(m.p.Threads)-1)]
	if len(m.p.Threads) < 3 {
		th = &Thread{}
		m.begin(th)
		m.p.Threads = append(m.p.Threads, th)
		th.Body = m.free(1 + m.IntN(2))
		m.shows()
		parent = m.p.Threads[m.IntN(2)]
	}
	th.Child = true
	start := &stmt{kind: starts, dst: -1, child: len(m.p.Threads) - 1, form: m.IntN(3)}
	th.Grouped = start.form == 1
	m.insert(parent, []*stmt{start})
	if th.Grouped && m.one(2) {
		parent.Body = append(parent.Body, &stmt{kind: joins, dst: -1})
	}
}

// expose has two threads make calls that conflict, at least one of them without the lock, or
// has one use an iterator or a buffer when its lock was given back.
func (m *maker) expose() {
	place := underMutex + m.IntN(2)
	var a, b *stmt
	m.guarded = place
	for {
		a, b = m.call(place), m.call(place)
		if surely, _ := a.call.accesses.race(b.call.accesses); surely && a.call.fields != "" && b.call.fields != "" {
			break
		}
	}
	m.guarded = own
	first, second := []*stmt{a}, []*stmt{b}
	under := &stmt{kind: locked, dst: -1, lock: []lock{mutex, writer}[place]}
	if m.one(2) {
		under.body, first = first, []*stmt{under}
	}
	if l := late(m.IntN(int(lates))); m.one(3) {
		make := &stmt{kind: makes, dst: -1, late: l, place: place}
		under := &stmt{kind: locked, dst: -1, lock: []lock{mutex, reader}[place], body: []*stmt{make}}
		second = []*stmt{under, {kind: uses, late: l, place: place, dst: m.local()}}
	}
	all := m.p.Threads
	from := m.IntN(len(all))
	m.insert(all[from], first)
	m.insert(all[(from+1)%len(all)], second)
}

// insert puts statements somewhere into a thread, next to one another.
func (m *maker) insert(th *Thread, list []*stmt) {
	at := m.IntN(len(th.Body) + 1)
	th.Body = append(th.Body[:at:at], append(list, th.Body[at:]...)...)
}

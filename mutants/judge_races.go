package mutants

// The detection of data races: each of these misses races, or reports some that are
// none. The witness is the engine's table of accesses with and without what orders them.
var raceDetection = []Judge{
	// What orders accesses, ordered.go.
	racing("J-36", "a Store passes on what was released before it as well",
		"ordered.go", "memoryOrder.pass", `	case object.Store:
		o.Clock = *now`, `	case object.Store:
		o.Join(now, width)`),
	racing("J-37", "RUnlock releases nothing",
		"ordered.go", "memoryOrder.pass", `		p.readers(o).Join(now, width)
`, ``),
	racing("J-38", "RUnlock releases to readers, too",
		"ordered.go", "memoryOrder.pass", `		p.readers(o).Join(now, width)
`, `		p.readers(o).Join(now, width)
		o.Join(now, width)
`),
	racing("J-39", "a go statement orders nothing",
		"ordered.go", "memoryOrder.start", `		*c = o.now[parent]
`, ``),
	racing("J-40", "what is done after a go statement comes before the new thread",
		"ordered.go", "memoryOrder.start", `		o.now[parent][parent]++
`, ``),
	racing("J-41", "what is done after a Store comes before who reads it",
		"ordered.go", "releases", `case object.Store, object.Swap,`, `case object.Swap,`),
	racing("J-42", "what is done after a release comes before who acquires it",
		"ordered.go", "scheduler.orderPlain", `		now[t.ID]++`, `		_ = now`),
	racing("J-43", "a Load acquires nothing",
		"ordered.go", "scheduler.orderPlain", `if ev.Kind == object.Load {`, `if false {`),
	racing("J-44", "a Load acquires after its access has been checked",
		"ordered.go", "scheduler.orderPlain", `	if ev.Kind == object.Load {
		now.Join(&p.object(ev.Loc).Clock, s.Width)
	}
	epoch`, `	if ev.Kind == object.Load {
		defer now.Join(&p.object(ev.Loc).Clock, s.Width)
	}
	epoch`),
	racing("J-45", "a Swap acquires nothing",
		"ordered.go", "memoryOrder.pass", `		now.Join(&o.Clock, width)
		if released {`, `		if released {`),
	racing("J-46", "a CompareAndSwap that failed releases",
		"ordered.go", "releases", `		return ev.Write
`, `		return true
`),
	racing("J-47", "a TryLock that failed acquires",
		"ordered.go", "memoryOrder.pass", `if ev.Write {`, `if true {`),
	racing("J-48", "a TryRLock that failed acquires",
		"ordered.go", "memoryOrder.pass", `	case object.TryRLock:
		if ev.Read != ev.Wrote {`, `	case object.TryRLock:
		if true {`),
	racing("J-49", "a TryLock of a RWMutex acquires nothing of readers",
		"ordered.go", "memoryOrder.pass", `			now.Join(p.readers(o), width)
`, ``),
	racing("J-50", "a writer that waited for readers comes after none of them",
		"ordered.go", "memoryOrder.pass", `	case object.WLock, object.WDrain:
		now.Join(&o.Clock, width)
		now.Join(p.readers(o), width)`, `	case object.WLock, object.WDrain:
		now.Join(&o.Clock, width)`),
	racing("J-51", "a Wait acquires nothing",
		"ordered.go", "memoryOrder.pass", `	case object.Wait:
		now.Join(&o.Clock, width)`, `	case object.Wait:`),
	racing("J-52", "an Add of more than 0 releases",
		"ordered.go", "releases", `int64(ev.Wrote-ev.Read) < 0`, `ev.Wrote != ev.Read`),
	racing("J-53", "a Done acquires what others released",
		"ordered.go", "memoryOrder.pass", `	case object.Unlock, object.WUnlock, object.Count:
`, `	case object.Unlock, object.WUnlock, object.Count:
		now.Join(&o.Clock, width)
`),
	racing("J-54", "an Unlock forgets the Unlocks before it",
		"ordered.go", "memoryOrder.pass", `			o.Join(now, width)
`, `			o.Clock = *now
`),
	racing("J-55", "a release to a cell keeps what was released to it before",
		"ordered.go", "Release", `s.plain.cell(cell).Clock = *now`, `s.plain.cell(cell).Clock.Join(now, s.Width)`),
	racing("J-56", "what is done after a release to a cell comes before who acquires it",
		"ordered.go", "Release", `		now[s.running.ID]++
`, ``),
	racing("J-57", "an execution begins with the order that the one before has left",
		"ordered.go", "memoryOrder.reset", `o.objects, o.byReaders = o.objects[:0], o.byReaders[:0]
`, ``),

	// What accesses race, plain.go.
	racing("J-58", "accesses to different bytes of a word race",
		"plain.go", "bytesOf", `	bytes := uint8(0xff)
`, `	return 0xff
	bytes := uint8(0xff)
`),
	racing("J-59", "an access beside an atomic one races with none",
		"plain.go", "role.races", `if r.plain() || o.plain() {`, `if r.plain() && o.plain() {`),
	racing("J-60", "an atomic Load is taken for a write",
		"ordered.go", "roleOf", `		return atomicRead`, `		return atomicWrite`),
	racing("J-61", "a CompareAndSwap that failed is taken for a read",
		"ordered.go", "roleOf", `case ev.Kind == object.Load:`, `case ev.Kind == object.Load, ev.Kind == object.CompareAndSwap && !ev.Write:`),
	racing("J-62", "an Add of a WaitGroup that is not empty races with a Wait",
		"ordered.go", "roleOf", `ev.Kind == object.Count && ev.Read == 0 && `, `ev.Kind == object.Count && `),
	racing("J-63", "an Add of an empty WaitGroup races with no Wait",
		"plain.go", "role.races", `return r == groupAdd && o == groupWait || r == groupWait && o == groupAdd`, `return false`),
	racing("J-64", "a read takes the place of a write of its thread",
		"lazy.go", "shadowWord.put", ` && c.role == mine.role && c.loc`, ` && c.loc`),
	racing("J-65", "an access takes the place of one that it covers in part",
		"lazy.go", "shadowWord.put", ` && c.bytes&^mine.bytes == 0 && `, ` && `),
	racing("J-66", "a read of much takes the place of a write of much",
		"plain.go", "plainState.stretch", ` && c.thread == mine.thread && c.role == mine.role && !`, ` && c.thread == mine.thread && !`),
	racing("J-67", "an access to much takes the place of one that it covers in part",
		"plain.go", "plainState.stretch", `if c.first >= first && c.last <= last &&`, `if c.first <= last && c.last >= first &&`),
	racing("J-68", "an access to much is not held against those to little",
		"plain.go", "plainState.stretch", `if w.addr < first>>3 || w.addr > last>>3 {`, `if true {`),
	racing("J-69", "an access to little is not held against those to much",
		"plain.go", "plainState.access", `for i := range p.stretches {`, `for i := range p.stretches[:0] {`),
	racing("J-70", "an operation is not held against accesses to much",
		"lazy.go", "plainState.occupy", ` || len(p.stretches) > 0 {`, ` {`),
	racing("J-71", "of an operation on several words only the first counts",
		"lazy.go", "plainState.occupy", `for w := first >> 3; w <= last>>3; w++ {`, `for w := first >> 3; w <= first>>3; w++ {`),
	racing("J-72", "a store in a buffer is an access of the buffer, not of its thread",
		"lazy.go", "scheduler.accessOf", `o != nil {`, `o != nil && false {`),
	racing("J-73", "what is done after a store in a buffer comes before who sees it",
		"tso.go", "Buffer", `	s.plain.now[t.ID][t.ID]++
`, ``),
	racing("J-74", "a store that leaves its buffer releases what its thread has done since",
		"tso.go", "scheduler.flush", `s.plain.now[f.ID] = b.plain`, `s.plain.now[f.ID] = s.plain.now[t.ID]`),
	racing("J-75", "words of different sizes that overlap are taken for two",
		"plain.go", "scheduler.meets", `then.loc != now.loc:`, `false:`),
	racing("J-76", "the accesses of an execution are held against those of the next",
		"plain.go", "plainState.shadow", `p.words[i].cells[:0], p.words[i].occupants[:0]`, `p.words[i].cells, p.words[i].occupants[:0]`),
	racing("J-77", "a thread begins with the order that one of the execution before had",
		"ordered.go", "memoryOrder.start", `	*c = order.Clock{}
`, ``),

	// Operations in the shadow, lazy.go.
	racing("J-78", "what operations did before somebody else came is not put into the shadow",
		"lazy.go", "plainState.noteAll", `		p.note(s, loc)
`, `		_ = loc
`),
	racing("J-79", "an object over another's bytes is not noticed",
		"lazy.go", "plainState.occupy", `free = free && other.bytes&bytes == 0`, `free = free && other.bytes > 0`),
	racing("J-80", "only the last operation of an object is put into the shadow",
		"lazy.go", "plainState.note", `for n := len(p.own) - 1; n >= 0; n-- {`, `for n := 0; n == 0; n-- {`),
	racing("J-81", "an operation that works on other bytes of its object is not noted",
		"lazy.go", "plainState.occupy", `return o.words > 0 && o.at == at`, `return o.words > 0`),
	racing("J-82", "operations are put into the shadow with the order that their threads have reached",
		"lazy.go", "plainState.note", `s.accessOf(ev, p.epochs[p.own[n]])`, `s.accessOf(ev, p.epochs[p.own[0]])`),
}

// racing is a change of the detection of races that the engine's own table of programs
// must see.
func racing(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: engine(file, fn, old, new),
		Room: "./interleave/internal/engine", Tests: "^Test(Races|RacesOfOneExecution|BufferedAccess|Overlap)$",
	}
}

package mutants

// The detection of data races: each of these misses races, or reports some that are
// none. The witness is the engine's table of accesses with and without what orders them.
var raceDetection = []Judge{
	// What orders accesses, ordered.go.
	racing("J-101", "a Store passes on what was released before it as well",
		"ordered.go", "order.pass", `	case Store:
		o.clock = *now`, `	case Store:
		o.join(now, width)`),
	racing("J-102", "RUnlock releases nothing",
		"ordered.go", "order.pass", `		p.readers(o).join(now, width)
`, ``),
	racing("J-103", "RUnlock releases to readers, too",
		"ordered.go", "order.pass", `		p.readers(o).join(now, width)
`, `		p.readers(o).join(now, width)
		o.join(now, width)
`),
	racing("J-104", "a go statement orders nothing",
		"ordered.go", "order.start", `		*c = o.now[parent]
`, ``),
	racing("J-105", "what is done after a go statement comes before the new thread",
		"ordered.go", "order.start", `		o.now[parent][parent]++
`, ``),
	racing("J-106", "what is done after a Store comes before who reads it",
		"ordered.go", "releases", `case Store, Swap,`, `case Swap,`),
	racing("J-107", "what is done after a release comes before who acquires it",
		"ordered.go", "scheduler.orderPlain", `		now[t.id]++`, `		_ = now`),
	racing("J-108", "a Load acquires nothing",
		"ordered.go", "scheduler.orderPlain", `if ev.kind == Load {`, `if false {`),
	racing("J-109", "a Load acquires after its access has been checked",
		"ordered.go", "scheduler.orderPlain", `	if ev.kind == Load {
		now.join(&p.object(ev.loc).clock, s.width)
	}
	if touched`, `	if ev.kind == Load {
		defer now.join(&p.object(ev.loc).clock, s.width)
	}
	if touched`),
	racing("J-110", "a Swap acquires nothing",
		"ordered.go", "order.pass", `		now.join(&o.clock, width)
		if released {`, `		if released {`),
	racing("J-111", "a CompareAndSwap that failed releases",
		"ordered.go", "releases", `		return ev.write
`, `		return true
`),
	racing("J-112", "a TryLock that failed acquires",
		"ordered.go", "order.pass", `if ev.write {`, `if true {`),
	racing("J-113", "a TryRLock that failed acquires",
		"ordered.go", "order.pass", `	case TryRLock:
		if ev.read != ev.wrote {`, `	case TryRLock:
		if true {`),
	racing("J-114", "a TryLock of a RWMutex acquires nothing of readers",
		"ordered.go", "order.pass", `			now.join(p.readers(o), width)
`, ``),
	racing("J-115", "a writer that waited for readers comes after none of them",
		"ordered.go", "order.pass", `	case WLock, WDrain:
		now.join(&o.clock, width)
		now.join(p.readers(o), width)`, `	case WLock, WDrain:
		now.join(&o.clock, width)`),
	racing("J-116", "a Wait acquires nothing",
		"ordered.go", "order.pass", `	case Wait:
		now.join(&o.clock, width)`, `	case Wait:`),
	racing("J-117", "an Add of more than 0 releases",
		"ordered.go", "releases", `int64(ev.wrote-ev.read) < 0`, `ev.wrote != ev.read`),
	racing("J-118", "a Done acquires what others released",
		"ordered.go", "order.pass", `	case Unlock, WUnlock, Count:
`, `	case Unlock, WUnlock, Count:
		now.join(&o.clock, width)
`),
	racing("J-119", "an Unlock forgets the Unlocks before it",
		"ordered.go", "order.pass", `			o.join(now, width)
`, `			o.clock = *now
`),
	racing("J-120", "a release to a cell keeps what was released to it before",
		"ordered.go", "Release", `s.plain.cell(cell).clock = *now`, `s.plain.cell(cell).clock.join(now, s.width)`),
	racing("J-121", "what is done after a release to a cell comes before who acquires it",
		"ordered.go", "Release", `		now[s.running.id]++
`, ``),
	racing("J-122", "an execution begins with the order that the one before has left",
		"ordered.go", "order.reset", `o.objects, o.byReaders = o.objects[:0], o.byReaders[:0]
`, ``),

	// What accesses race, plain.go.
	racing("J-123", "accesses to different bytes of a word race",
		"plain.go", "bytesOf", `	bytes := uint8(0xff)
`, `	return 0xff
	bytes := uint8(0xff)
`),
	racing("J-124", "an access beside an atomic one races with none",
		"plain.go", "role.races", `if r.plain() || o.plain() {`, `if r.plain() && o.plain() {`),
	racing("J-125", "an atomic Load is taken for a write",
		"ordered.go", "roleOf", `		return atomicRead`, `		return atomicWrite`),
	racing("J-126", "a CompareAndSwap that failed is taken for a read",
		"ordered.go", "roleOf", `case ev.kind == Load:`, `case ev.kind == Load, ev.kind == CompareAndSwap && !ev.write:`),
	racing("J-127", "an Add of a WaitGroup that is not empty races with a Wait",
		"ordered.go", "roleOf", `ev.kind == Count && ev.read == 0 && `, `ev.kind == Count && `),
	racing("J-128", "an Add of an empty WaitGroup races with no Wait",
		"plain.go", "role.races", `return r == groupAdd && o == groupWait || r == groupWait && o == groupAdd`, `return false`),
	racing("J-129", "a read takes the place of a write of its thread",
		"plain.go", "plainState.check", `if c.role == mine.role && c.loc`, `if c.loc`),
	racing("J-130", "an access takes the place of one that it covers in part",
		"plain.go", "plainState.check", ` && c.bytes&^mine.bytes == 0 {`, ` {`),
	racing("J-131", "a read of much takes the place of a write of much",
		"plain.go", "plainState.stretch", ` && c.thread == mine.thread && c.role == mine.role {`, ` && c.thread == mine.thread {`),
	racing("J-132", "an access to much takes the place of one that it covers in part",
		"plain.go", "plainState.stretch", `if c.first >= first && c.last <= last &&`, `if c.first <= last && c.last >= first &&`),
	racing("J-133", "an access to much is not held against those to little",
		"plain.go", "plainState.stretch", `if w.addr < first>>3 || w.addr > last>>3 {`, `if true {`),
	racing("J-134", "an access to little is not held against those to much",
		"plain.go", "plainState.access", `for i := range p.stretches {`, `for i := range p.stretches[:0] {`),
	racing("J-135", "an operation is not held against accesses to much",
		"ordered.go", "plainState.touch", `|| len(p.stretches) > 0 {`, `{`),
	racing("J-136", "of an operation on several words only the first counts",
		"ordered.go", "plainState.touch", `first>>3 != last>>3 || len(p.stretches) > 0 {`, `len(p.stretches) > 0 {`),
	racing("J-137", "a store in a buffer is an access of the buffer, not of its thread",
		"ordered.go", "scheduler.orderPlain", `if t.owner != nil {`, `if false {`),
	racing("J-138", "what is done after a store in a buffer comes before who sees it",
		"tso.go", "Buffer", `	s.plain.now[t.id][t.id]++
`, ``),
	racing("J-139", "a store that leaves its buffer releases what its thread has done since",
		"tso.go", "scheduler.flush", `s.plain.now[f.id] = b.plain`, `s.plain.now[f.id] = s.plain.now[t.id]`),
	racing("J-140", "words of different sizes that overlap are taken for two",
		"plain.go", "scheduler.meets", `then.loc != now.loc:`, `false:`),
	racing("J-141", "the accesses of an execution are held against those of the next",
		"plain.go", "plainState.shadow", `			p.words[i].cells = p.words[i].cells[:0]
`, ``),
	racing("J-142", "a thread begins with the order that one of the execution before had",
		"ordered.go", "order.start", `	*c = clock{}
`, ``),
}

// racing is a change of the detection of races that the engine's own table of programs
// must see.
func racing(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: engine(file, fn, old, new),
		Room: "./interleave/internal/engine", Tests: "^Test(Races|RacesOfOneExecution|BufferedAccess|Overlap)$",
	}
}

package runqueue

// A Model is a configuration with the name of its twin in tla/cfg.
type Model struct {
	Name   string
	Module string // of tla that the twin configures
	Config Config
	// Symmetric says that the twin has SYMMETRY: see [Machine.Symmetric].
	Symmetric bool
	// Check are the invariants that the twin checks; the order decides which is blamed
	// where several fall.
	Check []string
}

// The invariants that most configurations check: of states, and of answers.
var (
	states  = []string{"Bounded", "NoHole", "QueueIsFull", "RoomForLoot", "Linked", "GlobalShare", "Exact"}
	answers = invariantNames
)

func each(n int, ops ...Op) [][]Op {
	all := make([][]Op, n)
	for i := range all {
		all[i] = ops
	}
	return all
}

// Calls of scripts, for short.
func put(g int) Instr          { return Instr{Op: Put, Gs: []int{g}} }
func putNext(g int) Instr      { return Instr{Op: PutNext, Gs: []int{g}} }
func putBatch(gs ...int) Instr { return Instr{Op: PutBatch, Gs: gs} }
func globPut(g int) Instr      { return Instr{Op: GlobalPut, Gs: []int{g}} }
func globGet(most int) Instr   { return Instr{Op: GlobalGet, Most: most} }
func steal(v int) Instr        { return Instr{Op: Steal, Victim: v} }

var (
	get   = Instr{Op: Get}
	drain = Instr{Op: Drain}
)

func script(name string, capacity, start, gs int, scripts ...[]Instr) Model {
	return Model{
		Name: "runqueue-script-" + name, Module: "MCRunQueueScripts",
		Config: Config{Ps: len(scripts), Gs: gs, Capacity: capacity, Wrap: 8, Start: start, Batch: 1, Scripts: scripts},
		Check:  states,
	}
}

// Models are the configurations of tla/cfg that this machine explores as well.
func Models() []Model {
	free := func(name, module string, c Config) Model {
		c.Model, c.Wrap, c.Start, c.Batch = true, 4*c.Capacity, 4*c.Capacity-c.Capacity/2, max(1, c.Batch)
		check := states
		if c.Calls {
			check = answers
		}
		return Model{Name: "runqueue-" + name, Module: module, Config: c, Symmetric: true, Check: check}
	}
	rings := []Op{Put, Get, Steal}
	drains := []Op{Put, PutNext, Drain, Steal, GlobalPut}
	loners := Model{Name: "runqueue-loners", Module: "MCRunQueue", Config: Config{
		Ps: 2, Gs: 3, Loners: []int{1}, Capacity: 4, Wrap: 16, Start: 14, MaxPuts: 4, Batch: 1,
		Free: [][]Op{{Put, PutNext, Drain}, {Steal, StealNext, GlobalPut}},
	}, Check: states}
	room := script("room", 4, 0, 6, []Instr{put(1), put(2), put(3)}, []Instr{put(4), put(5), put(6), steal(0)})
	room.Config.Wrap, room.Check = 16, []string{"QueueIsFull", "RoomForLoot"}
	return []Model{
		free("2p2", "MCRunQueue", Config{Ps: 2, Gs: 3, Capacity: 2, MaxPuts: 4, Free: each(2, Put, PutNext, Get, Steal, StealNext)}),
		free("cap4", "MCRunQueue", Config{Ps: 2, Gs: 4, Capacity: 4, MaxPuts: 5, Free: each(2, rings...)}),
		free("cap4-overflow", "MCRunQueue", Config{Ps: 2, Gs: 5, Capacity: 4, MaxPuts: 5, Free: each(2, Put, Steal)}),
		free("3p", "MCRunQueue", Config{Ps: 3, Gs: 3, Capacity: 2, MaxPuts: 3, Free: each(3, rings...)}),
		free("batches", "MCRunQueue", Config{Ps: 2, Gs: 4, Capacity: 2, MaxPuts: 7, Batch: 3, Free: each(2, PutBatch, Get, GlobalPut, Steal)}),
		free("global", "MCRunQueue", Config{Ps: 2, Gs: 3, Capacity: 4, MaxPuts: 6, Batch: 2, Free: each(2, GlobalPut, GlobalGet, Get, Steal)}),
		free("drain", "MCRunQueue", Config{Ps: 2, Gs: 3, Capacity: 2, MaxPuts: 4, Free: each(2, drains...)}),
		free("length", "MCRunQueue", Config{Ps: 2, Gs: 2, Capacity: 2, MaxPuts: 3, Free: each(2, Put, PutNext, Get, StealNext, Len)}),
		loners,
		free("empty", "MCRunQueueCalls", Config{Ps: 2, Gs: 2, Capacity: 2, MaxPuts: 3, Calls: true, Free: each(2, Put, PutNext, Get, Steal, Empty)}),
		free("answers", "MCRunQueueCalls", Config{Ps: 2, Gs: 2, Capacity: 2, MaxPuts: 3, Calls: true, Free: each(2, Put, PutNext, Get, StealNext, Len)}),
		free("drains", "MCRunQueueCalls", Config{Ps: 2, Gs: 2, Capacity: 2, MaxPuts: 4, Calls: true, Free: each(2, drains...)}),
		free("halves", "MCRunQueueCalls", Config{Ps: 2, Gs: 3, Capacity: 4, MaxPuts: 4, Calls: true, Free: each(2, rings...)}),
		script("steal", 2, 7, 3, []Instr{put(1), put(2), get, put(3), get}, []Instr{steal(0), steal(0)}),
		script("empty", 4, 0, 2, []Instr{putNext(1), putNext(2), get}, []Instr{{Op: Empty}}),
		script("overflow", 2, 0, 6, []Instr{put(1), put(2), put(3)}, []Instr{put(4), put(5), put(6)}),
		script("kick", 2, 0, 4, []Instr{put(1), put(2), putNext(3), putNext(4)}, []Instr{{Op: StealNext}}),
		script("drain", 4, 0, 2, []Instr{putNext(1), put(2), drain}, []Instr{{Op: StealNext}}),
		script("global", 4, 0, 2, []Instr{globPut(1), globPut(2), globGet(2), get}, []Instr{globGet(1)}),
		script("batch", 2, 0, 3, []Instr{putBatch(1, 2, 3)}, []Instr{steal(0)}),
		script("loot", 4, 0, 3, []Instr{put(1), put(2), put(3)}, []Instr{steal(0), get}, []Instr{steal(1)}),
		room,
	}
}

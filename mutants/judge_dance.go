package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The follower, which holds executions of the scheduler against the model of the dance: each of these
// takes something for a step of the machine that is none.
var ofDance = []Judge{
	follows("J-2050", "what a word held is not compared",
		"conformance/trace/dance_observe.go", "observer.observe", `if s.Read != *v {`, `if false {`),
	follows("J-2051", "what words hold after a step is not compared",
		"conformance/trace/dance_stand.go", "rules.Seen", `if o.agree(&to.s) && r.about(`, `if r.about(`),
	follows("J-2052", "an operation that is a step may be none",
		"conformance/trace/dance_stand.go", "rules.Seen", `if o.mode != must { // no step`, `if true {`),
	follows("J-2053", "what an M does by itself at the end may be left out",
		"conformance/trace/dance_stand.go", "rules.rests", `!sched.Chosen(edge.Step.Action)`, `false`),
	tied("J-2278", "forEachP need not look at each P",
		"observer.safeTake", `	case seen && !again:`, `	case seen && again:`),
	tied("J-2279", "a P that forEachP takes when it looks again is not taken in the machine",
		"observer.safeTake", `		o.mode, o.take[0], o.take[1] = must, b.d.safeAgain, b.d.safeStale`, ``),
	follows("J-2054", "a section may end in the middle",
		"conformance/trace/dance_stand.go", "rules.outside", `return e.pending[t] == 0 && e.s.Locked() != int(e.of[t])`, `return true`),
	follows("J-2055", "a section may begin before its time",
		"conformance/trace/dance_stand.go", "rules.Seen", `begun := o.mode != postpone`, `begun := true`),
	follows("J-2056", "the lock may be taken while somebody has it",
		"conformance/trace/dance_observe.go", "observer.observe", `if free := b.holder < 0; (s.Kind == "Lock") != free || !free && b.holder != s.Thread {`, `if false {`),
	follows("J-2057", "a line may be on another word than the source has",
		"conformance/trace/dance_observe.go", "observer.observe", `if name == at.field && kind != int(lockWord)`, `if false && name == at.field && kind != int(lockWord)`),
	follows("J-2058", "a swap that fails may have changed something",
		"conformance/trace/dance_observe.go", "observer.observe", `if s.Kind == "CompareAndSwap" && s.Changed && s.Read == s.Wrote {`, `if false {`),
	follows("J-2059", "an operation that differs is taken for that of the execution before",
		"conformance/trace/dance.go", "Dance.Follow", `d.last[at] == o && `, ``),
	{ID: "J-2060", Title: "invariants of the machine are not looked at on the way",
		Edits: []overlay.Edit{{File: "conformance/trace/dance.go", Func: "Dance.breaks", Old: `if !c.Holds(&e.s) {`, New: `if false && !c.Holds(&e.s) {`}},
		Room:  "./impl/sched", Tests: "^TestTieShipped$"},
	{ID: "J-2061", Title: "who goes back stays where he was",
		Edits: []overlay.Edit{{File: "spec/follow/follow.go", Func: "Follower.Back", Old: `f.layers = f.layers[:n+1]`, New: ``}},
		Room:  "./spec/follow", Tests: "^TestFollower$"},
	{ID: "J-2062", Title: "a silent step is taken once at most",
		Edits: []overlay.Edit{{File: "spec/follow/follow.go", Func: "Advance", Old: `for i := 0; i < len(tried); i++ {`, New: `for i := 0; i < len(now); i++ {`}},
		Room:  "./spec/follow", Tests: "^TestFollower$"},
	{ID: "J-2063", Title: "a set may grow without end",
		Edits: []overlay.Edit{{File: "spec/follow/follow.go", Func: "Advance", Old: `if len(tried) > Most {`, New: `if len(tried) > 2*Most {`}},
		Room:  "./spec/follow", Tests: "^TestMany$"},
	{ID: "J-2067", Title: "what the machine does under the lock unseen may change words",
		Edits: []overlay.Edit{{File: "conformance/trace/dance_stand.go", Func: "rules.Silent", Old: `if o.writes != 0 || to.s.Words() == e.s.Words() { // else it is seen`, New: `if true {`}},
		Room:  "./impl/sched", Tests: "^TestTieShipped$"},
	follows("J-2068", "a G that is to wake may be left where it is",
		"conformance/trace/dance_stand.go", "rules.Seen", `if o.writes != resizes && !r.timely(e, o) {`, `if false {`),
	follows("J-2069", "who polls may come back for no reason",
		"conformance/trace/dance_observe.go", "observer.dance", `o.closes, o.take = polls, [8]uint8{}`, `o.take = [8]uint8{}`),
	{ID: "J-2070", Title: "nobody sees that who polls was told",
		Edits: []overlay.Edit{{File: "conformance/trace/dance_observe.go", Func: "observer.dance", Old: `o.closes, o.take = breaks, [8]uint8{}`, New: `o.take = [8]uint8{}`}},
		Room:  "./impl/sched", Tests: "^TestTie$/^sleep_beside_work$"},
	follows("J-2071", "a look at timers that finds none may be left out, or made twice",
		"conformance/trace/dance_observe.go", "observer.dance", `case s.Read == 0:
			o.mode = must`, `case s.Read == 0:
			o.mode = may`),
	follows("J-2072", "a P that lies with an M in a syscall is not compared",
		"spec/sched/words.go", "State.Words", `w.Insyscall[t.myp-1] = true`, `_ = t`),
	{ID: "J-2081", Title: "words are not compared while a section writes them, nor afterwards",
		Edits: []overlay.Edit{{File: "conformance/trace/dance_observe.go", Func: "observer.section", Old: `		b.writes = 0`, New: `		b.writes += 0`}},
		Room:  "./impl/sched", Tests: "^TestTie$/^from_two_Ps_to_one_and_back$"},
	follows("J-2082", "who stops the world may leave out what it has to do",
		"conformance/trace/dance_stand.go", "rules.Silent", `case "StopIdle":
			r.steps(e, int(m), r.d.stopIdle, add)`, `case "StopIdle", "StopNpidle":
			r.steps(e, int(m), r.d.stopIdle, add)
			r.steps(e, int(m), r.d.actions["StopNpidle"], add)`),
	{ID: "J-2083", Title: "nobody looks whether the world is to stop",
		Edits: []overlay.Edit{{File: "conformance/trace/dance_stand.go", Func: "rules.Silent", Old: `if !r.d.has("stw") { // else it is seen`, New: `if true {`}},
		Room:  "./impl/sched", Tests: "^TestTieDamage$"},
	records("J-2076", "a recorded operation that the machine lacks is passed over",
		"conformance/trace/dance_log.go", "DanceLog.See", `case next == 0:`, `case next == 0 && l.Operations > 0:
		return nil
	case next == 0:`),
	records("J-2077", "a write may come before reads of what it overwrites",
		"conformance/trace/recording/recording.go", "Merge", `k < len(o.loads) && o.loads[k] > 0`, `false && k < 0`),
	records("J-2078", "a run may end with somebody on his way",
		"conformance/trace/dance_log.go", "DanceLog.End", `if next == 0 || l.b.holder >= 0 {`, `if next == 0 && l.d == nil {`),
	records("J-2079", "what follows a set of states is the same, whatever is seen",
		"conformance/trace/dance_log.go", "DanceLog.step", `key := [2]uint32{l.set, seen}`, `key := [2]uint32{l.set, 0}`),
	counts("J-2064", "the machine looks at queues again in any order, which the code does not",
		"dance_guide.go", "DanceProgram.allows", `return d.inTurn(&s.s, &e.To, m)`, `return true`),
	counts("J-2065", "the machine's program is not that of the scene: who is alone ends before there is another",
		"dance_guide.go", "DanceProgram.allows", `return action == d.ready || !ok || s.chosen[first] > 0`, `return first >= 0`),
	counts("J-2066", "all edges are covered from the start",
		"dance_cover.go", "NewDanceCover", `c.edges[danceEdge{from, to, e.Step.Action}] = false`, `c.edges[danceEdge{from, to, e.Step.Action}] = true`),
	counts("J-2080", "the machine's ExitTry looks at what the code's does not",
		"dance_guide.go", "DanceProgram.allows", `return e.To.At(m) == "ExitGet" == (s.s.Words().Npidle > 0)`, `return true`),
	guides("J-2091", "the world is left while it holds a lock", "DanceProgram.reach", `			held = true
`, `			held = false
`),
	guides("J-2092", "an M's thread is named after the first M, whoever has started it", "DanceProgram.Guide",
		`letters[i] = fmt.Sprintf("%s-%d", letters[m], started[m])`, `letters[i] = fmt.Sprint("a", started[m])`),
}

// guides is one that counterexamples must show.
func guides(id, title, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: []overlay.Edit{{File: "conformance/trace/dance_guide.go", Func: fn, Old: old, New: new}},
		Room: "./impl/sched", Tests: "^TestTieCounterexample$"}
}

// counts is one of the count of edges.
func counts(id, title, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: []overlay.Edit{{File: "conformance/trace/" + file, Func: fn, Old: old, New: new}},
		Room: "./impl/sched", Tests: "^TestTieScopes$"}
}

// records is one that recorded runs must show.
func records(id, title, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: []overlay.Edit{{File: file, Func: fn, Old: old, New: new}}, Room: "./impl/sched", Tests: "^TestTieRecorded$"}
}

// follows is one that damaged executions must show.
func follows(id, title, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: []overlay.Edit{{File: file, Func: fn, Old: old, New: new}}, Room: "./impl/sched", Tests: "^TestTieDamage$"}
}

// tied is a mutant of how the follower sees forEachP, that the scene with a syscall must see.
func tied(id, title, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: []overlay.Edit{{File: "conformance/trace/dance_observe.go", Func: fn, Old: old, New: new}},
		Room: "./impl/sched", Tests: "^TestTie$/^each_P_beside_a_syscall$"}
}

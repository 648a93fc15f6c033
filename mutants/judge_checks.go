package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// The checks of queues and the driver: each of these takes a plan for carried out that
// was not, blames a queue for what it did not do, or overlooks what it did.
var checking = []Judge{
	// How a check is carried out.
	carries("J-1046", "a witness that came to no verdict is an error", "^TestHowAScenarioEnds$",
		"Inconclusive, Reason: doubt.Error()", "Error, Reason: doubt.Error()"),
	carries("J-1047", "a plan is not made longer for what must be seen", "^TestMoreScenarios",
		`i < 10*c.scenarios && c.drawn() && w.short() != ""`, `false`),
	carries("J-1048", "what must be seen need not be", "^TestObservationsThatNeverCome$",
		`if why := w.short(); why != "" {`, `if why := w.short(); false {`),
	carries("J-1049", "a plan is not made longer for what findings cut short", "^TestWhatAFindingCutsShort$",
		`i < 2*c.scenarios && c.drawn() && w.lags()`, `false`),
	sees("J-1050", "a list is run on behind its end", "^Test(WhatAFindingCutsShort|ListEnds)$",
		"check.go", "check.drawn", `return !c.complete && c.enumerates == nil`, `return true`),
	carries("J-1051", "what findings cut short is kept", "^TestWhatAFindingCutsShort$",
		`	if w.lags() {`, `	if false {`),
	carrying("J-1052", "a check that was stopped is complete", "^TestRunsOwnEnd$",
		"work.ended", `w.out.Complete = w.out.Complete && how.Ended == suite.Completed`, `_ = how`),
	carrying("J-1053", "calls count that were not judged", "^TestWhatAFindingCutsShort$",
		"work.scenario", `				w.out.Judged[id] += n
			}`, `			}
			w.out.Judged[id] += n`),
	carrying("J-1054", "a scenario counts for a requirement that it was not judged by", "^TestWhatAFindingCutsShort$",
		"work.scenario", `			w.whole[id]++
		} else {`, `			w.whole[id]++
		} else if w.whole[id]++; true {`),
	carrying("J-1055", "a pause of the machine is taken for a hang", "^TestHowAScenarioEnds$",
		"work.judge", `if h, err = w.run(ctx, s); err == nil {`, `second = hang
		if false {`),
	carrying("J-1056", "a hang that comes again is not found", "^TestHowAScenarioEnds$",
		"work.judge", `case second != nil:`, `case false:`),
	carrying("J-1057", "a crash is the harness's error", "^TestHowAScenarioEnds$",
		"work.judge", `case errors.As(err, &crash):`, `case false:`),
	carrying("J-1058", "the end of the run is a finding", "^TestRunsOwnEnd$",
		"work.run", `if ctx.Err() != nil {`, `if ctx.Err() == nil && false {`),
	carrying("J-1059", "a target says what it was asked", "^TestHistoryOfAnotherScenario$",
		"work.run", `h.Scenario = s // whatever`, `// whatever`),
	carrying("J-1060", "answers to what was not asked count", "^TestHistoryOfAnotherScenario$",
		"work.run", `bad = h.Answers() // what`, `// what`),
	carrying("J-1061", "what lies in the queues at the end need not be said", "^TestHistoryOfAnotherScenario$",
		"work.run", `len(h.Final.Ps) != s.Ps`, `false`),
	carrying("J-1062", "every fault of indices near their end is one of the wrap", "^TestWrapAlone$",
		"work.wrapOnly", `len(v.Findings) > 0 || err != nil`, `len(v.Findings) > 1<<20 || err != nil`),
	carrying("J-1063", "no fault is one of the wrap", "^TestWrapAlone$",
		"work.report", `w.wrapOnly(ctx, s)`, `false`),
	carrying("J-1064", "a finding comes by the scenario that first showed it", "^TestShrinksAndShows$",
		"work.shrunk", `s.Order != nil && `, `s.Order == nil && `),
	carrying("J-1326", "a shorter scenario may break a requirement in another way", "^TestShrinksToTheSame$",
		"work.shrunk", `return g.Fingerprint == f.Fingerprint`, `return g.Requirement == f.Requirement`),
	carrying("J-1065", "a finding does not say what was asked", "^TestShrinksAndShows$",
		"work.shrunk", `f.Evidence = append(f.Evidence, asked(s))`, `_ = s`),

	// What was seen, and what a requirement is about.
	sees("J-1066", "a call meets itself", "^TestOverlapping$",
		"observe.go", "spans.overlapping", ` && x.thread != s.thread`, ``),
	sees("J-1067", "a long call is not met by what begins late in it", "^TestOverlapping$",
		"observe.go", "spans.overlapping", `s.call-longest`, `s.call`),
	sees("J-1068", "calls that came before met", "^TestOverlapping$",
		"observe.go", "spans.overlapping", `x.ret >= s.call && `, ``),
	sees("J-1069", "calls that came behind met", "^TestOverlapping$",
		"observe.go", "spans.overlapping", `if x.call > s.ret {`, `if false {`),
	sees("J-1070", "a steal that found nothing is a steal", "^TestObserve$",
		"observe.go", "observe", `			if op.OK {
				steals`, `			if true {
				steals`),
	sees("J-1071", "a get of a thief is one of the owner", "^TestObserve$",
		"observe.go", "observe", `if op.OK && op.P == 0 {`, `if op.P == 0 {`),
	sees("J-1072", "every move is an overflow", "^TestObserve$",
		"observe.go", "observe", `if m.From.Object == record.Ring && m.To.Object == record.Global {`, `if m.From != m.To {`),
	sees("J-1073", "indices that come to their end have gone past it", "^TestObserve$",
		"gen.go", "passes", `slices.Max(puts) > end-start`, `slices.Max(puts) >= end-start`),
	sees("J-1074", "calls in a fixed order meet each other", "^TestObserve$",
		"observe.go", "observe", `if h.Scenario.Order != nil {`, `if false {`),
	sees("J-1075", "calls that did not return met others", "^TestObserve$",
		"observe.go", "observe", `if op.Return == 0 {`, `if false {`),
	sees("J-1076", "a queue that refuses every put has lost nothing", "^TestAbout$",
		"about.go", "about", `n[id] = took`, `n[id] = all`),
	sees("J-1077", "calls that did not return were judged", "^TestAbout$",
		"about.go", "about", `if op.Return == 0 {`, `if false {`),
	sees("J-1078", "what is taken at the end was not judged", "^TestAbout$",
		"about.go", "about", `took += int64(len(p.Ring))`, `_ = p`),
	sees("J-1079", "a steal that found nothing shows what it takes", "^TestAbout$",
		"about.go", "about", `n[id] = came[record.Steal] + came[record.StealNext]`, `n[id] = made[record.Steal] + made[record.StealNext]`),
	sees("J-1080", "a run from index 0 has judged the wrap", "^TestAbout$",
		"about.go", "about", `if passes(h) {`, `if true {`),
	sees("J-2362", "all indices end at 2^32", "^Test(Widths|PassesItsEnd)$",
		"gen.go", "below", `ends[i%len(ends)]`, `ends[0*i]`),

	// What a witness makes of a history.
	sees("J-1081", "a history whose Gs do not add up is judged by the rest", "^TestJudge$",
		"witness.go", "Judge", `v.Unjudged = "its Gs do not add up"`, `_ = vs`),
	sees("J-1082", "what is lost is not told where the machine stops first", "^TestJudge$",
		"witness.go", "Verdict.sequence", `v.add(sequential.Conserve(h), lastOps(h, vs[0].Call), "")`, `_ = h`),
	sees("J-1083", "one requirement is broken twice by one history", "^TestJudge$",
		"witness.go", "Verdict.add", `if v.has(x.Requirement) {`, `if false {`),
	sees("J-1084", "a fault hides the ones behind it", "^TestJudge$",
		"witness.go", "Verdict.linearizable", `ok := len(fresh) > 0`, `ok := false`),
	sees("J-1085", "what a fault hides was judged", "^TestJudge$",
		"witness.go", "Verdict.linearizable", `v.Unjudged = fmt.Sprintf("it was not checked beyond`, `_ = fmt.Sprintf("it was not judged beyond`),

	// The explorer as a witness.
	sees("J-1086", "an exploration that is in doubt is conclusive", "^TestUndecided$",
		"explore.go", "exploring.undecided", `case len(c.Doubts) > 0:`, `case false:`),
	sees("J-1087", "a history that was not decided is right", "^TestUndecided$",
		"explore.go", "exploring.undecided", `case x.doubt != "":`, `case false:`),
	sees("J-1088", "an exploration of what nobody saw is conclusive", "^TestExploreAll$",
		"explore.go", "exploreAll", `e.sum.Steps == 0 && part.Of == 1 {`, `e.sum.Steps < 0 && part.Of == 1 {`),
	sees("J-1089", "nobody asks whether an exploration is conclusive", "^TestExploreAll$",
		"explore.go", "exploration.scenario", `why != "" {`, `why == "?" {`),
	sees("J-1090", "nor whether that of one scenario is", "^TestExploreOne$",
		"explore.go", "Explore", `why != "" {`, `why == "?" {`),
	sees("J-2360", "state that an execution keeps is the queue's crash", "^TestExploreAll$",
		"explore.go", "exploring.unsure", `case r.Failure.Kind == interleave.LeftOver:`, `case false:`),
	sees("J-1091", "every exploration is complete", "^TestExploreAll$",
		"explore.go", "exploreAll", `e.out.Complete = e.out.Complete && !e.some && e.sum.Complete() && e.sum.Cuts.Iterations == 0 && len(e.out.Cut) == 0`, `e.out.Complete = true`),
	sees("J-1092", "what a crash cut short is kept", "^TestExploreAll$",
		"explore.go", "exploration.scenario", `if x.unjudged != "" {`, `if false {`),
	sees("J-1093", "one fault hides another", "^TestExploreAll$",
		"explore.go", "exploration.scenario", `if !x.look(past(found)) {`, `if x.look(nil) || true {`),
	{
		ID: "J-1094", Title: "calls that nobody saw accuse a queue",
		Edits:      []overlay.Edit{{File: "conformance/queue/checks/explore.go", Func: "exploring.body", Old: `if !stepped {`, New: `if !stepped && false {`}},
		Equivalent: "without a step that the explorer sees, its threads run one after another, and their calls have stamps in just that order",
	},
	sees("J-1095", "calls begin with the call before", "^TestExploreAll$|^TestExploreOne$",
		"precedence.go", "callsIn", `at[op.Thread][op.Call], at[op.Thread][op.Return-1]`, `at[op.Thread][max(0, op.Call-1)], at[op.Thread][op.Call]`),
	sees("J-1096", "a smaller scenario may break something else", "^TestExploreAll$",
		"explore.go", "exploring.smaller", `fs[0].Requirement == found[0].Requirement`, `len(fs) > 0`),

	// The driver.
	drives("J-1097", "threads never wait for each other", "^TestThreadsMeet$",
		"thread.go", "thread.loop", `made*t.stops >= stop*calls {`, `made*t.stops >= stop*calls && stop < 0 {`),
	drives("J-1098", "a thread waits for one that has gone", "^TestMeetingLetsGo$",
		"meet.go", "meeting.leave", `math.MaxInt64`, `math.MinInt64`),
	drives("J-1099", "a thread waits for ever", "^TestMeetingLetsGo$",
		"meet.go", "meeting.wait", `if waited > left {`, `if waited > time.Hour {`),
	drives("J-1000", "what is left in the queues is not taken out", "^TestFinalContentsAreFound$",
		"run.go", "Plan.Run", `if r.crash.Load() == nil {`, `if r.crash.Load() != nil {`),
	drives("J-1001", "what a queue gives for ever is taken for ever", "^TestQueueThatNeverEnds$",
		"drain.go", "Drain", `got < 2*(puts+1)`, `got < 1<<10*(puts+1)`),
	drives("J-1002", "the calls of a fixed order are in the order of their threads", "^TestOrder$",
		"drain.go", "run.history", `if r.s.Order != nil {`, `if false {`),
	drives("J-1003", "a crash is lost", "^TestCrash$",
		"thread.go", "thread.guarded", `t.crash.CompareAndSwap(nil, e)`, `_ = e`),
	drives("J-1004", "a call that hangs ends with the run", "^TestHang$",
		"run.go", "Plan.Run", `return nil, &queue.HangError{After: time.Since(begin).Round(time.Millisecond)}`, `return nil, fmt.Errorf("%w after %v", ctx.Err(), time.Since(begin))`),
	drives("J-1027", "two callers put the same ids", "^TestCallers$",
		"caller.go", "Caller.take", `*c.next++`, `_ = c`),
	drives("J-1028", "a thief's ring need have no room for its loot", "^TestRoomForLoot$",
		"caller.go", "Caller.loots", `return batch && c.own != record.None`, `return batch && c.own == record.None`),
	drives("J-1029", "a call that found nothing gave a G", "^TestCallers$",
		"caller.go", "Caller.took", `c.log.Result(false, 0, false)`, `c.log.Result(true, 0, false)`),
	drives("J-1005", "what a set lacks is seen when it is called", "^TestWhatItLacksIsNamed$",
		"run.go", "run.check", `if !ok {`, `if false {`),
}

func carries(id, title, tests, old, new string) Judge {
	return carrying(id, title, tests, "carryOut", old, new)
}

// carrying is a change of how a check of scenarios is carried out.
func carrying(id, title, tests, fn, old, new string) Judge {
	return sees(id, title, tests, "carryout.go", fn, old, new)
}

// sees is a change of what a check of queues makes of what it saw.
func sees(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "conformance/queue/checks/" + file, Func: fn, Old: old, New: new}},
		Room: "./conformance/queue/checks", Tests: tests,
	}
}

// drives is a change of how the calls are made.
func drives(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "conformance/queue/drive/" + file, Func: fn, Old: old, New: new}},
		Room: "./conformance/queue/drive", Tests: tests,
	}
}

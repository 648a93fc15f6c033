package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What a contract promises, and how it is judged: each of these reads another contract
// than was written, allows what is promised never, or asks what nobody promised.
var ofContracts = []Judge{
	// The text of a contract.
	contracted("J-1800", "a choice without a value is that of core",
		"contract.go", "ParseContract", `if value == "" {`, `if value == "?" {`),
	contracted("J-1801", "a value that nobody knows is that of core",
		"contract.go", "Contract.Whole", `if at < 0 {`, `if at = max(at, 0); at < 0 {`),
	contracted("J-1802", "a choice that nobody knows is passed over",
		"contract.go", "ParseContract", `if at < 0 {`, `if at < 0 && i >= 0 {
			continue
		}
		if at < 0 {`),
	contracted("J-1803", "of the choices that differ some are not written",
		"contract.go", "Contract.Profile", `q.index(c) != q.index(named)`, `q.index(c) > q.index(named)`),
	contracted("J-1804", "a contract has the name of the first profile, however far",
		"contract.go", "Contract.Profile", `len(differ) < best`, `false`),
	contracted("J-1805", "choices may exclude each other",
		"contract.go", "Contract.Whole", `if x.wrong {`, `if x.wrong && x.why == "" {`),
	contracted("J-1806", "a queue that grows may refuse if nothing else is said",
		"contract.go", "Contract.Whole", `(c.Bound == Exact || c.Bound == Grows) {`, `(c.Bound == Exact) {`),
	contracted("J-1807", "a profile may come after choices",
		"contract.go", "ParseContract", `if i > 0 || !known {`, `if i > 99 || !known {`),
	contracted("J-1808", "a condition heeds its first value alone",
		"contract.go", "Condition.In", `slices.Contains(q.Values, `, `slices.Contains(q.Values[:1], `),
	contracted("J-1810", "what a contract promises is all that it asks for",
		"requirement.go", "Requirement.Optional", `!fulfils(c, r.Asked)`, `fulfils(c, r.Asked)`),
	contracted("J-1811", "of several conditions one is enough",
		"requirement.go", "fulfils", `return !slices.ContainsFunc(all, func(q Condition) bool { return !q.In(c) })`, `return len(all) == 0 || slices.ContainsFunc(all, func(q Condition) bool { return q.In(c) })`),
	ofStandings("J-1812", "a target lacks what its contract does not ask for", "^TestAsked$",
		"target.go", "Description.asked", `!q.Optional(d.Profile)`, `true`),

	// Quiet calls in a scenario.
	worded("J-1813", "calls at quiet moments may overlap",
		"answers.go", "phases.next", `(quiet || p.quiet) && op.Call < p.ret`, `quiet && p.quiet && op.Call < p.ret`),
	worded("J-1814", "calls at quiet moments come in any order",
		"answers.go", "phases.next", `p.order[part/2][0] != op.Thread`, `p.order[part/2][0] < 0`),
	worded("J-1815", "threads need not wait for the calls before them",
		"answers.go", "phases.next", `case part > 0 && len(p.order[0]) > 0:`, `case false:`),
	worded("J-1816", "a get that makes room is the call that it makes room for",
		"answers.go", "phases.next", `if why == "" && quiet && !room {`, `if why == "" && quiet {`),
	worded("J-1817", "calls at quiet moments are lost in the text",
		"file.go", "History.Text", `line("before", word(s.Before))`, `_ = word`),
	worded("J-1818", "Gs put at quiet moments have no ids",
		"scenario.go", "Scenario.Puts", `for _, in := range s.quiet(t) {`, `for _, in := range s.quiet(t)[:0] {`),
	worded("J-1819", "quiet calls may be a thread's that there is not",
		"scenario.go", "Scenario.Check", `if q.Thread >= len(s.Threads) {`, `if q.Thread > 2*len(s.Threads) {`),
	worded("J-1820", "quiet calls may be more than a thread may make",
		"scenario.go", "Scenario.Check", `if q.Thread == i {`, `if q.Thread == -1-i {`),
	worded("J-1821", "quiet calls and an order of all calls go together",
		"scenario.go", "Scenario.Check", `if s.Order != nil && len(quiet) > 0 {`, `if false {`),

	// How they are made.
	drives("J-1822", "what comes after the threads comes before them", "^TestQuiet",
		"run.go", "Plan.Run", `			r.concurrently()
			r.quietly(plan.after)`, `			r.quietly(plan.after)
			r.concurrently()`),
	drives("J-1823", "what comes before the threads of a program is stamped as theirs", "^TestQuiet",
		"program.go", "NewProgram", `	p.r.quietly(plan.before)
	p.base = 0`, `	p.base = 0
	p.r.quietly(plan.before)`),
	drives("J-1824", "a crash at a quiet moment does not end what comes then", "^TestQuiet",
		"thread.go", "run.quietly", `|| !t.guarded(func() { t.call(q.Instr) }) {
			return`, `|| !t.guarded(func() { t.call(q.Instr) }) {
			r.stop.Store(false)
			r.crash.Store(nil)`),
	drives("J-1825", "what a set lacks at a quiet moment is seen when it is called", "^TestQuiet",
		"run.go", "run.check", `slices.Concat(r.before, r.after)`, `slices.Concat(r.before[:0], r.after[:0])`),

	// Who is asked for them.
	sees("J-1826", "who does not offer quiet calls is asked for them", "^TestQuiet$",
		"check.go", "check.lacks", `case c.quiet && !f.caps.Quiet:`, `case false:`),
	sees("J-1827", "a kept scenario's quiet calls are not looked at", "^TestKeptErrors$",
		"kept.go", "WithKept", `for _, q := range quiet {`, `for _, q := range quiet[:0] {`),
	sees("J-1828", "a kept scenario may have quiet calls that nobody makes", "^TestKeptErrors$",
		"kept.go", "WithKept", `!caps.Quiet {`, `false {`),
	sees("J-1829", "in a sequence nobody makes room for a batch", "^TestSequencesMakeRoom$",
		"enumerate.go", "sequencesUpTo", `l.times(2, thread, "g")`, `_ = thread`),
	client("J-1830", "a child in Go does not say that it makes quiet calls", "^TestPageInGo$|^TestServeQuiet$",
		"serve.go", "Serve", `hello.Capabilities.Quiet = true`, `hello.Capabilities.Quiet = hello.Capabilities.Quiet || false`),
	client("J-1831", "sizes that cannot be set are believed", "^TestBadStart$",
		"answer.go", "Hello.check", `case len(sizes) > 0 && !h.Capabilities.Resize:`, `case false:`),
	client("J-1832", "sizes may be any number", "^TestBadStart$",
		"answer.go", "Hello.check", `n < 1 || n > mostRing`, `n < 0`),
	client("J-1833", "a capacity that can be set must be a power of two", "^TestHello$",
		"answer.go", "Hello.check", `!slices.Contains(sizes, c) && (c < 2`, `(c < 2`),

	// Which calls had company.
	inCompany("J-1834", "the calls of the thread itself are company", "^TestBeside$",
		"project.go", "projector.crowd", `if thread == ops[i].Thread {
			before = second
		}`, ``),
	inCompany("J-1835", "of the calls that come later one has to begin before the end", "^TestBeside$",
		"project.go", "projector.crowd", `ops[later].Call <= ends(i)`, `ops[later].Call < ends(i)`),
	inCompany("J-1836", "a call that did not return is company for nobody", "^TestBeside$",
		"project.go", "projector.crowd", `return never`, `return 0`),
	inCompany("J-1837", "calls that began before are company for nobody", "^TestBeside$",
		"project.go", "projector.crowd", `beside[i] = beside[i] || later`, `beside[i] = later`),
	inCompany("J-1838", "what is allowed beside other calls is allowed at any time", "^TestLets$",
		"project.go", "projector.lets", `return pr.beside[c][pr.at]`, `return true`),
	inCompany("J-1839", "what is allowed beside other calls is never allowed", "^TestLets$",
		"project.go", "projector.lets", `return pr.beside[c][pr.at]`, `return false`),

	// What is seen beside others.
	inCompany("J-1840", "what Empty and Len answer is always true", "^TestHistories$",
		"project_calls.go", "projector.observe", `worth == spec.AtQuiet && pr.lets(spec.Beside)`, `false`),
	inCompany("J-1841", "what Empty and Len answer need not be true", "^TestHistories$",
		"project_calls.go", "projector.observe", `worth == spec.AtQuiet && pr.lets(spec.Beside)`, `worth == spec.AtQuiet`),
	inCompany("J-1842", "the length is what there is, or more", "^TestUnexplained$|^TestHistories$",
		"watch.go", "monitor.look", `ok = s.len(p.lane) == p.arg`, `ok = s.len(p.lane) <= p.arg`),
	inCompany("J-1843", "for a search any length is right", "^TestUnexplained$",
		"model.go", "object.step", `ok = held == int(a.arg)`, `ok = held >= 0`),
	inCompany("J-1844", "where many put, a position says when the ring is full", "^TestFullAt$|^TestHistories$",
		"effect.go", "object.fullAt", `if o.many {`, `if false {`),
	inCompany("J-1845", "a queue that grows may refuse", "^TestHistories$",
		"project_calls.go", "projector.splitPut", `case refused && pr.rules.Bound == spec.Grows`, `case refused && false`),
	inCompany("J-1846", "a put may be refused beside other calls, whatever is said", "^TestHistories$",
		"project_calls.go", "projector.splitPut", `refused && !pr.lets(pr.rules.Refuse):
		pr.onRing`, `refused && !pr.lets(spec.Beside):
		pr.onRing`),
	inCompany("J-1847", "a get may miss beside other calls, whatever is said", "^TestUnexplained$|^TestHistories$",
		"project_calls.go", "projector.splitGet", `pr.lets(pr.rules.GetMiss)`, `pr.lets(spec.Beside)`),

	// What a search puts it down to.
	inCompany("J-1848", "what a search finds is always the order", "^TestUnexplained$",
		"minimize.go", "object.unexplained", `if !p.sees() || p.waited {`, `if true {`),
	inCompany("J-1849", "what a search finds is the first thing that was seen", "^TestUnexplained$",
		"minimize.go", "object.unexplained", `if less.linked() || !legal(&less) {`, `if less.linked() {`),
	inCompany("J-1880", "a search does not think of the capacity", "^TestUnexplained$",
		"minimize.go", "object.unexplained", `o.capacity > 0 && legal(&less)`, `false`),

	// The sequential machine.
	judged("J-1881", "a ring without order may hold any number",
		"machine.go", "Machine.fits", `case r.Bounded() && n+to > r.Capacity:`, `case r.Bounded() && r.Order != spec.AnyOrder && n+to > r.Capacity:`),
	judged("J-1882", "a queue that promises nothing of it must not hold more than it says",
		"machine.go", "Rules.Bounded", `r.Capacity > 0 && (r.Bound == spec.AtMost || r.Bound == spec.Fresh || r.Bound == spec.Exact)`, `r.Capacity > 0`),
	judged("J-1883", "a queue that grows may refuse, the machine says",
		"machine.go", "Machine.fits", `case r.Bound == spec.Grows:`, `case r.Bound == spec.Grows && r.Capacity < 0:`),
	judged("J-1884", "a ring may be full before it is",
		"machine.go", "Machine.fits", `case r.Bound == spec.Exact && r.Capacity > 0 && accepted < min(most, r.Capacity-n)`, `case r.Bound == spec.Exact && r.Capacity > 0 && accepted < 0`),
	judged("J-1891", "a fresh ring may be full before it is",
		"machine.go", "Machine.fits", `case r.Bound == spec.Fresh && !p.Taken &&`, `case r.Bound == spec.Fresh && p.Taken && accepted < 0 &&`),
	judged("J-1885", "what fills an empty slot needs room in the ring",
		"machine.go", "Machine.fits", `to, most = 0, 0
		if`, `to, most = accepted, all
		if`),
	judged("J-1886", "what fills an empty slot may be refused",
		"machine.go", "Machine.fits", `r.Bound == spec.Exact && most == 0`, `false`),
	judged("J-1887", "half rounded down may be none",
		"machine.go", "Rules.BatchFits", `return k == max(n/2, min(n, 1))`, `return k == n/2`),
	judged("J-1888", "half rounded down is half rounded up",
		"machine.go", "Rules.BatchFits", `return k == max(n/2, min(n, 1))`, `return k == n-n/2`),
	judged("J-1889", "of a batch of any size the oldest alone may be taken",
		"machine.go", "Machine.stealBatch", `k += len(op.Moved[0].IDs)`, `k += 0`),
	judged("J-1890", "the oldest of a batch is never returned",
		"machine.go", "Machine.stealBatch", `if m.Rules.Returns == spec.Oldest {`, `if false {`),
	judged("J-1866", "the rest of a batch may go anywhere",
		"machine.go", "Machine.stealBatch", `saw != to && saw != record.Runnext {`, `false {`),
	inCompany("J-1867", "the rest of a batch may go anywhere, for who looks for moments", "^TestHistories$",
		"project_calls.go", "projector.splitLoot", `pr.rules.Batches() && len(astray) > 0`, `pr.rules.Batches() && false`),
	inCompany("J-1868", "the rest of a batch goes to the thief, whatever is said", "^TestHistories$",
		"project_calls.go", "projector.splitLoot", `if pr.rules.Rest == spec.ToGlobal {`, `if false {`),
	judged("J-1861", "a steal of one may take two",
		"machine.go", "Machine.steal", `if m.ofOne(op) && len(op.Moved) > 0 && len(op.Moved[0].IDs) > 0 {`, `if false {`),
	judged("J-1862", "a steal of one that took two took them out of order",
		"compare.go", "Machine.ringID", `, m.ofOne(op):`, `:`),
	judged("J-1863", "a steal for no P takes one",
		"machine.go", "Machine.steal", `if kept := kept(op); len(kept) > 0 {`, `if kept := kept(op); len(kept) < 0 {`),
	judged("J-1864", "a steal for no P may pass over the oldest",
		"machine.go", "Machine.stealAway", `slices.Index(v.Ring, id) >= len(took)`, `false`),
	judged("J-1865", "what a steal for no P kept is nowhere",
		"machine.go", "Machine.stealAway", `m.Global = append(m.Global, took[:last]...)`, `_ = last`),
}

// contracted is a change of what a contract is.
func contracted(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "spec/" + file, Func: fn, Old: old, New: new}},
		Room: "./spec", Tests: "^Test",
	}
}

// inCompany is a change of how a history of threads under a contract is judged.
func inCompany(id, title, tests, file, fn, old, new string) Judge {
	return inLinearizability(id, title, tests, file, fn, old, new)
}

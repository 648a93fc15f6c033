package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What is enumerated, and in which orders the calls of a class of executions come: each
// of these calls less complete than is said, or leaves out what is counted.
var ofEnumeration = []Judge{
	ofChecks("J-1850", "of a class one order of calls is judged", "^TestOrdersOfAClass$",
		"precedence.go", "callsIn", `c.wide = actual || c.many`, `c.wide = n > 0`),
	ofChecks("J-1851", "too many orders are all", "^TestTooManyOrders$",
		"precedence.go", "precedence.extend", `if c.left--; c.left < 0 {
			return false
		}`, `if c.left--; c.left < 0 {
			return true
		}`),
	ofChecks("J-1852", "an end waits for the next beginning", "^TestOrders$",
		"precedence.go", "precedence.extend", `if done&(1<<i) == 0 && c.before[i]&^done == 0 {`, `if done&(1<<i) == 0 && c.before[i]&^done == 0 && len(c.order) > 1 {`),
	ofChecks("J-1853", "only the first beginning is tried", "^TestOrders$",
		"precedence.go", "precedence.extend", `		if !ok {
			return false
		}
	}
	return true`, `		if !ok {
			return false
		}
		break
	}
	return true`),
	ofChecks("J-1854", "a part that found nothing makes the whole complete", "^TestWhole$",
		"parts.go", "wholeCheck", `whole.Join(e.Result)`, `whole.Join(e.Result)
		whole.Complete = true`),
	ofChecks("J-1855", "what one part alone found is left out", "^TestWhole$",
		"parts.go", "wholeCheck", `case e.Finding != nil && !found[e.Finding.Fingerprint]:`, `case e.Finding != nil && !found[e.Finding.Fingerprint] && results == 0:`),
	ofChecks("J-1856", "the parts leave scenarios out", "^TestPartsAreAll$",
		"explore.go", "inPart", `%part.Of == part.I`, `%(part.Of+1) == part.I`),
	ofChecks("J-1857", "all of a size are not all", "^TestPlanIsAll$",
		"enumerate.go", "enumeration.others", `for r := from; r < len(e.roles); r++ {`, `for r := from; r < min(1, len(e.roles)); r++ {`),
	ofChecks("J-1858", "threads of one role have one order too many left out", "^TestPlanIsAll$",
		"enumerate.go", "lessWords", `cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) < 0`, `cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) <= 0`),
	ofChecks("J-1859", "after a finding the rest counts as explored", "^TestCutAfterFinding$",
		"explore.go", "exploreAll", `e.cut(fmt.Sprintf("%d of %d scenarios were explored: the others come too long after the first finding; SPINDLE_LONG=1 goes on", i, c.scenarios))`, `_ = 0`),
	ofChecks("J-1860", "what nobody calls is not said", "^TestUnusedIsSaid$",
		"enumerate.go", "enumeration.unused", `if e.caps.Supports(k) && !e.allowed(k) &&`, `if false && e.caps.Supports(k) && !e.allowed(k) &&`),
	ofChecks("J-1892", "a part without a result counts as explored", "^TestWhole$",
		"parts.go", "wholeCheck", `asked = len(parts)`, `asked = 1`),
	ofChecks("J-1893", "that not all orders were judged is lost where parts are put together", "^TestWhole$",
		"parts.go", "Certificate.add", `c.Some = c.Some || part.Some`, ``),
	certified("J-1895", "an exploration waits for one that was given up", "^TestStuck$",
		"explore.go", "enter", `since != nil && time.Since(*since) > Stuck/10`, `since != nil && false`),
	certified("J-1896", "a call that hangs may take all memory", "^TestHoard$",
		"explore.go", "Explore", `now.Sub(since) > Stuck/10 && h > heap+Hoard`, `h < 0`),
	ofChecks("J-1897", "of what goes on only the first size is taken", "^TestPlanGoesOn$",
		"enumerate.go", "enumeration.plan", `range sizes[last+1:] {`, `range sizes[last+1:last+2] {`),
	ofChecks("J-1898", "a size counts as taken that does not fit", "^TestPlanGoesOn$",
		"enumerate.go", "enumeration.plan", `n <= left && !`, `n > 0 && !`),
	ofChecks("J-1899", "calls that look are left in, or put and take are left out", "^TestPlanGoesOn$",
		"enumerate.go", "changing", `call[0] != 'e' && call[0] != 'l'`, `call[0] != 'e'`),

	ofChecks("J-1930", "a search goes on behind a call that hangs", "^TestSearchHangs$",
		"search.go", "search.after", `case harness.Stuck(err):`, `case false:`),
	ofChecks("J-1929", "a batch of the global queue has no order in a sequence", "^TestSequencesTakeBatches$",
		"enumerate.go", "sequencesUpTo", `steps = append(steps, step{0, "m4"})`, `_ = 0`),
	ofChecks("J-1926", "the owner goes round once", "^TestLaps$",
		"enumerate.go", "laps", `laps <= 2`, `laps < 2`),
	ofChecks("J-1927", "a large ring is gone round, too", "^TestLaps$",
		"enumerate.go", "laps", `holds == 0 || holds > 8`, `holds == 0`),
	ofChecks("J-1928", "one role stands for all", "^TestLaps$",
		"enumerate.go", "laps", `range e.changing().roles {`, `range e.changing().roles[:1] {`),
	ofChecks("J-1931", "the enumeration has several thieves where one is allowed", "^TestAsManyThieves$",
		"enumerate.go", "enumeration.fewThieves", `return thieves < 2 || e.contract.Steals == spec.Anyone`, `return true`),
	ofChecks("J-1932", "lists have several thieves where one is allowed", "^TestAsManyThieves$",
		"gen.go", "facts.asManyThieves", `thieves > 1 &&`, `false &&`),
	ofChecks("J-1933", "lists have thieves where none is allowed", "^TestAsManyThieves$",
		"gen.go", "facts.asManyThieves", `k.Steals() && !f.allowed(k)`, `false`),
	ofChecks("J-1934", "steals at quiet moments are made where nobody may steal", "^TestAsManyThieves$",
		"check.go", "check.lacks", `case kind.Steals() && !f.allowed(record.Steal):`, `case false:`),
	ofChecks("J-1935", "of a check without scenarios nothing counts as explored", "^TestFewThieves$",
		"check.go", "check.lacks", `c.which != "" && c.scenarios == 0`, `false`),
	drives("J-1937", "a get that may miss ends the look at what is left", "^TestFinalMisses$",
		"run.go", "Plan.Misses", `p.misses = mostMisses`, `p.misses = 0`),
	{
		ID: "J-1945", Title: "a Go child takes a miss for the end, whatever its contract says",
		Edits: []overlay.Edit{{File: "conformance/target/child/serve.go", Func: "Serve", Old: `misses = drive.Anytime`, New: `misses = drive.Never`}},
		Room:  "./conformance/target/child", Tests: "^TestServeMisses$",
	},
	drives("J-1938", "every get that finds nothing at the end is asked again", "^TestFinalMisses$",
		"run.go", "Plan.Misses", `when == Anytime`, `when != Never`),
	drives("J-1939", "a thread steals though it has made no room", "^TestRoomThatMisses$",
		"thread.go", "thread.makeRoom", `case !t.free:
			return false`, `case !t.free:
			return true`),
	drives("J-1940", "a thread that runs freely takes one miss for an empty ring", "^TestRoomThatMisses$",
		"thread.go", "thread.makeRoom", `misses > mostMisses`, `misses > 0`),
	drives("J-1941", "moves of one of several owners count as known", "^TestMovesOfSeveralOwners$",
		"thread.go", "thread.movesUnsaid", `if !t.shares() {`, `if true {`),
	drives("J-1942", "with several owners no moves are known", "^TestMovesOfSeveralOwners$",
		"thread.go", "thread.movesUnsaid", `if !t.shares() {`, `if !t.s.Shared {`),
	drives("J-1949", "what several owners kick counts as known", "^TestMovesOfSeveralOwners$",
		"thread.go", "thread.movesUnsaid", `in.Kind == record.PutNext || t.loots(in)`, `t.loots(in)`),
	ofChecks("J-1951", "steals from a slot are made though no steal from queue to queue has a meaning", "^TestRightUnderAnyContract$",
		"check.go", "check.lacks", `case kind == record.StealNext && !f.allowed(kind):`, `case false:`),
	drives("J-1943", "what quiet calls move counts as known", "^TestMovesOfSeveralOwners$",
		"thread.go", "thread.movesUnsaid", `q.Thread == t.n && moves(q.Instr)`, `false`),
	ofChecks("J-1944", "one of several owners steals from another queue", "^TestRightUnderAnyContract$",
		"enumerate.go", "newEnumeration", `if f.contract.Puts == spec.OwnerOnly && f.contract.Gets == spec.OwnerOnly {`, `if true {`),
	ofChecks("J-1946", "a get that may miss makes room in a sequence by chance", "^TestRightUnderAnyContract$",
		"sequences.go", "facts.getsAtRest", `return f.contract.GetMiss != spec.Anytime`, `return true`),
	ofChecks("J-1947", "queues with batches are tried at capacities of 1 and 2 alone", "^TestEachChoiceIsJudged$",
		"enumerate.go", "enumeration.findStates", `most = 4`, `most = 2`),
	ofChecks("J-1948", "a thief that finds nothing counts as one that took", "^TestBatchOf$",
		"sequences.go", "facts.batchOf", `if !f.stealsAtRest() {`, `if false {`),
	ofChecks("J-1936", "steals are left out whatever the contract allows", "^TestAsManyThieves$",
		"gen.go", "facts.asManyThieves", ` && f.contract.Steals == spec.One {`, ` {`),

	// What all executions say together.
	ofChecks("J-1900", "an execution asks, though nothing is left", "^TestAnswers$",
		"answered.go", "answers.note", `case answering && least > 0:`, `case answering:`),
	ofChecks("J-1901", "what is there for a moment is left", "^TestAnswers$",
		"answered.go", "answers.note", `least = min(least, held)`, `least = held`),
	ofChecks("J-1902", "a call that gives nothing answers", "^TestAnswers$",
		"answered.go", "answers.note", `case answering && least > 0:`, `case least > 0:`),
	ofChecks("J-1903", "another thief may have it", "^TestAnswers$",
		"answered.go", "answers.note", `len(made) != 2 || made[0] != 0`, `made[0] != 0`),
	ofChecks("J-1904", "one steal must be answered", "^TestAnswers$",
		"answered.go", "answers.note", `|| made[1] < 2:`, `|| made[1] < 1:`),
	ofChecks("J-1905", "other queues count", "^TestAnswers$",
		"answered.go", "answers.note", `case op.P != 0 || op.Thief`, `case op.Thief`),
	ofChecks("J-1906", "what comes after the threads is an answer", "^TestAnswers$",
		"answered.go", "answers.note", `		case quiet > 0:
			continue
`, ``),
	ofChecks("J-1907", "some executions stand for all", "^TestUnanswered$",
		"answered.go", "exploring.unanswered", `!c.Complete() || `, ``),
	ofChecks("J-1908", "loops that were cut are no matter", "^TestUnanswered$",
		"answered.go", "exploring.unanswered", `c.Cuts.Iterations > 0 || `, ``),
	ofChecks("J-1909", "a thief that is never answered passes", "^TestUnanswered$",
		"answered.go", "exploring.unanswered", `if a.given > 0 ||`, `if a.asked > 0 ||`),
	ofChecks("J-1910", "what nobody asked is judged", "^TestUnanswered$",
		"answered.go", "exploring.unanswered", `|| a.asked+a.given == 0 {`, `{`),
	ofChecks("J-1911", "every queue must answer", "^TestAnswered$",
		"explore.go", "exploring.run", `c.StealMiss == spec.Answered && (`, `c.StealMiss != "" && (`),
	ofChecks("J-1912", "what a check finds in all executions together is lost", "^TestAnswered$",
		"explore.go", "exploration.scenario", `e.found(i, s, *f)`, `_ = f`),
	ofChecks("J-1913", "a search does not look at all executions together", "^TestAnswered$",
		"search.go", "search.interleaved", `if f := x.unanswered(&r.Certificate); f != nil {`, `if f := x.unanswered(&r.Certificate); f != nil && false {`),

	// What a factory makes.
	ofChecks("J-1914", "any number is a power of two", "^TestSizes$",
		"sizes.go", "facts.size", `has = has && n&(n-1) == 0`, `_ = 0`),
	ofChecks("J-1915", "from 1 is from 2", "^TestSizes$",
		"sizes.go", "facts.size", `has = n > 1 && n&(n-1) == 0`, `has = n > 0 && n&(n-1) == 0`),
	ofChecks("J-1916", "another capacity is as good", "^TestSizes$",
		"sizes.go", "facts.size", `	if saw == want {`, `	if (err == nil) == has {`),
	ofChecks("J-1917", "small ones are not asked for", "^TestSizes$",
		"sizes.go", "facts.size", `	if saw == want {`, `	if saw == want || n < 2 {`),
	ofChecks("J-1918", "a child process is judged by what nobody asked it", "^TestSizesOfOthers$",
		"about.go", "notOffered", `case id == sizesID && t.Describe().Kind != suite.InProcess:`, `case false:`),

	// Whose work excuses a call.
	inCompany("J-1919", "a put excuses what a take would", "^TestBeside$|^TestLets$",
		"project.go", "company.has", `return on(op.P) && op.Kind.Takes() && op.Kind != record.GlobalGet`, `return on(op.P) && op.Kind != record.GlobalGet`),
	inCompany("J-1920", "work on any queue excuses", "^TestBeside$|^TestLets$",
		"project.go", "company.has", `p >= 0 && (p == c.p || p == c.thief)`, `p >= 0`),
	inCompany("J-1921", "work on the thief's own queue is no excuse", "^TestBeside$|^TestLets$",
		"project.go", "company.has", `p == c.p || p == c.thief`, `p == c.p`),
	inCompany("J-1922", "a steal brings nothing into the thief's queue", "^TestBeside$|^TestLets$",
		"project.go", "company.has", ` || op.Kind.Steals() && on(op.Thief)`, ``),
	inCompany("J-1923", "a get is a steal", "^TestBeside$|^TestLets$",
		"project.go", "company.has", `return on(op.P) && op.Kind.Steals()`, `return on(op.P) && op.Kind.Takes()`),
	inCompany("J-1924", "behind one's own next call nobody is looked for", "^TestBesideAtOneMoment$",
		"project.go", "projector.crowd", `later = other`, `later = len(ops) + 0*other`),
	inCompany("J-1925", "all calls excuse, whatever the contract names", "^TestLets$",
		"project.go", "projector.lets", `c := company{when, record.None, record.None}`, `c := company{spec.Beside, record.None, record.None}`),
}

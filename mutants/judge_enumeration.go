package mutants

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
		"enumerate.go", "enumeration.unused", `if e.caps.Supports(k) && !g.allowed(k) &&`, `if false && e.caps.Supports(k) && !g.allowed(k) &&`),
	ofChecks("J-1892", "a part without a result counts as explored", "^TestWhole$",
		"parts.go", "wholeCheck", `asked = len(parts)`, `asked = 1`),
	ofChecks("J-1893", "that not all orders were judged is lost where parts are put together", "^TestWhole$",
		"parts.go", "Certificate.add", `c.Some = c.Some || part.Some`, ``),
	certified("J-1895", "an exploration waits for one that was given up", "^TestStuck$",
		"explore.go", "enter", `since != nil && time.Since(*since) > Stuck/10`, `since != nil && false`),
	certified("J-1896", "a call that hangs may take all memory", "^TestHoard$",
		"explore.go", "Explore", `|| h > heap+Hoard`, ``),
}

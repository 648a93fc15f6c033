package checks

import (
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// Subject is the scheduler.
var Subject = func() *suite.Subject {
	s := &suite.Subject{Name: "scheduler", NotOffered: notOffered}
	for _, c := range all {
		s.Checks = append(s.Checks, c.suite())
	}
	s.Checks = append(s.Checks, valveCheck, idleCheck, timeoutCheck, exploreCheck, restCheck)
	s.Controls = controls(s.Checks)
	return s
}()

// notOffered says why a target cannot be judged by a requirement, or "".
func notOffered(t suite.Target, id string) string {
	f := factsOf(t)
	if slices.Contains(shownByScenes, id) {
		return withoutValves(t)
	}
	switch id {
	case "SC-CLOSE-WORKERS":
		return hidesThreads(t)
	case "SC-THREADS":
		return withoutGoroutines(f)
	case "SC-REFUSED":
		if f.contract.Is("refuse", spec.Never) && f.contract.Is("closes", spec.Alone) && !f.contract.Is("submits", spec.Anyone) && !f.contract.Is("closed", spec.Refused) {
			return "by its contract nothing is refused before Close (refuse), nothing is submitted beside Close (closes, submits), and nothing is said of what comes after it (closed)"
		}
	case "SC-STEAL":
		if !f.caps.Spawn && !f.contract.Is("submits", spec.Anyone) {
			return "by its contract tasks do not submit (submits), and they do not offer to spawn (Spawner)"
		}
		return oneWorker(t)
	case "SC-TOGETHER":
		return oneWorker(t)
	case "SC-WAKE":
		if !f.caps.Park {
			return "its tasks do not offer to park (Parker)"
		}
	case "SY-BLOCK", "SY-RETURN":
		return withoutBlock(f)
	case "TM-EARLY", "TM-LOST", "TM-BESIDE", "TM-LEAVES":
		return withoutSleep(f)
	case "SC-GROW", "SC-SHRINK":
		return withoutResize(f)
	case "SC-DEADLOCK", "SC-DEADLOCK-TRUE":
		return withoutDeadlock(f)
	case "SC-WAIT-RETURNS", "SC-WAIT-WAITS":
		return withoutWait(f)
	case "SC-JOIN":
		return withoutJoin(f)
	case "SC-WAKES":
		return withoutWakes(f)
	case "FA-YIELD":
		return withoutYield(f)
	case "SC-AFTER-IDLE":
		return withoutIdleTimes(f)
	case "FA-AGAIN":
		return withoutAgain(f)
	case "FA-READY":
		return withoutPark(f)
	}
	return ""
}

// check of that name.
func named(checks []suite.Check, name string) suite.Check {
	at := slices.IndexFunc(checks, func(c suite.Check) bool { return c.Name == name })
	if at < 0 {
		panic("checks: control of unknown check " + name)
	}
	return checks[at]
}

package mutants

import (
	"regexp"
	"strings"
)

// argued are mutants by operator that nobody can tell from the code as it was, by its contract, and why. The search must not
// kill them: if it does, the reason is wrong.
var argued = map[string]string{
	"designs.CtlStack.Close/off-by-one/1":                 "the end was decided: the last worker looks at stop before all else, runs nothing more and ends by itself",
	"designs.CtlStack.signalWork/comparison/1":            "if all workers are active nobody lies on the stack and all were started, and both are looked at next",
	"designs.CtlStack.signalWork/return/5":                "more workers are started than there are tasks: each looks, finds nothing and lies down",
	"designs.CtlStack.start/lock/3":                       "a worker that is started beside the end looks at stop first, and ends by itself",
	"designs.ctlWorker.run/swap-neighbours/2":             "a worker that is active does not wait there, and one that lies on the stack comes there in the next round, before it looks for tasks",
	"designs.ctlWorker.deactivate/mask/18":                "there are at most 255 workers, and bit 31 is set when a worker has lain down 8,388,608 times",
	"designs.ctlWorker.deactivate/off-by-one/2":           "of a worker on the stack only the highest bit is looked at, and who releases it writes the whole word",
	"designs.ctlWorker.take/swap-neighbours/1":            "neither reads what the other writes",
	"designs.ctlWorker.unpark/move-far/2":                 "who is woken goes on only with the lock, when the permit is there",
	"designs.deque.newest/reread/3":                       "the lock is held",
	"designs.newEventCount/access-double/1":               "nobody else has it yet",
	"designs.newEventCount/swap-neighbours/1":             "nobody else has it yet",
	"designs.newEventCount/off-by-one/1":                  "a waiter too many, that no worker is",
	"designs.eventCount.commit/access-double/2":           "its owner writes the same twice, when the waiter is not on the stack, and so nobody reads it",
	"designs.eventCount.commit/access-double/4":           "the epoch goes on by two: it comes round after two million commits, not four",
	"designs.eventCount.commit/count/3":                   "the epoch goes down: it is another one each time, too",
	"designs.eventCount.commit/swap-neighbours/2":         "next is read of waiters on the stack alone, and this one is not there yet",
	"designs.eventCount.commit/swap-neighbours/4":         "the epoch is its owner's, who looks at it in the next commit, behind park",
	"designs.eventCount.commit/comparison/3":              "no number without a sign is below zero",
	"designs.eventCount.commit/mask/3":                    "the same of up to 8,191 workers",
	"designs.newSleepCounters/off-by-one/1":               "a state too many, that no worker has",
	"designs.sleepCounters.workFound/mask/1":              "up to two are woken of those that sleep: how many sleep bounds only how far is looked",
	"designs.sleepCounters.workFound/mask/2":              "up to two are woken of those that sleep: how many sleep bounds only how far is looked",
	"designs.sleepCounters.workFound/mask/4":              "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.workFound/mask/5":              "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.workFound/off-by-one/5":        "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.workFound/off-by-one/7":        "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.newJob/comparison/9":           "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.newJob/boolean/2":              "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.newJob/boolean/3":              "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.newJob/condition/3":            "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.newJob/off-by-one/10":          "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.wakeAny/condition/2":           "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.wakeAny/count/1":               "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.wakeAny/count/2":               "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.wakeAny/swap-neighbours/1":     "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCounters.workFound/exchange/1":          "the lesser of two is the same",
	"designs.sleepCounters.workFound/off-by-one/8":        "who is woken and finds a task wakes the next one",
	"designs.sleepCounters.newJob/comparison/4":           "if nobody sleeps nobody is woken",
	"designs.sleepCounters.newJob/boolean/4":              "if nobody sleeps nobody is woken",
	"designs.sleepCounters.newJob/comparison/5":           "no number without a sign is below zero",
	"designs.sleepCounters.newJob/boolean/7":              "somebody looks for work then, finds a task and wakes others (workFound)",
	"designs.sleepCounters.newJob/boolean/8":              "somebody looks for work then, finds a task and wakes others (workFound)",
	"designs.sleepCounters.newJob/mask/7":                 "the same of up to 32,767 workers",
	"designs.sleepCounters.newJob/mask/12":                "the same of up to 32,767 workers",
	"designs.sleepCounters.sleep/condition/10":            "the counter of jobs comes round after 2,147,483,648 tasks; before that, whoever queued one sees who sleeps",
	"designs.sleepCounters.sleep/loop/3":                  "a sync.Cond wakes nobody by itself, and who signals it has taken blocked back",
	"designs.sleepCounters.workFound/mask/3":              "the same of up to 32,767 workers",
	"designs.sleepCounters.becomeSleepy/access-double/1":  "the second fails, and the next round finds the counter odd",
	"designs.sleepCounters.newJob/cas-ignore/2":           "the next round finds the counter even",
	"designs.latch.set/comparison/2":                      "who does not sleep is not woken",
	"designs.NewSleepCounters/access-double/1":            "nobody else has it yet",
	"designs.sleepCountersWorker.Spawn/swap-neighbours/2": "as many are woken, or more: who is woken in vain looks and sleeps again",
	"designs.sleepCountersWorker.run/swap-neighbours/2":   "its own queue is empty when a worker begins, and it comes there once",
	"designs.sleepCountersWorker.run/condition/2":         "its own queue is empty when a worker begins, and it comes there once",
	"designs.sleepCountersWorker.run/call-omit/7":         "at the end each worker's latch is set, and who sleeps is woken by that",
	"designs.EventCount.Submit/access-omit/1":             "all that comes from outside lies in one queue, from which all steal",
	"designs.CtlStack.Close/swap-neighbours/5":            "the call is deferred until both are done, and nothing returns in between",
	"designs.ctlWorker.run/move-far/4":                    "who is woken goes on only with the lock, when live is counted",
	"designs.ctlWorker.run/return/1":                      "a worker that is active does not wait there",
	"designs.ctlWorker.find/condition/5":                  "a worker that is active does not wait for that, and comes back at once",
	"designs.ctlWorker.deactivate/swap-neighbours/1":      "neither reads what the other writes",
	"designs.ctlWorker.deactivate/reread/6":               "the version is one further, and who releases the worker writes it to scan",
	"designs.ctlWorker.take/off-by-one/3":                 "the queue too many is its own, which it has found empty",
	"designs.CtlStack.tryTerminate/move-far/2":            "Close looks before it waits, and each worker that ends tells it again",
	"designs.CtlStack.tryTerminate/move-far/4":            "Close looks before it waits, and each worker that ends tells it again",
}

// lines are what is the same wherever it stands, by what was and what is.
var lines = []struct {
	operator, why string
	same          func(old, new string) bool
}{
	{"reread", "the pool of a worker is written once, before there is a worker", func(old, new string) bool {
		return new != old && strings.ReplaceAll(new, "w.pool.", "p.") == old
	}},
	{"swap-neighbours", "the call is deferred until both are done", func(old, new string) bool {
		first, second, ok := strings.Cut(old, "; ")
		return ok && new == second+"; "+first && !strings.Contains(old, "{") &&
			(strings.HasPrefix(first, "defer ") && strings.HasSuffix(first, ".Unlock()") && !strings.Contains(second, "return") ||
				strings.HasSuffix(first, ".Lock()") && second == "defer "+strings.TrimSuffix(first, "Lock()")+"Unlock()")
	}},
	{"lock", "what is returned is the caller's own, and all else is done", func(_, new string) bool {
		return returned.MatchString(new)
	}},
}

var returned = regexp.MustCompile(`^given up and taken again before return (t|nil)$`)

// argument returns why a mutant is said to be equivalent, or "".
func argument(r *OperatorRow) string {
	if why := argued[r.ID]; why != "" {
		return why
	}
	for _, l := range lines {
		if r.Operator == l.operator && l.same(r.Old, r.New) {
			return l.why
		}
	}
	return ""
}

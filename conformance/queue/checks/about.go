package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A requirement is about some calls and not about others. A target that does not
// offer them is not judged by it; a run in which none of them was made has not
// judged it.

// needs says which calls a target must offer to be judged by a requirement, as
// script letters.
var needs = map[string]string{
	takeWakes: "t", takeNone: "t", closeWakes: "tc", closeDrops: "tc", closePut: "tc",
	"RQ-LEN": "l", "RQ-DRAIN": "d", "RQ-PUT-BATCH": "b", "RQ-GLOBAL-FIFO": "q", "RQ-GLOBAL-BATCH": "m",
	"RQ-RUNNEXT-FIRST": "n", "RQ-RUNNEXT-KICK": "n", "RQ-RUNNEXT-OWNER": "n", "RQ-STEAL-RUNNEXT": "nr", "RQ-OVERFLOW": "q",
}

// notOffered says what a target must offer to be judged by a requirement and does
// not, or "".
func notOffered(t suite.Target, id string) string {
	caps := t.(Target).Capabilities()
	for _, k := range []byte(needs[id]) {
		if !caps.Supports(record.Kind(k)) {
			return fmt.Sprintf("the target does not offer %v", record.Kind(k))
		}
	}
	contract, _ := t.Describe().Profile.Contract()
	switch {
	case strings.Contains(needs[id], "t") && !factsOf(t.(Target)).allowed(record.Take):
		return "takes that wait are checked for queues without a slot and without a global queue"
	case id == "RQ-STEAL-HALF" || id == "RQ-STEAL-ORDER":
		if !caps.Batch {
			return "the target does not offer steals from queue to queue (BatchStealer)"
		}
		if !caps.Moves {
			return "the target does not say what its calls move (Mover): what steals from queue to queue take is checked in a fixed order alone, as far as it shows"
		}
	case id == "RQ-CAPACITY" && caps.Capacity == 0 && contract.Bound != spec.Grows:
		return "the target does not say its capacity (Bounded)"
	case id == sizesID && caps.Capacity == 0:
		return "the target does not say its capacity (Bounded)"
	case id == sizesID && t.Describe().Kind != suite.InProcess:
		return notAsked
	case id == "RQ-WRAP" && !caps.Start:
		return "the target's indices cannot be made to start near their end (Starter)"
	}
	return ""
}

// about counts the calls of a history that each requirement is about: a queue that
// refuses every put has lost nothing, and has not been judged by RQ-LOST.
func about(h *record.History, ids []string) map[string]int64 {
	var made, came [256]int64 // by kind: calls that returned, and those that gave a G
	all, took := int64(0), int64(0)
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Return == 0 {
			continue
		}
		all++
		made[op.Kind]++
		if len(op.Out) > 0 {
			came[op.Kind]++
			took++
		}
	}
	for _, p := range h.Final.Ps {
		took += int64(len(p.Ring))
	}
	n := make(map[string]int64, len(ids))
	for _, id := range ids {
		switch id {
		case "RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-FIFO", "RQ-LIFO":
			n[id] = took
		case "RQ-GET-NONE":
			n[id] = made[record.Get]
		case "RQ-STEAL-NONE":
			n[id] = made[record.Steal] + made[record.StealNext]
		case "RQ-STEAL-HALF", "RQ-STEAL-ORDER":
			n[id] = came[record.Steal] + came[record.StealNext]
		case "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE":
			n[id] = made[record.Empty]
		case "RQ-LEN":
			n[id] = made[record.Len]
		case takeWakes, takeNone:
			n[id] = made[record.Take]
		case closeWakes:
			n[id] = made[record.Take] - came[record.Take]
		case closeDrops, closePut:
			n[id] = made[record.CloseQueue]
		case "RQ-DRAIN":
			n[id] = made[record.Drain]
		case "RQ-PUT-BATCH":
			n[id] = made[record.PutBatch]
		case "RQ-GLOBAL-FIFO", "RQ-GLOBAL-BATCH":
			n[id] = made[record.GlobalGet]
		case "RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK", "RQ-RUNNEXT-OWNER":
			n[id] = made[record.PutNext]
		case "RQ-STEAL-RUNNEXT":
			n[id] = made[record.StealNext]
		case "RQ-CAPACITY", "RQ-OVERFLOW":
			n[id] = made[record.Put] + made[record.PutNext]
		case "RQ-WRAP":
			if passes(h) {
				n[id] = all
			}
		case unansweredID: // of all executions together
		default: // RQ-CRASH, RQ-RACE: every call
			n[id] = all
		}
	}
	return n
}

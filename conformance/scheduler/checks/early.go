package checks

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// earlyTimes is how often each graph of earlyCheck is run.
const earlyTimes = 200

// earlyCheck has several threads submit to a scheduler that was made a moment ago, and close it: its workers may not have started yet.
var earlyCheck = check{
	name: "stress/early", witness: spec.Stress, doc: "several threads submit, or close, when no worker has started: small graphs in which no thread waits, each many times",
	when:         []spec.Condition{spec.If("submits", spec.Anyone, spec.Outside)},
	requirements: and("SC-WORK", "SC-CLOSE-WAITS"),
	text:         fmt.Sprintf("up to 26 graphs in which no thread waits, %d times", earlyTimes), times: earlyTimes,
	graphs: func(f facts, _ *suite.Task) ([]record.TaskGraph, string) {
		list := early(f)
		return list, fmt.Sprintf("%d graphs in which no thread waits", len(list))
	},
}

// early are the small graphs in which several threads do nothing but submit and close.
func early(f facts) (list []record.TaskGraph) {
	for _, text := range []string{
		"s0|s1/|", "s0|s1|s2/||", "s0|s1 c/|", "s0|s1 s2 c/||", "s0|s1|s2 c/||", "s0 c|s1 s2/||", "c|s0/", "c|s0 s1/|", "c|s0|s1/|", "c s0|s1/|",
		"s0|s1/s2||", "c|s0/s1|", "s0|s1 c/|s2|",
	} {
		outside, tasks, _ := strings.Cut(text, "/")
		for workers := 1; workers <= 2; workers++ {
			g := record.TaskGraph{Name: fmt.Sprintf("%s on %d", text, workers), Workers: workers, Outside: strings.Split(outside, "|"), Tasks: strings.Split(tasks, "|")}
			if strings.Contains(tasks, "s") && !f.inside() || strings.Contains(outside, "c") && !f.contract.Is("closes", spec.Beside) {
				continue
			}
			if p, err := g.Program(); err == nil && comesToEnd(p, f.contract) {
				list = append(list, g)
			}
		}
	}
	return list
}

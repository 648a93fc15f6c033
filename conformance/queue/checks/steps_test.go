package checks

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// TestLastSteps: a long execution is cut down to its end, and says so; the whole of it
// stays what it was.
func TestLastSteps(t *testing.T) {
	x := &record.Execution{Schedule: "0a"}
	for i := range 3*maxSteps + 7 {
		x.Steps = append(x.Steps, record.Step{Line: i + 1})
	}
	short := lastSteps(x)
	if len(short.Steps) != maxSteps || short.Steps[maxSteps-1].Line != len(x.Steps) || !strings.Contains(short.Steps[0].Switch, "2007 steps") || short.Schedule != "0a" {
		t.Errorf("%d steps, first %+v", len(short.Steps), short.Steps[0])
	}
	if x.Steps[2*maxSteps+7].Switch != "" {
		t.Error("the execution itself was changed")
	}
	x.Steps = x.Steps[:maxSteps]
	if lastSteps(x) != x || lastSteps(nil) != nil {
		t.Error("expected what is short as it is")
	}
}

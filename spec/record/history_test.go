package record

import (
	"strings"
	"testing"
)

// TestLast: a long execution is cut down to its end, and says so; the whole of it
// stays what it was.
func TestLast(t *testing.T) {
	x := &Execution{Schedule: "0a"}
	for i := range 3*mostSteps + 7 {
		x.Steps = append(x.Steps, Step{Line: i + 1})
	}
	short := x.Last()
	if len(short.Steps) != mostSteps || short.Steps[mostSteps-1].Line != len(x.Steps) || !strings.Contains(short.Steps[0].Switch, "2007 steps") || short.Schedule != "0a" {
		t.Errorf("%d steps, first %+v", len(short.Steps), short.Steps[0])
	}
	if x.Steps[2*mostSteps+7].Switch != "" {
		t.Error("the execution itself was changed")
	}
	x.Steps = x.Steps[:mostSteps]
	if x.Last() != x || (*Execution)(nil).Last() != nil {
		t.Error("expected what is short as it is")
	}
}

package record

import (
	"fmt"
	"testing"
)

// TestShort: of a long execution the middle is left out, and that is said; the whole of it stays what it was.
func TestShort(t *testing.T) {
	x := &Execution{Schedule: "0a"}
	for i := range 3*mostSteps + 7 {
		x.Steps = append(x.Steps, Step{Line: i + 1})
	}
	x.Notes = []Note{{Behind: -1, Text: "a"}, {Behind: 499, Text: "b"}, {Behind: 500, Text: "c"}, {Behind: 2506, Text: "d"}, {Behind: 2507, Text: "e"}, {Behind: 3006, Text: "f"}}
	short := x.Short()
	if len(short.Steps) != mostSteps || short.Steps[0].Line != 1 || short.Steps[499].Line != 500 || short.Steps[500].Line != 2508 || short.Steps[mostSteps-1].Line != len(x.Steps) || short.Schedule != "0a" {
		t.Errorf("%d steps, first %+v", len(short.Steps), short.Steps[0])
	}
	var notes string
	for _, n := range short.Notes {
		notes += fmt.Sprintf("%d %s; ", n.Behind, n.Text)
	}
	if notes != "-1 a; 499 b; 499 ... 2007 steps are left out here; 500 e; 999 f; " {
		t.Errorf("saw notes %s", notes)
	}
	if len(x.Steps) != 3*mostSteps+7 || len(x.Notes) != 6 || x.Notes[4].Behind != 2507 {
		t.Error("the execution itself was changed")
	}
	x.Steps = x.Steps[:mostSteps]
	if x.Short() != x || (*Execution)(nil).Short() != nil {
		t.Error("expected what is short as it is")
	}
}

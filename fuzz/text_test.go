package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// FuzzScriptText reads scripts as people and files give them: a script is
// refused with ErrFormat or means what it says, and a scenario that passes its
// check survives JSON and can be counted.
func FuzzScriptText(f *testing.F) {
	f.Add("pppg", "s0 r0", 2, 4, 3)
	f.Add("b65536q m65536 d", "e l0", 1024, 65536, 1)
	f.Add("b0m0", "", 1, 0, 0)
	f.Add("p 1", "x", 0, 3, -1)
	f.Add("s99999999999999999999", "s-1", 2, 2, 1<<40)
	f.Fuzz(func(t *testing.T, owner, thief string, ps, capacity, repeat int) {
		for _, script := range []string{owner, thief} {
			ins, err := record.ParseScript(script)
			if err != nil {
				if !errors.Is(err, record.ErrFormat) || ins != nil {
					t.Fatalf("ParseScript(%q) = %v, %v, want nil and ErrFormat", script, ins, err)
				}
				continue
			}
			again, err := record.ParseScript(format(ins))
			if err != nil || !reflect.DeepEqual(again, ins) {
				t.Fatalf("ParseScript(%q) = %v, which as %q is %v, %v", script, ins, format(ins), again, err)
			}
		}
		s := record.Scenario{
			Name: "text", Ps: ps, Capacity: capacity,
			Threads: []record.Thread{{P: 0, Script: owner, Repeat: repeat}, {P: record.None, Script: thief, Repeat: repeat}},
		}
		if err := s.Check(); err != nil {
			if !errors.Is(err, record.ErrFormat) {
				t.Fatalf("Check() = %v, want ErrFormat", err)
			}
			return
		}
		if first := s.FirstID(2); first != record.ID(1+s.Puts(0)+s.Puts(1)) || s.Puts(0)+s.Puts(1) > 1<<26 {
			t.Fatalf("a checked scenario puts %d and %d Gs, and the next id is %d", s.Puts(0), s.Puts(1), first)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again record.Scenario
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if err := again.Check(); err != nil {
			t.Fatalf("after a trip through JSON: %v", err)
		}
	})
}

// format writes a script.
func format(ins []record.Instr) string {
	var b strings.Builder
	for _, in := range ins {
		b.WriteByte(byte(in.Kind))
		if in.Arg >= 0 {
			fmt.Fprint(&b, in.Arg)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

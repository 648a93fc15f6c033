package tlc

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig(`\* A comment, with INVARIANT in it.
SPECIFICATION Spec
CONSTANTS
  Ms = {m1,
        m2} (* both
  of them *)
  Free <- Ring1   \* another
  Bugs = {"<-"}
CONSTANT N = 3
SYMMETRY Names
INVARIANTS A B
INVARIANT C
PROPERTY
  Live
`)
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Constants:     map[string]string{"Ms": "{m1, m2}", "Free": "<- Ring1", "Bugs": `{"<-"}`, "N": "3"},
		Specification: "Spec", Invariants: []string{"A", "B", "C"}, Properties: []string{"Live"},
		Other: map[string][]string{"SYMMETRY": {"Names"}},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("expected %+v, saw %+v", want, c)
	}
	if asks := strings.Join(c.Asks(), " "); asks != "A B C Live" {
		t.Errorf("expected that it asks A B C Live, saw %s", asks)
	}
	for text, line := range map[string]string{"\nCONSTANTZ\n": "line 2", "CONSTANT\n  x\n": "line 2",
		"CONSTANT\n  N = 1\nCONSTANTS M = 1 N = 1\n  N = 2\n": "line 4: expected constant N once, saw \"2\" besides \"1\"",
		"CONSTANT N = 1\nCONSTANT N <- One\n":                 "line 2: expected constant N once, saw \"<- One\" besides \"1\"",
		"INVARIANTS A B\n  A\n":                               "line 2: expected A once", "PROPERTY A A\n": "line 1: expected A once", "INVARIANT A\nPROPERTY\n B A\n": "line 3: expected A once",
		"SPECIFICATION Spec Other\n": "line 1: expected one SPECIFICATION, saw \"Spec Other\"", "SPECIFICATION Spec\nSPECIFICATION Spec\n": "line 2: expected one SPECIFICATION"} {
		if _, err := ParseConfig(text); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: expected an error about %s that wraps ErrFormat, saw %v", text, line, err)
		}
	}
}

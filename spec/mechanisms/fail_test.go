package mechanisms

import (
	"slices"
	"strings"
	"testing"
)

// TestDataCanFail damages the data, and each time the test says what is wrong.
func TestDataCanFail(t *testing.T) {
	for want, damage := range map[string]func(m []Mechanism, s []Statement){
		"unknown requirement \"RQ-NOTHING\"":         func(m []Mechanism, s []Statement) { s[0].Requirements = []string{"RQ-LOST", "RQ-NOTHING"} },
		"mechanism of mechanisms.txt, saw M99":       func(m []Mechanism, s []Statement) { s[0].Mechanisms = []string{"M99"} },
		"mechanism of mechanisms.txt, saw M06":       func(m []Mechanism, s []Statement) { m[5].ID = "M98" },
		"M06: expected a statement or a requirement": func(m []Mechanism, s []Statement) { m[5].Alone = "no document has it" },
		"expected a requirement with a checker":      func(m []Mechanism, s []Statement) { s[0].Requirements = nil },
		"none of NoSuch":                             func(m []Mechanism, s []Statement) { s[0].Model = []string{"SchedFind!NoSuch"} },
		"NoModule.tla":                               func(m []Mechanism, s []Statement) { s[0].Model = []string{"NoModule!Tick"} },
		"expected a feature":                         func(m []Mechanism, s []Statement) { s[0].Model = []string{"feature none"} },
		"no-such.cfg":                                func(m []Mechanism, s []Statement) { s[0].Model = []string{"configuration no-such"} },
		"expected MODULE!DEFINITION":                 func(m []Mechanism, s []Statement) { s[0].Model = []string{"Tick"} },
		"none of P.Nothing":                          func(m []Mechanism, s []Statement) { s[0].Code = []string{"impl/runq/runq.go P.Nothing"} },
		"nowhere.go":                                 func(m []Mechanism, s []Statement) { s[0].Code = []string{"impl/nowhere.go"} },
		"a command of spindle or of go":              func(m []Mechanism, s []Statement) { s[0].Command = "make" },
		"saw \"chekc\"":                              func(m []Mechanism, s []Statement) { s[0].Command = "spindle chekc ref" },
		"saw \"reff\"":                               func(m []Mechanism, s []Statement) { s[0].Command = "spindle check reff" },
		"a requirement of the statement behind -run": func(m []Mechanism, s []Statement) { s[0].Command = "spindle check -run RQ-FIFO ref" },
		"expected a bug or a fix":                    func(m []Mechanism, s []Statement) { s[0].Command = "spindle model sched-mended+none" },
		"expected a function TestNothing":            func(m []Mechanism, s []Statement) { s[0].Command = "go test ./impl/sched -run TestNothing" },
		"expected a package in":                      func(m []Mechanism, s []Statement) { s[0].Command = "go run ./nowhere" },
		"S0.3: expected the statements in order":     func(m []Mechanism, s []Statement) { s[1], s[2] = s[2], s[1] },
		"expected the mechanisms in order":           func(m []Mechanism, s []Statement) { m[1], m[2] = m[2], m[1] },
	} {
		all, statements := data(t)
		damage(all, statements)
		if got := wrong(all, statements); !slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, want) }) {
			t.Errorf("expected a complaint with %q, saw %q", want, got)
		}
	}
	all, statements := data(t)
	if got := wrong(all, statements[1:]); len(got) == 0 {
		t.Error("a statement is gone: expected a complaint, saw none")
	}
	was := page(all, statements, "")
	if statements[0].Verdict = Partly; page(all, statements, "") == was {
		t.Error("expected another page with another verdict")
	}
}

// TestParse holds the parser to its form.
func TestParse(t *testing.T) {
	const whole = "S0.1 works\nwas partly\nsays A.\nsays B.\nmechanisms M01, M02\nmodel none\ncode none\nrequirements none\ncommand none\n"
	list, err := parseStatements("# a comment\n\n" + whole + "because C.\n")
	if err != nil || len(list) != 1 {
		t.Fatalf("expected one statement, saw %v, %v", list, err)
	}
	s := list[0]
	if s.ID != "S0.1" || s.Verdict != Works || s.Was != Partly || s.Says != "A. B." || !slices.Equal(s.Mechanisms, []string{"M01", "M02"}) || s.Model != nil || s.Because != "C." {
		t.Errorf("saw %+v", s)
	}
	for text, want := range map[string]string{
		"says A.\n":               "line 1: expected an id such as S0.1 first",
		whole + whole:             "line 10: expected an id that no other has",
		whole + "reason X\n":      `line 10: expected an id such as S0.1, or one of was, says`,
		whole + "because\n":       `line 10: expected a text behind "because"`,
		whole + "says C.\n":       `S0.1: expected the lines of "says" together`,
		"S0.1 works\nwas works\n": `line 1: S0.1: expected a line "says ..."`,
		strings.Replace(whole, "works", "maybe", 1):                  `expected a verdict of works, there`,
		strings.Replace(whole, "partly", "maybe", 1):                 `saw "maybe"`,
		strings.Replace(whole, "works", "missing", 1):                `expected a line "because ..." with the verdict missing`,
		strings.Replace(whole, "works", "false", 1) + "because C.\n": `expected a line "right ..."`,
	} {
		if _, err := parseStatements(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected an error with %q, saw %v", text, want, err)
		}
	}
	for text, want := range map[string]string{
		"M01\nsays A.\n":      "M01: expected a name",
		"M01 a\n":             `M01: expected a line "says ..."`,
		"M1 a\nsays A.\n":     "expected an id such as M01 first",
		"M01 a\nmodel none\n": "or one of says, alone",
	} {
		if _, err := parseMechanisms(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected an error with %q, saw %v", text, want, err)
		}
	}
	if name, err := Name("M06"); err != nil || name != "the 61st tick" {
		t.Errorf("saw %q, %v", name, err)
	}
	if _, err := Name("M99"); err == nil {
		t.Error("M99: expected an error, saw none")
	}
}

package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/runqueue"
	"github.com/spindle-go/spindle/spec/sched"
)

// Each action of the modules has a place in the source, or a reason why it has none, and
// not both; and no row is about an action that there is not.
func TestEveryActionHasAPlace(t *testing.T) {
	actions := sched.Actions()
	for _, a := range new(runqueue.Machine).Actions() {
		actions = append(actions, "RunQueue!"+a)
	}
	of := make(map[string]int)
	for _, p := range Places {
		if len(p.List()) == 0 || p.Says == "" {
			t.Errorf("%s %q: expected words and actions", p.Function, p.Find)
		}
		if _, ok := fileOf[p.Function]; !ok {
			t.Errorf("%q: expected a function of the list, saw %s", p.Find, p.Function)
		}
		for _, a := range p.List() {
			of[a]++
			if !slices.Contains(actions, a) {
				t.Errorf("%s %q: no module has an action %s", p.Function, p.Find, a)
			}
		}
	}
	for _, a := range actions {
		switch reason, none := NoCode[a]; {
		case none && of[a] > 0:
			t.Errorf("%s has a place, and stands in NoCode, too", a)
		case none && reason == "":
			t.Errorf("%s: expected a reason", a)
		case !none && of[a] == 0:
			t.Errorf("%s: add a row to tla/drift/places_*.go, or a reason to NoCode", a)
		}
	}
	for a := range NoCode {
		if !slices.Contains(actions, a) {
			t.Errorf("NoCode: no module has an action %s", a)
		}
	}
	if len(actions) < 150 {
		t.Errorf("saw %d actions", len(actions))
	}
}

// The findings rest on these.
func TestFunctionsOfFindings(t *testing.T) {
	for _, name := range strings.Fields(`stopTheWorldWithSema reentersyscall setBlockOnExitSyscall wakep startm handoffp findRunnable
		resetspinning schedule injectglist retake sysmon preemptone procresize startTheWorldWithSema pidleget pidlegetSpinning
		pidleput stopm checkRunqsNoP checkTimersNoP checkIdleGCNoP globrunqgetbatch runqputbatch wakeNetPoller forEachPInternal
		runSafePointFn gcstopm entersyscallblock exitsyscall exitsyscallTryGetP exitsyscallNoP stoplockedm startlockedm
		netpollblock netpollAdjustWaiters enlistWorker`) {
		f, ok := full(name)
		if !ok || theTable(t).functions[f].modelled() == "" {
			t.Errorf("%s is not in the table of %s", name, modelled)
		}
	}
}

// No pattern finds more or less than one statement, unless it says which.
func TestLocate(t *testing.T) {
	const text = "package p\nfunc f(x int) { if x > 1 { lock(a); unlock(a.lock) } else { lock(b); x++ } }"
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := skeleton(file.Decls[0].(*ast.FuncDecl))
	var kinds []string
	for _, s := range all {
		kinds = append(kinds, s.kind)
	}
	if saw := strings.Join(kinds, " "); saw != "func if call call end else block call count end end" {
		t.Fatalf("saw the statements %s", saw)
	}
	for find, want := range map[string]int{
		"func": 0, "if x 1": 1, "call lock a #1": 2, "call lock() #1": 2, "call unlock": 3, "call b lock": 7, "call lock() #2": 7, "count x": 8, "end #3": 10,
		"call lock": -1, "call lock() #3": -1, "call": -1, "if y": -1, "for": -1, "call lock #0": -1, "call lock #x": -1,
	} {
		at, err := locate(all, find)
		if err != nil {
			at = -1
		}
		if at != want {
			t.Errorf("%q: expected %d, saw %d, %v", find, want, at, err)
		}
	}
}

// What makes two functions differ, and what does not.
func TestSkeleton(t *testing.T) {
	digest := func(text string) string {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, 0)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return sumOf(digestsOf(skeleton(file.Decls[0].(*ast.FuncDecl))))
	}
	in := func(body string) string { return "func f() {" + body + "}" }
	for _, same := range [][2]string{
		{in("x = (a + b)"), in("x = a + b // so\n")}, {in("f(a, b)"), in("f(\n\ta,\n\tb,\n)")}, {in(";;x++;"), in("x++")},
		{"func f() {}", "func g() {}"}, {"// f does\nfunc f() {}", "func f() {}"}, {"func f()", "func f()"},
	} {
		if digest(same[0]) != digest(same[1]) {
			t.Errorf("expected one digest of %q and %q", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{in("f(x)"), in("f(x...)")}, {in("x := 1"), in("x = 1")}, {in("x = 1"), in("x = 2")}, {in("x = 'a'"), in("x = \"a\"")},
		{in("x++"), in("x--")}, {in("x = a < b"), in("x = a > b")}, {in("x = a - (b - c)"), in("x = a - b - c")}, {in("x = !a"), in("x = a")},
		{in("for i := range n {}"), in("for i = range n {}")}, {in("for range n {}"), in("for n {}")}, {in("for a {}"), in("if a {}")},
		{in("if a {x()} else {y()}"), in("if a {x()}; {y()}")}, {in("if a {x(); y()}"), in("if a {x()}; y()")}, {in("if a {if b {x()}} else {y()}"), in("if a {if b {x()} else {y()}}")},
		{in("go x()"), in("defer x()")}, {in("L: for {break L}"), in("L: for {break}")}, {in("L: for {continue L}"), in("L: for {goto L}")},
		{in("x(func() {y()})"), in("x(func() {z()})")}, {in("x(func() {y()})"), in("x(func() {}); y()")}, {in("x(func(a int) {})"), in("x(func(a uint) {})")},
		{in("switch {case a: x(); case b:}"), in("switch {case a: case b: x()}")}, {in("switch {case a, b:}"), in("switch {case a: case b:}")}, {in("switch {default:}"), in("switch {case a:}")},
		{in("switch a := b.(type) {}"), in("switch a := b; a {}")}, {in("select {case <-a:}"), in("select {case a <- b:}")}, {in("var x chan<- int"), in("var x <-chan int")},
		{in("type a = b"), in("type a b")}, {in("var x int"), in("const x int = 0")}, {in("return"), in("return x")}, {in("*x = y"), in("x = y")}, {in("x = a[1:]"), in("x = a[:1]")},
		{in(""), "func f()"}, {"func f(a, b int) {}", "func f(a int) {}"}, {"func f() int {return 0}", "func f() uint {return 0}"}, {"func (a *b) f() {}", "func (a b) f() {}"}, {"func f[T any]() {}", "func f() {}"},
	} {
		if digest(other[0]) == digest(other[1]) {
			t.Errorf("expected two digests of %q and %q", other[0], other[1])
		}
	}
}

// A table that was cut off, or edited by hand, is refused.
func TestBadTable(t *testing.T) {
	good := string(embedded)
	if _, err := parseTable(embedded); err != nil {
		t.Fatal(err)
	}
	swap := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the table has no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	at := strings.Index(good, "  statements ") + len("  statements ")
	digest := good[at : at+statementDigits]
	place := good[strings.Index(good, "  place "):]
	place = place[:strings.Index(place, "\n")+1]
	// These have a right sum, and are wrong in themselves.
	for name, text := range map[string]string{
		"a digest of a statement": swap(digest, "0123456789ab"), "a shorter digest": swap(digest, digest[1:]), "a digest gone": swap(" "+digest, ""),
		"another modelled version": swap("modelled "+modelled, "modelled go1.25.3"), "a version that was not read": swap("modelled "+modelled, "modelled go1.30"),
		"an unsorted list of versions": swap("versions go1.23.5 go1.23.12", "versions go1.23.12 go1.23.5"), "a form for no version": swap(" go1.23.5 go1.23.12 go1.24.13", " go1.23.5 go1.24.13"),
		"a function gone": swap("function wakep\n", "function wakeq\n"), "a declaration gone": swap("declaration const _Pidle\n", "declaration const _Pidles\n"), "a declaration as a function": swap("declaration const _Pidle\n", "function _Pidle\n"),
		"a declaration that is not there": lacking(good, "declaration const forcePreemptNS\n"), "a place beyond the end": swap("  place ", "  place 99"), "a place before the start": swap("  place ", "  place -9"),
	} {
		body := text[:strings.LastIndex(text, "sum ")]
		sum := sha256.Sum256([]byte(body))
		if _, err := parseTable([]byte(body + "sum " + hex.EncodeToString(sum[:]) + "\n")); !errors.Is(err, ErrTable) {
			t.Errorf("%s, with a right sum: expected ErrTable, saw %v", name, err)
		}
	}
	tests := map[string]string{
		"nothing":                      "",
		"half":                         good[:len(good)/2],
		"the last line gone":           good[:strings.LastIndex(good[:len(good)-1], "\n")+1],
		"a digest of a statement":      swap(digest, "0123456789ab"),
		"a shorter digest":             swap(digest, digest[1:]),
		"no digest":                    swap(digest, strings.Repeat("x", statementDigits)),
		"another modelled version":     swap("modelled "+modelled, "modelled go1.25.3"),
		"a version that was not read":  swap("modelled "+modelled, "modelled go1.30"),
		"an unsorted list of versions": swap("versions go1.23.5 go1.23.12", "versions go1.23.12 go1.23.5"),
		"a form for no version":        swap(" go1.23.5", ""),
		"a function gone":              swap("function wakep\n", "function wakeq\n"),
		"a place gone":                 swap(place, ""),
		"a place beyond the end":       swap("  place ", "  place 99"),
		"a place before the start":     swap("  place ", "  place -"),
		"a place without a number":     swap("  place ", "  place x"),
		"a line of another kind":       swap("  place ", "  plaice "),
		"a sum of another table":       good[:len(good)-3] + "00\n",
		"a comment":                    "# hello\n" + good,
		"CRLF":                         strings.ReplaceAll(good, "\n", "\r\n"),
	}
	for name, text := range tests {
		if _, err := parseTable([]byte(text)); !errors.Is(err, ErrTable) {
			t.Errorf("%s: expected ErrTable, saw %v", name, err)
		}
	}
}

// lacking is the table with an entry that all versions lack.
func lacking(table, head string) string {
	before, after, _ := strings.Cut(table, head)
	form, after, _ := strings.Cut(after, "\n")
	_, after, _ = strings.Cut(after, "\n") // its statements
	words := strings.Fields(form)
	return before + head + "  form " + absent + " " + strings.Join(words[2:], " ") + "\n" + after
}

func TestDiff(t *testing.T) {
	list := func(s string) []string { return strings.Split(s, "") }
	for _, tt := range []struct {
		old, now string
		want     []hunk
	}{
		{"abc", "abc", nil},
		{"abc", "axc", []hunk{{1, 2, 1, 2}}},
		{"abc", "ac", []hunk{{1, 2, 1, 1}}},
		{"ac", "abc", []hunk{{1, 1, 1, 2}}},
		{"abc", "xabcy", []hunk{{0, 0, 0, 1}, {3, 3, 4, 5}}},
		{"abcdef", "abXdeY", []hunk{{2, 3, 2, 3}, {5, 6, 5, 6}}},
	} {
		if saw := diff(list(tt.old), list(tt.now)); !slices.Equal(saw, tt.want) {
			t.Errorf("%s, %s: expected %v, saw %v", tt.old, tt.now, tt.want, saw)
		}
	}
}

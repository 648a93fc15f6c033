package instrument

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestOutside holds what is told of packages of another module: what they have inside,
// what they import that has, and which functions come to a go statement, to chance
// or to time, be it by a method of an interface.
func TestOutside(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	other := map[string]string{
		"values":    "package values\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\nconst C = 1\n\nvar Err = errors.New(\"a\")\n\nvar Err2 = fmt.Errorf(\"b\")\n\nvar _ = 1\n\nfunc F(n int) (int, error) { return n + C, Err }\n",
		"variables": "package variables\n\nvar n, m int\n\nfunc F() int { n++; return n }\n",
		"booted":    "package booted\n\nvar n int\n\nfunc init() { n = 1 }\n",
		"locks":     "package locks\n\nimport \"sync\"\n\ntype T struct{ mu sync.Mutex }\n",
		"atomics":   "package atomics\n\nimport \"sync/atomic\"\n\ntype T struct{ n atomic.Int32 }\n",
		"sends":     "package sends\n\nfunc F[T ~chan<- int](c T) { c <- 1 }\n",
		"receives":  "package receives\n\nfunc F[T ~chan int](c T) int { return <-c }\n",
		"makes":     "package makes\n\nfunc F() any { return make(chan int) }\n",
		"selects":   "package selects\n\nfunc F() { select {} }\n",
		"goes":      "package goes\n\ntype T struct{}\n\nfunc (*T) Step() { go func() {}() }\n\nfunc G() { new(T).Step() }\n\nfunc Quiet() {}\n",
		"bodyless":  "package bodyless\n\nfunc F()\n",
		"chances":   "package chances\n\nimport (\n\t\"math/rand\"\n\t\"time\"\n)\n\nvar start = time.Now\n\nfunc F() int { return rand.Intn(2) }\n\nfunc G() int { return F() }\n\nfunc H() { start() }\n\nfunc Quiet() {}\n",
		"above":     "package above\n\nimport (\n\t\"example.com/other/chances\"\n\t\"example.com/other/locks\"\n\t\"log\"\n\t\"strings\"\n)\n\nvar _ locks.T\n\nfunc F() int { log.Print(strings.ToUpper(\"a\")); return chances.G() }\n",
		"top":       "package top\n\nimport \"example.com/other/above\"\n\nfunc F() int { return above.F() }\n",
		"steps":     "package steps\n\nfunc F(s interface{ Step() }) { s.Step() }\n\nfunc G(s interface{ Walk() }) { s.Walk() }\n",
	}
	files := map[string]string{
		"other/go.mod":       "module example.com/other\n\ngo 1.26\n",
		"go.mod":             gomod("example.com/m") + "\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./other\n",
		"p_test.go":          uses("m"),
		"other/bodyless/f.s": "#include \"textflag.h\"\n\nTEXT ·F(SB),NOSPLIT,$0-0\n\tRET\n",
	}
	imports := ""
	for _, name := range slices.Sorted(maps.Keys(other)) {
		files["other/"+name+"/"+name+".go"] = other[name]
		imports += "import _ \"example.com/other/" + name + "\"\n"
	}
	files["p.go"] = "package m\n\n" + imports
	dir := module(t, files)
	r, err := run(t, dir, "example.com/m", true)
	if err != nil {
		t.Fatal(err)
	}
	text := after(t, r, "zz_interleave_unseen.go")
	for name, want := range map[string]string{
		"values":    ``,
		"variables": `, Inside: "package-level variables"`,
		"booted":    ``,
		"locks":     `, Inside: "locks"`,
		"atomics":   `, Inside: "atomics"`,
		"sends":     `, Inside: "channels"`,
		"receives":  `, Inside: "channels"`,
		"makes":     `, Inside: "channels"`,
		"selects":   `, Inside: "channels"`,
		"goes":      `, Inside: "goroutines", Starts: []string{".Step", "G"}`,
		"bodyless":  `, Inside: "assembly, functions without a body"`,
		"chances":   `, Inside: "package-level variables", Chance: map[string]string{"F":"rand.Intn", "G":"rand.Intn", "H":"time.Now"}`,
		"above":     `, Meets: []string{"example.com/other/chances", "example.com/other/locks", "log"}, Chance: map[string]string{"F":"rand.Intn"}`,
		"top":       `, Meets: []string{"example.com/other/above", "example.com/other/chances", "example.com/other/locks", "log"}, Chance: map[string]string{"F":"rand.Intn"}`,
		"steps":     `, Starts: []string{"F"}`,
	} {
		line := `zzhook.Unseen{Package: "example.com/other/` + name + `"`
		if want := line + want + "},\n"; !strings.Contains(text, want) {
			_, observed, _ := strings.Cut(text, line)
			observed, _, _ = strings.Cut(observed, "\n")
			t.Errorf("expected %sobserved %s", want, line+observed)
		}
	}
	if t.Failed() {
		return
	}
	gotest(t, dir, ".", r)
}

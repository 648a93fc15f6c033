package outside_test

import (
	"strings"
	"testing"
)

// TestProgram: the tests of a package main are explored. Its path is in the build information without ".test".
func TestProgram(t *testing.T) {
	m := newModule(t, map[string]string{
		"main.go": "package main\n\nvar n int\n\nfunc add() { n++ }\n\nfunc main() { add() }\n",
		"main_test.go": `package main

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

func TestAdd(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", add)
		x.Go("b", add)
	})
}
`,
	})
	out, code := m.run(".", "go test -vet=off .")
	if want := "data race in b: a writes n at main.go:5"; code != 1 || !strings.Contains(out, want) {
		t.Errorf("exit %d: expected exit 1 and %q, saw\n%s", code, want, head(out))
	}
}

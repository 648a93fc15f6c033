package outside_test

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// dependencyTest loses an update in a counter of another module.
const dependencyTest = `package m

import (
	"testing"

	"example.com/counter"

	"github.com/spindle-go/spindle/interleave"
)

func TestCounter(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := new(counter.Locked)
		x.Go("one", c.Once)
		x.Go("two", c.Once)
		x.Finally(func() {
			if c.Value() != 1 {
				x.Fatalf("expected 1; observed %d", c.Value())
			}
		})
	})
}
`

// TestDependency explores a counter of another module: its locks are seen where it lies as a
// dependency, vendored or not, and where a workspace uses a copy.
func TestDependency(t *testing.T) {
	tier.OnlyFull(t)
	m := newModule(t, map[string]string{
		"m_test.go":          dependencyTest,
		"doc.go":             "package m\n",
		"counter/go.mod":     "module example.com/counter\n\ngo 1.26\n",
		"counter/counter.go": counterModule,
	})
	m.add("go.mod", "\nrequire example.com/counter v0.0.0\n\nreplace example.com/counter => ./counter\n")
	run := func(what, line string, env ...string) {
		t.Helper()
		out, _ := m.run(".", line, env...)
		for _, want := range []string{"TestCounter", "assertion in Finally: expected 1; observed 2", "counter.go:"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: expected %q; observed\n%s", what, want, head(out))
			}
		}
		if strings.Contains(out, ": complete") {
			t.Errorf("%s: reads complete:\n%s", what, head(out))
		}
	}
	run("a dependency", "go test -count=1 -v .")
	run("vendored", "go mod vendor && GOFLAGS=-mod=vendor go test -count=1 -v . ; r=$?; rm -r vendor; exit $r", "GOFLAGS=-mod=mod")
	m.write("go.work", "go 1.26.0\n\nuse .\nuse ./counter\n")
	run("a workspace", "go test -count=1 -v .", "GOWORK=", "GOFLAGS=")
	m.write("counter/go.mod", "module example.com/counter\n\ngo 1.19\n")
	run("a workspace with an old copy", "go test -count=1 -v .", "GOWORK=", "GOFLAGS=")
}

// TestCached changes the go.mod of a dependency, which changes what is rewritten and
// nothing of the test's own binary.
func TestCached(t *testing.T) {
	tier.OnlyFull(t)
	m := newModule(t, map[string]string{
		"m_test.go":          strings.Replace(dependencyTest, "if c.Value() != 1 {", "if false {", 1),
		"doc.go":             "package m\n",
		"counter/go.mod":     "module example.com/counter\n\ngo 1.20\n",
		"counter/counter.go": counterModule,
		"go.work":            "go 1.26.0\n\nuse .\nuse ./counter\n",
	})
	m.add("go.mod", "\nrequire example.com/counter v0.0.0\n\nreplace example.com/counter => ./counter\n")
	env := []string{"GOWORK=", "GOFLAGS=", "TMPDIR=" + t.TempDir()}
	m.run(".", "sleep 3; go test -v .", env...) // what has just been written is not taken for granted
	if out, _ := m.run(".", "go test -v .", env...); !strings.Contains(out, "(cached)") || !strings.Contains(out, ": complete: ") {
		t.Fatalf("expected the same again, from the cache; observed\n%s", head(out))
	}
	m.write("counter/go.mod", "module example.com/counter\n\ngo 1.19\n") // it is not rewritten now
	if out, _ := m.run(".", "go test -v .", env...); strings.Contains(out, "(cached)") || !strings.Contains(out, ": complete: ") {
		t.Errorf("expected the same once more, and not from the cache; observed\n%s", head(out))
	}
}

// TestMutexArgument hands a lock to a dependency.
func TestMutexArgument(t *testing.T) {
	tier.OnlyFull(t)
	m := newModule(t, map[string]string{
		"m_test.go": `package m

import (
	"sync"
	"testing"

	"example.com/with"
	"github.com/spindle-go/spindle/interleave"
)

func TestWith(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		x.Go("one", func() { with.With(&mu, func() {}) })
	})
}
`,
		"doc.go":       "package m\n",
		"with/go.mod":  "module example.com/with\n\ngo 1.20\n",
		"with/with.go": "package with\n\nimport \"sync\"\n\nfunc With(mu *sync.Mutex, f func()) { mu.Lock(); f(); mu.Unlock() }\n",
	})
	m.add("go.mod", "\nrequire example.com/with v0.0.0\n\nreplace example.com/with => ./with\n")
	if out, _ := m.run(".", "go test -v ."); !strings.Contains(out, ": complete: 1 executions, no bound, 2 steps") {
		t.Errorf("expected a lock that is seen; observed\n%s", head(out))
	}
}

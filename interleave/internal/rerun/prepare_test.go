package rerun

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

type heard chan string

func (h heard) Write(b []byte) (int, error) {
	h <- string(b)
	return len(b), nil
}

// TestSays: a build that takes long says what it is, once; one that does not is silent.
func TestSays(t *testing.T) {
	h := make(heard, 2)
	stop := says(h, 0, "example.com/m")
	line := <-h
	stop()
	if strings.Count(line, "\n") != 1 || !strings.Contains(line, "example.com/m") || !strings.Contains(line, "the first time for a release of Go") {
		t.Errorf("expected a line that names the package and the release, saw %q", line)
	}
	says(h, time.Hour, "example.com/m")()
	if len(h) != 0 {
		t.Errorf("expected silence, saw %q", <-h)
	}
}

// TestPrepare builds of three packages the one whose tests explore; a package that does not build is named, with a command.
func TestPrepare(t *testing.T) {
	tier.OnlyFull(t)
	w := module(t, map[string]string{"m_test.go": simple, "p/p.go": "package p\n", "p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestP(t *testing.T) {}\n", "q/q.go": "package q\n"})
	for _, kv := range w.env[len(w.env)-4:] {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	var begun []string
	begins := func(path string, i, of int) { begun = append(begun, fmt.Sprint(path, " ", i, " ", of)) }
	n, err := Prepare(t.Context(), w.dir, []string{"./..."}, begins)
	if want := []string{"example.com/m 0 1"}; n != 1 || err != nil || !slices.Equal(begun, want) {
		t.Fatalf("expected 1 package, %q, saw %d, %q, %v", want, n, begun, err)
	}
	w.passes([]string{"came: back"}, "test", "-v", ".")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := Prepare(ended, w.dir, []string{"./..."}, begins); n != 0 || err == nil {
		t.Errorf("after the end: expected an error, saw %d", n)
	}
	w.writes("m_test.go", strings.Replace(strings.Replace(simple, "CALL", `call "`+subModule+`"`, 1), "n atomic.Int32", "n atomic.Int33", 1))
	if n, err := Prepare(t.Context(), w.dir, []string{"."}, begins); n != 0 || err == nil || !strings.Contains(err.Error(), "atomic.Int33") || !strings.Contains(err.Error(), "go test example.com/m") {
		t.Errorf("a test that does not build: expected an error with the command, saw %d, %v", n, err)
	}
	if left := w.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestGolden compares what files become with what they should, and builds it.
func TestGolden(t *testing.T) {
	tier.OnlyFull(t)
	t.Parallel()
	for _, c := range tier.Some(t, []struct {
		name  string
		plain bool
	}{{"operations", false}, {"plain", true}, {"loops", true}, {"names", false}, {"live", true}, {"unseen", true}}, 1) {
		t.Run(c.name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + c.name + ".go.txt")
			if err != nil {
				t.Fatal(err)
			}
			dir := module(t, map[string]string{"p.go": string(text), "p_test.go": uses("p")})
			r, err := run(t, dir, "example.com/m", c.plain)
			if err != nil {
				t.Fatal(err)
			}
			got := after(t, r, "p.go")
			if strings.Count(got, "\n") != strings.Count(string(text), "\n") {
				t.Error("lines were added or removed")
			}
			got += "-- zz_interleave.go --\n" + strings.ReplaceAll(after(t, r, "zz_interleave.go"), filepath.ToSlash(dir), "DIR")
			golden := "testdata/" + c.name + ".want.txt"
			if tier.Update() {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Fatalf("%s: got\n%s", golden, got)
			}
			gotest(t, dir, ".", r)
		})
	}
}

// TestRun runs code of every kind, which must do what it did before.
func TestRun(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	text, err := os.ReadFile("testdata/run_test.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, map[string]string{"m_test.go": string(text)})
	for _, plain := range []bool{false, true} {
		r, err := run(t, dir, "example.com/m", plain)
		if err != nil {
			t.Fatal(err)
		}
		gotest(t, dir, ".", r)
	}
	gotest(t, dir, ".", nil) // as it is
}

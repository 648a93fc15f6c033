package mutants

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
)

// repository makes a repository with these files in one commit.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	root := t.TempDir()
	write(t, root, files)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return root
}

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	inA = Judge{ID: "J-1", Room: "./a", Edits: []overlay.Edit{{File: "a/a.go"}}}
	inB = Judge{ID: "J-2", Room: "./a/b", Edits: []overlay.Edit{{File: "b/b.go"}}}
)

func TestChangedSince(t *testing.T) {
	was := map[string]string{
		"a/a.go": "1", "a/a_test.go": "1", "a/testdata/x": "1", "a/b/b_test.go": "1", "b/b.go": "1", "c.go": "1",
		"mutants/judge_x.go": "\"J-1\", of a\n\"J-2\", of b\n",
	}
	for name, c := range map[string]struct {
		now  map[string]string
		a, b bool
	}{
		"nothing":                    {nil, false, false},
		"elsewhere":                  {map[string]string{"c.go": "2"}, false, false},
		"the file":                   {map[string]string{"b/b.go": "2"}, false, true},
		"a test of the room":         {map[string]string{"a/a_test.go": "2"}, true, false},
		"a test of a room below":     {map[string]string{"a/b/b_test.go": "2"}, false, true},
		"data of the tests":          {map[string]string{"a/testdata/x": "2"}, true, false},
		"a new test":                 {map[string]string{"a/new_test.go": "1"}, true, false},
		"its line in the catalogue":  {map[string]string{"mutants/judge_x.go": "\"J-1\", of a\n\"J-2\", of c\n"}, false, true},
		"a line of a new catalogue":  {map[string]string{"mutants/judge_y.go": "\"J-2\", of b\n"}, false, true},
		"a line that went elsewhere": {map[string]string{"mutants/judge_x.go": "\"J-2\", of b\n"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t, was)
			write(t, root, c.now)
			since, err := changedSince(t.Context(), root, "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			if a, b := since.concerns(&inA), since.concerns(&inB); a != c.a || b != c.b {
				t.Errorf("expected J-1 concerned %v and J-2 %v, saw %v and %v by %+v", c.a, c.b, a, b, since)
			}
		})
	}
}

// TestNarrow: what is chosen is what was drawn and what changed, and what git does
// not know leaves nothing out.
func TestNarrow(t *testing.T) {
	root := repository(t, map[string]string{"a/a.go": "1", "b/b.go": "1"})
	write(t, root, map[string]string{"b/b.go": "2"})
	all := []Judge{inA, inB}
	for _, c := range []struct {
		o    JudgeOptions
		want string
		says string
	}{
		{JudgeOptions{}, "J-1 J-2", ""},
		{JudgeOptions{Changed: "HEAD"}, "J-2", "1 of 2 mutants, 0 of them drawn, 1 concerned"},
		{JudgeOptions{Changed: "HEAD", Sample: 2}, "J-1 J-2", "2 of 2 mutants, 2 of them drawn, 1 concerned"},
		{JudgeOptions{Changed: "main~100"}, "J-1 J-2", "what changed since main~100 is not known"},
		{JudgeOptions{Changed: "--output=x"}, "J-1 J-2", "what changed since --output=x is not known"},
		{JudgeOptions{Changed: "main~100", Sample: 1, Seed: 1}, "J-1", "what changed since main~100 is not known"},
		{JudgeOptions{Changed: "HEAD", Root: t.TempDir()}, "J-1 J-2", "what changed since HEAD is not known"},
	} {
		var said, chosen []string
		c.o.Say = func(text string) { said = append(said, text) }
		if c.o.Root == "" {
			c.o.Root = root
		}
		for _, j := range c.o.narrow(t.Context(), all) {
			chosen = append(chosen, j.ID)
		}
		if got := strings.Join(chosen, " "); got != c.want && (c.o.Sample != 1 || len(chosen) != 1) {
			t.Errorf("%+v: expected %s, saw %s", c.o, c.want, got)
		}
		if text := strings.Join(said, "\n"); !strings.Contains(text, c.says) || c.says == "" && text != "" {
			t.Errorf("%+v: expected it to say %q, saw %q", c.o, c.says, text)
		}
	}
}

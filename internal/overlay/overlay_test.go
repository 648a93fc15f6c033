package overlay

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const source = `package p

import "fmt"

type P[T any] struct{ n int }

func (p *P[T]) Get() int {
	p.n++ // one
	return p.n
}

func (p *P[T]) Put() {
	p.n++ // one
	p.n++ // two
}

func Get() int { return 7 }

func Name() string {
	switch x := Get(); {
	case x > 3:
		return fmt.Sprint(x)
	}
	return "" // line 24
}
`

func checkout(t *testing.T) *Set {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p/p.go": source, "p/p_test.go": "package p\n"} {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestApply(t *testing.T) {
	s := checkout(t)
	err := s.Apply(
		Edit{"p/p.go", "(*P).Get", "p.n++ // one", "p.n--"},
		Edit{"p/p.go", "P.Put", "p.n++ // two", "p.n += 2"},
		Edit{"p/p.go", "P.Put", "p.n += 2", "p.n += 3"}, // of what the edit before left
		Edit{"p/p.go", "Get", "7", "8"},
		Edit{"p/p.go", "", `import "fmt"`, `import fmt "fmt"`},
	)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Text("p/p.go")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("p.n++ // one\n\treturn", "p.n--\n\treturn", "p.n++ // two", "p.n += 3", "return 7", "return 8", `import "fmt"`, `import fmt "fmt"`).Replace(source)
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if got := s.Files(); !slices.Equal(got, []string{"p/p.go"}) {
		t.Errorf("files %v", got)
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		edit Edit
		want string // in the error
		kind bool   // an *EditError
	}{
		{"nothing", Edit{"p/p.go", "P.Put", "p.n--", ""}, `expected 1 occurrence of "p.n--"; observed 0`, true},
		{"twice", Edit{"p/p.go", "P.Put", "p.n++", ""}, `expected 1 occurrence of "p.n++"; observed 2`, true},
		{"elsewhere", Edit{"p/p.go", "Get", "p.n++ // two", ""}, "observed 0", true},
		{"no function", Edit{"p/p.go", "P.Steal", "p.n++", ""}, "observed only P.Get, P.Put, Get, Name", true},
		{"no text", Edit{"p/p.go", "P.Put", "", "x"}, "expected a piece of text to replace", true},
		{"does not parse", Edit{"p/p.go", "Get", "return 7", "return ("}, "does not parse", false},
		{"no file", Edit{"p/q.go", "Get", "7", "8"}, "q.go", false},
		{"outside", Edit{"../p.go", "Get", "7", "8"}, "inside the module", false},
		{"rooted", Edit{"/etc/p.go", "Get", "7", "8"}, "inside the module", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := checkout(t)
			err := s.Apply(Edit{"p/p.go", "Name", "x > 3", "x > 4"}, c.edit)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if _, ok := errors.AsType[*EditError](err); ok != c.kind {
				t.Errorf("%T, want an *EditError: %v", err, c.kind)
			}
			if len(s.Files()) != 0 {
				t.Errorf("an edit that failed left %v in the set", s.Files())
			}
		})
	}
}

func TestPut(t *testing.T) {
	s := checkout(t)
	if err := s.Put("p/q.go", []byte("package p\nfunc")); err == nil {
		t.Error("a text that does not parse was taken")
	}
	if err := s.Put("p/q.go", []byte("package p\n\nconst Q = 1\n")); err != nil {
		t.Error(err)
	}
	if err := s.Apply(Edit{"p/q.go", "", "1", "2"}); err != nil {
		t.Error(err)
	}
	if text, _ := s.Text("p/q.go"); string(text) != "package p\n\nconst Q = 2\n" {
		t.Errorf("%q", text)
	}
}

// TestBuild builds what an overlay says, edits and files of its own, and finds
// the checkout as it was.
func TestBuild(t *testing.T) {
	s := checkout(t)
	if err := s.Apply(
		Edit{"p/p.go", "Get", "return 7", `panic("the edit")`},
		Edit{"p/p.go", "Name", "switch", "mark(); switch"},
	); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("p/mark.go", []byte("package p\n\nvar marks int\n\nfunc mark() { marks++ }\n")); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("p/mark_test.go", []byte(`package p

import "testing"

func TestMark(t *testing.T) {
	defer func() {
		if v := recover(); v != "the edit" || marks != 1 {
			t.Fatal(v, marks)
		}
	}()
	Name()
}
`)); err != nil {
		t.Fatal(err)
	}
	overlay, err := s.Write(filepath.Join(t.TempDir(), "o"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Replace map[string]string }
	if text, err := os.ReadFile(overlay); err != nil || json.Unmarshal(text, &file) != nil || len(file.Replace) != 3 {
		t.Errorf("overlay.json: %s, %v", text, err)
	}
	cmd := exec.Command("go", "test", "-overlay", overlay, "./p")
	cmd.Dir = s.Root()
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if now, _ := os.ReadFile(filepath.Join(s.Root(), "p", "p.go")); string(now) != source {
		t.Error("the checkout was changed")
	}
}

// TestLineNumbers: a replacement of as many lines keeps what follows in place.
func TestLineNumbers(t *testing.T) {
	s := checkout(t)
	if err := s.Apply(Edit{"p/p.go", "P.Put", "	p.n++ // one\n	p.n++ // two\n", "	p.n += 2\n\n"}); err != nil {
		t.Fatal(err)
	}
	text, _ := s.Text("p/p.go")
	if got := strings.Split(string(text), "\n")[23]; !strings.Contains(got, "line 24") {
		t.Errorf("line 24 is %q", got)
	}
}

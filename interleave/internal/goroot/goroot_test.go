package goroot

import (
	"bytes"
	"errors"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
)

func root(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestPinned: the toolchain at hand is one of those that are pinned, lines keep their numbers, and our files are formatted.
func TestPinned(t *testing.T) {
	for name, text := range ours {
		if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
			t.Errorf("our file %s is not as gofmt has it: %v", name, err)
		}
	}
	o, err := Make(root(t))
	if err != nil {
		t.Fatal(err)
	}
	if Pinned[o.Digest] == "" {
		t.Errorf("expected a toolchain that is pinned, saw %s, of digest %s", runtime.Version(), o.Digest)
	}
	for _, e := range edits {
		was, err := os.ReadFile(filepath.Join(o.Set.Root(), e.file))
		if errors.Is(err, fs.ErrNotExist) && e.early() {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		is, err := o.Set.Text(e.file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(was), "\n") != strings.Count(string(is), "\n") {
			t.Errorf("%s: lines have other numbers", e.file)
		}
	}
}

// TestDamaged: a toolchain in which the function of an edit has another name is refused by file and function; one that differs elsewhere is not
// pinned.
func TestDamaged(t *testing.T) {
	from := root(t)
	dir := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		name := filepath.Join(dir, "src", file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	texts := make(map[string]string)
	for _, e := range edits {
		text, err := os.ReadFile(filepath.Join(from, "src", e.file))
		if errors.Is(err, fs.ErrNotExist) && e.early() {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		texts[e.file] = string(text)
		write(e.file, string(text))
	}
	o, err := Make(dir)
	if err != nil || Pinned[o.Digest] == "" {
		t.Fatalf("a copy: expected it to be pinned, saw %v", err)
	}
	for _, e := range edits {
		for _, i := range e.insertions {
			damage := func(what, old, new string) {
				t.Helper()
				if strings.Count(texts[e.file], old) == 0 {
					t.Fatalf("%s: %s: expected %q", e.file, i.At.Func, old)
				}
				write(e.file, strings.ReplaceAll(texts[e.file], old, new))
				if _, err := Make(dir); !errors.Is(err, overlay.ErrForm) || !strings.Contains(err.Error(), e.file+": function "+i.At.Func+": expected") {
					t.Errorf("%s: %s: %s: expected an error that names both, saw %v", e.file, i.At.Func, what, err)
				}
			}
			// A function, a generic one, or a method.
			form := `func ` + i.At.Func + `[(\[]`
			if receiver, method, ok := strings.Cut(strings.TrimPrefix(i.At.Func, "(*"), ")."); ok {
				form = `func \(\w+ \*` + receiver + `(\[T\])?\) ` + method + `\(`
			} else if receiver, method, ok := strings.Cut(i.At.Func, "."); ok {
				form = `func \(\w+ ` + receiver + `(\[T\])?\) ` + method + `\(`
			}
			begin := regexp.MustCompile(form).FindString(texts[e.file])
			damage("the function has another name", begin, begin[:len(begin)-1]+"Other"+begin[len(begin)-1:])
			if call := i.At.Calls; call != "" {
				body := texts[e.file][strings.Index(texts[e.file], begin):]
				body = body[:strings.Index(body, "\n}\n")]
				damage("a call is gone", body, strings.ReplaceAll(body, call+"(", "other("))
			}
		}
		write(e.file, texts[e.file]+"\n// Another line.\n")
		if o, err := Make(dir); err != nil || Pinned[o.Digest] != "" {
			t.Errorf("%s with one more line: expected it not to be pinned, saw %v", e.file, err)
		}
		write(e.file, texts[e.file])
	}
}

// TestReports: on which platforms code can report what it reads and writes is as the compiler says.
func TestReports(t *testing.T) {
	out, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		t.Skipf("go tool dist list: %v", err)
	}
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte("package p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, platform := range strings.Fields(string(out)) {
		goos, goarch, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", "tool", "compile", "-race", "-p", "p", "-o", os.DevNull, file)
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch)
		said, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(said), "does not support -race") {
			t.Fatalf("%s: %v\n%s", platform, err, said)
		}
		if want := err == nil; (Supported(goos, goarch) == nil) != want {
			t.Errorf("%s: expected %v, as the compiler says, saw %v", platform, want, !want)
		} else if want {
			known++
		}
	}
	if known < 5 {
		t.Errorf("expected five platforms and more, saw %d", known)
	}
}

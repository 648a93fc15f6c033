package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func say(text string, err error) func(io.Writer) error {
	return func(w io.Writer) error {
		io.WriteString(w, text)
		return err
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWrite: the new file or the old one, and nothing left beside it.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, text := range []string{"one", "two"} {
		if err := Write(path, say(text, nil)); err != nil || read(t, path) != text {
			t.Errorf("expected %q, saw %q, %v", text, read(t, path), err)
		}
	}
	sorry := errors.New("sorry")
	if err := Write(path, say("half", sorry)); !errors.Is(err, sorry) || read(t, path) != "two" {
		t.Errorf("expected the old file and the error, saw %q, %v", read(t, path), err)
	}
	if err := Write(dir, say("x", nil)); err == nil {
		t.Error("a folder: expected an error, saw none")
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", ".spindle-*")); len(names) > 0 {
		t.Errorf("left %v", names)
	}
}

// TestPlaces: a link stays, a device stays one, and a new file is for whom the user's
// mask says.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	plain, err := os.Create(real)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := plain.Stat()
	plain.Close()
	if err := os.Symlink("real", link); err != nil {
		t.Skip("no links here")
	}
	if err := Write(link, say("new", nil)); err != nil || read(t, real) != "new" {
		t.Errorf("saw %q, %v", read(t, real), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode() != want.Mode() {
		t.Errorf("expected mode %v, saw %v, %v", want.Mode(), info.Mode(), err)
	}
	if err := Write(os.DevNull, say("x", nil)); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is a file now: %v", os.DevNull, err)
	}
}

// TestDiscard leaves what was there.
func TestDiscard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := Write(path, say("old", nil)); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "new")
	f.Discard()
	if entries, _ := os.ReadDir(filepath.Dir(path)); read(t, path) != "old" || len(entries) != 1 {
		t.Errorf("saw %q and %d files", read(t, path), len(entries))
	}
}

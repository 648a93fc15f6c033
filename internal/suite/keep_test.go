package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"TestQueue-stress/steal-RQ_LOST-0x7.json": "TestQueue-stress-steal-RQ_LOST-0x7.json",
		"../../etc/passwd":                        "..-..-etc-passwd",
		"a\x1b[31m\nb":                            "a--31m-b",
		strings.Repeat("x", 500) + ".json":        strings.Repeat("x", 195) + ".json",
	} {
		if got := FileName(name); got != want {
			t.Errorf("%q: expected %q, saw %q", name, want, got)
		}
	}
}

// TestBound: the oldest files go until the folder is within its bounds, by number
// and by size. What was just written stays, whatever its size.
func TestBound(t *testing.T) {
	for name, c := range map[string]struct {
		files, size, own int
		left             int
		oldest           string // of those that are left
	}{
		"few":               {3, 1, 1, 4, "0"},
		"many":              {keptFiles + 3, 1, 1, keptFiles, "4"},
		"large":             {6, keptBytes / 4, 1, 4, "3"},
		"larger than it is": {2, 1, keptBytes + 1, 1, "own"},
	} {
		dir := t.TempDir()
		old := time.Now().Add(-time.Hour)
		write := func(name string, size int, at time.Time) string {
			path := filepath.Join(dir, name)
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Truncate(int64(size)); err != nil {
				t.Fatal(err)
			}
			f.Close()
			os.Chtimes(path, at, at)
			return path
		}
		for i := range c.files {
			// Names do not tell the age.
			write(string(rune('0'+i%10))+strings.Repeat("z", i/10), c.size, old.Add(time.Duration(i)*time.Second))
		}
		own := write("own", c.own, old.Add(-time.Hour))
		bound(dir, own)
		entries, _ := os.ReadDir(dir)
		if _, err := os.Stat(own); err != nil || len(entries) != c.left {
			t.Errorf("%s: expected %d files and the own one, saw %d: %v", name, c.left, len(entries), err)
		}
		if _, err := os.Stat(filepath.Join(dir, c.oldest)); err != nil {
			t.Errorf("%s: expected %s left: %v", name, c.oldest, err)
		}
	}
}

// TestEventsFromEnv: a stream that did not come to its end has no name.
func TestEventsFromEnv(t *testing.T) {
	names := func(dir string) string {
		entries, _ := os.ReadDir(dir)
		var list []string
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return strings.Join(list, " ")
	}
	dir := filepath.Join(t.TempDir(), "to be made")
	t.Setenv(EventsVar, dir)
	sink, done, err := EventsFromEnv()
	if err != nil {
		t.Fatal(err)
	}
	sink(Event{Event: HeaderEvent, Header: &Header{}})
	sink(Event{Event: TargetEvent, Target: "a/b"})
	if got := names(dir); !strings.HasPrefix(got, ".spindle-") {
		t.Errorf("before its end it is called %q", got)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	if got := names(dir); !strings.HasPrefix(got, "a-b-") || !strings.HasSuffix(got, ".ndjson") {
		t.Errorf("expected a file of the target a/b, saw %q", got)
	}
	// What could not be written is no stream.
	sink, done, err = EventsFromEnv()
	if err != nil {
		t.Fatal(err)
	}
	sink(Event{Event: TargetEvent, Target: "c", Description: &Description{Profile: "x"}, Header: &Header{Begin: time.Date(1e5, 1, 1, 0, 0, 0, 0, time.UTC)}})
	if err := done(); err == nil || strings.Contains(names(dir), "c-") {
		t.Errorf("an event that cannot be written: %v, files %q", err, names(dir))
	}
	t.Chdir(t.TempDir()) // where it would be made
	t.Setenv(EventsVar, "relative")
	if _, _, err := EventsFromEnv(); err == nil || !strings.Contains(err.Error(), `saw "relative"`) {
		t.Errorf("expected an error about a relative path, saw %v", err)
	}
	t.Setenv(EventsVar, "")
	if sink, done, err := EventsFromEnv(); err != nil || done() != nil {
		t.Error(err)
	} else {
		sink(Event{})
	}
}

// TestKeepNew: what is kept under a name stays, and other data get a name of their own.
func TestKeepNew(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ data, want string }{{"a", "x.json"}, {"a", "x.json"}, {"b", "x-2.json"}, {"c", "x-3.json"}, {"b", "x-2.json"}, {"a", "x.json"}} {
		path, err := KeepNew(dir, "x.json", []byte(c.data))
		if err != nil || path != filepath.Join(dir, c.want) {
			t.Errorf("%d: expected %s, saw %s, %v", i, c.want, path, err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != c.data {
			t.Errorf("%d: expected %q, saw %q, %v", i, c.data, data, err)
		}
	}
}

package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKeepHistory holds that the folder of findings is one, and bounded: by number
// and by size the oldest go first, and never the one that was just written.
func TestKeepHistory(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	dir, err := KeptFolder()
	if err != nil {
		t.Fatal(err)
	}
	files := func() (names []string, size int64) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			names, size = append(names, e.Name()), size+info.Size()
		}
		return names, size
	}
	old := time.Now().Add(-time.Hour)
	for i := range keptFiles + 20 {
		path := KeepHistory(fmt.Sprintf("../x/%03d.json", i), []byte("{}"))
		if filepath.Dir(path) != dir {
			t.Fatalf("expected a file in %s, saw %q", dir, path)
		}
		if err := os.Chtimes(path, old, old.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if names, _ := files(); len(names) != keptFiles || !strings.Contains(names[0], "020") {
		t.Errorf("expected the last %d files, saw %d, the first %s", keptFiles, len(names), names[0])
	}
	// A large one makes room for itself, and stays however large it is.
	large := KeepHistory("large.json", make([]byte, keptBytes-10))
	if names, size := files(); size > keptBytes || len(names) > 6 {
		t.Errorf("expected at most %d bytes, saw %d in %d files", keptBytes, size, len(names))
	}
	if _, err := os.Stat(large); err != nil {
		t.Error(err)
	}
	larger := KeepHistory("larger.json", make([]byte, keptBytes+10))
	if names, _ := files(); len(names) != 1 || filepath.Join(dir, names[0]) != larger {
		t.Errorf("expected %s alone, saw %v", larger, names)
	}
	// Without a folder there is no path, and no error.
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if path := KeepHistory("x.json", nil); path != "" {
		t.Errorf("expected no path, saw %q", path)
	}
}

package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/wholefile"
)

// KeptVar is an environment variable. If it is "off", tests do not keep scenarios that
// fail, and do not try those that they have kept.
const KeptVar = "SPINDLE_KEPT"

// The bounds of the folder in which histories of findings lie: older ones go first.
const (
	keptFiles = 64
	keptBytes = 64 << 20
)

// KeptFolder is where KeepHistory puts what it keeps.
func KeptFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("suite: no folder for histories: %w", err)
	}
	return filepath.Join(cache, "spindle", "findings"), nil
}

// KeepHistory is an Options.Keep: it writes data to a file in one bounded folder of
// the user's. What cannot be kept does not change a verdict.
func KeepHistory(name string, data []byte) string {
	dir, err := KeptFolder()
	if err != nil {
		return ""
	}
	path, err := KeepNew(dir, name, data)
	if err != nil {
		return ""
	}
	bound(dir, path)
	return path
}

// KeepNew is KeepIn that leaves files with other data alone: a check that is run again finds a history of its own, and the command that
// shows the first one must show that. The name then gets a number.
func KeepNew(dir, name string, data []byte) (string, error) {
	ext := filepath.Ext(name)
	for n, try := 2, name; ; n++ {
		old, err := os.ReadFile(filepath.Join(dir, FileName(try)))
		if err != nil || bytes.Equal(old, data) || n > keptFiles {
			return KeepIn(dir, try, data)
		}
		try = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
}

// KeepIn writes data to a file of that name in dir, which is made if it is not
// there. Runes that do not belong in the name of a file become hyphens.
func KeepIn(dir, name string, data []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, FileName(name))
	return path, wholefile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// FileName maps the runes of name that do not belong in the name of a file to
// hyphens, and bounds its length.
func FileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	return name[max(0, len(name)-200):]
}

// bound removes the oldest files of dir until it is within its bounds. It leaves
// keep, and what it cannot remove.
func bound(dir, keep string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type kept struct {
		path string
		size int64
		at   time.Time
	}
	var files []kept
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		files = append(files, kept{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
		total += info.Size()
	}
	slices.SortFunc(files, func(a, b kept) int { return a.at.Compare(b.at) })
	for n := len(files); len(files) > 0 && (n > keptFiles || total > keptBytes); files = files[1:] {
		if f := files[0]; f.path != keep {
			if err := os.Remove(f.path); err != nil && !os.IsNotExist(err) {
				return
			}
			n, total = n-1, total-f.size
		}
	}
}

// EventsVar is the environment variable that names a folder: each run of a test
// entry writes its events into a file of its own there.
const EventsVar = "SPINDLE_EVENTS"

// Unfinished is the pattern of the names of streams in that folder that have not come
// to their end.
const Unfinished = ".spindle-*"

// EventsFromEnv returns a sink for the events of one run, and a function that ends
// it: both do nothing if SPINDLE_EVENTS is not set. The file is renamed into place
// when it is whole.
func EventsFromEnv() (sink func(Event), done func() error, err error) {
	dir := os.Getenv(EventsVar)
	if dir == "" {
		return func(Event) {}, func() error { return nil }, nil
	}
	bad := func(err error) error { return fmt.Errorf("suite: %s: %w", EventsVar, err) }
	if !filepath.IsAbs(dir) {
		return nil, nil, bad(fmt.Errorf("expected the absolute path of a folder, saw %q", dir))
	}
	if err := os.MkdirAll(dir, fs.ModePerm); err != nil {
		return nil, nil, bad(err)
	}
	f, err := os.CreateTemp(dir, Unfinished)
	if err != nil {
		return nil, nil, bad(err)
	}
	name := "events"
	write, failed := WriteEvents(f)
	return func(e Event) {
			if e.Event == TargetEvent {
				name = FileName(e.Target)
			}
			write(e)
		}, func() error {
			err := cmp.Or(failed(), f.Close())
			if err == nil {
				suffix := strings.TrimPrefix(filepath.Base(f.Name()), ".spindle-")
				err = os.Rename(f.Name(), filepath.Join(dir, name+"-"+suffix+".ndjson"))
			}
			if err != nil {
				os.Remove(f.Name())
				return bad(err)
			}
			return nil
		}, nil
}

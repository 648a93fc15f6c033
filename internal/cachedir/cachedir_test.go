package cachedir

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func another(fs.FileInfo) bool { return false }

// places makes the cache folder and the temporary one folders of the test's own.
func places(t *testing.T) (cache, temp string) {
	t.Helper()
	if !hasModes {
		t.Skip("no modes and owners here")
	}
	cache, temp = filepath.Join(t.TempDir(), "cache"), t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("TMPDIR", temp)
	return cache, temp
}

// perm makes a folder or file of exactly that mode, whatever the umask is.
func perm(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestClaim(t *testing.T) {
	dir := func(mode fs.FileMode) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			perm(t, path, mode)
		}
	}
	for _, c := range []struct {
		name string
		make func(*testing.T, string)
		mine func(fs.FileInfo) bool
		want string // of the error; "" is none
	}{
		{"absent", func(*testing.T, string) {}, mine, ""},
		{"one's own", dir(0o700), mine, ""},
		{"others may read it", dir(0o755), mine, ""},
		{"the group may write to it", dir(0o770), mine, "nobody else can write to, saw drwxrwx---"},
		{"all may write to it", dir(0o702), mine, "nobody else can write to"},
		{"the sticky bit is no help", dir(0o777 | fs.ModeSticky), mine, "nobody else can write to"},
		{"another's", dir(0o700), another, "expected a folder of this user, saw another's"},
		{"another's, open to all", dir(0o777), another, "saw another's"},
		{"a file", func(t *testing.T, path string) {
			if err := os.WriteFile(path, nil, 0o700); err != nil {
				t.Fatal(err)
			}
		}, mine, "expected a folder, saw -rwx"},
		{"a link to a folder of one's own", func(t *testing.T, path string) {
			if err := os.Symlink(t.TempDir(), path); err != nil {
				t.Fatal(err)
			}
		}, mine, "expected a folder, saw L"},
		{"a link to nothing", func(t *testing.T, path string) {
			if err := os.Symlink("nowhere", path); err != nil {
				t.Fatal(err)
			}
		}, mine, "expected a folder, saw L"},
	} {
		t.Run(c.name, func(t *testing.T) {
			places(t)
			path := filepath.Join(t.TempDir(), "spindle")
			c.make(t, path)
			before, _ := os.Lstat(path)
			err := claim(path, c.mine)
			info, _ := os.Lstat(path)
			if c.want == "" {
				if err != nil || info.Mode().Perm() != 0o700 {
					t.Errorf("expected a folder of mode 700, saw %v, %v", info.Mode(), err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("expected an error with %q, saw %v", c.want, err)
			}
			if info.Mode() != before.Mode() {
				t.Errorf("expected what is not one's own to be left alone, saw %v become %v", before.Mode(), info.Mode())
			}
		})
	}
}

func TestOpenTakesTheFirstThatIsOnesOwn(t *testing.T) {
	cache, temp := places(t)
	open := func() *Dir {
		t.Helper()
		d, err := Open("spindle")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return d
	}
	stays := func(d *Dir, below string) {
		t.Helper()
		if filepath.Dir(d.Path) != below || d.Why != "" {
			t.Errorf("expected a folder in %s that stays, saw %+v", below, d)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(d.Path); err != nil {
			t.Error(err)
		}
	}
	stays(open(), cache)
	perm(t, filepath.Join(cache, "spindle"), 0o777)
	second := open()
	stays(second, temp)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	stays(open(), temp)

	// Somebody was there first, in both places.
	t.Setenv("XDG_CACHE_HOME", cache)
	if err := os.Remove(second.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), second.Path); err != nil {
		t.Fatal(err)
	}
	fresh := open()
	if filepath.Dir(fresh.Path) != temp || !strings.Contains(fresh.Why, "saw drwxrwxrwx; ") || !strings.Contains(fresh.Why, second.Path+": expected a folder, saw L") {
		t.Errorf("expected a fresh folder and why, saw %+v", fresh)
	}
	if info, err := os.Stat(fresh.Path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("saw %v, %v", info, err)
	}
	if err := os.WriteFile(filepath.Join(fresh.Path, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) != 1 {
		t.Errorf("expected only the link to be left, saw %v", left)
	}
}

func TestOpenWithoutAnyFolder(t *testing.T) {
	cache, temp := places(t)
	for _, path := range []string{cache, filepath.Join(temp, "file")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(temp, "file"))
	if d, err := Open("spindle"); err == nil || !strings.Contains(err.Error(), cache) || !strings.Contains(err.Error(), temp) {
		t.Errorf("expected an error that names each folder, saw %+v, %v", d, err)
	}
}

func TestHas(t *testing.T) {
	places(t)
	d, err := Fresh("spindle")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Has("driver") {
		t.Error("expected no file, saw one")
	}
	path := filepath.Join(d.Path, "driver")
	if err := os.WriteFile(path, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if !d.Has("driver") {
		t.Error("expected the file, saw none")
	}
	if has(path, another) {
		t.Error("another's file is not to be used")
	}
	if err := os.Symlink(path, filepath.Join(d.Path, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(d.Path, "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	if d.Has("link") || d.Has("dir") {
		t.Error("neither a link nor a folder is a file")
	}
}

// The owner is read off the file, and compared with this user.
func TestMine(t *testing.T) {
	places(t)
	own, err := os.Lstat(t.TempDir())
	if err != nil || !mine(own) {
		t.Errorf("expected one's own folder to be one's own, saw otherwise: %v", err)
	}
	if os.Geteuid() == 0 {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Lchown(file, 65534, -1); err != nil {
			t.Skip(err)
		}
		if theirs, err := os.Lstat(file); err != nil || mine(theirs) {
			t.Errorf("expected another's file, saw one's own: %v", err)
		}
	} else if root, err := os.Lstat("/"); err != nil || mine(root) {
		t.Errorf("expected / to be another's, saw one's own: %v", err)
	}
}

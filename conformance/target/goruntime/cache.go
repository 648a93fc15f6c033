package goruntime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/spindle-go/spindle/internal/cachedir"
)

// Binaries are kept between runs in a folder that nobody else can write to; where
// there is none, a binary is built anew for each run. A binary's name is a
// hash of all that it was made from: the generated files, the toolchain, the
// race flag, and size and time of every file of the toolchain's runtime, so that
// whoever edits proc.go gets what he edited. A binary is put in place by a
// rename and is believed only after it has introduced itself (New).

// kept is how many binaries stay in the cache, of 4 MB or so each.
const kept = 8

// key names the binary that t and o give.
func (t *Toolchain) key(o Options) (string, error) {
	h := sha256.New()
	env := t.env
	env.GOCACHE = "" // it matters not where
	fmt.Fprintln(h, env, o.Race)
	wrappers, err := t.Wrappers()
	if err != nil {
		return "", err
	}
	files, err := moduleFiles()
	if err != nil {
		return "", err
	}
	files[wrapperFile] = wrappers
	for name, text := range t.replace {
		files["replace/"+name] = text
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	for _, dir := range []string{t.runtimeDir(), filepath.Join(t.GOROOT, "src", "internal", "runtime")} {
		if err := stamp(h, dir); err != nil {
			return "", fmt.Errorf("%w: reading %s: %w", ErrBuild, dir, err)
		}
	}
	return fmt.Sprintf("%s-%s%s", t.Version, hex.EncodeToString(h.Sum(nil))[:24], t.env.exe()), nil
}

// stamp writes of each file below dir which it is, and when it was changed. What a link
// leads to counts: some trees are made of links.
func stamp(w io.Writer, dir string) error {
	return filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			fmt.Fprintln(w, path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
}

// binary returns the path of the driver's binary in dir, found there or built, and
// whether it was there already.
func (t *Toolchain) binary(ctx context.Context, dir *cachedir.Dir, o Options) (path string, cached bool, err error) {
	key, err := t.key(o)
	if err != nil {
		return "", false, err
	}
	path = filepath.Join(dir.Path, key)
	if dir.Has(key) {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // for prune
		return path, true, nil
	}
	return path, false, t.rebuild(ctx, path, o)
}

// rebuild builds the binary and puts it at path. Another process may do the
// same at the same time; the results are alike.
func (t *Toolchain) rebuild(ctx context.Context, path string, o Options) error {
	tmp, err := os.MkdirTemp(filepath.Dir(path), "tmp-")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	defer os.RemoveAll(tmp)
	fresh := filepath.Join(tmp, "driver"+t.env.exe())
	if err := t.build(ctx, fresh, o); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	prune(filepath.Dir(path))
	return nil
}

// prune removes the binaries that were not used for the longest time.
func prune(dir string) {
	type binary struct {
		path string
		used time.Time
	}
	var all []binary
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && releasePattern.MatchString(e.Name()) {
			all = append(all, binary{filepath.Join(dir, e.Name()), info.ModTime()})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].used.After(all[j].used) })
	for i := kept; i < len(all); i++ {
		_ = os.Remove(all[i].path)
	}
}

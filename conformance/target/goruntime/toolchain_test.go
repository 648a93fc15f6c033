package goruntime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/cachedir"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

func TestFind(t *testing.T) {
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	if tc.Shape.Ring != 256 || !strings.HasPrefix(tc.Version, "go1.") {
		t.Errorf("found %+v", tc)
	}
	text, err := tc.Wrappers()
	if err != nil || !bytes.Contains(text, []byte("package runtime")) {
		t.Errorf("wrappers: %v\n%s", err, text)
	}
}

// Every version, each with the shape that it is known to have, does the same.
func TestVersions(t *testing.T) {
	tier.OnlyFull(t)
	old := Shape{PutBatchCounts: true, DrainCounts: true, GlobalCounts: true, SchedSize: true, Ring: 256}
	recent := Shape{GlobalBatch: true, QueueSize: true, Ring: 256}
	shapes := map[string]Shape{"go1.23.5": old, "go1.25.3": recent}
	for _, v := range tier.Some(t, slices.Sorted(maps.Keys(shapes)), 1) {
		want := shapes[v]
		t.Run(v, func(t *testing.T) {
			x := newTarget(t, Options{Go: otherGo(t, v)})
			d := x.Describe()
			if d.Version != v || x.toolchain.Shape != want {
				t.Fatalf("got %s, shape %+v; want shape %+v", d.Version, x.toolchain.Shape, want)
			}
			op := last(t, x, inOrder(times(257, "0p")))
			same(t, op, record.PContents{Ring: ids(129, 256)}, nothing, append(ids(1, 128), 257),
				record.Move{From: p0ring, To: global, IDs: ids(1, 128)})
			op = last(t, x, inOrder("0b300"))
			same(t, op, record.PContents{Ring: ids(1, 256)}, nothing, ids(257, 300), record.Move{From: p0ring, To: global, IDs: ids(257, 300)})
			op = last(t, x, inOrder("1b254 "+times(10, "1q")+"1m8"))
			same(t, op, nothing, record.PContents{Ring: append(ids(1, 254), 256, 257)}, ids(258, 264), record.Move{From: global, To: p1ring, IDs: ids(256, 257)})
			for _, s := range threads() {
				h := run(t, x, s)
				conserved(t, h)
				balanced(t, h)
			}
		})
	}
}

// A race build shuffles: only that nothing is lost can be said.
func TestRace(t *testing.T) {
	t.Attr("req", "RQ-RANDOM")
	tier.OnlyFull(t) // it builds the standard library with the race detector
	x, err := New(t.Context(), Options{Race: true, Log: t.Output()})
	if errors.Is(err, ErrRace) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if d := x.Describe(); !d.Race || d.Capabilities.Moves {
		t.Errorf("description %+v: want race and no moves", d)
	}
	for _, s := range threads() {
		for i := range s.Threads {
			s.Threads[i].Repeat /= 8
		}
		conserved(t, run(t, x, s))
	}
	h := run(t, x, inOrder(times(20, "0p 0n 0g 0g")))
	conserved(t, h)
	if !slices.ContainsFunc(h.Ops, func(op record.Op) bool { return op.Kind == record.Get && op.OK && !op.FromRunnext && op.Out[0]%2 == 0 }) {
		t.Error("of 20 Gs put in runnext, none came from the ring: want about half")
	}
}

func TestRaceWithoutCompiler(t *testing.T) {
	tier.OnlyFull(t) // it begins to build as much
	t.Setenv("CC", "/nowhere/cc")
	_, err := New(t.Context(), Options{Race: true, NoCache: true})
	if !errors.Is(err, ErrRace) {
		t.Errorf("got %v, want ErrRace", err)
	}
}

func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(""); !errors.Is(err, ErrNoGo) {
		t.Errorf("got %v, want ErrNoGo", err)
	}
	if _, err := New(t.Context(), Options{Go: "/nowhere/bin/go"}); !errors.Is(err, ErrNoGo) {
		t.Errorf("got %v, want ErrNoGo", err)
	}
}

// TestFolder: a folder is a GOROOT, and no other one is tested in its place.
func TestFolder(t *testing.T) {
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Find(tc.GOROOT); err != nil || got.GOROOT != tc.GOROOT || got.Version != tc.Version {
		t.Errorf("expected %s of %s, saw %+v, %v", tc.Version, tc.GOROOT, got, err)
	}
	// A go command that is a link finds its GOROOT where it leads to.
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(tc.Go, filepath.Join(root, "bin", "go"+tc.env.exe())); err != nil {
		t.Skip(err)
	}
	if _, err := Find(root); !errors.Is(err, ErrNoGo) || !strings.Contains(err.Error(), "would be tested in its place") {
		t.Errorf("a folder whose command is of another GOROOT: expected ErrNoGo, saw %v", err)
	}
	if _, err := Find(t.TempDir()); !errors.Is(err, ErrNoGo) {
		t.Errorf("an empty folder: expected ErrNoGo, saw %v", err)
	}
}

// fakeRoot makes a tree that looks like a GOROOT, with the runtime's files
// edited by edit.
func fakeRoot(t *testing.T, edit func(name, text string) string) goEnv {
	t.Helper()
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, name := range []string{"proc.go", "runtime1.go", "runtime2.go"} {
		text, err := os.ReadFile(filepath.Join(tc.runtimeDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		if err := writeFile(filepath.Join(root, "src", "runtime", name), []byte(edit(name, string(text)))); err != nil {
			t.Fatal(err)
		}
	}
	env := tc.env
	env.GOROOT = root
	if err := writeFile(filepath.Join(root, "bin", "go"+env.exe()), nil); err != nil {
		t.Fatal(err)
	}
	return env
}

func TestUnusable(t *testing.T) {
	plain := func(_, text string) string { return text }
	replace := func(old, with string) func(string, string) string {
		return func(_, text string) string { return strings.ReplaceAll(text, old, with) }
	}
	tests := []struct {
		name string
		env  func(goEnv) goEnv
		edit func(name, text string) string
		want error
		says []string
	}{
		{"unchanged", nil, plain, nil, nil},
		{"old", func(e goEnv) goEnv { e.GOVERSION = "go1.22.5"; return e }, plain, ErrVersion, []string{"go1.23", "go1.22.5"}},
		{"odd version", func(e goEnv) goEnv { e.GOVERSION = "tip"; return e }, plain, ErrVersion, []string{`"tip"`}},
		{"no source", func(e goEnv) goEnv { os.RemoveAll(filepath.Join(e.GOROOT, "src")); return e }, plain, ErrSource, []string{"src"}},
		{"no command", func(e goEnv) goEnv { os.RemoveAll(filepath.Join(e.GOROOT, "bin")); return e }, plain, ErrNoGo, []string{"bin"}},
		{"a parameter more", nil, replace("func runqsteal(pp, p2 *p, ", "func runqsteal(pp, p2 *p, why int, "), ErrShape,
			[]string{"runqsteal", "func(*p, *p, bool) (*g)", "func(*p, *p, int, bool) (*g)"}},
		{"a function gone", nil, replace("func runqempty(", "func runqEmpty("), ErrShape, []string{"runqempty", "absent"}},
		{"a field retyped", nil, replace("	runqtail uint32", "	runqtail atomic.Uint32"), ErrShape, []string{"p.runqtail", "uint32", "atomic.Uint32"}},
		{"not Go", nil, replace("package runtime", "package"), errSyntax, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := fakeRoot(t, tt.edit)
			if tt.env != nil {
				env = tt.env(env)
			}
			_, err := open(env, nil)
			if tt.want == errSyntax {
				if err == nil || !strings.Contains(err.Error(), "reading the runtime") {
					t.Errorf("got %v, want a syntax error", err)
				}
				return
			}
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v does not say %q", err, s)
				}
			}
		})
	}
}

var errSyntax = errors.New("syntax")

// snapshot lists the files of a toolchain's runtime with size and time.
func snapshot(t *testing.T, tc *Toolchain) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(tc.runtimeDir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime(), info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A build leaves GOROOT and the folder where it runs as they were, and what it
// replaces is what is tested.
func TestReplace(t *testing.T) {
	tier.OnlyFull(t) // it builds the standard library with another runtime
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, tc)
	text, err := os.ReadFile(filepath.Join(tc.runtimeDir(), "proc.go"))
	if err != nil {
		t.Fatal(err)
	}
	lazy := bytes.Replace(text, []byte("\tn := t - h\n\t\tn = n - n/2\n"), []byte("\tn := t - h\n\t\tn = n / 2\n"), 1)
	if bytes.Equal(text, lazy) {
		t.Skip("this version's runqgrab halves in another way")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	x := newTarget(t, Options{Replace: map[string][]byte{"proc.go": lazy}, NoCache: true})
	h := run(t, x, inOrder(times(5, "0p")+"1s0"))
	if op := h.Ops[5]; !slices.Equal(op.Out, ids(2, 2)) {
		t.Errorf("%v: want 2, as of a steal that rounds down", op)
	}
	if after := snapshot(t, tc); after != before {
		t.Error("the files of GOROOT's runtime changed")
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("the build left %v", left)
	}
}

// An error of the compiler is passed on.
func TestBuildError(t *testing.T) {
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(tc.runtimeDir(), "runtime1.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(t.Context(), Options{
		Replace: map[string][]byte{"runtime1.go": append(text, "\nfunc spindleBroken() { undeclared() }\n"...)}, NoCache: true,
	})
	if !errors.Is(err, ErrBuild) || !strings.Contains(err.Error(), "undeclared") {
		t.Errorf("got %v, want ErrBuild with what the compiler said", err)
	}
}

// A go command that hangs ends with the caller's time, when it is asked what it is and
// when it builds, even if what it started holds its output.
func TestGoThatHangs(t *testing.T) {
	tier.OnlyFull(t)
	if runtime.GOOS == "windows" {
		t.Skip("the go command is a shell script here")
	}
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	hangs := filepath.Join(t.TempDir(), "go")
	if err := os.WriteFile(hangs, []byte("#!/bin/sh\nsleep 8 & wait\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	builder := *tc
	builder.Go = hangs
	for name, f := range map[string]func(context.Context) error{
		"asked": func(ctx context.Context) error {
			_, err := New(ctx, Options{Go: hangs, Log: t.Output()})
			return err
		},
		"building": func(ctx context.Context) error {
			return builder.build(ctx, filepath.Join(t.TempDir(), "driver"), Options{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			begin := time.Now()
			if err := f(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("expected that the time is up, saw %v", err)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("expected an end within 5 s, saw %v", took)
			}
		})
	}
}

// A broken binary in the cache is built anew.
func TestCache(t *testing.T) {
	tier.OnlyFull(t)
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", tc.env.GOCACHE) // only our own cache is a new one
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache, err := cachedir.Open("spindle")
	if err != nil {
		t.Fatal(err)
	}
	dir := cache.Path
	key, err := tc.key(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, key), []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	newTarget(t, Options{})
	if info, err := os.Stat(filepath.Join(dir, key)); err != nil || info.Size() < 1<<20 {
		t.Errorf("the binary was not replaced: %v, %v", info, err)
	}
	other, err := tc.key(Options{Race: true})
	if err != nil || other == key {
		t.Errorf("the race build has the same key: %v", err)
	}
}

// TestStamp: a change of a file is seen, also behind a link.
func TestStamp(t *testing.T) {
	dir, links := t.TempDir(), t.TempDir()
	file, linked := filepath.Join(dir, "proc.go"), filepath.Join(links, "runtime")
	if err := errors.Join(os.WriteFile(file, nil, 0o666), os.Symlink(dir, linked)); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(file, filepath.Join(links, "proc.go")); err != nil {
		t.Fatal(err)
	}
	of := func(dir string) string {
		var b strings.Builder
		if err := stamp(&b, dir); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	var before []string
	folders := []string{dir, linked, links}
	for _, f := range folders {
		before = append(before, of(f))
	}
	if err := os.WriteFile(file, []byte("changed"), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, f := range folders {
		if now := of(f); now == before[i] || now == "" {
			t.Errorf("folder %d: expected that a changed file is seen, saw %q before and %q after", i, before[i], now)
		}
	}
}

// A program under the driver's name is not run if others could have put it there.
func TestCacheOfAnother(t *testing.T) {
	tier.OnlyFull(t)
	if runtime.GOOS == "windows" {
		t.Skip("a folder has no mode here")
	}
	tc, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	key, err := tc.key(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, plant := range map[string]func(dir, program string) error{
		"in a folder that is open to all": func(dir, program string) error {
			return errors.Join(os.Rename(program, filepath.Join(dir, key)), os.Chmod(dir, 0o777))
		},
		"behind a link": func(dir, program string) error { return os.Symlink(program, filepath.Join(dir, key)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOCACHE", tc.env.GOCACHE)
			t.Setenv("TMPDIR", t.TempDir())
			cache := t.TempDir()
			t.Setenv("XDG_CACHE_HOME", cache)
			dir := filepath.Join(cache, "spindle")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			program, ran := filepath.Join(cache, "program"), filepath.Join(cache, "ran")
			if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := plant(dir, program); err != nil {
				t.Fatal(err)
			}
			newTarget(t, Options{})
			if _, err := os.Stat(ran); err == nil {
				t.Error("what another could have put there was run")
			}
		})
	}
}

// The generated module needs only what it contains, and each version of Go that
// is supported can build it; that the oldest can is seen by TestVersions.
func TestModule(t *testing.T) {
	files, err := moduleFiles()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeModule(dir, files); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-e", "-deps", "-tags", driverTag, "-f", "{{if not .Standard}}{{.ImportPath}} {{.Error}}{{end}}", "./driver")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "PWD="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasSuffix(strings.TrimSpace(line), "<nil>") {
			t.Errorf("the generated module lacks something: %s", line)
		}
	}
}

package rerun

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// twoPackages are a test and a package that it imports, of which over is another version:
// what it exports is the same.
var twoPackages = map[string]string{
	"p/p.go":   "package p\n\n//go:noinline\nfunc What() string { return \"original\" }\n",
	"p/over":   "package p\n\n//go:noinline\nfunc What() string { return \"overlaid\" }\n",
	"p/tag.go": "//go:build on\n\npackage p\n\nfunc init() { println(\"with the tag\") }\n",
	"p/p_test.go": `package p

import "testing"

func TestP(t *testing.T) {}
`,
	"m_test.go": `package m

import (
	"sync/atomic"
	"testing"

	"example.com/m/p"
	CALL
)

var n atomic.Int32

func TestOne(t *testing.T) {
	t.Log("came:", call.Test(t, func() string { n.Add(1); return p.What() + ", unsure: " + call.Unsure() }))
}

func FuzzIt(f *testing.F) {
	call.Test(f, func() string { return p.What() + ", unsure: " + call.Unsure() })
	f.Fuzz(func(t *testing.T, b []byte) { n.Add(1) })
}
`,
}

const sure = `came: original, unsure: ""`

// TestSame: whatever flags a test is built with, what is explored is known to be its code,
// or is in doubt. The doubts are listed, each with its flag.
func TestSame(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, twoPackages)
	for _, flags := range []string{
		"", "-race", "-cover", "-covermode=atomic", "-race -cover", "-tags=on", "-tags=on,off", "-ldflags=-s", "-ldflags=-X=example.com/m/p.x=y", "-gcflags=all=-N",
		"-asmflags=-trimpath=x", "-buildmode=pie", "-count=2", "-cpu=1,2", "-mod=readonly", "-mod=mod", "-pgo=off", "-cpuprofile=cpu.out -o=x.test", "-vet=all", "-p=1", "-buildvcs=false",
		"-gcflags=-N", "-modfile=" + filepath.Join(w.dir, "other.mod"),
	} {
		text, err := os.ReadFile(filepath.Join(w.dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		w.writes("other.mod", string(text))
		w.passes([]string{sure}, append(append([]string{"test", "-v", "-run=One"}, strings.Fields(flags)...), ".")...)
		if !strings.Contains(flags, "profile") && flags != "-gcflags=-N" && !strings.Contains(flags, "-asmflags") {
			w.passes([]string{sure}, append(append([]string{"test", "-v", "-run=One"}, strings.Fields(flags)...), "./...")...)
		}
	}
	w.passes([]string{"whole" + strings.TrimPrefix(sure, "came")}, "test", "-run=^$", "-fuzz=Fuzz", "-fuzztime=20x", "-parallel=1", ".")
	doubts := map[string]string{
		"-coverpkg=./...": "-coverpkg", "-gcflags=-N": "-gcflags", "-ldflags=-buildid=": "no build ID",
	}
	for flag, why := range doubts {
		out := w.passes([]string{"came: original, unsure: \""}, "test", "-v", "-run=One", flag, "./...")
		if _, after, _ := strings.Cut(out, `unsure: "`); !strings.Contains(after[:strings.Index(after, "\n")], why) {
			t.Errorf("%s: expected a doubt, %s, saw\n%s", flag, why, out)
		}
	}
	env := w.env
	for _, v := range []string{"GODEBUG=panicnil=1", "CGO_ENABLED=0", "GOEXPERIMENT=nogreenteagc", "GOFLAGS=-mod=mod -race -tags=on"} {
		w.env = append(slices.Clip(env), v)
		w.passes([]string{sure}, "test", "-v", "-run=One", "./...")
	}
	w.env = append(slices.Clip(env), "GOFLAGS=-mod=mod -toolexec=env")
	w.passes([]string{"came: original", "-toolexec stands between"}, "test", "-count=1", "-v", "-run=One", ".")
}

// TestOther: other code than the one under test is not explored.
func TestOther(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	w := module(t, twoPackages)
	w.writes("overlay.json", `{"Replace": {"`+filepath.Join(w.dir, "p/p.go")+`": "`+filepath.Join(w.dir, "p/over")+`"}}`)
	w.fails([]string{string(Differs), "the source is another", "GOFLAGS='<those flags>' go test"}, "test", "-run=One", "-overlay=overlay.json", ".")
	w.fails([]string{string(Differs)}, "test", "-run=^$", "-fuzz=Fuzz", "-fuzztime=20x", "-overlay=overlay.json", ".")

	// The body of a function in another package changes nothing in what imports it.
	w.passes(nil, "test", "-c", "-o", "m.test", ".")
	w.passes(nil, "test", "-c", "-race", "-o", "race.test", ".")
	run := func(name string, env ...string) string {
		cmd := w.command(filepath.Join(w.dir, name), "-test.v", "-test.run=One")
		cmd.Env = append(slices.Clip(w.env), env...)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	for _, name := range []string{"m.test", "race.test"} {
		for _, env := range []string{"X=1", "GOFLAGS=-mod=mod -tags=on", "GOFLAGS=-mod=mod -race", "CGO_ENABLED=0", "GOFLAGS=-mod=mod -cover=false"} {
			if out := run(name, env); !strings.Contains(out, sure) || strings.Contains(out, "with the tag") {
				t.Errorf("%s with %s: expected %q, saw %s", name, env, sure, out)
			}
		}
		if out := run(name, "GOFLAGS=-mod=mod -overlay="+filepath.Join(w.dir, "overlay.json")); !strings.Contains(out, string(Differs)) {
			t.Errorf("%s with an overlay of the environment: expected %q, saw %s", name, Differs, out)
		}
	}
	w.writes("p/p.go", twoPackages["p/over"])
	if out := run("m.test"); !strings.Contains(out, string(Differs)) {
		t.Errorf("the source has changed: expected %q, saw %s", Differs, out)
	}
	w.writes("p/p.go", "package p\n\nimport _ \"embed\"\n\n//go:embed over\nvar over string\n\n//go:noinline\nfunc What() string { return \"original\" }\n")
	w.passes(nil, "test", "-c", "-o", "m.test", ".")
	if out := run("m.test"); !strings.Contains(out, sure) {
		t.Errorf("with an embedded file: expected %q, saw %s", sure, out)
	}
	w.writes("p/over", "changed")
	if out := run("m.test"); !strings.Contains(out, string(Differs)) {
		t.Errorf("an embedded file has changed: expected %q, saw %s", Differs, out)
	}

	// Another version of a module.
	text, err := os.ReadFile(filepath.Join(w.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(w.dir, "zzother"), os.DirFS(filepath.Join(w.dir, "zzcall"))); err != nil {
		t.Fatal(err)
	}
	w.writes("other.mod", strings.Replace(string(text), "=> ./zzcall", "=> ./zzother", 1))
	w.fails([]string{string(Differs), "another version of a module"}, "test", "-run=One", "-modfile=other.mod", ".")
}

// TestLinker reads what the go command gives a linker, and nothing else.
func TestLinker(t *testing.T) {
	dir := t.TempDir()
	cfg := filepath.Join(dir, "importcfg.link")
	info := strings.Repeat("x", 16) + "path\tm.test\nbuild\t-k=v\n" + strings.Repeat("y", 16)
	if err := os.WriteFile(cfg, []byte("packagefile a=/b\nmodinfo "+strconv.Quote(info)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
		ok   bool
	}{
		"a linker":          {[]string{"/x/link", "-o", "a", "-importcfg", cfg, "-buildid=a/b/c/a", "m.a"}, "a/b/c/", true},
		"of Windows":        {[]string{"/x/link.exe", "-buildid=a/b/c/a"}, "a/b/c/", true},
		"the user's ID":     {[]string{"/x/link", "-buildid=a/b/c/a", "-buildid=", "m.a"}, "", true},
		"the version":       {[]string{"/x/link", "-V=full"}, "", false},
		"a compiler":        {[]string{"/x/compile", "-buildid", "a/a", "-buildid=a/b"}, "", false},
		"a folder of links": {[]string{"/x/link/asm", "-buildid=a/b"}, "", false},
	} {
		l, ok := linker(c.args)
		if l.ID != c.want || ok != c.ok {
			t.Errorf("%s: expected %q, %v, saw %q, %v", name, c.want, c.ok, l.ID, ok)
		}
		if name != "a linker" {
			continue
		}
		is := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "-k", Value: "v"}}}
		if got := differs(is, runtime.Version(), l); !strings.Contains(got, "the source is another") {
			t.Errorf("the same settings: saw %q", got)
		}
		if got := differs(is, "go1.1", l); !strings.Contains(got, `the version of Go: this binary was built with "go1.2`) {
			t.Errorf("another version: saw %q", got)
		}
		is.Settings[0].Value = "w"
		if got := differs(is, runtime.Version(), l); !strings.Contains(got, `-k: this binary was built with "w", a build now has "v"`) {
			t.Errorf("another setting: saw %q", got)
		}
	}
}

// TestContains finds a text wherever it lies in a file.
func TestContains(t *testing.T) {
	text := []byte("an ID of a build")
	for _, at := range []int{0, 1, 1<<20 - 1, 1<<20 - len(text), 1<<20 - len(text) + 1, 1 << 20, 2<<20 - 2*len(text) + 3, 3<<20 - len(text)} {
		b := make([]byte, 3<<20)
		copy(b[at:], text)
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if has, err := contains(name, text); !has || err != nil {
			t.Errorf("at %d: not found: %v", at, err)
		}
		b[at+3]++
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if has, err := contains(name, text); has || err != nil || bytes.Contains(b, text) {
			t.Errorf("changed at %d: found: %v", at, err)
		}
	}
}

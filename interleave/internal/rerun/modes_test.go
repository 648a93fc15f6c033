package rerun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestFlags gives the parent tags, ldflags, the race detector, coverage and
// flags of the test's own, and looks at what the child has.
func TestFlags(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	files := map[string]string{
		"off.go": "//go:build !on\n\npackage m\n\nconst tag = \"off\"\n",
		"on.go":  "//go:build on\n\npackage m\n\nconst tag = \"on\"\n",
		"m_test.go": `package m

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	CALL
)

var n atomic.Int32
var linked = "not"
var own = flag.String("own", "", "")

func TestOne(t *testing.T) {
	if out := call.Test(t, func() string {
		race := ""
		info, _ := debug.ReadBuildInfo()
		for _, s := range info.Settings {
			if s.Key == "-race" || s.Key == "-cover" {
				race += s.Key + s.Value
			}
		}
		return fmt.Sprint(tag, " ", linked, " ", *own, testing.Short(), race, runtime.GOMAXPROCS(0), flag.Args(), testing.CoverMode())
	}); true {
		t.Log("child:", out)
	}
}
`}
	w := module(t, files)
	w.passes([]string{"child: on a b c dtrue1 [x y] args"}, "test", "-v", "-short", "-tags=on", "-ldflags=-X 'example.com/m.linked=a b'", "-cpu=1", ".", "-own=c d", "x", "y")
	if tier.Full(t) { // it builds the standard library with the race detector
		w.passes([]string{"child: off not false2 [] args"}, "test", "-v", "-race", "-cpu=2", "-coverprofile=c.out", "-cpuprofile=cpu.out", ".")
		w.env[len(w.env)-4] = "GOFLAGS=-mod=mod -race -cover -tags=on"
		w.passes([]string{"child: on not false2 [] args"}, "test", "-v", "-cpu=2", ".")
	}
}

// TestOverlay: an overlay of GOFLAGS is below the instrumentation.
func TestOverlay(t *testing.T) {
	t.Parallel()
	long(t)
	w := module(t, map[string]string{"m_test.go": simple, "m_other.txt": strings.Replace(simple, "back", "changed", 1)})
	w.writes("overlay.json", `{"Replace": {"`+filepath.Join(w.dir, "m_test.go")+`": "`+filepath.Join(w.dir, "m_other.txt")+`"}}`)
	w.env = append(w.env, "GOFLAGS=-mod=mod -overlay="+filepath.Join(w.dir, "overlay.json"))
	w.passes([]string{"came: changed"}, "test", "-v", ".")
}

// TestVendor vendors interleave.
func TestVendor(t *testing.T) {
	t.Parallel()
	long(t)
	w := module(t, map[string]string{"p/p.go": strings.Replace(counter, "package m", "package p", 1), "m_test.go": importing("example.com/m/p", "p")})
	w.passes(nil, "mod", "tidy")
	w.passes(nil, "mod", "vendor")
	w.env = append(w.env, "GOFLAGS=")
	w.explores("example.com/m/p", "test", "-v", ".")
	w.env = append(w.env, "GOFLAGS=-mod=mod")
	w.explores("example.com/m/p", "test", "-v", ".")
}

// TestWorkspace: packages of all modules of a workspace are explored.
func TestWorkspace(t *testing.T) {
	t.Parallel()
	long(t)
	w := module(t, map[string]string{
		"other/go.mod": "module example.com/other\n\ngo 1.26\n",
		"other/o.go":   strings.Replace(counter, "package m", "package other", 1),
		"m_test.go":    importing("example.com/other", "other"),
		"go.work":      "go 1.26.0\n\nuse (\n\t.\n\t./other\n)\n",
	})
	w.env = append(w.env, "GOFLAGS=", "GOWORK=")
	w.explores("example.com/other", "test", "-v", ".")
	w.explores("example.com/other", "test", "-v", "example.com/m")
}

// importing is a test that imports a package with the text counter.
func importing(path, name string) string {
	return `package m

import (
	"testing"

	"` + path + `"
	CALL
)

func TestOne(t *testing.T) {
	t.Log("came:", call.Test(t, func() string { new(` + name + `.Counter).Add(); return "back" }))
}
`
}

// explores runs the go command, and holds that a package is explored by it.
func (w *workplace) explores(path string, args ...string) {
	w.t.Helper()
	env, work := w.env, w.t.TempDir()
	w.env = append(w.env[:len(w.env):len(w.env)], workVar+"="+work)
	w.passes([]string{"came: back"}, append(args, "-count=1")...)
	w.env = env
	tables, _ := filepath.Glob(filepath.Join(work, "*/after/*/zz_interleave*.go"))
	if len(tables) != 1 {
		w.t.Fatalf("kept %v, want one table", tables)
	}
	if text, err := os.ReadFile(tables[0]); err != nil || !strings.Contains(string(text), `zzhook.Explored("`+path+`")`) {
		w.t.Errorf("expected %s to be explored: %v\n%s", path, err, text)
	}
}

const fuzzes = `package m

import (
	"bytes"
	"sync/atomic"
	"testing"

	CALL
)

var n atomic.Int32

func FuzzIt(f *testing.F) {
	SEED
	f.Fuzz(func(t *testing.T, b []byte) {
		call.Test(t, func() string {
			n.Add(1)
			if bytes.Contains(b, []byte("none of this")) {
				t.Error("found", string(b))
			}
			return string(b)
		})
	})
}
`

// TestFuzz runs the fuzzer: the seeds as tests, a run that finds nothing, one
// that finds something, and one without a seed.
func TestFuzz(t *testing.T) {
	t.Parallel()
	long(t)
	w := module(t, map[string]string{"m_test.go": strings.Replace(fuzzes, "SEED", `f.Add([]byte("seed"))`, 1)})
	out := w.passes([]string{"--- PASS: FuzzIt/seed#0"}, "test", "-v", ".")
	if strings.Contains(out, "whole:") {
		t.Errorf("the whole run was re-executed without -fuzz\n%s", out)
	}
	out = w.passes([]string{"fuzz: elapsed: ", "workers", "PASS"}, "test", "-fuzz=Fuzz", "-fuzztime=2000x", "-parallel=2", ".")
	if strings.Count(out, "fuzz: elapsed: 0s, gathering baseline coverage: 0/") != 1 {
		t.Errorf("not one fuzzer:\n%s", out)
	}
	if left := w.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	w.writes("m_test.go", strings.NewReplacer("SEED", `f.Add([]byte("seed"))`, "bytes.Contains", "!bytes.HasPrefix", "none of this", "s", "CALL", `call "`+subModule+`"`).Replace(fuzzes))
	w.fails([]string{"found"}, "test", "-fuzz=Fuzz", "-fuzztime=20000x", "-parallel=2", ".")
	clean := func() {
		if err := os.RemoveAll(filepath.Join(w.dir, "testdata")); err != nil {
			t.Fatal(err)
		}
	}
	clean()
	w.writes("m_test.go", strings.NewReplacer("SEED", ``, "CALL", `call "`+subModule+`"`).Replace(fuzzes))
	w.passes([]string{"PASS"}, "test", "-fuzz=Fuzz", "-fuzztime=1000x", "-parallel=2", ".")
	w.writes("call_test.go", "package m\n\nimport call \""+subModule+"\"\n\nvar test = call.Test\n")
	hidden := strings.NewReplacer("CALL", ``, "call.Test", "test")
	w.writes("m_test.go", hidden.Replace(strings.Replace(fuzzes, "SEED", "", 1)))
	w.fails([]string{string(FuzzWorker)}, "test", "-fuzz=Fuzz", "-fuzztime=20000x", "-parallel=2", ".")
	w.writes("m_test.go", hidden.Replace(strings.Replace(fuzzes, "SEED", `test(f, func() string { return "target" })`, 1)))
	clean()
	w.passes([]string{"whole: target"}, "test", "-fuzz=Fuzz", "-fuzztime=1000x", "-parallel=2", ".")
}

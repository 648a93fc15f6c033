package instrument

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestChoose has packages of every kind: imported or not, opted out, with C and
// with assembly, of another module. Without a C compiler the one with C opts out, too.
func TestChoose(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	body := "\n\nimport \"sync/atomic\"\n\nvar N atomic.Int32\n\nfunc Add() int32 { return N.Add(1) }\n"
	withC, whyC := "package c\n\nimport \"C\"\n\nimport \"sync/atomic\"\n\nvar N atomic.Int32\n", "it imports C"
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || string(out) != "1\n" {
		withC, whyC = "//interleave:off\n\npackage c"+body, "it says //interleave:off"
	}
	dir := module(t, map[string]string{
		"p.go":         "package m\n\nimport (\n\t_ \"example.com/m/a\"\n\t_ \"example.com/m/asm\"\n\t_ \"example.com/m/c\"\n\t_ \"example.com/m/off\"\n\t_ \"example.com/other\"\n)\n",
		"p_test.go":    uses("m"),
		"x_test.go":    "package m_test\n\nimport \"example.com/m/b\"\n\nvar _ = b.Add\n",
		"a/a.go":       "package a" + body,
		"b/b.go":       "package b\n\nimport _ \"example.com/m\"" + body, // compiled once more for the test
		"unused/u.go":  "package unused" + body,
		"off/off.go":   "// A comment.\n\n//interleave:off\n\n// Package off stays as it is.\npackage off" + body,
		"c/c.go":       withC,
		"asm/a.go":     "package asm" + body,
		"asm/a.s":      "\n",
		"other/o.go":   "package other" + body,
		"other/go.mod": "module example.com/other\n\ngo 1.26\n",
		"go.mod":       gomod("example.com/m") + "\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./other\n",
	})
	r, err := run(t, dir, "example.com/m", true)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"example.com/m/a", "example.com/m", "example.com/m/b", "example.com/m_test"}; !slices.Equal(r.Packages, want) {
		t.Errorf("rewritten %v, want %v", r.Packages, want)
	}
	var skipped []string
	for _, s := range r.Skipped {
		skipped = append(skipped, s.Package+": "+s.Why)
	}
	slices.Sort(skipped)
	if want := []string{"example.com/m/asm: it has assembly files", "example.com/m/c: " + whyC, "example.com/m/off: it says //interleave:off"}; !slices.Equal(skipped, want) {
		t.Errorf("skipped %v, want %v", skipped, want)
	}
	if s := after(t, r, "zz_interleave_test.go"); !strings.Contains(s, "package m_test\n") || strings.Contains(s, "Globals") {
		t.Error(s)
	}
	// One sequence of sites: a has one, then b.
	if s := after(t, r, "b/zz_interleave.go"); r.Sites != 2 || !strings.Contains(s, "Register(2, ") || !strings.Contains(s, `"example.com/m/b.N"`) {
		t.Errorf("%d sites; %s", r.Sites, s)
	}
	gotest(t, dir, ".", r)
	if e := r.Explain("a.go:1: cannot use x as *\"github.com/spindle-go/spindle/interleave/sync\".Mutex value"); !strings.Contains(e, "sync\".Mutex stands in") || !strings.Contains(e, "Not rewritten: example.com/m/asm: it has assembly files.") {
		t.Error(e)
	}

	if _, err := run(t, dir, "example.com/m/off", true); err == nil || !strings.Contains(err.Error(), "do not import") {
		t.Errorf("a test that does not use interleave: %v", err)
	}
	_, err = run(t, dir, "example.com/m/nowhere", true)
	if e, ok := errors.AsType[*ListError](err); !ok || e.Package != "example.com/m/nowhere" {
		t.Errorf("a package that is not there: %v", err)
	}
}

// TestOwn: packages of interleave stay as they are but for their external tests
// and those that say so.
func TestOwn(t *testing.T) {
	t.Parallel()
	const path = interleavePath + "/zz"
	dir := module(t, map[string]string{
		"go.mod":        gomod(path),
		"p.go":          "package zz\n\nimport _ \"" + path + "/on\"\n",
		"x_test.go":     strings.Replace(uses("zz_test"), "import (", "import (\n\t_ \""+path+"\"", 1),
		"on/on.go":      "//interleave:on\n\npackage on\n",
		"off/off.go":    "//interleave:off\n\npackage off\n",
		"off/o_test.go": uses("off"),
	})
	r, err := run(t, dir, path, true)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{path + "/on", path + "_test"}; !slices.Equal(r.Packages, want) {
		t.Errorf("rewritten %v, want %v", r.Packages, want)
	}
	_, err = run(t, dir, path+"/off", true)
	if e, ok := errors.AsType[*NothingError](err); !ok || !strings.Contains(e.Error(), "it says //interleave:off") {
		t.Errorf("nothing to rewrite: %v", err)
	}
}

// TestExternalAlone: a folder may have external tests and nothing else.
func TestExternalAlone(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"x_test.go": uses("m_test")})
	r, err := run(t, dir, "example.com/m", true)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"example.com/m_test"}; !slices.Equal(r.Packages, want) {
		t.Errorf("rewritten %v, want %v", r.Packages, want)
	}
}

// TestMutant instruments the text that an edit has left.
func TestMutant(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	dir := module(t, map[string]string{
		"p.go": "package p\n\nimport \"sync/atomic\"\n\nvar n atomic.Int32\n\nfunc get() int32 { return n.Add(1) }\n",
		"p_test.go": uses("p") + `
import "testing"

func TestGet(t *testing.T) {
	if get() != 8 {
		t.Error("the mutant is not there")
	}
}
`})
	set, err := overlay.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Apply(overlay.Edit{File: "p.go", Func: "get", Old: "return n.Add(1)", New: "n.Store(7); return n.Add(1)"}); err != nil {
		t.Fatal(err)
	}
	r, err := run(t, dir, "example.com/m", false, set)
	if err != nil {
		t.Fatal(err)
	}
	if s := after(t, r, "p.go"); !strings.Contains(s, "n.StoreAt(1, 7); return n.AddAt(2, 1)") {
		t.Error(s)
	}
	gotest(t, dir, ".", r)

	// The same by an overlay of the environment.
	before, err := overlay.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Apply(overlay.Edit{File: "p.go", Func: "get", Old: "return n.Add(1)", New: "n.Store(7); return n.Add(1)"}); err != nil {
		t.Fatal(err)
	}
	file, err := before.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err = Run(context.Background(), Request{Dir: dir, Env: append(environment(), "GOFLAGS=-mod=mod -overlay="+file), Package: "example.com/m", Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if s := after(t, r, "p.go"); !strings.Contains(s, "n.StoreAt(1, 7); return n.AddAt(2, 1)") {
		t.Error(s)
	}
}

// TestForeign calls methods on variables of sync in packages that are not
// rewritten: they cannot become operations, and so are refused.
func TestForeign(t *testing.T) {
	tier.NotShort(t)
	t.Parallel()
	dir := module(t, map[string]string{
		"other/o.go": `package other

import (
	"sync"
	"sync/atomic"
)

type Box struct{ Mu sync.Mutex }
type Embeds struct{ sync.RWMutex }
type Of[T any] struct{ V T }

var Once sync.Once
var N atomic.Int32

func Group() *sync.WaitGroup { return new(sync.WaitGroup) }
`,
		"other/go.mod": "module example.com/other\n\ngo 1.26\n",
		"go.mod":       gomod("example.com/m") + "\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./other\n",
		"p.go": `package m

import (
	"sync"

	"example.com/other"
)

type mine struct {
	box *other.Box
	other.Embeds
	of other.Of[sync.Mutex]
}

func f(m *mine) {
	m.box.Mu.Lock()
	m.RLock()
	m.of.V.Lock()
	other.Once.Do(func() {})
	other.Group().Wait()
	other.N.Add(1)
}
`,
		"p_test.go": uses("m") + "\nimport (\n\t\"testing\"\n\n\t\"example.com/other\"\n)\n\nfunc TestF(t *testing.T) { f(&mine{box: new(other.Box)}) }\n",
	})
	r, err := run(t, dir, "example.com/m", false)
	if err != nil {
		t.Fatal(err)
	}
	text := after(t, r, "p.go")
	for _, want := range []string{
		`zzhook.Refused(1, "a call of sync.Mutex.Lock on a variable of package example.com/other, which is not rewritten", m.box.Mu.Lock)()`,
		`zzhook.Refused(2, "a call of sync.RWMutex.RLock on a variable of package example.com/other, which is not rewritten", m.RLock)()`,
		"m.of.V.LockAt(3)",
		`other.Once.Do)(func() {})`,
		`other.Group)().Wait)()`,
		`a call of sync/atomic.Int32.Add on`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %s in\n%s", want, text)
		}
	}
	gotest(t, dir, ".", r)
}

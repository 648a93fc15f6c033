package instrument

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
)

// TestChoose has packages of every kind: imported or not, opted out, with C and
// with assembly, of another module. Without a C compiler the one with C opts out, too.
func TestChoose(t *testing.T) {
	t.Parallel()
	body := "\n\nimport \"sync/atomic\"\n\nvar N atomic.Int32\n\nfunc Add() int32 { return N.Add(1) }\n"
	withC, whyC := "package c\n\nimport \"C\"\n\nimport \"sync/atomic\"\n\nvar N atomic.Int32\n", "it imports C"
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || string(out) != "1\n" {
		withC, whyC = "//interleave:off\n\npackage c"+body, "it says //interleave:off"
	}
	dir := module(t, map[string]string{
		"p.go":           "package m\n\nimport (\n\t_ \"example.com/m/a\"\n\t_ \"example.com/m/asm\"\n\t_ \"example.com/m/c\"\n\t_ \"example.com/m/off\"\n\t_ \"example.com/other\"\n\t_ \"example.com/other/asm\"\n)\n",
		"p_test.go":      uses("m"),
		"x_test.go":      "package m_test\n\nimport \"example.com/m/b\"\n\nvar _ = b.Add\n",
		"a/a.go":         "package a" + body,
		"b/b.go":         "package b\n\nimport _ \"example.com/m\"" + body, // compiled once more for the test
		"unused/u.go":    "package unused" + body,
		"off/off.go":     "// A comment.\n\n//interleave:off\n\n// Package off stays as it is.\npackage off" + body,
		"c/c.go":         withC,
		"asm/a.go":       "package asm" + body,
		"asm/a.s":        "\n",
		"other/o.go":     "package other" + body + "\n//go:norace\nfunc Quiet() {}\n",
		"other/go.mod":   "module example.com/other\n\ngo 1.26\n",
		"other/asm/a.go": "package asm\n\nfunc F()\n",
		"other/asm/a.s":  "#include \"textflag.h\"\n\nTEXT ·F(SB),NOSPLIT,$0-0\n\tRET\n",
		"go.mod":         gomod("example.com/m") + "\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./other\n",
	})
	r, err := run(t, dir, "example.com/m")
	if err != nil {
		t.Fatal(err)
	}
	table := after(t, r, "zz_interleave.go")
	if got, want := said(table, "Explored"), []string{"example.com/m/a", "example.com/m", "example.com/m/b", "example.com/m_test"}; !slices.Equal(got, want) {
		t.Errorf("explored %v, want %v", got, want)
	}
	if got, want := said(table, "NoRace"), []string{"example.com/other.Quiet"}; !slices.Equal(got, want) {
		t.Errorf("no race %v, want %v", got, want)
	}
	for _, want := range []string{`zzhook.Unseen("example.com/other/asm", "assembly")`, `zzhook.Unseen("example.com/other", "functions that say //go:norace")`, `zzhook.Hiding("example.com/m")`} {
		if !strings.Contains(table, want) {
			t.Errorf("expected %s in\n%s", want, table)
		}
	}
	var skipped []string
	for _, s := range r.Skipped {
		skipped = append(skipped, s.Package+": "+s.Why)
	}
	slices.Sort(skipped)
	if want := []string{"example.com/m/asm: it has assembly files", "example.com/m/c: " + whyC, "example.com/m/off: it says //interleave:off"}; !slices.Equal(skipped, want) {
		t.Errorf("skipped %v, want %v", skipped, want)
	}
	if !slices.Contains(r.Kept, "example.com/m/off") || !slices.Contains(r.Kept, "example.com/other") || slices.ContainsFunc(r.Kept, func(path string) bool { return strings.HasPrefix(path, project) }) {
		t.Errorf("the state of %v is put back", r.Kept)
	}
	gotest(t, dir, ".", r)

	if _, err := run(t, dir, "example.com/m/off"); err == nil || !strings.Contains(err.Error(), "do not import") {
		t.Errorf("a test that does not use interleave: %v", err)
	}
	_, err = run(t, dir, "example.com/m/nowhere")
	if e, ok := errors.AsType[*ListError](err); !ok || e.Package != "example.com/m/nowhere" {
		t.Errorf("a package that is not there: %v", err)
	}
}

// said returns what calls of a function of package hook say in a table.
func said(table, name string) (all []string) {
	for _, m := range regexp.MustCompile(`zzhook\.`+name+`\("([^"]*)"\)`).FindAllStringSubmatch(table, -1) {
		all = append(all, m[1])
	}
	return all
}

// TestOwn: packages of interleave are not explored but for their external tests
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
	r, err := run(t, dir, path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(after(t, r, "zz_interleave_test.go"), "Explored"), []string{path + "/on", path + "_test"}; !slices.Equal(got, want) {
		t.Errorf("explored %v, want %v", got, want)
	}
	_, err = run(t, dir, path+"/off")
	if e, ok := errors.AsType[*NothingError](err); !ok || !strings.Contains(e.Error(), "it says //interleave:off") {
		t.Errorf("nothing to explore: %v", err)
	}
}

// TestExternalAlone: a folder may have external tests and nothing else.
func TestExternalAlone(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"x_test.go": uses("m_test")})
	r, err := run(t, dir, "example.com/m")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(after(t, r, "zz_interleave_test.go"), "Explored"), []string{"example.com/m_test"}; !slices.Equal(got, want) {
		t.Errorf("explored %v, want %v", got, want)
	}
}

// TestEdited: what stands in for ranges over maps, and for clear of slices, by the kind of the key, of the variables, and the version of the file. Lines keep their numbers, and the names of
// what is on them are those of the source.
func TestEdited(t *testing.T) {
	t.Parallel()
	const head = "package m\n\nfunc f[M ~map[string]int, S ~[]int, T ~[]int | ~map[int]int](m map[string]int, p map[*int]int, s []int, a [2]int, g M, h S, i T) {\n\tvar k string\n\tvar v int\n"
	for text, want := range map[string]string{
		"for k, v := range m { _, _ = k, v }":      "for k, v := range zzhook.ByKeys(m) { _, _ = k, v }",
		"for range m { }":                          "for range zzhook.Turning(m) { }",
		"for _, _ = range p { }":                   "for _, _ = range zzhook.Turning(p) { }",
		"for k := range g { _ = k }":               "for k := range zzhook.ByKeys(g) { _ = k }",
		"for k, v = range m { }":                   "for k, v = range zzhook.ByKeys(m) { }",
		"for k, a[v] = range m { }":                "", // the two are assigned at once
		"for x := range p { _ = x }":               "", // keys that have no order
		"for x := range s { _ = x }":               "",
		"clear(s); clear(m); clear(h)":             "zzhook.Wipe(s); clear(m); zzhook.Wipe(h)",
		"clear(i)":                                 "",
		"clear := func([]int) {}; clear(s)":        "",
		"for range m { for range m { clear(s) } }": "for range zzhook.Turning(m) { for range zzhook.Turning(m) { zzhook.Wipe(s) } }",
	} {
		source := head + "\t" + text + "\n\t_, _, _, _, _, _, _ = p, s, a, h, i, k, v\n}\n"
		for old, want := range map[string]string{"": want, "//go:build go1.21\n\n": ""} {
			dir := module(t, map[string]string{"p.go": old + source, "p_test.go": uses("m")})
			r, err := run(t, dir, "example.com/m")
			if err != nil {
				t.Fatal(err)
			}
			got, err := filepath.Glob(filepath.Join(filepath.Dir(r.Overlay), "0", "p.go"))
			if err != nil || len(got) == 0 != (want == "") && !(old != "" && strings.Contains(text, "clear(s)")) {
				t.Errorf("%s%s: expected %q, saw %v, %v", old, text, want, got, err)
				continue
			}
			if want == "" || len(got) == 0 {
				continue
			}
			edited := after(t, r, "p.go")
			if !strings.Contains(edited, "\t"+want+"\n") || strings.Count(edited, "\n") != strings.Count(old+source, "\n") {
				t.Errorf("%s: expected %s, saw\n%s", text, want, edited)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "p.go", edited, 0); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestMutant takes the text that an edit has left.
func TestMutant(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{
		"p.go": "package p\n\nfunc get(m map[int]int) (n int) { for k := range m { n += k }; return n }\n",
		"p_test.go": uses("p") + `
import "testing"

func TestGet(t *testing.T) {
	if get(map[int]int{1: 1}) != 8 {
		t.Error("the mutant is not there")
	}
}
`})
	mutant := overlay.Edit{File: "p.go", Func: "get", Old: "return n", New: "return n + 7"}
	set, err := overlay.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Apply(mutant); err != nil {
		t.Fatal(err)
	}
	r, err := run(t, dir, "example.com/m", set)
	if err != nil {
		t.Fatal(err)
	}
	const want = "range zzhook.ByKeys(m) { n += k }; return n + 7"
	if s := after(t, r, "p.go"); !strings.Contains(s, want) {
		t.Error(s)
	}
	gotest(t, dir, ".", r)

	// The same by an overlay of the environment.
	before, err := overlay.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Apply(mutant); err != nil {
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
	if s := after(t, r, "p.go"); !strings.Contains(s, want) {
		t.Error(s)
	}
}

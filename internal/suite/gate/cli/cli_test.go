package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// folder is where a test's files are.
type folder struct {
	*testing.T
	dir string
}

func newFolder(t *testing.T) *folder { return &folder{t, t.TempDir()} }

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

func (f *folder) write(name, text string) {
	f.Helper()
	if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

func (f *folder) read(name string) string {
	f.Helper()
	text, err := os.ReadFile(f.path(name))
	if err != nil {
		f.Fatal(err)
	}
	return string(text)
}

// events writes the stream of a run of ref whose check has these findings.
func (f *folder) events(name string, o suite.Options, findings ...string) {
	f.Helper()
	x := suitetest.Done("interleave/x", 9, "RQ-LOST", "RQ-TWICE")
	x.Complete, x.Executions, x.Findings = true, 146, findings
	target := &suitetest.Target{Name: "ref", Checks: []suitetest.Check{x, suitetest.Done("stress/y", 7, "RQ-LEN")}}
	f.write(name, string(suitetest.Encode(suitetest.Run(f.Context(), f, o, target))))
}

// run does what the command line says, in which @ begins the name of a file of the
// folder.
func (f *folder) run(ctx context.Context, line string) (code int, out, errs string) {
	f.Helper()
	var o, e strings.Builder
	p := cli.Program{Name: "spindle", Commands: []*cli.Command{&Gate, &Merge}}
	code = p.Run(ctx, strings.Fields(strings.ReplaceAll(line, "@", f.dir+"/")), strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// want holds a command line to its exit code, and to what it prints or says.
func (f *folder) want(code int, line, says string) {
	f.Helper()
	saw, out, errs := f.run(f.Context(), line)
	if said := out + errs; saw != code || !strings.Contains(said, says) {
		f.Errorf("%s: expected exit %d with %q, saw %d: %s", line, code, says, saw, said)
	}
}

// wantFile holds a file to what it contains.
func (f *folder) wantFile(name, has string) {
	f.Helper()
	if text := f.read(name); !strings.Contains(text, has) {
		f.Errorf("%s: expected %q in it, saw %s", name, has, text)
	}
}

// TestGatePullRequests plays the pull requests that the gate is for.
func TestGatePullRequests(t *testing.T) {
	f := newFolder(t)
	f.events("base", suite.Options{Seed: 1})
	f.want(0, "gate @base -baseline @b.json -update", "baseline: wrote")
	f.events("same", suite.Options{Seed: 2})
	const counts = "1 target: 3 passed, 11 not run\n"
	for range 3 {
		f.want(0, "gate -baseline @b.json @same", "pass: exit 0; "+counts)
	}
	f.events("twice", suite.Options{Seed: 2}, "RQ-TWICE/steal")
	_, out, errs := f.run(t.Context(), "gate -baseline @b.json @twice")
	if want := `ref: RQ-TWICE is newly broken: RQ-TWICE/steal, seen by interleave/x: expected what holds, saw what does not
fail: exit 1; 1 target: 2 passed, 1 broken, 11 not run
`; out != want || errs != "" {
		t.Errorf("expected\n%s\nsaw\n%s%s", want, out, errs)
	}
	// It is accepted as a known failure, and then it is mended.
	f.write("known", "RQ-TWICE/steal ref * https://example.org/1 it is so\nRQ-LIFO ref * https://example.org/2 nothing\n")
	f.want(0, "gate -baseline @b.json -known @known @twice", `known: "ref": RQ-TWICE: "it is so (https://example.org/1)"`)
	f.want(0, "gate -baseline @b.json -known @known @twice", `unused: known failure "RQ-LIFO" of "ref" ("https://example.org/2") fits nothing here`)
	f.want(1, "gate -baseline @b.json -known @known @same", "ref: RQ-TWICE: unexpected pass: RQ-TWICE/steal was not found, though it is listed as a known failure (https://example.org/1): take it off the list\nunused")
	f.write("known", "# none\n")
	f.want(0, "gate -baseline @b.json -known @known @same", counts)
	// Or it goes into the baseline.
	f.want(0, "gate -update -baseline @b.json @twice", "as in the baseline: \"ref\": RQ-TWICE: \"RQ-TWICE/steal\"")
	f.want(0, "gate -baseline @b.json @twice", "1 of the broken known or as in the baseline\n")
	f.want(0, "gate -baseline @b.json @same", "note: ref: RQ-TWICE: newly passed: it was broken\n")
	f.want(1, "gate @twice", "ref: RQ-TWICE is broken: RQ-TWICE/steal")
}

func TestGateFiles(t *testing.T) {
	f := newFolder(t)
	f.events("head", suite.Options{})
	f.events("twice", suite.Options{}, "RQ-TWICE/steal")
	f.want(1, "gate -junit @j.xml -markdown @m.md -annotations @twice", "fail: exit 1; 1 target: 2 passed, 1 broken, 11 not run\n::error title=spindle%3A fail%2C exit 1::")
	f.wantFile("j.xml", `<failure message="fail: exit 1" type="gate">`)
	f.wantFile("m.md", "Spindle says **fail** (exit 1)")
	f.want(0, "gate -markdown - @head", "Spindle says **pass** (exit 0)")
	f.want(4, "gate -junit @nowhere/j.xml @head", "no such file")
	f.want(2, "gate @nothing", "no such file")
	f.want(2, "gate -known @nothing @head", "no such file")
	f.want(4, "gate -baseline @nothing @head", "no such file")
	// A damaged stream has a report, too.
	f.write("cut", f.read("head")[:500])
	f.want(4, "gate -junit @j.xml @cut", "the stream is not whole: suite: line ")
	f.wantFile("j.xml", `<failure message="error: exit 4" type="gate">`)
	f.want(4, "gate /dev/zero", "expected at most 16777216 bytes")
	f.want(4, "gate -", "cut off")
	// What is refused leaves the old baseline as it was.
	f.want(0, "gate -update -baseline @b.json @head", "wrote")
	was := f.read("b.json")
	for _, bad := range []string{"cut", "interrupted", "shard"} {
		switch bad {
		case "interrupted":
			events, err := suitetest.Decode([]byte(f.read("head")))
			if err != nil {
				t.Fatal(err)
			}
			events[len(events)-1].Footer.Interrupted = true
			f.write(bad, string(suitetest.Encode(events)))
		case "shard":
			f.events(bad, suite.Options{Shard: suite.Shard{I: 1, N: 2}})
		}
		f.want(4, "gate -part -update -baseline @b.json @"+bad, "the baseline was not written: gate: it cannot be a baseline")
	}
	f.want(130, "gate @interrupted", "the run was interrupted")
	if f.read("b.json") != was {
		t.Error("the baseline is another")
	}
	f.write("b.json", was[:len(was)/2])
	f.want(4, "gate -baseline @b.json @head", "damaged")
	f.want(0, "gate -update -baseline @b.json @head", "wrote")
	if left, err := filepath.Glob(f.path("*.tmp")); err != nil || left != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestGateUsage(t *testing.T) {
	f := newFolder(t)
	f.events("head", suite.Options{})
	f.write("bad", "RQ-FOO ref * https://example.org/1 so\n")
	for _, c := range []struct{ line, says string }{
		{"gate", "expected files of events, or a folder of them, saw none"},
		{"gate -base HEAD @head", "go with -baseline"},
		{"gate -allow-no-baseline @head", "go with -baseline"},
		{"gate -update -allow-no-baseline -baseline @b @head", "go with -baseline"},
		{"gate -update @head", "expected -baseline"},
		{"gate -bench-limit 1.1 @head", "expected -bench"},
		{"gate -bench a,b -bench-limit 0.5 @head", "expected a limit"},
		{"gate -bench a,b -bench-limit NaN @head", "expected a limit"},
		{"gate -bench a,b -bench-limit Inf @head", "expected a limit"},
		{"gate -known @bad @head", `line 1: spec: unknown requirement "RQ-FOO"`},
		{"gate -nonsense @head", "nonsense"},
		{"merge @head", "expected -o"},
		{"merge -o @head", "expected files"},
		{"merge -o @head @head", "is to be read and written"},
		{"merge -o @out @nothing", "no such file"},
	} {
		f.want(2, c.line, c.says)
	}
	f.want(0, "gate -h", "Usage: spindle gate [FLAGS] HEAD...")
	f.want(0, "merge @head -h", "-o FILE")
}

func TestGateStrict(t *testing.T) {
	f := newFolder(t)
	target := &suitetest.Target{Name: "ref", Checks: []suitetest.Check{suitetest.Done("stress/y", 7, "RQ-TWICE")}, NotOffered: map[string]string{"RQ-LOST": "it has none"}}
	f.write("partial", string(suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{}, target))))
	f.want(0, "gate @partial", "ref: RQ-LOST is not offered: it has none\npartial: exit 0")
	f.want(3, "gate -strict @partial", "partial: exit 3")
}

func benchmarks(put, get float64, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "BenchmarkPut 100 %v ns/op\nBenchmarkGet 100 %v ns/op\n", put+float64(i)/100, get+float64(i)/100)
	}
	return b.String()
}

func TestGateBenchmarks(t *testing.T) {
	f := newFolder(t)
	f.events("head", suite.Options{})
	f.write("old", benchmarks(100, 100, 8))
	f.write("new", benchmarks(120, 100, 8))
	f.write("few", benchmarks(100, 100, 5))
	f.write("less", strings.ReplaceAll(benchmarks(100, 100, 8), "BenchmarkGet", "BenchmarkPut"))
	f.want(0, "gate -bench @old,@new @head", `benchmark "Put": 1.2 times as long`)
	f.want(1, "gate -bench @old,@new -bench-limit 1.1 @head", `benchmark "Put": 1.2 times as long (100 ns to 120 ns, p=0.0002, n=8+8): more than 1.1`+"\nbenchmark \"Get\"")
	f.want(0, "gate -bench @old,@new -bench-limit 1.25 @head", "pass: exit 0")
	f.want(0, "gate -bench @new,@old -bench-limit 1 @head", "pass: exit 0")
	f.want(4, "gate -bench @old,@few @head", "takes at least 7 of each")
	f.want(1, "gate -bench @old,@less @head", `benchmark "Get" disappeared`)
	f.want(0, "gate -bench @less,@old @head", `benchmark "Get" is new`)
	f.want(4, "gate -bench @old @head", "expected OLD,NEW")
	f.want(4, "gate -bench @old,@nothing @head", "no such file")
	f.want(4, "gate -bench @old,@head @head", "malformed output")
}

func TestMerge(t *testing.T) {
	f := newFolder(t)
	for i := 1; i <= 2; i++ {
		f.events(fmt.Sprint("s", i), suite.Options{Shard: suite.Shard{I: i, N: 2}}, "RQ-TWICE/steal")
	}
	f.want(3, "gate @s2", "this is shard 2/2 of a run: merge first")
	f.want(0, "gate -part @s2", "pass: exit 0; shard 2/2, not the whole: 1 target: ")
	f.want(0, "gate -part -markdown - @s2", "Spindle says **pass** (exit 0) of shard <code>2/2</code>, not of the whole: ")
	f.want(0, "merge -o @all @s2 @s1", "merged 2 shards: 2 checks")
	f.want(1, "gate @all", "ref: RQ-TWICE is broken")
	was := f.read("all")
	f.want(4, "merge -o @all @s1", "expected 2 streams, saw 1")
	f.want(4, "merge -o @all @s1 @s1", "shard 1/2 twice")
	f.write("cut", f.read("s1")[:300])
	f.want(4, "merge -o @all @cut @s2", "cut off")
	if f.read("all") != was {
		t.Error("the merged stream is another")
	}
	f.want(0, "merge -o - @s1 @s2", `{"event":"header"`)
}

func TestWriteFile(t *testing.T) {
	f := newFolder(t)
	f.write("real", "old")
	if err := os.Symlink("real", f.path("link")); err != nil {
		t.Fatal(err)
	}
	say := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error { io.WriteString(w, text); return err }
	}
	if err := writeFile(f.path("link"), nil, say("new", nil)); err != nil || f.read("real") != "new" {
		t.Errorf("%v, %q", err, f.read("real"))
	}
	if info, err := os.Lstat(f.path("link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	sorry := errors.New("sorry")
	if err := writeFile(f.path("real"), nil, say("half", sorry)); !errors.Is(err, sorry) || f.read("real") != "new" {
		t.Errorf("%v, %q", err, f.read("real"))
	}
	if err := writeFile(os.DevNull, nil, say("x", nil)); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is a file now: %v", os.DevNull, err)
	}
	if list, err := os.ReadDir(f.dir); err != nil || len(list) != 2 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

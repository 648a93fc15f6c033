package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// test writes the stream of a test of that name, as SPINDLE_EVENTS does.
func (f *folder) test(file, name string, findings ...string) {
	f.Helper()
	x := suitetest.Done("interleave/x", 9, "RQ-LOST", "RQ-TWICE")
	x.Complete, x.Executions, x.Findings = true, 146, findings
	f.write(file, string(suitetest.Encode(suitetest.Run(f.Context(), f, suite.Options{}, &suitetest.Target{Name: name, Checks: []suitetest.Check{x}}))))
}

func (f *folder) mkdir(name string) {
	f.Helper()
	if err := os.MkdirAll(f.path(name), 0o777); err != nil {
		f.Fatal(err)
	}
}

func TestGateFolder(t *testing.T) {
	f := newFolder(t)
	f.mkdir("events")
	f.want(3, "gate @events", "nothing ran")
	f.test("events/TestA-1.ndjson", "TestA")
	f.test("events/TestB-2.ndjson", "TestB")
	f.want(0, "gate @events", "pass: exit 0; 2 targets: 4 passed")
	f.want(0, "gate @events/TestA-1.ndjson @events/TestB-2.ndjson", "pass: exit 0; 2 targets: 4 passed")
	f.want(4, "gate @events @events/TestB-2.ndjson", `saw "TestB" in two`)
	f.want(0, "gate -update -baseline @b.json @events", "wrote")
	f.want(0, "gate -baseline @b.json @events", "pass: exit 0; 2 targets")
	f.test("events/TestB-2.ndjson", "TestB", "RQ-TWICE/get")
	f.want(1, "gate -baseline @b.json @events", "TestB: RQ-TWICE is newly broken: RQ-TWICE/get")
}

func TestGateFolderFailsClosed(t *testing.T) {
	f := newFolder(t)
	f.mkdir("events")
	f.test("events/TestA-1.ndjson", "TestA")
	f.test("events/TestB-2.ndjson", "TestB")
	f.want(0, "gate -update -baseline @b.json @events", "wrote")
	if err := os.Remove(f.path("events/TestB-2.ndjson")); err != nil {
		t.Fatal(err)
	}
	f.want(1, "gate -baseline @b.json @events", "TestB: disappeared")
	f.test("whole", "TestB")
	f.write("events/.spindle-123", f.read("whole")[:200]) // of a test that was killed
	f.want(4, "gate @events", ".spindle-123: the stream is not whole")
	f.write("events/.spindle-123", "")
	f.want(4, "gate -allow-no-baseline -baseline @none @events", ".spindle-123: the stream is not whole")
	f.mkdir("events/more")
	f.want(2, "gate @events", `saw the folder "more"`)
}

func TestGateTests(t *testing.T) {
	f := newFolder(t)
	f.mkdir("events")
	f.test("events/a", "TestA", "RQ-TWICE/get")
	f.write("known", "RQ-TWICE TestA * https://example.org/1 it is so\n")
	const begin, end = `{"Action":"start","Package":"p"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestA"}` + "\n", `{"Action":"fail","Package":"p"}` + "\n"
	f.write("tests", begin+end)
	f.want(0, "gate -known @known -tests @tests @events", "pass: exit 0")
	f.write("tests", begin+`{"Action":"fail","Package":"p","Test":"TestOther"}`+"\n"+end)
	f.want(1, "gate -known @known -tests @tests @events", "go test: TestOther of p failed, and the events do not say why")
	f.write("tests", begin)
	f.want(4, "gate -known @known -tests @tests @events", "expected an end of package p")
	f.write("tests", "")
	f.want(4, "gate -known @known -tests @tests @events", "expected packages, saw none")
	f.want(2, "gate -known @known -tests @nothing @events", "no such file")
	f.write("tests", begin+end)
	f.test("events/a", "TestA") // it is whole and good: it was not what failed
	f.want(1, "gate -tests @tests @events", "TestA of p failed")
}

func TestGateNoBaseline(t *testing.T) {
	f := newFolder(t)
	f.test("head", "TestA")
	f.want(4, "gate -baseline @none @head", "expected a baseline, saw none (no such file): make it from a run of the base with gate -update -baseline")
	f.want(0, "gate -allow-no-baseline -baseline @none @head", "no baseline yet, judged without one: ")
	f.test("head", "TestA", "RQ-TWICE/get")
	f.want(1, "gate -allow-no-baseline -baseline @none @head", "TestA: RQ-TWICE is broken")
	f.write("bad", "{}")
	f.want(4, "gate -allow-no-baseline -baseline @bad @head", "expected 2, saw 0")
}

// TestGateBase reads the baseline from a commit: what the working tree has does not
// count.
func TestGateBase(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	f := newFolder(t)
	f.test("good", "TestA")
	f.test("bad", "TestA", "RQ-TWICE/get")
	f.mkdir("repo/sub dir")
	t.Chdir(f.path("repo/sub dir"))
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.hooksPath=/dev/null"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "..")
	git("commit", "-q", "--allow-empty", "-m", "empty")
	git("tag", "empty")
	f.want(0, "gate -update -baseline b.json @good", "wrote")
	git("add", "b.json")
	git("commit", "-q", "-m", "baseline")
	git("tag", "base")
	f.want(0, "gate -base base -baseline b.json @good", "pass")
	f.want(1, "gate -base base -baseline b.json @bad", "newly broken")
	// The pull request has another baseline, and is judged by the base's.
	f.want(0, "gate -update -baseline b.json @bad", "wrote")
	f.want(0, "gate -baseline b.json @bad", "as in the baseline")
	f.want(1, "gate -base base -baseline b.json @bad", "newly broken")
	f.want(4, "gate -base empty -baseline b.json @good", "b.json of commit empty: expected a baseline, saw none")
	f.want(0, "gate -base empty -allow-no-baseline -baseline b.json @good", "no baseline yet")
	for _, commit := range []string{"nothing", "--help", "base:b.json", "0123456789012345678901234567890123456789"} {
		f.want(4, "gate -allow-no-baseline -base "+commit+" -baseline b.json @good", "expected a commit that is here")
	}
	if err := os.Remove("b.json"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../good", "b.json"); err != nil {
		t.Skip(err)
	}
	git("add", "b.json")
	git("commit", "-q", "-m", "a link")
	f.want(4, "gate -base HEAD -allow-no-baseline -baseline b.json @good", "expected a file, saw")
	f.want(4, "gate -base base -allow-no-baseline -baseline .. @good", "expected")
	t.Setenv("PATH", strings.Repeat("/nowhere", 1))
	f.want(4, "gate -base base -allow-no-baseline -baseline b.json @good", "executable file not found")
}

package conformance_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/internal/tier"
)

// mostKept is how many files there may be.
const mostKept = 32

// slice is a queue for one thread. It is right unless newest.
type slice struct {
	ids    []uint64
	newest bool
}

func (q *slice) Put(id uint64) bool { q.ids = append(q.ids, id); return true }

func (q *slice) Get() (id uint64, ok bool) {
	if n := len(q.ids); n > 0 && q.newest {
		id, ok, q.ids = q.ids[n-1], true, q.ids[:n-1]
	} else if n > 0 {
		id, ok, q.ids = q.ids[0], true, q.ids[1:]
	}
	return id, ok
}

func (q *slice) Steal() (uint64, bool) { return q.Get() }
func (q *slice) Empty() bool           { return len(q.ids) == 0 }

// TestChild is a user's test, in a folder of its own.
func TestChild(t *testing.T) {
	kind := os.Getenv("SPINDLE_INTERNAL_QUEUE")
	if kind == "" {
		t.Skip("it is run by TestKept")
	}
	t.Run("of a user", func(t *testing.T) {
		conformance.TestQueue(t, func() *slice { fmt.Println("made"); return &slice{newest: kind == "newest"} })
	})
}

// TestKept runs a user's test several times: what fails is kept and tried first, and
// what is wrong with the file is never a pass.
func TestKept(t *testing.T) {
	tier.OnlyFull(t)
	dir := t.TempDir()
	user := func(queue, run string, env ...string) (out string, code int) {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestChild$", "-test.v")
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "SPINDLE_INTERNAL_QUEUE="+queue, "SPINDLE_RUN="+run), env...)
		b, _ := cmd.CombinedOutput()
		return string(b), cmd.ProcessState.ExitCode()
	}
	expect := func(what string, code int, says string, out string, saw int) {
		t.Helper()
		if saw != code || !strings.Contains(out, says) {
			t.Errorf("%s: expected exit %d and %q, saw exit %d\n%s", what, code, says, saw, out)
		}
	}
	file := filepath.Join("testdata", "spindle", "TestChild__of_a_user", "RQ-FIFO-get.txt")
	out, code := user("newest", "^sequence/order$", "SPINDLE_KEPT=off")
	expect("SPINDLE_KEPT=off", 1, "no scenario is saved, and no saved one is tried", out, code)
	if _, err := os.Stat(filepath.Join(dir, "testdata")); err == nil {
		t.Error("SPINDLE_KEPT=off: expected that nothing is kept")
	}
	out, code = user("newest", "^sequence/")
	expect("the first run", 1, "the scenario is saved in "+filepath.Dir(file), out, code)
	files, _ := filepath.Glob(filepath.Join(dir, filepath.Dir(file), "*"))
	if len(files) == 0 || len(files) > mostKept {
		t.Fatalf("kept %v", files)
	}
	again := strings.TrimPrefix(files[0], dir+"/")

	out, code = user("newest", "^sequence/(kept|order)$")
	expect("the second run", 1, "sequence/kept: failed again: "+again, out, code)
	expect("the second run", 1, "seen by sequence/kept", out, code)
	out, code = user("newest", "^sequence/(kept|order)$", "SPINDLE_KEPT=off")
	expect("SPINDLE_KEPT=off", 1, "seen by sequence/order", out, code)
	if strings.Contains(out, "failed again") {
		t.Errorf("SPINDLE_KEPT=off: expected that nothing that was kept is tried, saw\n%s", out)
	}
	out, code = user("newest", "^sequence/kept$")
	expect("alone", 1, "seen by sequence/kept", out, code)
	out, code = user("right", "^sequence/(kept|order)$")
	expect("mended", 0, "sequence/kept: passes now, and stays: "+again, out, code)
	out, code = user("right", "^sequence/kept$")
	expect("mended and alone", 1, "nothing ran", out, code)
	out, code = user("right", "^sequence/order$")
	expect("not selected", 0, "sequence/kept is not selected", out, code)
	if after, _ := filepath.Glob(filepath.Join(dir, filepath.Dir(file), "*")); len(after) != len(files) {
		t.Errorf("expected %v, saw %v", files, after)
	}

	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"empty": "", "cut off": string(good[:len(good)/2]), "of another queue": strings.Replace(string(good), "RQ-", "XX-", 1)} {
		if err := os.WriteFile(files[0], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, code = user("right", "^sequence/order$")
		expect(what, 1, again+": ", out, code)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(files[0], 0o777); err != nil {
		t.Fatal(err)
	}
	out, code = user("right", "^sequence/order$")
	expect("a folder", 1, again+": expected a file", out, code)

	// More files than were written are somebody's error, and not read for ever.
	os.Remove(files[0])
	for i := range mostKept + 1 {
		if err := os.WriteFile(filepath.Join(filepath.Dir(files[0]), fmt.Sprint("x", i, ".txt")), good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, code = user("right", "^sequence/order$")
	expect("too many", 1, fmt.Sprint("expected at most ", mostKept, " files"), out, code)

	if err := os.RemoveAll(filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "testdata"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	out, code = user("newest", "^sequence/order$")
	expect("no folder", 1, "saved scenarios: ", out, code)

	// Nothing is made before SPINDLE_TEST_FILE is found to be of no use.
	out, code = user("newest", "^sequence/order$", "SPINDLE_TEST_FILE=x_test.go")
	if code != 1 || !strings.Contains(out, "a closure means nothing elsewhere") || strings.Contains(out, "made") {
		t.Errorf("SPINDLE_TEST_FILE: expected exit 1 before anything runs, saw exit %d\n%s", code, out)
	}
}

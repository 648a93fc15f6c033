package pools

import (
	"cmp"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
)

// asked says that the test is one that TestPools runs.
const asked = "SPINDLE_INTERNAL_PUBLIC_ASKED"

// TestPools runs the tests below: by threads, and by the explorer, which sees the pools as they lie in the module cache.
func TestPools(t *testing.T) {
	if testing.Short() {
		t.Skip("explores many graphs")
	}
	for _, c := range []struct {
		test string
		seed string   // "": 1
		code int      // what go test returns
		want []string // of what it prints
	}{
		// Submit finds no room, and begins to wait later. Between the two a worker whose task panicked may signal, or Release may: nobody waits yet, and
		// no other signal comes. Either of the two is found first, as the explorer has time.
		{"TestAnts", "0x61cd8802bda08c91", 1, []string{`SC-CALLS, seen by interleave/graphs`, `it has not returned: all workers are taken|everything is blocked or asleep, and it has not returned`}},
		{"TestPond", "", 0, nil},
		// Go starts a worker for its task, and another Go gives that worker another task. It then waits for that one, though there is room for one more.
		{"TestConc", "", 1, []string{`SC-CALLS, seen by interleave/graphs`, `select: send to the channel made at pool.go:\d+, to T`}},
		{"TestWorkerpool", "", 0, nil},
		{"TestErrgroup", "", 0, nil},
		{"TestGopool", "", 0, nil},
		// CtxGo looks how many workers there are, and then adds one: two calls at once both do.
		{"TestGopoolCap", "", 1, []string{`SC-WORKERS, seen by interleave/graphs`}},
	} {
		t.Run(c.test, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-timeout=20m", "-run", "^"+c.test+"$", ".")
			cmd.Env = append(os.Environ(), asked+"=1", "SPINDLE_KEPT=off", "SPINDLE_SEED="+cmp.Or(c.seed, "1"))
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("expected exit %d, saw %d\n%s", c.code, code, out)
			}
			for _, want := range append(c.want, `judged \d+ of \d+ requirements`) {
				found := regexp.MustCompile(want).Find(out)
				if found == nil {
					t.Errorf("expected %q, saw\n%s", want, out)
				} else {
					t.Logf("%s", found)
				}
			}
			t.Logf("%s", strings.Join(regexp.MustCompile(`interleave/graphs: (part|all) .*|not decided \(.*`).FindAllString(string(out), -1), "\n"))
		})
	}
}

// Those below are run by TestPools.

func judge[S scheduler.Scheduler](t *testing.T, newPool func(workers int) S, contract spec.Profile, only string) {
	t.Helper()
	if os.Getenv(asked) == "" {
		t.Skip("TestPools runs this")
	}
	conformance.TestScheduler(t, newPool, conformance.Profile(contract), conformance.Only(only))
}

func TestAnts(t *testing.T)       { judge(t, Ants, AntsContract, ".") }
func TestPond(t *testing.T)       { judge(t, Pond, PondContract, ".") }
func TestConc(t *testing.T)       { judge(t, Conc, ConcContract, ".") }
func TestWorkerpool(t *testing.T) { judge(t, Workerpool, WorkerpoolContract, ".") }
func TestErrgroup(t *testing.T)   { judge(t, Errgroup, ErrgroupContract, ".") }
func TestGopool(t *testing.T)     { judge(t, Gopool, GopoolContract, ".") }

// TestGopoolCap: that no more than its cap of workers run is what its name promises, and what it does not keep.
func TestGopoolCap(t *testing.T) {
	judge(t, Gopool, GopoolContract+",workers=exact", "^interleave/graphs$")
}

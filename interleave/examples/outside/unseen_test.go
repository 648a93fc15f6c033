package outside_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// unseenTests are the tests in testdata/unseen whose threads meet in code that is
// not rewritten, and what must be said of each: a failure, or a doubt that names
// it. The others are right, and complete.
var unseenTests = map[string]string{
	"TestLostUpdate":          "data race in two: one writes at counter.go:",
	"TestEmbedded":            "data race in two: one writes at counter.go:",
	"TestOldModule":           "data race in two: one writes at old.go:",
	"TestBuilder":             "data race in two: one writes at builder.go:",
	"TestBuffer":              "data race in two: one writes at buffer.go:",
	"TestFprintf":             "data race in two: one writes at builder.go:",
	"TestWriter":              "data race in two: one writes at buffer.go:",
	"TestList":                "data race in two: one writes at list.go:",
	"TestListExpression":      "data race in two: one writes at list.go:",
	"TestListExpressionLater": "data race in two: one writes at list.go:",
	"TestWriterExpression":    "data race in two: one writes at buffer.go:",
	"TestLogged":              "data race in two: one reads at value.go:",
	"TestLoggedByInterface":   "data race in two: one reads at value.go:",
	"TestListElement":         "data race in two: one reads at list.go:",
	"TestMapsCopy":            "data race in two: one writes at maps.go:",
	"TestSlicesSort":          "data race in two: one reads at zsortordered.go:",
	"TestSortInts":            "data race in two: one writes at zsortordered.go:",
	"TestFormat":              "data race in two: one reads at value.go:",
	"TestLog":                 "; not seen: whether accesses are ordered but by what a package does for itself",
	"TestChanceRand":          "; chance: what package math/rand gives (at chance_test.go:",
	"TestChanceRandV2":        "; chance: what package math/rand/v2 gives (at chance_test.go:",
	"TestChancePid":           "; chance: the process id (at chance_test.go:",
	"TestChanceCrypto":        "; chance: what package crypto/rand gives (at chance_test.go:",
	"TestChanceWeak":          "; chance: what a weak pointer points to (at system_test.go:",
	"TestChanceMemory":        "; chance: runtime.ReadMemStats (at system_test.go:",
	"TestRangeStored":         "; not seen: keys that are stored in a sync.Map during a Range (at system_test.go:",
	"TestMapsClone":           "data race in two: one writes m[2] at system_test.go:",
	"TestSlicesDelete":        "data race in two: one writes at slices.go:",
	"TestReflectClear":        "data race in two: one writes at value.go:",
	"TestReflectSetZero":      "data race in two: one writes at value.go:",
	"TestPullOfBody":          "assertion in Finally: 1",
	"TestChanceBody":          "; chance: what package math/rand gives (at chance_test.go:",
	"TestChanceMap":           "; chance: the order of a map (at chance_test.go:",
	"TestChanceKeys":          "; chance: the order of a map (at chance_test.go:",
	"TestSeededShared":        "data race in two: one writes at rng.go:",
	"TestStdEncodeRune":       "data race in two: one writes at utf8.go:",
	"TestStdAppendRune":       "data race in two: one writes at utf8.go:",
	"TestStdDecodeRune":       "data race in two: one reads at utf8.go:",
	"TestStdUTF16":            "data race in two: one reads at utf16.go:",
	"TestStdHex":              "data race in two: one writes at hex.go:",
	"TestStdBase64":           "data race in two: one writes at base64.go:",
	"TestStdXOR":              "data race in two: one writes at xor_generic.go:",
	"TestStdRead":             "data race in two: one writes at reader.go:",
	"TestStdReadByInterface":  "data race in two: one writes at reader.go:",
	"TestStdReadDeferred":     "data race in two: one writes at reader.go:",
	"TestStdReadExpression":   "data race in two: one writes at reader.go:",
	"TestStdSum":              "data race in two: one writes at sha256.go:",
	"TestStdAppendFormat":     "data race in two: one writes at format.go:",
	"TestStdTime":             "data race in two: one writes at time.go:",
	"TestStdAddr":             "data race in two: one writes at netip.go:",
	"TestStdQuoRem":           "data race in two: one writes at int.go:",
	"TestStdExpand":           "data race in two: one writes at regexp.go:",
	"TestStdIntSlice":         "data race in two: one writes at sort.go:",
	"TestStdElement":          "data race in two: one writes at list.go:",
	"TestStdGo":               "data race in two: one.1 writes at zsortordered.go:",
	"TestLaterValues":         "data race in two: one reads at iter.go:",
	"TestLaterByValue":        "data race in two: one reads at iter.go:",
	"TestLaterCalled":         "data race in two: one reads at iter.go:",
	"TestLaterCollect":        "data race in two: one reads at iter.go:",
	"TestLaterPullSeen":       "data race in two: one reads at iter.go:",
	"TestLaterLines":          "data race in two: one reads at bytes.go:",
	"TestLaterKeys":           "data race in two: one reads at iter.go:",
	"TestLaterBuffer":         "data race in two: one reads at buffer.go:",
	"TestLaterBetween":        "data race in two: one reads at iter.go:",
	"TestLaterCallback":       "data race in two: one reads at slices.go:",
	"TestLaterDeferred":       "data race in two: one reads at zsortordered.go:",
	"TestTraceAppend":         "assertion in waiter: the line is old",
	"TestTraceEncode":         "assertion in waiter: the rune is there",
	"TestWithinMap":           "data race in two: one reads at value.go:",
	"TestWithinSlice":         "data race in two: one reads at value.go:",
	"TestWithinField":         "data race in two: one reads at value.go:",
	"TestWithinEqual":         "data race in two: one reads at value.go:",
	"TestWithinDecoded":       "data race in two: one writes at value.go:",
	"TestWithinOperands":      "data race in two: one reads at value.go:",
	"TestWithinLogged":        "data race in two: one reads at value.go:",
	"TestWithinPrinter":       "data race in two: one reads at value.go:",
	"TestWithinLogger":        "data race in two: one writes at buffer.go:",
	"TestWithinHandler":       "data race in two: one writes at buffer.go:",
	"TestWithinWords":         "data race in two: one reads at nat.go:",
	"TestWithinPromoted":      "data race in two: one writes at buffer.go:",
	"TestWithinRing":          "data race in two: one writes at ring.go:",
	"TestWithinValues":        "data race in two: one writes at url.go:",
	"TestWithinGrow":          "data race in two: one reads at slices.go:",
	"TestNothing":             "explored all orders of what was seen: 1 executions, 0 steps, at most 0 in one; the threads made no operation",
}

const counterModule = `package counter

import (
	"math/rand"
	"sync"
)

func Dice() int { return roll(6) }

func roll(n int) int { return rand.Intn(n) }

type Plain struct{ n int }

func (c *Plain) Add(n int) { c.n += n }

type Locked struct {
	mu sync.Mutex
	n  int
}

func (c *Locked) Add(n int)  { c.mu.Lock(); c.n += n; c.mu.Unlock() }
func (c *Locked) Value() int { c.mu.Lock(); defer c.mu.Unlock(); return c.n }
func (c *Locked) Once()      { if c.Value() == 0 { c.Add(1) } }
`

// unseenModule has the tests of testdata/unseen, and two modules beside them.
func unseenModule(t *testing.T) *module {
	m := newModule(t, map[string]string{
		"doc.go":             "package unseen\n",
		"counter/go.mod":     "module example.com/counter\n\ngo 1.26\n",
		"counter/counter.go": counterModule,
		"old/go.mod":         "module example.com/old\n\ngo 1.16\n",
		"old/old.go":         "package old\n\ntype Counter struct{ n int }\n\nfunc (c *Counter) Add() { c.n++ }\n",
	})
	for _, name := range []string{"unseen_test.go", "chance_test.go", "std_test.go", "within_test.go", "system_test.go"} {
		text, err := os.ReadFile("testdata/unseen/" + name)
		if err != nil {
			t.Fatal(err)
		}
		m.write(name, string(text))
	}
	m.add("go.mod", "\nrequire (\n\texample.com/counter v0.0.0\n\texample.com/old v0.0.0\n)\n\nreplace (\n\texample.com/counter => ./counter\n\texample.com/old => ./old\n)\n")
	return m
}

// add adds to a file.
func (m *module) add(name, text string) {
	m.t.Helper()
	before, err := os.ReadFile(m.dir + "/" + name)
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(name, string(before)+text)
}

func TestUnseen(t *testing.T) {
	tier.OnlyFull(t)
	m := unseenModule(t)
	out, _ := m.run(".", "go test -v -timeout 60s .")
	holdUnseen(t, out, unseenTests)
}

// holdUnseen holds the output of go test against what is expected of each test.
func holdUnseen(t *testing.T, out string, want map[string]string) {
	t.Helper()
	ran := make(map[string]bool)
	for line := range strings.Lines(out) {
		name, ok := strings.CutPrefix(line, "=== RUN   ")
		if name = strings.TrimSpace(name); !ok {
			continue
		}
		ran[name] = true
		says := of(out, name)
		switch text, doubted := want[name]; {
		case doubted && (!strings.Contains(says, text) || strings.Contains(says, ": complete")):
			t.Errorf("%s: expected %q; observed\n%s", name, text, head(says))
		case doubted && strings.Contains(text, " package") && failed(out, name):
			t.Errorf("%s: expected a doubt alone; observed\n%s", name, head(says))
		case !doubted && !strings.Contains(says, ": complete: "):
			t.Errorf("%s: expected that it is complete; observed\n%s", name, head(says))
		}
	}
	for name := range want {
		if !ran[name] {
			t.Errorf("%s: it was not run\n%s", name, head(out))
		}
	}
	if len(ran) == 0 {
		t.Errorf("none was run\n%s", head(out))
	}
}

// TestLeftOver has executions that change what a package-level variable reaches: it is put back, and each is complete.
func TestLeftOver(t *testing.T) {
	tier.OnlyFull(t)
	m := newModule(t, nil)
	for _, name := range []string{"state.go", "state_test.go"} {
		text, err := os.ReadFile("testdata/unseen/" + name)
		if err != nil {
			t.Fatal(err)
		}
		m.write(name, string(text))
	}
	out, _ := m.run(".", "go test -v -timeout 60s .")
	holdUnseen(t, out, nil)
}

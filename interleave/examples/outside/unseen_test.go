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
	"TestLostUpdate":          "; not seen: what counter.Plain.Add does with c (at unseen_test.go:",
	"TestCheckThenAct":        "locks of package example.com/counter (called at unseen_test.go:",
	"TestMethodAsThread":      "locks of package example.com/counter (called at unseen_test.go:",
	"TestInterface":           "locks of package example.com/counter (called at unseen_test.go:",
	"TestEmbedded":            "; not seen: what counter.Plain.Add does with h (at unseen_test.go:",
	"TestOldModule":           "; not seen: what old.Counter.Add does with c (at unseen_test.go:",
	"TestBuilder":             "data race in two: one writes b at unseen_test.go:",
	"TestBuffer":              "data race in two: one writes b at unseen_test.go:",
	"TestFprintf":             "; not seen: what fmt.Fprintf does with &b (at unseen_test.go:",
	"TestWriter":              "; not seen: what Write does with w (at unseen_test.go:",
	"TestList":                "data race in two: one writes l at unseen_test.go:",
	"TestListExpression":      "data race in two: one writes l at unseen_test.go:",
	"TestListExpressionLater": "; not seen: what list.List.PushBack does with (*list.List).PushBack (at unseen_test.go:",
	"TestWriterExpression":    "; not seen: what Write does with w (at unseen_test.go:",
	"TestLogged":              "; not seen: what testing.common.Log does with p against a write of p.a (at unseen_test.go:",
	"TestLoggedByInterface":   "; not seen: what testing.Log does with p against a write of p.a (at unseen_test.go:",
	"TestListElement":         "; not seen: what list.List.Remove does with l",
	"TestMapsCopy":            "; not seen: what maps.Copy does with m against a write of m (at unseen_test.go:",
	"TestSlicesSort":          "; not seen: what slices.Sort does with s against a write of s[0] (at unseen_test.go:",
	"TestSortInts":            "; not seen: what sort.Ints does with s (at unseen_test.go:",
	"TestFormat":              "; not seen: what fmt.Sprint does with p against a write of p.a (at unseen_test.go:",
	"TestExpvar":              "; not seen: locks and atomics of package expvar (called at unseen_test.go:",
	"TestExpvarWithoutRaces":  "; not seen: locks and atomics of package expvar (called at unseen_test.go:",
	"TestLog":                 "locks of package log (called at unseen_test.go:",
	"TestChanceRand":          "; chance: rand.Intn (at chance_test.go:",
	"TestChanceRandV2":        "; chance: rand.N (at chance_test.go:",
	"TestChancePid":           "; chance: os.Getpid (at chance_test.go:",
	"TestChanceCrypto":        "; chance: rand.Read (at chance_test.go:",
	"TestChanceHash":          "; chance: maphash.Hash.Sum64 (at chance_test.go:",
	"TestChanceFar":           "; chance: rand.Intn, in package example.com/counter (Dice is called at chance_test.go:",
	"TestChanceBody":          "; chance: rand.Int63 (at chance_test.go:",
	"TestChanceMap":           "; chance: the order of a map (at chance_test.go:",
	"TestChanceKeys":          "; chance: the order of a map (at chance_test.go:",
	"TestSeededShared":        "; not seen: what rand.Rand.Intn does with r (at chance_test.go:",
	"TestStdEncodeRune":       "; not seen: what utf8.EncodeRune does with b against a read of s[0] (at std_test.go:",
	"TestStdAppendRune":       "; not seen: what utf8.AppendRune does with b[:0] against a read of s[0] (at std_test.go:",
	"TestStdDecodeRune":       "; not seen: what utf8.DecodeRune does with b against a write of b[0] (at std_test.go:",
	"TestStdUTF16":            "; not seen: what utf16.Encode does with r against a write of r[0] (at std_test.go:",
	"TestStdHex":              "; not seen: what hex.Encode does with b against what bytes.Contains does with b (at std_test.go:",
	"TestStdBase64":           "; not seen: what base64.Encoding.Encode does with b against what bytes.Clone does with b (at std_test.go:",
	"TestStdXOR":              "; not seen: what subtle.XORBytes does with b against what bytes.HasPrefix does with b (at std_test.go:",
	"TestStdRead":             "; not seen: what strings.Reader.Read does with b against what bytes.HasPrefix does with b (at std_test.go:",
	"TestStdReadByInterface":  "; not seen: what Read does with r against a read of s[0] (at std_test.go:",
	"TestStdReadDeferred":     "; not seen: what Read does with r against a read of s[0] (at std_test.go:",
	"TestStdReadExpression":   "; not seen: what Read does with r against a read of s[0] (at std_test.go:",
	"TestStdSum":              "; not seen: what Sum does with h against what bytes.HasPrefix does with b[:4] (at std_test.go:",
	"TestStdAppendFormat":     "; not seen: what time.Time.AppendFormat does with b against a read of s[0] (at std_test.go:",
	"TestStdTime":             "; not seen: what time.Time.UnmarshalText does with at against a read of at (at std_test.go:",
	"TestStdAddr":             "; not seen: what netip.Addr.UnmarshalText does with a against a read of a (at std_test.go:",
	"TestStdQuoRem":           "; not seen: what big.Int.QuoRem does with r against what big.Int.Add does with r (at std_test.go:",
	"TestStdExpand":           "; not seen: what regexp.Regexp.ExpandString does with b against what bytes.HasPrefix does with b[:4] (at std_test.go:",
	"TestStdIntSlice":         "; not seen: what sort.Sort does with sort.IntSlice(s) against a read of s[0] (at std_test.go:",
	"TestStdElement":          "; not seen: what list.List.PushBack does with l against a read of e (at std_test.go:",
	"TestStdGo":               "; not seen: what slices.Sort does with slices.Sort against a read of s[0] (at std_test.go:",
	"TestLaterValues":         "; not seen: what all does with all against a write of s[1] (at std_test.go:",
	"TestLaterByValue":        "; not seen: what all does with all against a write of s[1] (at std_test.go:",
	"TestLaterCalled":         "; not seen: what all does with all against a write of s[1] (at std_test.go:",
	"TestLaterCollect":        "; not seen: what slices.Collect does with all against a write of s[1] (at std_test.go:",
	"TestLaterPull":           "; not seen: what next does with next against a write of s[1] (at std_test.go:",
	"TestLaterPullSeen":       "; not seen: what all does with all against a write of s[1] (at std_test.go:",
	"TestLaterLines":          "; not seen: what all does with all against a write of s[1] (at std_test.go:",
	"TestLaterKeys":           "; not seen: what slices.Sorted does with all against a write of m (at std_test.go:",
	"TestLaterBuffer":         "; not seen: what bytes.Buffer.ReadByte does with b against a write of s[0] (at std_test.go:",
	"TestLaterBetween":        "; not seen: what slices.Values(s) does with slices.Values(s) against a write of s[1] (at std_test.go:",
	"TestLaterCallback":       "; not seen: what slices.ContainsFunc does with s against a write of s[1] (at std_test.go:",
	"TestLaterDeferred":       "; not seen: what slices.Sort does with s against a write of s[1] (at std_test.go:",
	"TestTraceAppend":         "assertion in waiter: the line is old",
	"TestTraceEncode":         "assertion in waiter: the rune is there",
	"TestWithinMap":           "; not seen: what ",
	"TestWithinSlice":         "; not seen: what ",
	"TestWithinField":         "; not seen: what ",
	"TestWithinEqual":         "; not seen: what ",
	"TestWithinDecoded":       "; not seen: what ",
	"TestWithinOperands":      "; not seen: what ",
	"TestWithinLogged":        "; not seen: what ",
	"TestWithinPrinter":       "; not seen: what ",
	"TestWithinLogger":        "; not seen: what ",
	"TestWithinHandler":       "; not seen: what ",
	"TestWithinWords":         "; not seen: what ",
	"TestWithinPromoted":      "; not seen: what ",
	"TestWithinRing":          "; not seen: what ",
	"TestWithinValues":        "; not seen: what ",
	"TestWithinGrow":          "; not seen: what ",
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
	for _, name := range []string{"unseen_test.go", "chance_test.go", "std_test.go", "within_test.go"} {
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
	n := 0
	for line := range strings.Lines(out) {
		name, ok := strings.CutPrefix(line, "=== RUN   ")
		if name = strings.TrimSpace(name); !ok {
			continue
		}
		n++
		says := of(out, name)
		switch text, doubted := want[name]; {
		case doubted && (!strings.Contains(says, text) || strings.Contains(says, ": complete")):
			t.Errorf("%s: expected %q; observed\n%s", name, text, head(says))
		case doubted && strings.Contains(text, " package") && !strings.HasPrefix(text, "state: ") && failed(out, name):
			t.Errorf("%s: expected a doubt alone; observed\n%s", name, head(says))
		case !doubted && !strings.Contains(says, ": complete: "):
			t.Errorf("%s: expected that it is complete; observed\n%s", name, head(says))
		}
	}
	if n < len(want) {
		t.Errorf("%d tests ran, want at least %d\n%s", n, len(want), head(out))
	}
}

// stateTests are those of testdata/unseen/state_test.go.
var stateTests = map[string]string{
	"TestStateSlice":   "state: what the package-level variable example.com/outside.reg points to was changed",
	"TestStateAtomic":  "state: what the package-level variable example.com/outside.reg points to was changed",
	"TestStateFar":     "state: what the package-level variable example.com/outside.far points to was changed",
	"TestStateMap":     "state: what the package-level variable example.com/outside.byName points to was changed",
	"TestStateBoxed":   "state: what the package-level variable example.com/outside.boxed points to was changed",
	"TestStatePointer": "state: what the package-level variable example.com/outside.head points to was changed",
	"TestStateSyncMap": "state: what the package-level variable example.com/outside.table points to was changed",
	"TestStateRing":    "state: what the package-level variable example.com/outside.loop points to was changed",
	"TestCaptured":     "; not compared: what a function in package-level variable example.com/outside.next has captured (called at state_test.go:",
	"TestStateList":    "; not compared: what package container/list has in package-level variable example.com/outside.entries, which was changed",
}

// TestLeftOver has executions that change what a package-level variable reaches.
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
	holdUnseen(t, out, stateTests)
}

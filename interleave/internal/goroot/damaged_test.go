package goroot

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants/operators"
)

// chooses is what package runtime has besides where our file in it is damaged: the number of the damage, which the environment
// says when the process begins.
const chooses = `
var spindleDamage int

func init() {
	for _, c := range []byte(gogetenv("SPINDLE_INTERNAL_DAMAGE")) {
		spindleDamage = 10*spindleDamage + int(c-'0')
	}
}
`

// leftOut are operators that are not tried here: they change the order of statements, nearly all of which run while nobody else looks at the
// goroutine.
var leftOut = []string{"move-far", "swap-neighbours", "reread"}

// damages returns all damages to our file in package runtime that are another program, and the runtime that has them all.
func damages(t *testing.T) ([]operators.Mutant, *overlay.Set) {
	t.Helper()
	o, err := Make(root(t))
	if err != nil {
		t.Fatal(err)
	}
	d, err := operators.GenerateOver(o.Set, "runtime", []string{filepath.Base(added)})
	if err != nil {
		t.Fatal(err)
	}
	same, err := d.Same(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range d.SourceBy("spindleDamage") {
		if err := o.Set.Put(file, append(text, chooses...)); err != nil {
			t.Fatal(err)
		}
	}
	var all []operators.Mutant
	for _, m := range d.Mutants() {
		if _, ok := same[m.Number]; !ok && !slices.Contains(leftOut, m.Operator) {
			all = append(all, m)
		}
	}
	return all, o.Set
}

// judges are the packages whose tests judge a damage, in the order in which they are asked, by folder.
var judges = []string{"stress", "../engine", "../programs"}

// A judgement is what TestDamagedRuntime builds once.
type judgement struct {
	damages  []operators.Mutant
	binaries map[string]string
	limits   map[string]time.Duration
}

// fails reports whether the tests of a judge fail, or come to no end, under the damage of a number.
func (j *judgement) fails(t *testing.T, judge string, number int, limit time.Duration) bool {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), limit)
	defer done()
	cmd := exec.CommandContext(ctx, j.binaries[judge], "-test.failfast", "-test.timeout=0")
	cmd.Dir, cmd.WaitDelay = judge, time.Second
	cmd.Env = append(os.Environ(), tier.TierVar+"=", tier.ShardVar+"=", "SPINDLE_INTERNAL_OPERATIONS=100000", "SPINDLE_INTERNAL_DAMAGE="+strconv.Itoa(number))
	out, err := cmd.CombinedOutput()
	if t.Context().Err() != nil {
		t.Fatal(t.Context().Err())
	}
	if number == 0 && err != nil {
		t.Fatalf("%s without a damage: %v\n%s", judge, err, out)
	}
	return err != nil
}

// judged builds the judges with all damages, and runs them without one.
func judged(t *testing.T) *judgement {
	t.Helper()
	all, set := damages(t)
	j := &judgement{damages: all, binaries: make(map[string]string), limits: make(map[string]time.Duration)}
	for _, judge := range judges {
		pkg := judge
		if filepath.Base(pkg) == pkg {
			pkg = "./" + pkg
		}
		j.binaries[judge] = built(t, set, pkg)
		begin := time.Now()
		j.fails(t, judge, 0, 10*time.Minute)
		j.limits[judge] = max(30*time.Second, 20*time.Since(begin))
	}
	return j
}

// TestDamagedRuntime damages our file in package runtime, by operators and in one place at a time. Each damage makes a test of a judge
// fail, or ends the process, or comes to no end; or it is argued that nothing can tell.
func TestDamagedRuntime(t *testing.T) {
	const groups = 80
	numbers := make([]int, groups)
	for i := range numbers {
		numbers[i] = i
	}
	var j *judgement
	for group := range tier.Split(t, numbers, 0) {
		if j == nil {
			j = judged(t)
			for _, id := range slices.Concat(slices.Collect(maps.Keys(unseen)), slices.Collect(maps.Keys(byChance))) {
				if !slices.ContainsFunc(j.damages, func(m operators.Mutant) bool { return m.ID == id }) {
					t.Errorf("%s: expected a damage of this name, saw none", id)
				}
			}
		}
		for _, m := range j.damages {
			function, _, _ := strings.Cut(m.ID, "/")
			if m.Number%groups != group || byChance[m.ID] != "" || notJudged[function] || notJudged[m.ID] {
				continue
			}
			killed := slices.ContainsFunc(judges, func(judge string) bool { return j.fails(t, judge, m.Number, j.limits[judge]) })
			switch why := unseen[m.ID]; {
			case killed && why != "":
				t.Errorf("%s: a test fails, though it is argued that none can: %s", m.ID, why)
			case !killed && why == "":
				t.Errorf("%s: no test fails where runtime.go.txt:%d has\n\t%s\nin place of\n\t%s", m.ID, m.Line, m.New, m.Old)
			}
		}
	}
}

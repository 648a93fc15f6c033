package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// web is a random graph: who may take which step is drawn for each state.
type web struct {
	n     int
	edges []webEdge
	bad   []bool
	fair  [4]int // the group of each actor
	weak  [3]bool
}

type webEdge struct {
	from, to      uint8
	action, actor uint8
}

type webState struct{ N uint8 }

func newWeb(seed uint64) *web {
	r := rand.New(rand.NewPCG(seed, 1))
	w := &web{n: 1 + r.IntN(8)}
	for range r.IntN(4*w.n + 1) {
		w.edges = append(w.edges, webEdge{uint8(r.IntN(w.n)), uint8(r.IntN(w.n)), uint8(min(1, r.IntN(5))), uint8(r.IntN(4))})
	}
	good := 2 + r.IntN(8)
	for range w.n {
		w.bad = append(w.bad, r.IntN(good) > 0)
	}
	for i := range w.fair {
		if w.fair[i] = i % len(w.weak); r.IntN(8) == 0 {
			w.fair[i] = -1
		}
	}
	for i := range w.weak {
		w.weak[i] = r.IntN(3) == 0
	}
	return w
}

func (w *web) Actions() []string            { return []string{"User", "Work"} }
func (w *web) Actors() []string             { return []string{"one", "two", "three", "four"} }
func (w *web) Init(o *Successors[webState]) { o.Add(0, 0, &webState{}) }
func (w *web) Vars(s *webState) []Var       { return []Var{{"n", fmt.Sprint(s.N)}} }
func (w *web) Next(s *webState, o *Successors[webState]) {
	for _, e := range w.edges {
		if e.from == s.N {
			o.Add(e.action, e.actor, s).N = e.to
		}
	}
}

func (w *web) liveness() Liveness[webState] {
	return Liveness[webState]{
		Name: "Lively", Requirement: "RQ-LEN",
		Bad:  func(s *webState) bool { return w.bad[s.N] },
		User: func(s Step) bool { return s.Action == 0 },
		Fair: func(s Step) int { return w.fair[s.Actor] },
		Weak: func(g int) bool { return w.weak[g] },
	}
}

// relations are the graph as TLA+ sees it: which pairs of different states are a
// step of a user, of somebody, of each group.
type relations struct {
	step, user [8][8]bool
	group      [3][8][8]bool
}

func (w *web) relations() *relations {
	x := new(relations)
	for _, e := range w.edges {
		if e.from == e.to {
			continue
		}
		x.step[e.from][e.to] = true
		if e.action == 0 {
			x.user[e.from][e.to] = true
		}
		if g := w.fair[e.actor]; g >= 0 {
			x.group[g][e.from][e.to] = true
		}
	}
	return x
}

func closure(n int, step func(i, j int) bool) [8][8]bool {
	var c [8][8]bool
	for i := range n {
		for j := range n {
			c[i][j] = i == j || step(i, j)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				c[i][j] = c[i][j] || c[i][k] && c[k][j]
			}
		}
	}
	return c
}

// fairSet reports whether a fair behaviour can visit the states of a set, and
// no others, for ever.
func (w *web) fairSet(x *relations, set uint) bool {
	in := func(i int) bool { return set>>i&1 == 1 }
	step := func(i, j int) bool { return in(i) && in(j) && x.step[i][j] && !x.user[i][j] }
	reach := closure(w.n, step)
	for i := range w.n {
		for j := range w.n {
			if in(i) && in(j) && !reach[i][j] {
				return false
			}
		}
		if in(i) && !w.bad[i] {
			return false
		}
	}
	for g := range x.group {
		taken, somewhere, everywhere := false, false, true
		for i := range w.n {
			if !in(i) {
				continue
			}
			enabled := false
			for j := range w.n {
				enabled = enabled || x.group[g][i][j]
				taken = taken || step(i, j) && x.group[g][i][j]
			}
			somewhere = somewhere || enabled
			everywhere = everywhere && enabled
		}
		if !taken && (w.weak[g] && everywhere || !w.weak[g] && somewhere) {
			return false
		}
	}
	return true
}

// starves tries every set of states. near is how many states the shortest way to
// one has, to one of a single state if there is any, which still says; 0 is none.
func (w *web) starves(x *relations) (near int, still bool) {
	depth := w.depths(x)
	for set := uint(1); set < 1<<w.n; set++ {
		one := set&(set-1) == 0
		if !one && still || !w.fairSet(x, set) {
			continue
		}
		for i := range w.n {
			if d := depth[i]; set>>i&1 == 1 && d > 0 && (near == 0 || d < near || one && !still) {
				near, still = d, one
			}
		}
	}
	return near, still
}

// depths are the numbers of states on the shortest ways, 0 for no way.
func (w *web) depths(x *relations) (depth [8]int) {
	depth[0] = 1
	for d := 1; d <= w.n; d++ {
		for i := range w.n {
			for j := range w.n {
				if depth[i] == d && depth[j] == 0 && x.step[i][j] {
					depth[j] = d + 1
				}
			}
		}
	}
	return depth
}

// checkLasso follows the counterexample: does each step exist, and is the cycle
// fair as it is walked?
func (w *web) checkLasso(t *testing.T, x *relations, v *Violation) {
	t.Helper()
	all := slices.Concat(v.Trace, v.Cycle)
	at := func(i int) int { return int(all[i].State.(webState).N) }
	if at(0) != 0 {
		t.Errorf("%v: not an initial state", all[0])
	}
	for i := 1; i < len(all); i++ {
		e := webEdge{uint8(at(i - 1)), uint8(at(i)), all[i].Step.Action, all[i].Step.Actor}
		if !slices.Contains(w.edges, e) {
			t.Errorf("no step %v", e)
		}
	}
	start := len(v.Trace) - 1
	if at(start) != at(len(all)-1) {
		t.Errorf("the cycle begins at %d and ends at %d", at(start), at(len(all)-1))
	}
	var set uint
	var taken, disabled [3]bool
	for i := start; i < len(all); i++ {
		s := at(i)
		set |= 1 << s
		if !w.bad[s] {
			t.Errorf("%d on the cycle is not bad", s)
		}
		for g := range x.group {
			if !slices.Contains(x.group[g][s][:], true) {
				disabled[g] = true
			}
			if i > start && x.group[g][at(i-1)][s] {
				taken[g] = true
			}
		}
		if i > start && x.user[at(i-1)][s] {
			t.Errorf("a user's step from %d to %d is on the cycle", at(i-1), s)
		}
	}
	for g := range x.group {
		never := true
		for s := range w.n {
			if set>>s&1 == 1 && slices.Contains(x.group[g][s][:], true) {
				never = false
			}
		}
		if !taken[g] && !(w.weak[g] && disabled[g]) && !never {
			t.Errorf("group %d (weak: %v) is treated unfairly", g, w.weak[g])
		}
	}
	if len(v.Cycle) > 4*w.n {
		t.Errorf("a cycle of %d steps with %d states", len(v.Cycle), w.n)
	}
}

func TestLivelyAsBruteForce(t *testing.T) {
	var starving, cycles, streett int
	n := tier.N(t, 2000, 6000)
	seeds(t, n, func(seed uint64) {
		w := newWeb(seed)
		x := w.relations()
		r, err := Lively(context.Background(), w, w.liveness(), Options[webState]{})
		if err != nil {
			t.Fatal(err)
		}
		near, still := w.starves(x)
		if got := r.Violation != nil; got != (near > 0) || r.Complete == got {
			t.Errorf("%+v: starves %v, want %v", w, got, near > 0)
		}
		if v := r.Violation; v != nil {
			starving++
			w.checkLasso(t, x, v)
			if len(v.Trace) != near || (len(v.Cycle) == 0) != still {
				t.Errorf("%d states to a cycle of %d steps; want %d states, a single one for ever: %v", len(v.Trace), len(v.Cycle), near, still)
			}
			if len(r.Violation.Cycle) > 0 {
				cycles++
			}
		} else if slices.Contains(w.bad, true) {
			streett++
		}
	})
	if os.Getenv(record.SeedVar) == "" && !t.Failed() && (starving < n/3 || cycles < n/12 || streett < n/6) {
		t.Errorf("%d starve, %d of them in a cycle, %d have bad states and do not: too few", starving, cycles, streett)
	}
	t.Logf("%d starve, %d of them in a cycle, %d have bad states and do not", starving, cycles, streett)
}

func TestLivelyCounts(t *testing.T) {
	never := Liveness[tablesState]{Bad: func(*tablesState) bool { return false }}
	seeds(t, 200, func(seed uint64) {
		m := newTables(seed)
		want := explore(t, m, Options[tablesState]{})
		r, err := Lively(context.Background(), symmetric{m}, never, Options[tablesState]{})
		want = same(want)
		if r.Collision = want.Collision; err != nil || !reflect.DeepEqual(same(r), want) {
			t.Errorf("%+v, %v; want as Explore without symmetry: %+v", r, err, want)
		}
		r, err = Lively(context.Background(), m, never, Options[tablesState]{MaxStates: want.Distinct - 1})
		if err != nil || want.Distinct > 1 && (r.Complete || r.Stopped == "") {
			t.Errorf("a bound of %d states: %+v, %v", want.Distinct-1, r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if r, err = Lively(ctx, m, never, Options[tablesState]{}); err != nil || r.Complete || r.Stopped != "interrupted" {
			t.Errorf("interrupted: %+v, %v", r, err)
		}
		// Without fairness the nearest bad state may stay for ever.
		wrong := Liveness[tablesState]{Name: "Right", Bad: func(s *tablesState) bool { return !m.holds(s) }}
		r, err = Lively(context.Background(), symmetric{m}, wrong, Options[tablesState]{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Violation != nil {
			r.Depth = len(r.Violation.Trace)
		}
		checkTrace(t, m, r, "Right", search(m).wrong, m.holds)
	})
}

func TestLivelyMisuse(t *testing.T) {
	w := newWeb(0)
	w.edges, w.bad[0] = []webEdge{{0, 1, 1, 0}}, true
	l := w.liveness()
	l.Fair = func(Step) int { return 64 }
	defer func() {
		if got, _ := recover().(string); !strings.Contains(got, "explore: fairness group of step {1 0}: expected 0 to 63, or less than 0 for none, saw 64") {
			t.Errorf("panic %q", got)
		}
	}()
	Lively(context.Background(), w, l, Options[webState]{})
}

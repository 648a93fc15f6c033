package runqueue

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/record"
)

// TestSize holds the size of a state, which decides how many a machine's memory holds.
func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(State{}); n != 120 {
		t.Errorf("expected a state of 120 bytes, observed %d", n)
	}
}

func TestConfigErrors(t *testing.T) {
	good := func() Config { return config(t, configText(t, "runqueue-script-steal")) }
	for _, c := range []struct {
		want   string
		damage func(*Config)
	}{
		{"expected 1 to 4 Ps, saw 0", func(c *Config) { c.Ps = 0 }},
		{"expected 1 to 15 Gs, saw 16", func(c *Config) { c.Gs = 16 }},
		{"capacity: expected 2, 4 or 8, saw 3", func(c *Config) { c.Capacity = 3 }},
		{"expected indices that wrap", func(c *Config) { c.Wrap = 9 }},
		{"start: expected 0 to 7, saw 8", func(c *Config) { c.Start = 8 }},
		{"1 scripts and 0 sets", func(c *Config) { c.Scripts = c.Scripts[:1] }},
		{"thread 5 of 2", func(c *Config) { c.Loners = []int{5} }},
		{`no bug is named "rust"`, func(c *Config) { c.Bugs = []string{"rust"} }},
		{"G 4 of 3", func(c *Config) { c.Scripts[0][0].Gs = []int{4} }},
		{"expected put of 1 Gs, saw 2", func(c *Config) { c.Scripts[0][0].Gs = []int{1, 2} }},
		{"P 2 of 2", func(c *Config) { c.Scripts[1][0].Victim = 2 }},
		{"expected drains of a ring of at most 4, saw 8", func(c *Config) { c.Capacity, c.Wrap, c.Scripts[0][0] = 8, 16, Instr{Op: Drain} }},
	} {
		config := good()
		c.damage(&config)
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("expected an error with %q, observed %v", c.want, err)
		}
	}
}

// TestCanonical renames random reachable states at random: the representative stays.
func TestCanonical(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	for _, name := range []string{"runqueue-2p2", "runqueue-3p", "runqueue-global", "runqueue-drains", "runqueue-global+link_kept"} {
		name, bug, _ := strings.Cut(name, "+")
		c := config(t, configText(t, name))
		if bug != "" { // an order of Gs that are nowhere matters then
			c.Bugs = []string{bug}
		}
		m := newMachine(t, c)
		gs := orders[min(c.Gs, MaxPs)-1]
		rng := rand.New(rand.NewPCG(1, 2))
		var out explore.Successors[State]
		for range 200 {
			out.Reset()
			m.Init(&out)
			s := out.Edges()[0].To
			for range 40 {
				out.Reset()
				m.Next(&s, &out)
				s = out.Edges()[rng.IntN(len(out.Edges()))].To
				other := m.renamed(&s, &orders[m.ps-1][rng.IntN(len(orders[m.ps-1]))], &gs[rng.IntN(len(gs))])
				a, b := s, other
				symmetric{m}.Canonical(&a)
				symmetric{m}.Canonical(&b)
				if a != b {
					t.Fatalf("%s: expected one representative of\n%s\nand\n%s", name, explore.Text(m.Vars(&s)), explore.Text(m.Vars(&other)))
				}
				if exact, also := m.exact(&s), m.exact(&other); exact != also {
					t.Fatalf("%s: Exact is %v, and %v of the same with other names", name, exact, also)
				}
			}
		}
	}
}

func TestOfScenario(t *testing.T) {
	s := record.Scenario{Ps: 2, Capacity: 2, Start: ^uint32(0), Threads: []record.Thread{
		{P: 0, Script: "ppgpg"}, {P: record.None, Script: "s"}, {P: 1, Script: "s0 m2 b2"},
	}}
	c, ps, err := OfScenario(&s)
	if err != nil {
		t.Fatal(err)
	}
	if ps[0] != 0 || ps[1] != 2 || len(c.Loners) != 1 || c.Loners[0] != 1 {
		t.Errorf("expected P 1 to be the third thread's and the second to be without; observed %v and %v", ps, c.Loners)
	}
	if c.Gs != 5 || c.Start != c.Wrap-1 || c.Wrap%2 != 0 || c.Wrap <= c.Gs {
		t.Errorf("expected 5 Gs and a start at the end of what holds them; observed %+v", c)
	}
	if got := c.Scripts[2][2].Gs; len(got) != 2 || got[0] != 4 || got[1] != 5 {
		t.Errorf("expected the batch to be 4 and 5, observed %v", got)
	}
	if r := walk(t, c); !r.Holds() || r.Distinct < 1000 {
		t.Errorf("expected all to hold in many states, observed %+v", r)
	}
	s.Order = []int{0}
	if _, _, err := OfScenario(&s); err == nil {
		t.Error("expected an error for a scenario with an order")
	}
}

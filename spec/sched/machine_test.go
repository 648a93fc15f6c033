package sched

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/explore/machinetest"
	"github.com/spindle-go/spindle/tla/variant"
)

// modulesText returns the text of the modules that make Sched, without comments.
func modulesText(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(modules, "Sched*.tla"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no module: %v", err)
	}
	var b strings.Builder
	for _, n := range names {
		if filepath.Base(n) == "SchedAbs.tla" {
			continue
		}
		text, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return regexp.MustCompile(`(?s)\(\*.*?\*\)|\\\*[^\n]*`).ReplaceAllString(b.String(), "")
}

// matches returns what the group of a pattern matches, each once, sorted.
func matches(text, pattern string) []string {
	var list []string
	for _, f := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		list = append(list, f[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestNames fails where the machine and the module do not have the same features, fixes,
// bugs, actions, places and invariants.
func TestNames(t *testing.T) {
	text := modulesText(t)
	same := func(what string, ours, theirs []string) {
		t.Helper()
		lack := func(who string, has, wants []string) {
			for _, name := range wants {
				if !slices.Contains(has, name) {
					t.Errorf("%s: %s lacks %s", what, who, name)
				}
			}
		}
		lack("the machine", ours, theirs)
		lack("the module", theirs, ours)
	}
	same("features", Features(), matches(text, `\bHas\("(\w+)"\)`))
	edits, err := variant.Sched.Variants()
	if err != nil {
		t.Fatal(err)
	}
	var fixes, bugs []string
	added := "" // to the actions, by edits
	for _, v := range edits {
		if v.Bug {
			bugs = append(bugs, v.Name)
		} else {
			fixes = append(fixes, v.Name)
		}
		for _, e := range slices.Concat(v.Alternatives...) {
			text += e.New + "\n"
			if e.Definition == "SysStep" {
				added += e.New + "\n"
			}
		}
	}
	same("fixes", Fixes(), slices.Sorted(slices.Values(fixes)))
	same("bugs", Bugs(), slices.Sorted(slices.Values(bugs)))

	steps := ""
	for _, def := range []string{"UserStep", "SysmonStep", "WorldStep", "SysStep"} {
		m := regexp.MustCompile(`(?s)\n` + def + `(?:\(\w\))? ==(.*?)\n\n`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("the module has no %s", def)
		}
		steps += strings.ReplaceAll(m[1], `\in Ps :`, "") + "\n"
	}
	steps += added
	same("actions", actionNames, matches(steps, `([A-Z]\w+)(?:\(|[ \n])`))

	var placeNames []string
	for p := nowhere + 1; p < chosen; p++ {
		if p != world {
			placeNames = append(placeNames, p.String())
		}
	}
	known := slices.Concat(Features(), Fixes(), Bugs(), lockedNames[:])
	var theirs []string
	for _, p := range matches(text, `"([A-Za-z_]+)"`) {
		if !slices.Contains(known, p) || slices.Contains(placeNames, p) {
			theirs = append(theirs, p)
		}
	}
	same("places", placeNames, theirs)

	m, _ := configuration(t, "")
	for _, v := range slices.Concat(m.Invariants(), m.Probes()) {
		if !regexp.MustCompile(`\b` + v.Name + `\s*==`).MatchString(text + readModule(t, "MCSched.tla")) {
			t.Errorf("no module defines %s", v.Name)
		}
	}
	var vars []string
	var out explore.Successors[State]
	m.Init(&out)
	for _, v := range m.Vars(&out.Edges()[0].To) {
		vars = append(vars, v.Name)
	}
	decl := regexp.MustCompile(`(?s)\nVARIABLES\n(.*?)\n\n`).FindStringSubmatch(text)
	if decl == nil || strings.Join(vars, ", ") != strings.Join(strings.Fields(strings.ReplaceAll(decl[1], ",", " ")), ", ") {
		t.Errorf("Vars has %v\nthe module has %v", vars, decl)
	}
}

func readModule(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(modules, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestActions(t *testing.T) {
	if list := Actions(); !slices.Contains(list, "Sched!Ready") || len(list) != len(actionNames) {
		t.Errorf("%v", list)
	}
}

// TestIsMachine checks what the explorer takes the machine's word for.
func TestIsMachine(t *testing.T) {
	tier.OnlyFull(t)
	for _, constants := range []string{
		`Ms={1, 2, 3}; Gs=1; FirstM={1, 2, 3}; FirstP={1, 2}; Features={"block"}`,
		`Gs=2; FirstM={1, 2}; FirstP={1, 2}; Features={"yield", "tick"}`,
		`Ps={1, 2, 3}; FirstProcs={1, 2}; Gs=1; FirstM={1, 2}; FirstP={1, 2}; Features={"stw", "safepoint"}`,
		`Ms={1, 2}; Sysmon=1; FirstM={2}; Features={"net", "inject"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=2; Features={"net", "timer"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2, 3}; Sysmon=2; Gs=2; Features={"syscall", "preempt"}`,
		`Gs=2; Features={"block", "idlework"}; Bugs={"no_storeload"}`,
	} {
		t.Run(name(constants), func(t *testing.T) {
			m, _ := configuration(t, constants)
			machinetest.Check(t, m.Symmetric(), 300_000, untaken(t, m), m.Invariants()...)
		})
	}
}

// untaken are the actions that are not taken in a small configuration. Which those are
// TLC says in the comparison of graphs.
func untaken(t *testing.T, m *Machine) []string {
	t.Helper()
	r, err := explore.Explore(t.Context(), m, explore.Options[State]{})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, a := range r.Actions {
		if a.Taken == 0 {
			list = append(list, a.Name)
		}
	}
	return list
}

// TestNextDoesNotAllocate holds the search to its speed.
func TestNextDoesNotAllocate(t *testing.T) {
	m, _ := configuration(t, `Ms={1, 2, 3}; Gs=2`)
	sym := m.Symmetric().(explore.Symmetric[State])
	states := some(t, m)
	var out explore.Successors[State]
	n := testing.AllocsPerRun(10, func() {
		for i := range states {
			out.Reset()
			m.Next(&states[i], &out)
			for j := range out.Edges() {
				sym.Canonical(&out.Edges()[j].To)
			}
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
	if size := unsafe.Sizeof(State{}); size != 72 {
		t.Errorf("a state has %d bytes, the documentation says 72", size)
	}
}

// some returns states of m.
func some(t testing.TB, m *Machine) []State {
	t.Helper()
	var list []State
	err := explore.Walk(t.Context(), m, 1_000_000, func(s *State, _ []explore.Edge[State]) error {
		list = append(list, *s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ constants, want string }{
		{`Ps={1, 2, 3, 4, 5}`, "expected 1 to 4 Ps, saw 5"},
		{`Ms={1, 2, 3, 4, 5, 6, 7}`, "expected 1 to 6 Ms, saw 7"},
		{`Gs=16`, "expected 1 to 15 Gs, saw 16"},
		{`RingCap=0`, "expected rings of 1 to 15, saw 0"},
		{`FirstM={}`, "no M or no P runs at the start"},
		{`Sysmon=1`, "M 1 of 2 runs at the start, sysmon is 1"},
		{`Gs=8; Features={"net"}`, "expected 1 to 7 Gs with inject or net, saw 8"},
		{`Features={"deadlines"}`, "expected timer beside deadlines, saw none"},
		{`FirstProcs={2}`, "P 1 is run at the start, there are {2} then"},
		{`FirstP={3}`, `constant FirstP: expected some of 1, 2, saw "3"`},
		{`Gs=many`, `constant Gs: expected a number, saw "many"`},
		{`Features=1`, `constant Features: expected a set such as {1, 2}, saw "1"`},
		{`Features={yield}`, `constant Features: expected strings, saw "yield"`},
		{`Features={"yeild"}`, `unknown feature: expected some of yield, tick`},
		{`Fixes={"none"}`, `unknown fix or assumption: expected some of undo_first`},
		{`Bugs={"none"}`, `unknown bug: expected some of ready_no_wakep`},
	} {
		config, err := FromConstants(constantsOf(t, c.constants))
		if err == nil {
			_, err = New(config)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.constants, err, c.want)
		}
	}
	values := constantsOf(t, "")
	delete(values, "Gs")
	if _, err := FromConstants(values); err == nil || !strings.Contains(err.Error(), "Gs") {
		t.Errorf("without Gs: %v", err)
	}
	values["Gs"], values["More"] = "1", "2"
	if _, err := FromConstants(values); err == nil || !strings.Contains(err.Error(), "saw More") {
		t.Errorf("with More: %v", err)
	}
}

// TestModelValues reads a configuration in which Ps and Ms have names.
func TestModelValues(t *testing.T) {
	values := constantsOf(t, `Ps={p1, p2}; Ms={m1, m2, s}; NoP=NoP; NoM=NoM; FirstM={m1, m2}; FirstP={p2}; FirstProcs={p1, p2}; Sysmon=s`)
	for _, n := range []string{"p1", "p2", "m1", "m2", "s"} {
		values[n] = n
	}
	c, err := FromConstants(values)
	if err != nil {
		t.Fatal(err)
	}
	if c.Sysmon != 3 || !slices.Equal(c.FirstM, []int{1, 2}) || !slices.Equal(c.FirstP, []int{2}) || c.Ms != 3 {
		t.Errorf("%+v", c)
	}
}

func BenchmarkNext(b *testing.B)      { benchmark(b, false) }
func BenchmarkCanonical(b *testing.B) { benchmark(b, true) }

// benchmark takes all steps from a state, or finds a state's representative.
func benchmark(b *testing.B, canonical bool) {
	for _, constants := range []string{`Ms={1, 2, 3}; Gs=3`, `Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Features={"idlework"}`} {
		b.Run(name(constants), func(b *testing.B) {
			m, _ := configuration(b, constants)
			sym := m.Symmetric().(explore.Symmetric[State])
			states := some(b, m)
			var out explore.Successors[State]
			i := 0
			for b.Loop() {
				if canonical {
					s := states[i]
					sym.Canonical(&s)
				} else {
					out.Reset()
					m.Next(&states[i], &out)
				}
				if i++; i == len(states) {
					i = 0
				}
			}
		})
	}
}

// BenchmarkExplore searches all states for what must hold.
func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		constants string
		symmetric bool
	}{
		{`Ms={1, 2, 3}; ` + mended, false},
		{`Ms={1, 2, 3}; ` + mended, true},
		{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Ms={1, 2, 3, 4}; ` + mended, true},
	} {
		b.Run(fmt.Sprintf("%s;symmetric=%v", name(c.constants), c.symmetric), func(b *testing.B) {
			m, _ := configuration(b, c.constants)
			states := 0
			for b.Loop() {
				r, err := explore.Explore(b.Context(), m.Symmetric(), explore.Options[State]{Invariants: m.Invariants(), NoSymmetry: !c.symmetric})
				if err != nil || !r.Complete {
					b.Fatal(r.Stopped, err)
				}
				states += r.Distinct
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
		})
	}
}

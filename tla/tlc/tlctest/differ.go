package tlctest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla/tlc"
)

// A graph is one in words: each state has its variables in the order of their names.
type graph struct {
	states, begins map[string]bool
	edges          map[edge]bool
}

type edge struct{ from, action, to string }

// differences says what either of two graphs lacks: how much, and one example of each
// kind as a table of the fields in which it differs from an initial state.
func differences(machine, theirs *graph) (list []string) {
	for _, of := range []struct {
		who, other string
		a, b       *graph
	}{{"TLC", "the machine", machine, theirs}, {"the machine", "TLC", theirs, machine}} {
		add := func(n, all int, what, text string) {
			if n > 0 {
				list = append(list, fmt.Sprintf("%s lacks %d of the %d %ss that %s has, such as %s", of.who, n, all, what, of.other, text))
			}
		}
		states := lacked(of.a.states, of.b.states)
		add(len(states), len(of.a.states), "state", near(of.a, states))
		begins := lacked(of.a.begins, of.b.begins)
		add(len(begins), len(of.a.begins), "initial state", near(of.b, begins))
		edges := lacked(of.a.edges, of.b.edges)
		add(len(edges), len(of.a.edges), "edge", of.a.example(edges, of.b, of.who))
	}
	return list
}

// lacked is what is in a and not in b.
func lacked[T comparable](a, b map[T]bool) (list []T) {
	for x := range a {
		if !b[x] {
			list = append(list, x)
		}
	}
	return list
}

// candidates is how many are looked at, in the order of their texts, for one that is easy
// to read.
const candidates = 300

// near shows the state with the fewest fields that are not as in an initial state.
func near(g *graph, states []string) string {
	if len(states) == 0 {
		return ""
	}
	slices.Sort(states)
	least := slices.MinFunc(states[:min(candidates, len(states))], func(a, b string) int { return len(g.changed(a)) - len(g.changed(b)) })
	return "the one that differs from an initial state in\n" + table(g.changed(least))
}

// example shows an edge that other lacks, if there is one from a state that both have:
// the others follow from it.
func (g *graph) example(edges []edge, other *graph, who string) string {
	if len(edges) == 0 {
		return ""
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return strings.Compare(a.from+"\n"+a.action+"\n"+a.to, b.from+"\n"+b.action+"\n"+b.to)
	})
	if both := slices.DeleteFunc(slices.Clone(edges), func(e edge) bool { return !other.states[e.from] }); len(both) > 0 {
		edges = both
	}
	e := slices.MinFunc(edges[:min(candidates, len(edges))], func(a, b edge) int { return len(g.changed(a.from)) - len(g.changed(b.from)) })
	s := fmt.Sprintf("%s, which changes\n%sin the state that differs from an initial state in\n%s", e.action, table(changes(e.from, e.to)), table(g.changed(e.from)))
	for _, o := range slices.SortedFunc(maps.Keys(other.edges), func(a, b edge) int { return strings.Compare(a.to, b.to) }) {
		if o.from == e.from && o.action == e.action {
			return s + fmt.Sprintf("where %s of %s changes\n%s", e.action, who, table(changes(o.from, o.to)))
		}
	}
	if !other.states[e.from] {
		return s + "a state that " + who + " lacks\n"
	}
	return s + fmt.Sprintf("where %s has no %s\n", who, e.action)
}

// changed are the changes from the nearest of the first initial states.
func (g *graph) changed(state string) []string {
	begins := slices.Sorted(maps.Keys(g.begins))
	if len(begins) == 0 {
		return changes("", state)
	}
	var least []string
	for i, b := range begins[:min(16, len(begins))] {
		if list := changes(b, state); i == 0 || len(list) < len(least) {
			least = list
		}
	}
	return least
}

// changes are the fields of two states that differ, each with its value in both.
func changes(from, to string) (list []string) {
	a, b := fields(from), fields(to)
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		old, now := a[name], b[name]
		if old == now {
			continue
		}
		for _, v := range []*string{&old, &now} {
			if *v == "" {
				*v = "nothing"
			}
		}
		list = append(list, fmt.Sprintf("%s: %s -> %s", name, old, now))
	}
	return list
}

// fields are the variables of a state, of functions and records each value: "M[2].pc".
func fields(state string) map[string]string {
	of := make(map[string]string)
	for line := range strings.SplitSeq(state, "\n") {
		name, text, ok := strings.Cut(line, " = ")
		if v, err := tlc.ParseValue(text); ok && err == nil {
			flat(of, name, v)
		} else if line != "" {
			of[name] = text
		}
	}
	return of
}

func flat(of map[string]string, name string, v tlc.Value) {
	records := slices.ContainsFunc(v.Elems, func(e tlc.Value) bool { return e.Kind == tlc.Record })
	switch {
	case v.Kind == tlc.Record:
		for i, e := range v.Elems {
			flat(of, name+"."+v.Keys[i].Text, e)
		}
	case v.Kind == tlc.Function:
		for i, e := range v.Elems {
			flat(of, name+"["+v.Keys[i].String()+"]", e)
		}
	case v.Kind == tlc.Tuple && records:
		for i, e := range v.Elems {
			flat(of, fmt.Sprintf("%s[%d]", name, i+1), e)
		}
	default:
		of[name] = v.String()
	}
}

// table is some lines, the first of many.
func table(lines []string) string {
	const most = 25
	var b strings.Builder
	for _, l := range lines[:min(most, len(lines))] {
		fmt.Fprintf(&b, "    %s\n", l)
	}
	if len(lines) == 0 {
		b.WriteString("    nothing\n")
	}
	if n := len(lines) - most; n > 0 {
		fmt.Fprintf(&b, "    and %d more\n", n)
	}
	return b.String()
}

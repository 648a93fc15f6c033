package tla

import (
	"fmt"

	"github.com/spindle-go/spindle/tla/tlc"
)

// Compare returns in what r differs from what is expected of t, each with
// what was expected and what was seen.
func (t *Task) Compare(r *tlc.Result) []string {
	var list []string
	differ := func(what string, expected, seen any) {
		list = append(list, fmt.Sprintf("%s: expected %s %v, saw %v", t.Name, what, expected, seen))
	}
	if t.Absent {
		where := "cfg/" + t.Name + ".cfg, where -update writes it"
		if t.Mutant != nil {
			where = "the table of mutants (tla/mutants.go); -measure prints the row"
		}
		return []string{fmt.Sprintf("%s: expected to find what it must give, saw nothing of it in %s", t.Name, where)}
	}
	if cfg, err := tlc.ParseConfig(t.Config); err != nil {
		list = append(list, fmt.Sprintf("%s: %v", t.Name, err))
	} else {
		list = append(list, t.asked(cfg)...)
	}
	if seen := verdict(r); seen != t.Expected() {
		differ("that it", t.Expected(), seen)
		return list
	}
	if t.Mutant == nil && !t.Counted() {
		return append(list, fmt.Sprintf("%s: expected its numbers of states behind expect: holds, saw none; -update writes them", t.Name))
	}
	if t.Violates == "" {
		if r.Generated != t.Generated {
			differ("states generated", t.Generated, r.Generated)
		}
		if r.Distinct != t.Distinct {
			differ("distinct states", t.Distinct, r.Distinct)
		}
	}
	if depth := Depth(r); r.Workers == 1 && (t.Mutant == nil || t.Mutant.Equivalent == "") && depth != t.Depth {
		differ("depth", t.Depth, depth)
	}
	return list
}

// Depth is the length of the counterexample, or how deep the search went.
func Depth(r *tlc.Result) int {
	if len(r.Trace) > 0 {
		return len(r.Trace)
	}
	return r.Depth
}

func verdict(r *tlc.Result) string {
	switch {
	case r.Outcome != tlc.Violated:
		return string(r.Outcome)
	case r.Property == "":
		return fmt.Sprintf("violates one of %v", r.Candidates)
	}
	return "violates " + r.Property
}

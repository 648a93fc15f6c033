// Package mutants shows what the checks are worth: it breaks code and sees which check
// fails. There are three kinds of mutants. A [Mutant] is a known bug of the run queue
// ([Run]). A row of package rows is an edit by hand of the gate, the reports, the
// explorer or the scheduler ([RunRows]). What package operators makes damages the right
// queues and schedulers ([RunOperators]) and the packages that check ([RunCheckers]).
//
// A witness that cannot fail is no witness. Each [Mutant] is a bug that some
// scheduler had, or one that the code's own comments warn of, as an edit of the
// present source: it says which requirement must fall and which witness must
// see it fall. [Run] builds each one over the checkout, without touching it, and
// prints the matrix of who saw what.
//
// A change that nobody can see belongs here too, with the reason in Equivalent:
// the explorer then has to try every interleaving of its scenarios in vain.
package mutants

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

// A Mutant is one known-bad variant. Ids are for ever, as requirements' ids are:
// G are hazards that the code of the Go runtime guards against and no release
// had, RQ and OV are bugs that some release had, Q are departures from the
// contract that a careless hand might make, E changes that change nothing.
type Mutant struct {
	ID     string
	Title  string
	Source string // the guard, the commit or the issue that it comes from

	// Requirements are those of which one must fall; the first is the one
	// meant, the others are the same damage seen from elsewhere.
	Requirements []string
	// Witness is the one that must see it, and others may: the cheapest that
	// sees it without luck. That is the sequence where an order of calls is
	// enough, and the explorer where threads have to meet.
	Witness spec.Witness
	// Impl is the mutant as edits of package impl/runq.
	Impl []overlay.Edit

	// Equivalent says why no witness can see it. It is believed when the
	// explorer has exhausted its scenarios; whoever sees the mutant refutes it,
	// which is an error.
	Equivalent string
}

// Catalogue returns all mutants, in the order in which the matrix shows them.
func Catalogue() []Mutant {
	return slices.Concat(ring, runnext, overflow, steal, observers, global, equivalent)
}

// Select returns the mutants of these ids, or all if there are none.
func Select(ids ...string) ([]Mutant, error) {
	all := Catalogue()
	if len(ids) == 0 {
		return all, nil
	}
	var out []Mutant
	for _, id := range ids {
		i := slices.IndexFunc(all, func(m Mutant) bool { return strings.EqualFold(m.ID, id) })
		if i < 0 {
			return nil, fmt.Errorf("mutants: unknown mutant: expected one of %s, saw %q", idList(all), id)
		}
		out = append(out, all[i])
	}
	return out, nil
}

func idList(ms []Mutant) string {
	var ids []string
	for _, m := range ms {
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, ", ")
}

// runq and steals are the files that most edits are about.
func runq(fn, old, new string) overlay.Edit {
	return overlay.Edit{File: "impl/runq/runq.go", Func: fn, Old: old, New: new}
}

func steals(fn, old, new string) overlay.Edit {
	return overlay.Edit{File: "impl/runq/steal.go", Func: fn, Old: old, New: new}
}

func globals(fn, old, new string) overlay.Edit {
	return overlay.Edit{File: "impl/runq/global.go", Func: fn, Old: old, New: new}
}

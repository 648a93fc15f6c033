package runqueue

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// A kill is what one or more damages come to.
type kill struct {
	bugs, model, invariant string
	depth                  int
}

// kills says for each damage in which configuration which invariant falls, and how many
// states the shortest way to it has. TLC says the same (package tla has its table).
var kills = []kill{
	{"put_full", "2p2", "Exact", 9},
	{"put_compares", "2p2", "QueueIsFull", 2},
	{"publish_first", "2p2", "NoHole", 3},
	{"slow_noncas", "2p2", "Exact", 14},
	{"get_noncas", "2p2", "Exact", 12},
	{"copy_after_cas", "2p2", "Exact", 12},
	{"put_next_noncas", "2p2", "Exact", 9},
	{"get_next_noncas", "2p2", "Exact", 10},
	{"steal_next_noncas", "2p2", "Exact", 9},
	{"kick_dropped", "2p2", "Exact", 5},
	{"slow_drops", "2p2", "Exact", 10},
	{"narrow_cas", "2p2", "Bounded", 29},
	{"no_inconsistent_check tail_before_head", "2p2", "Bounded", 14},
	{"steal_full", "script-room", "RoomForLoot", 25},
	{"steal_forgets", "cap4", "Exact", 16},
	{"no_lock", "drain", "Exact", 17},
	{"no_lock_rest", "batches", "Exact", 8},
	{"batch_drops", "batches", "Exact", 5},
	{"batch_full", "batches", "Bounded", 6},
	{"share_zero", "global", "GlobalShare", 2},
	{"share_no_more", "global", "GlobalShare", 2},
	{"stale_gtail", "global", "Linked", 3},
	{"drain_links_first", "drain", "Linked", 13},
	{"drain_noncas", "drain", "Exact", 11},
	{"drain_forgets_next", "drains", "DrainAll", 5},
	{"tail_before_head", "halves", "StealNone", 12},
	{"get_gives_up", "empty", "GetNone", 14},
	{"get_compares", "empty", "GetNone", 6},
	{"get_ring_first", "empty", "RunnextFirst", 9},
	{"steal_gives_up", "halves", "StealNone", 14},
	{"steal_down", "halves", "StealNone", 6},
	{"steal_compares", "empty", "StealNone", 6},
	{"steal_next_unasked", "empty", "StealRunnext", 7},
	{"steal_next_early", "answers", "StealRunnext", 10},
	{"steal_next_never", "answers", "StealRunnext", 5},
	{"empty_no_reload", "empty", "EmptyTrue", 12},
	{"empty_reload_head", "empty", "EmptyTrue", 12},
	{"empty_no_next", "empty", "EmptyTrue", 7},
	{"empty_slot", "empty", "EmptyFalse", 7},
	{"len_no_next", "answers", "LenExact", 6},
	{"len_wide", "answers", "LenExact", 7},
	{"narrow_cas", "drains", "StealHalf", 25},
}

// elsewhere are the damages that no invariant of states sees, by who does.
var elsewhere = map[string]string{
	"no_inconsistent_check": "equivalent: head only grows, so the swap fails whenever head and tail were not of one moment; with tail_before_head it is no more so",
	"link_kept":             "equivalent: whoever chains a G sets its link, and nobody follows the link of a G in no list",
	"slow_younger":          "order: TLC's Refines",
	"slow_backwards":        "order: TLC's Refines",
	"batch_backwards":       "order: TLC's Refines",
	"batch_get_backwards":   "order: TLC's Refines",
	"join_front":            "order: TLC's Refines",
	"steal_oldest":          "order: TLC's Refines",
	"stale_head":            "liveness: TestOpEnds",
}

// TestBugs shows that each damage is found, by the invariant that is named for it.
func TestBugs(t *testing.T) {
	killed := make(map[string]bool)
	for _, k := range kills {
		t.Run(k.bugs, func(t *testing.T) {
			model := modelNamed(t, "runqueue-"+k.model)
			model.Config.Bugs = strings.Fields(k.bugs)
			r := walk(t, model)
			if r.Violation == nil {
				t.Fatalf("expected that %s falls; observed that all holds in %d states", k.invariant, r.Distinct)
			}
			t.Attr("req", r.Violation.Requirement)
			if got := r.Violation.Invariant; got != k.invariant || len(r.Violation.Trace) != k.depth {
				t.Errorf("expected that %s falls after %d states; observed %s after %d\nto reproduce: go test ./spec/runqueue -run '%s'",
					k.invariant, k.depth, got, len(r.Violation.Trace), t.Name())
			}
		})
		for _, b := range strings.Fields(k.bugs) {
			killed[b] = true
		}
	}
	for _, b := range Bugs() {
		if !killed[b] && elsewhere[b] == "" {
			t.Errorf("expected each damage to be found, or a reason; none for %s", b)
		}
	}
	m, err := New(modelNamed(t, "runqueue-empty").Config)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range m.Invariants() {
		if !slices.ContainsFunc(kills, func(k kill) bool { return k.invariant == i.Name }) {
			t.Errorf("expected each invariant to fall with some damage; %s never does", i.Name)
		}
	}
}

// TestEquivalent walks everything with the damages that change nothing.
func TestEquivalent(t *testing.T) {
	for bug, model := range map[string]string{"no_inconsistent_check": "2p2", "link_kept": "global"} {
		t.Run(bug, func(t *testing.T) {
			t.Attr("req", "RQ-LOST")
			model := modelNamed(t, "runqueue-"+model)
			model.Config.Bugs = []string{bug}
			if r := walk(t, model); !r.Holds() {
				t.Errorf("expected that all holds: %s; observed that %s falls", elsewhere[bug], r.Violation.Invariant)
			}
		})
	}
}

// TestOpEnds looks for an endless put, get or drain; there is one only where a put keeps
// the head that it read.
func TestOpEnds(t *testing.T) {
	t.Attr("req", "RQ-CRASH")
	model := modelNamed(t, "runqueue-2p2")
	model.Config.Gs, model.Config.MaxPuts = 3, 3
	for _, bug := range []string{"", "stale_head"} {
		model.Config.Bugs = strings.Fields(bug)
		m, err := New(model.Config)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Lively(t.Context(), m, m.OpEnds(0), explore.Options[State]{})
		if err != nil {
			t.Fatal(err)
		}
		if endless := r.Violation != nil; endless != (bug != "") {
			t.Errorf("bugs %q: expected an endless call: %v; observed: %v, in %d states", bug, bug != "", endless, r.Distinct)
		}
	}
}

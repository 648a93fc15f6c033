package sched

import (
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// mended are the fixes with which the core conserves work.
const mended = `Fixes={"undo_first", "handoff_need", "batch_locked", "rescan"}`

// A search is a configuration, and what is found there with symmetry: how many states,
// or how many until a violation, which has so many steps.
type search struct {
	constants           string
	violates            string
	depth               int
	distinct, generated int
}

var searches = []search{
	{``, "WorkRescuer", 45, 1989, 4008},
	{`Gs=4; RingCap=1`, "WorkRescuer", 45, 3582, 7284},
	{`Ms={1, 2, 3}`, "WorkRescuer", 45, 7581, 18768},
	{`Fixes={"undo_first"}`, "", 51, 1905, 3859},
	{`Fixes={"reload"}`, "", 51, 2090, 4240},
	{`Fixes={"clear_locked"}`, "", 51, 1833, 3708},
	{`Fixes={"drop_clears"}`, "", 57, 2089, 4223},
	{`Fixes={"retest"}`, "WorkRescuer", 47, 2206, 4446},
	{`Fixes={"throttle_keeps"}`, "WorkRescuer", 47, 2151, 4313},
	{`Fixes={"throttle_locked"}`, "WorkRescuer", 47, 1991, 4014},
	{`Fixes={"clear_first"}`, "WorkRescuer", 46, 2095, 4229},
	{`Features={"yield", "tick"}; Fixes={"undo_first"}`, "WorkRescuer", 30, 5758, 12089},
	{`Features={"yield", "tick"}; Fixes={"undo_first", "batch_locked"}`, "", 55, 8850, 19367},
	{`Features={"yield", "tick"}; Fixes={"undo_first", "batch_wakep"}`, "", 57, 9095, 19894},
	{`Features={"block"}; Fixes={"undo_first", "batch_locked"}`, "WorkRescuer", 28, 1859, 3416},
	{`Features={"block"}; ` + mended, "", 65, 3885, 7737},
	{`Features={"idlework"}; ` + mended, "", 58, 4976, 10374},
	{`Ms={1, 2, 3}; Sysmon=3; Features={"inject"}; ` + mended, "", 74, 42911, 115940},
	{`Ms={1, 2, 3}; Sysmon=3; Features={"preempt"}; ` + mended, "", 60, 7150, 14526},
	{`Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}; ` + mended, "", 88, 28140, 73064},
	{`Ms={1, 2, 3, 4}; Sysmon=4; Gs=2; Features={"syscall"}; ` + mended, "WorkRescuer", 69, 191270, 642189},
	{`Ms={1, 2, 3, 4}; Sysmon=4; Gs=2; Features={"syscall"}; Fixes={"undo_first", "handoff_need", "batch_wakep", "rescan"}`, "", 131, 213655, 728685},
	{`Ps={1, 2, 3}; FirstProcs={1, 2}; Gs=2; Ms={1, 2, 3}; Features={"block", "stw"}; Fixes={"undo_first", "handoff_need", "batch_locked"}`, "WorkRescuer", 42, 81966, 208113},
	{`Ps={1, 2, 3}; FirstProcs={1, 2}; Gs=2; Ms={1, 2, 3}; Features={"block", "stw"}; ` + mended, "", 120, 573496, 1730809},
	{`Gs=2; Features={"net"}; ` + mended, "", 123, 31231, 73747},
	{`Gs=1; Features={"timer"}; ` + mended, "", 131, 51802, 120044},
	{`Gs=2; Features={"stw"}; ` + mended, "", 74, 1996, 3885},
	{`Ms={1, 2, 3}; ` + mended, "", 84, 20636, 58915},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Ms={1, 2, 3}; ` + mended, "", 92, 61902, 200194},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Ms={1, 2, 3, 4}; ` + mended, "", 118, 713494, 3083005},
}

// bugsFound are, of each bug, the smallest configuration in which a property falls that
// holds there without the bug.
var bugsFound = []search{
	{`Ms={1}; Gs=2; Bugs={"ready_no_wakep"}; ` + mended, "WorkRescuer", 2, 3, 3},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Bugs={"wakep_first"}; ` + mended, "WorkRescuer", 25, 389, 722},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=4; Bugs={"no_storeload"}; ` + mended, "OnePlace", 12, 74, 114},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Features={"yield", "tick"}; Bugs={"gosched_no_wakep"}; ` + mended, "WorkRescuer", 29, 1356, 3058},
	{`Ms={1}; Gs=1; Features={"idlework"}; Bugs={"extra_no_wakep"}; ` + mended, "WorkRescuer", 2, 4, 4},
	{`Gs=2; Bugs={"need_unlocked"}; ` + mended, "WorkQuiet", 31, 856, 1531},
	{`Gs=2; Bugs={"wakep_pidleget"}; Fixes={"clear_locked", "handoff_need", "batch_locked", "rescan"}`, "WorkRescuer", 31, 628, 1156},
	{`Gs=2; Bugs={"leak_nmspinning"}; Fixes={"clear_locked", "handoff_need", "batch_locked", "rescan"}`, "SpinCount", 18, 149, 239},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Bugs={"reset_no_wakep"}; ` + mended, "WorkRescuer", 16, 162, 282},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Features={"yield", "tick"}; Bugs={"tick_no_reset"}; ` + mended, "WorkQuiet", 21, 1543, 3211},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Bugs={"recheck_first"}; ` + mended, "WorkRescuer", 26, 427, 855},
	{`Gs=2; Bugs={"no_needspinning"}; ` + mended, "WorkRescuer", 31, 744, 1350},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Bugs={"recheck_everybody"}; ` + mended, "WorkRescuer", 28, 572, 1135},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Bugs={"no_recheck"}; ` + mended, "WorkRescuer", 24, 324, 588},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Features={"yield", "tick"}; Bugs={"no_recheck_glob"}; ` + mended, "WorkRescuer", 28, 1723, 3721},
	{`Ms={1, 2, 3}; Gs=2; Features={"yield", "tick"}; Bugs={"glob_pidleget"}; ` + mended, "WorkRescuer", 55, 47077, 137146},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Bugs={"rc_not_spinning"}; ` + mended, "WorkRescuer", 28, 488, 926},
	{`Ms={1, 2, 3}; Gs=2; Bugs={"recheck_pidleget"}; ` + mended, "WorkRescuer", 57, 10157, 27522},
	{`Gs=1; Features={"idlework"}; Bugs={"extra_no_recheck"}; ` + mended, "WorkRescuer", 40, 1076, 1993},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Features={"block"}; Bugs={"handoff_no_ring"}; ` + mended, "IdleEmpty", 14, 145, 232},
	{`Ms={1, 2, 3}; Sysmon=3; Gs=2; Features={"inject", "syscall"}; Bugs={"handoff_no_spin"}; ` + mended, "WorkRescuer", 25, 8852, 21184},
	{`Ms={1, 2, 3}; Sysmon=3; Gs=2; Features={"inject", "syscall"}; Bugs={"handoff_no_globcheck"}; ` + mended, "WorkRescuer", 38, 28959, 74288},
	{`Ms={1, 2, 3}; Gs=1; Features={"block", "yield"}; Bugs={"exit_unlocked"}; ` + mended, "WorkRescuer", 52, 23857, 63799},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Ms={1, 2}; Sysmon=2; Gs=1; Features={"syscall"}; Bugs={"retake_keeps"}; ` + mended, "POwned", 3, 6, 7},
	{`Ms={1, 2, 3}; Sysmon=3; Gs=2; Features={"inject"}; Bugs={"inject_pidleget"}; ` + mended, "WorkRescuer", 44, 14346, 36289},
	{`Gs=2; Features={"net"}; Bugs={"inject_stale_npidle"}; ` + mended, "WorkRescuer", 36, 5366, 11949},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=1; Features={"timer"}; Bugs={"no_recheck_timers"}; ` + mended, "PollQuiet", 75, 19734, 46840},
	{`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Gs=2; Features={"net", "block"}; Bugs={"handoff_no_poll"}; ` + mended, "PollQuiet", 62, 16895, 41461},
	{`Gs=2; Features={"stw"}; Bugs={"start_all_idle"}; ` + mended, "IdleEmpty", 30, 953, 1681},
}

func TestSearches(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for _, s := range searches {
		t.Run(name(s.constants), func(t *testing.T) { s.check(t) })
	}
}

// TestBugs finds each bug, and nothing without it.
func TestBugs(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for _, s := range bugsFound {
		t.Run(name(s.constants), func(t *testing.T) {
			s.check(t)
			r := explored(t, s.constants+"; Bugs={}")
			if r.Violation != nil || !r.Complete {
				t.Errorf("without the bug %s falls after %d states", r.Violation.Invariant, r.Distinct)
			}
		})
	}
}

func (s *search) check(t *testing.T) {
	t.Helper()
	r := explored(t, s.constants)
	got := search{s.constants, "", r.Depth, r.Distinct, r.Generated}
	if r.Violation != nil {
		got.violates = r.Violation.Invariant
	} else if !r.Complete {
		t.Errorf("the search stopped: %s", r.Stopped)
	}
	if got != *s {
		t.Errorf("expected %+v\nsaw      %+v\nto reproduce: go test ./spec/sched -run '%s'", *s, got, t.Name())
	}
}

// explored searches a configuration with symmetry for what must hold.
func explored(t *testing.T, constants string) explore.Result {
	t.Helper()
	m, _ := configuration(t, constants)
	r, err := explore.Explore(t.Context(), m.Symmetric(), explore.Options[State]{Invariants: m.Invariants(), MaxStates: 2_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLiveness is about a bug that breaks no invariant, but what must happen at some time.
func TestLiveness(t *testing.T) {
	t.Attr("req", "DN-WORK-LIVE")
	if got := falls(t, "Gs=2; "+mended); got != "" {
		t.Errorf("%s falls", got)
	}
	if got := falls(t, `Gs=2; Bugs={"no_runnext_steal"}; `+mended); got != "WorkLive" {
		t.Errorf("with no_runnext_steal %q falls, want WorkLive", got)
	}
}

// falls returns the first temporal property that does not hold, or "".
func falls(t *testing.T, constants string) string {
	t.Helper()
	m, _ := configuration(t, constants)
	for _, l := range m.Liveness() {
		r, err := explore.Lively(t.Context(), m, l, explore.Options[State]{MaxStates: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Violation != nil {
			return l.Name
		}
		if !r.Complete {
			t.Errorf("the search stopped: %s", r.Stopped)
		}
	}
	return ""
}

package sched

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
	"github.com/spindle-go/spindle/tla/variant"
)

// graphs are the configurations whose whole graphs are held against TLC's, by what they
// change of the base. Each fix and each bug is in one, the smallest in which it makes a
// difference. A number behind a bar is to how many levels the graph is cut. Some of those
// of always are compared in every run.
var graphs = struct{ always, long []string }{
	always: []string{
		``,
		`Gs=2; Features={"net"} | 36`,
		`Gs=1; Features={"timer"} | 40`,
		`Gs=2; Features={"stw"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}`,
		`Gs=2; Features={"block"}`,
		`Gs=2; Features={"idlework"}`,
		`Gs=2; RingCap=2; Features={"yield", "tick"}; Fixes={"batch_locked"}`,
		`Ms={1, 2}; Sysmon=2; Features={"inject", "preempt"}`,
		`Gs=4; RingCap=1`,
		`Gs=2; Fixes={"undo_first", "rescan"}`,
		`RingCap=1; Bugs={"no_storeload"}`,
		`Gs=2; Features={"lock"}`,
		`Gs=2; Features={"stw", "shrink"}`,
		`Gs=2; Features={"stw", "shrink", "timer"} | 40`,
		`Gs=2; Features={"stw", "shrink", "timer", "deadlines"} | 36`,
		`Gs=1; Features={"safepoint", "syscall"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=1; Features={"stw", "syscall", "sysmon"}`,
		`Gs=2; Features={"timer", "deadlines"} | 34`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=2; Features={"net", "sysmon"}; Fixes={"poll_wakes_sysmon"}`,
	},
	long: []string{
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"preempt"}`,
		`Gs=2; Bugs={"no_recheck"}`,
		`Gs=2; Features={"yield"}; Fixes={"batch_locked"}`,
		`Gs=2; Features={"yield", "tick"}`,
		`Features={"yield", "tick"}`,
		`Features={"block"}`,
		`Features={"idlework"}`,
		`Gs=1; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2, 3}; Sysmon=3; Features={"inject"}`,
		`Ms={1, 2, 3}; Sysmon=3; Features={"preempt"}`,
		`Gs=2; Ps={1, 2, 3}; FirstProcs={1, 2}; Features={"stw"}`,
		`Gs=2; Features={"stw", "syscall"}`,
		`Gs=2; Features={"safepoint", "syscall", "block"} | 40`,
		`Gs=2; Features={"safepoint", "timer"} | 40`,
		`Gs=2; Features={"safepoint", "stw"} | 50`,
		`Gs=2; Features={"stw", "block"}`,
		`Ps={1}; FirstProcs={1}; Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"stw", "syscall"}`,
		`Gs=1; Features={"stw", "timer"} | 48`,
		`Gs=1; Features={"net", "timer"} | 48`,
		`Ps={1}; FirstProcs={1}; Features={"net", "timer"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=2; Features={"net", "timer"}`,
		`Ms={1, 2}; Sysmon=2; Gs=2; Features={"net", "syscall"}`,
		`Gs=2; Features={"net", "block"} | 42`,
		`Gs=1; Features={"net", "timer", "block"} | 42`,
		`Gs=2; Features={"block", "idlework"}`,
		`Gs=5`,
		`Gs=5; RingCap=2`,
		`Gs=4; RingCap=2; Features={"yield"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Features={"yield", "syscall", "sysmon"}`,
		`Gs=2; Fixes={"undo_first"}`,
		`Gs=2; Fixes={"reload"}`,
		`Gs=2; Fixes={"retest"}`,
		`Gs=2; Fixes={"word_stands"}`,
		`Gs=2; Fixes={"clear_locked"}`,
		`Gs=2; Fixes={"throttle_locked"}`,
		`Gs=2; Fixes={"drop_clears"}`,
		`Gs=2; Fixes={"throttle_keeps"}`,
		`Gs=2; Fixes={"clear_first"}`,
		`Gs=2; Fixes={"rescan"}`,
		`Gs=2; Features={"yield"}; Fixes={"batch_wakep"}`,
		`Gs=4; RingCap=1; Features={"yield"}; Fixes={"goyield_wakep"} | 40`,
		`Gs=2; Features={"block"}; Fixes={"handoff_need"}`,
		`Gs=2; Features={"block"}; Fixes={"handoff_need", "clear_locked", "drop_clears"}`,
		`Gs=2; Bugs={"ready_no_wakep"}`,
		`Gs=2; Bugs={"wakep_first"}`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"preempt"}; Bugs={"gosched_no_wakep"}`,
		`Gs=2; Features={"idlework"}; Bugs={"extra_no_wakep"}`,
		`Gs=2; Bugs={"need_unlocked"}`,
		`Gs=2; Bugs={"wakep_pidleget"}`,
		`Gs=2; Bugs={"leak_nmspinning"}`,
		`Gs=2; Bugs={"wake_nonspinning"}`,
		`Gs=2; Bugs={"reset_no_wakep"}`,
		`Gs=2; RingCap=1; Features={"yield", "tick"}; Bugs={"tick_no_reset"}`,
		`Gs=2; Bugs={"clear_after_scan"}`,
		`Gs=2; Bugs={"recheck_first"}`,
		`Gs=2; Features={"idlework"}; Bugs={"recheck_first"}`,
		`Gs=2; Bugs={"no_runnext_steal"}`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"preempt"}; Bugs={"drop_no_globcheck"}`,
		`Gs=2; Bugs={"no_needspinning"}`,
		`Gs=2; Bugs={"recheck_everybody"}`,
		`Gs=2; Bugs={"no_recheck_glob"}`,
		`Gs=2; Bugs={"no_recheck_glob", "no_recheck"}`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"preempt"}; Bugs={"glob_pidleget"}`,
		`Gs=2; Bugs={"rc_not_spinning"}`,
		`Gs=2; Bugs={"recheck_pidleget"}`,
		`Gs=2; Features={"idlework"}; Bugs={"extra_no_recheck"}`,
		`Gs=2; Features={"block"}; Bugs={"handoff_no_ring"}`,
		`Gs=2; Features={"block"}; Bugs={"handoff_no_glob"}`,
		`Gs=2; Features={"block", "idlework"}; Bugs={"handoff_no_extra"}`,
		`Gs=2; Features={"block"}; Bugs={"handoff_no_spin"}`,
		`Gs=2; RingCap=1; Features={"block", "yield"}; Bugs={"handoff_no_globcheck"}`,
		`Gs=2; Features={"block"}; Bugs={"exit_unlocked"}`,
		`Gs=1; Ms={1, 2}; Sysmon=2; Features={"syscall"}; Bugs={"retake_keeps"} | 60`,
		`Ms={1, 2}; Sysmon=2; Features={"inject"}; Bugs={"inject_pidleget"}`,
		`Gs=3; Features={"net"}; Bugs={"inject_stale_npidle"} | 45`,
		`Gs=1; Features={"timer"}; Bugs={"timer_no_wake"} | 48`,
		`Gs=1; Features={"net", "timer"}; Bugs={"no_recheck_timers"} | 50`,
		`Gs=1; Features={"net", "block"}; Bugs={"handoff_no_poll"} | 60`,
		`Gs=2; Features={"timer", "block"}; Bugs={"handoff_no_timer"} | 24`,
		`Gs=2; Features={"stw"}; Bugs={"start_all_idle"}`,
		`Gs=2; Bugs={"reset_twice"} | 30`,
		`Bugs={"wake_if_empty"}`,
		`Gs=3; Ps={1}; FirstProcs={1}; RingCap=2; Features={"yield"}; Bugs={"batch_whole"}`,
		`Gs=2; Bugs={"return_locked"} | 40`,
		`Gs=2; Ms={1, 2}; Sysmon=2; Features={"inject"}; Bugs={"inject_no_start"}`,
		`Gs=2; Bugs={"next_kept"} | 30`,
		`Gs=2; Features={"block"}; Bugs={"npidle_kept"} | 40`,
		`Features={"lock", "yield"} | 40`,
		`Gs=2; Ms={1, 2, 3}; Features={"lock", "block"} | 34`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"lock", "syscall", "inject"} | 30`,
		`Gs=2; Features={"lock", "stw"} | 40`,
		`Gs=2; Features={"lock", "net"} | 34`,
		`Gs=1; Features={"lock", "timer"} | 40`,
		`Gs=2; Features={"lock", "idlework"}`,
		`Ps={1, 2, 3}; FirstProcs={1, 2}; Features={"stw", "shrink", "block"} | 40`,
		`Gs=2; Features={"block"}; Bugs={"wake_without_p"}`,
		`Gs=2; Bugs={"decrement_buffered"}`,
		`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Ms={1, 2, 3}; Features={"stw"}; Bugs={"start_twice"} | 34`,
		`Gs=2; FirstProcs={1}; Features={"stw", "block"}; Fixes={"rescan"} | 34`,
		`Gs=2; Bugs={"recheck_no_next"}`,
		`Gs=2; Features={"block"}; Bugs={"handoff_no_next"}`,
		`Gs=2; Bugs={"no_steal"}`,
		`Gs=2; Bugs={"note_lost"}`,
		`Gs=2; RingCap=1; Features={"yield", "tick"}; Bugs={"search_no_glob"}`,
		`Gs=2; Features={"idlework"}; Bugs={"search_no_extra"}`,
		`Gs=2; Features={"idlework"}; Bugs={"extra_stale"}`,
		`Gs=2; Features={"net"}; Bugs={"search_no_net"} | 36`,
		`Gs=1; Features={"net", "timer"}; Bugs={"no_last_poll"} | 48`,
		`Gs=1; Features={"net", "timer"}; Bugs={"pollset_first"} | 52`,
		`Gs=2; Bugs={"decrement_buffered", "no_recheck_glob"}`,
		`Gs=2; Features={"idlework", "net"}; Bugs={"decrement_buffered", "no_recheck_glob", "no_recheck"} | 40`,
		`Gs=2; Features={"stw", "idlework"}; Bugs={"extra_unlocked"}`,
		`Gs=2; Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Features={"stw"}; Bugs={"start_preempted"} | 40`,
		`Gs=2; Features={"stw", "syscall"}; Bugs={"syscall_no_stop"}`,
		`Gs=2; Features={"stw", "syscall"}; Fixes={"stop_again"}`,
		`Gs=2; Features={"safepoint", "syscall"}; Fixes={"safe_again"} | 40`,
		`Gs=2; Features={"safepoint", "syscall"}; Fixes={"safe_stale"} | 40`,
		`Gs=2; Features={"safepoint", "syscall"}; Fixes={"safe_again", "safe_stale"} | 40`,
		`Gs=2; Features={"net"}; Fixes={"poll_need"} | 40`,
		`Gs=2; Features={"idlework"}; Fixes={"enlist_always"}`,
		`Gs=2; Features={"safepoint"}; Bugs={"safe_no_idle"}`,
		`Gs=2; Features={"safepoint", "block"}; Bugs={"handoff_no_safe"} | 40`,
		`Gs=2; Features={"safepoint"}; Bugs={"drop_no_safe"} | 40`,
		`Gs=2; Bugs={"block_lost"} | 30`,
		`Gs=2; Bugs={"wakep_npidle_kept"} | 30`,
		`Gs=2; Bugs={"wake_keeps"} | 30`,
		`Gs=2; Bugs={"throttle_counts"} | 30`,
		`Gs=2; Bugs={"spin_uncounted"} | 30`,
		`Gs=2; Bugs={"wakep_npidle"} | 30`,
		`Gs=2; Bugs={"glob_drops"} | 30`,
		`Gs=2; Bugs={"stop_unlisted"} | 30`,
		`RingCap=1; Features={"yield"}; Bugs={"goyield_full"} | 30`,
		`Gs=2; RingCap=1; Features={"yield"}; Bugs={"glob_unlocked"} | 30`,
		`Gs=2; RingCap=1; Features={"yield"}; Bugs={"reglob_npidle_kept"} | 30`,
		`Gs=4; RingCap=1; Bugs={"overflow_drops"} | 26`,
		`Gs=2; Features={"block"}; Bugs={"block_keeps_p"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"handoff_counts"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"handoff_unlocked"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"handoff_uncounted"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"handoff_wrong_word"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"handoff_twice"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"exit_lost"} | 36`,
		`Gs=2; Features={"block"}; Bugs={"exit_get_unlocked"} | 36`,
		`Gs=2; Ms={1, 2}; Features={"block", "yield"}; Bugs={"handoff_takes_glob"} | 40`,
		`Gs=2; Ms={1, 2, 3}; Features={"block"}; Bugs={"startm_unlocked"} | 32`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}; Bugs={"enter_drops"} | 20`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}; Bugs={"exit_slow"} | 20`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}; Bugs={"old_keeps"} | 36`,
		`Gs=1; Ms={1, 2, 3}; FirstM={1, 2}; Sysmon=3; Features={"syscall", "stw"}; Bugs={"status_exits"} | 26`,
		`Gs=2; Features={"syscall", "stw"}; Bugs={"syscall_stop_keeps"} | 30`,
		`Gs=2; Features={"idlework"}; Bugs={"enlist_busy"} | 30`,
		`Gs=2; Features={"idlework"}; Bugs={"enlist_spins"} | 30`,
		`Gs=2; Features={"idlework"}; Bugs={"extra_kept"} | 30`,
		`Gs=2; Features={"idlework", "block"}; Bugs={"handoff_takes_extra"} | 24`,
		`Ms={1, 2}; Sysmon=2; Features={"inject"}; Bugs={"inject_idle_unlocked"} | 24`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"inject"}; Bugs={"inject_npidle_kept"} | 18`,
		`Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"inject"}; Bugs={"inject_locked"} | 18`,
		`Ms={1, 2}; Sysmon=2; Features={"inject"}; Bugs={"inject_copies"} | 24`,
		`Gs=3; Features={"net"}; Bugs={"inject_forgets"} | 34`,
		`Gs=3; Features={"net"}; Bugs={"inject_twice"} | 40`,
		`Ms={1, 2}; Sysmon=2; Features={"preempt"}; Bugs={"preempt_puts"} | 24`,
		`Gs=2; Features={"net"}; Bugs={"netblock_lost"} | 34`,
		`Gs=2; Features={"net"}; Bugs={"netwait_uncounted"} | 34`,
		`Gs=2; Features={"net"}; Bugs={"net_spins_twice"} | 34`,
		`Gs=2; Features={"net"}; Bugs={"lastpoll_kept"} | 34`,
		`Gs=2; Features={"net"}; Bugs={"poll_get_unlocked"} | 44`,
		`Gs=2; Features={"net"}; Bugs={"poll_npidle_kept"} | 34`,
		`Gs=2; Features={"timer", "deadlines"} | 44`,
		`Gs=1; Features={"timer", "deadlines", "net"} | 40`,
		`Gs=1; Features={"timer", "deadlines", "block"} | 40`,
		`Gs=2; Features={"timer", "deadlines"}; Bugs={"deadline_first"} | 33`,
		`Gs=2; Features={"timer", "deadlines"}; Bugs={"deadline_steal_first"} | 33`,
		`Gs=2; Features={"timer", "deadlines"}; Bugs={"deadline_recheck_first"} | 34`,
		`Gs=2; Features={"timer", "deadlines"}; Bugs={"deadline_wake_far"} | 35`,
		`Gs=2; Features={"timer", "deadlines"}; Bugs={"deadline_no_break"} | 40`,
		`Gs=2; Features={"timer", "deadlines"}; Bugs={"deadline_swap_stops"} | 42`,
		`Gs=1; Features={"timer"}; Bugs={"timer_break_only"} | 46`,
		`Gs=1; Features={"timer"}; Bugs={"timers_forget"} | 46`,
		`Gs=1; Features={"timer"}; Bugs={"timers_of_running"} | 46`,
		`Gs=1; Features={"timer"}; Bugs={"steal_timer_kept"} | 46`,
		`Gs=1; Features={"timer", "net"}; Bugs={"pollset_always"} | 44`,
		`Gs=1; Features={"timer"}; Bugs={"poll_until_kept"} | 46`,
		`Gs=1; Features={"timer"}; Bugs={"timer_no_break"} | 46`,
		`Gs=1; Features={"timer"}; Bugs={"timer_no_wakep"} | 46`,
		`Gs=2; Features={"stw"}; Bugs={"stop_unlocked"} | 36`,
		`Gs=2; Features={"stw"}; Bugs={"stop_keeps_idle"} | 36`,
		`Gs=2; Features={"stw"}; Bugs={"stop_npidle_kept"} | 36`,
		`Gs=2; Features={"stw"}; Bugs={"stop_run_lost"} | 36`,
		`Gs=2; Features={"stw"}; Bugs={"stop_spin_kept"} | 36`,
		`Gs=2; Features={"stw"}; Bugs={"stop_p_lost"} | 36`,
		`Gs=2; Features={"stw"}; Bugs={"resize_npidle_kept"} | 36`,
		`Gs=2; Features={"safepoint"}; Bugs={"safe_no_wait"} | 30`,
		`Gs=2; Features={"safepoint"}; Bugs={"safe_preempt_drops"} | 30`,
		`Gs=2; Features={"safepoint"}; Bugs={"safe_skips_queue"} | 30`,
		`Gs=2; Features={"safepoint", "syscall"}; Bugs={"safe_take_keeps"} | 30`,
		`Gs=2; Features={"lock"}; Bugs={"lock_half"} | 36`,
		`Gs=2; Features={"lock"}; Bugs={"unlock_half"} | 36`,
		`Gs=2; Features={"lock"}; Bugs={"locked_listed"} | 36`,
		`Gs=2; Features={"lock"}; Bugs={"locked_elsewhere"} | 36`,
		`Gs=2; Features={"lock"}; Bugs={"locked_stale"} | 44`,
		`Gs=2; Features={"stw", "shrink"}; Bugs={"shrink_keeps"} | 40`,
		`Gs=2; Features={"stw", "shrink", "timer", "deadlines"}; Bugs={"shrink_loses_timer"} | 36`,
		`Gs=2; Features={"stw", "shrink"}; Bugs={"start_no_wakep"}`,
		`Ps={1}; FirstProcs={1}; Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}; Bugs={"retake_uncounted"}`,
		`Ps={1}; FirstProcs={1}; Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"inject", "block"}; Bugs={"inject_uncounted"}`,
		`Ps={1}; FirstProcs={1}; Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"inject", "block"}; Bugs={"inject_unlocked"}`,
		`Ps={1}; FirstProcs={1}; Gs=2; Ms={1, 2, 3}; Sysmon=3; Features={"syscall"}; Bugs={"newm_uncounted"}`,
		`Ps={1}; FirstProcs={1}; Gs=1; Ms={1, 2}; Sysmon=2; Features={"net"}; Bugs={"net_adjust_first"} | 40`,
		`Gs=1; Ms={1, 2}; Sysmon=2; Features={"timer", "sysmon"} | 30`,
		`Gs=1; Ms={1, 2, 3}; Sysmon=3; Features={"stw", "syscall", "sysmon"}; Fixes={"sleep_ends", "never_ends"} | 40`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=2; Features={"net", "sysmon"}; Fixes={"pidleget_wakes_sysmon"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=1; Features={"net", "sysmon"}; Bugs={"deep_unlocked"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2, 3}; Sysmon=3; Gs=1; Features={"syscall", "sysmon"}; Bugs={"exit_no_sysmon"}`,
		`Ms={1, 2}; Sysmon=2; Gs=1; Features={"syscall", "sysmon"}; Bugs={"deep_any_idle"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=1; Features={"stw", "sysmon"}; Bugs={"start_no_sysmon"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=1; Features={"net", "syscall", "sysmon"}; Bugs={"syscall_no_sysmon"} | 44`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=2; Features={"syscall", "sysmon"}; Bugs={"tick_no_preempt"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=2; Features={"syscall", "sysmon"}; Bugs={"tick_no_retake"}`,
		`Ps={1}; FirstProcs={1}; Ms={1, 2}; Sysmon=2; Gs=1; Features={"net", "sysmon"}; Bugs={"tick_poll_loses"}`,
		`Gs=2; Features={"lock"}; Bugs={"locked_schedules"} | 40`,
		`Gs=2; Features={"lock"}; Bugs={"locked_keeps"} | 40`,
		`Gs=2; Features={"lock"}; Bugs={"locked_first"} | 40`,
		`Ps={1}; FirstProcs={1}; Gs=2; Features={"lock", "block"}; Bugs={"locked_read_late"} | 40`,
	},
}

// TestSameGraphAsTLC compares all states, all edges and the actions on them, and how many
// steps there are, repeats included.
func TestSameGraphAsTLC(t *testing.T) {
	tool := tlctest.Find(t)
	turn := make(chan bool, 2) // each TLC takes a processor
	for constants := range tier.Split(t, slices.Concat(graphs.always, graphs.long), 1) {
		t.Run(name(constants), func(t *testing.T) {
			t.Parallel()
			turn <- true
			defer func() { <-turn }()
			compareGraphs(t, tool, constants)
		})
	}
}

// TestEachIsCompared fails where a feature, fix or bug is in none of the graphs.
func TestEachIsCompared(t *testing.T) {
	all := strings.Join(append(slices.Clone(graphs.always), graphs.long...), "\n")
	for _, names := range [][]string{Features(), Fixes(), Bugs()} {
		for _, n := range names {
			if !strings.Contains(all, `"`+n+`"`) {
				t.Errorf("no graph with %s is held against TLC's", n)
			}
		}
	}
}

// TestEachMakesADifference fails where a feature, fix or bug changes no step of any graph that has
// it, as far as that is cut: nothing of it would be compared.
func TestEachMakesADifference(t *testing.T) {
	seen := map[string]bool{"sleep_ends": true} // it changes no step, but who is fair
	for _, text := range slices.Concat(graphs.always, graphs.long) {
		m, _, levels := graphOf(t, text)
		for _, name := range slices.Concat(m.Config().Features, m.Config().Fixes, m.Config().Bugs) {
			if !seen[name] {
				without := m.Config()
				without.Features, without.Fixes, without.Bugs = others(without.Features, name), others(without.Fixes, name), others(without.Bugs, name)
				plain, err := New(without)
				seen[name] = err == nil && tlctest.FirstDifference(m, plain, levels, 0) > 0
			}
		}
	}
	for _, name := range slices.Concat(Features(), Fixes(), Bugs()) {
		if !seen[name] {
			t.Errorf("%s changes no step of a graph that is held against TLC's", name)
		}
	}
}

func others(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// TestEachActionIsCompared fails where an action is taken in no graph that is held against TLC's.
func TestEachActionIsCompared(t *testing.T) {
	tier.OnlyFull(t)
	taken := make(map[string]bool)
	var all []string
	for _, text := range slices.Concat(graphs.always, graphs.long) {
		m, _, levels := graphOf(t, text)
		all = m.Actions()
		if !slices.ContainsFunc(all, func(a string) bool { return !taken[a] }) {
			return
		}
		tlctest.Walk(m, levels, func(w *tlctest.Walked[State]) bool {
			for _, e := range w.Edges {
				taken[all[e.Step.Action]] = true
			}
			return true
		})
	}
	for _, a := range all {
		if !taken[a] {
			t.Errorf("%s is taken in no graph that is held against TLC's", a)
		}
	}
}

// graphOf is the machine of one of graphs, its configuration for TLC, and to how many levels it
// is cut, or 0.
func graphOf(t *testing.T, text string) (m *Machine, config string, levels int) {
	t.Helper()
	constants, cut, _ := strings.Cut(text, " | ")
	levels, _ = strconv.Atoi(cut)
	m, config = configuration(t, constants)
	return m, config, levels
}

func compareGraphs(t *testing.T, tool *tlc.Tool, constants string) {
	t.Attr("req", "DN-ONE-PLACE")
	m, config, levels := graphOf(t, constants)
	if levels > 0 {
		config += "CONSTRAINT Near\n"
	}
	ours := tlctest.Graph(m, levels)
	files, err := variant.Sched.Apply(os.DirFS(modules), m.Config().Fixes, m.Config().Bugs)
	if err != nil {
		t.Fatal(err)
	}
	r := tlctest.SameGraph(t, tool, tlc.Job{Files: tlctest.Cut(t, files, Module, levels), Module: "Near", Config: config}, ours)
	if n := len(ours.Edges) + ours.Initial; levels == 0 && int64(n) != r.Generated {
		t.Errorf("%d states are generated, TLC says %d", n, r.Generated)
	}
	if t.Failed() {
		t.Logf("%s\nto reproduce: TLA2TOOLS_JAR=... SPINDLE_TIER=full go test ./spec/sched -run '%s'", config, t.Name())
	}
}

// modules is the folder of the modules; the package does not import package tla, whose
// tables would then come with it.
const modules = "../../tla"

// base are the constants of the configuration of which all others change some.
const base = `Ps={1, 2}; Ms={1, 2}; NoP=0; NoM=0; FirstM={1}; FirstP={1}; FirstProcs={1, 2}; Sysmon=0;
	Gs=3; RingCap=4; Features={}; Fixes={}; Bugs={}`

// constantsOf returns the constants of base with these in their place, each "Name=value",
// with semicolons between.
func constantsOf(t testing.TB, constants string) map[string]string {
	t.Helper()
	values := make(map[string]string)
	for i, text := range []string{base, constants} {
		for _, c := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' }) {
			name, value, ok := strings.Cut(strings.TrimSpace(c), "=")
			if _, known := values[name]; !ok || i > 0 && !known {
				t.Fatalf("%q is none of %s", c, base)
			}
			values[name] = value
		}
	}
	return values
}

// configuration returns the machine of base with these constants, and the text of the
// same configuration for TLC, without what is to hold.
func configuration(t testing.TB, constants string) (*Machine, string) {
	t.Helper()
	values := constantsOf(t, constants)
	c, err := FromConstants(values)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m, configText(values)
}

func configText(values map[string]string) string {
	var b strings.Builder
	b.WriteString("SPECIFICATION Spec\nCONSTANTS\n")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "   %s = %s\n", name, values[name])
	}
	return b.String()
}

// name makes a subtest's name of what a configuration changes.
func name(constants string) string {
	if constants == "" {
		return "core"
	}
	return strings.NewReplacer(" ", "", "|", ";levels=", `"`, "", "{", "", "}", "").Replace(constants)
}

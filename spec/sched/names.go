package sched

import (
	"fmt"
	"slices"
	"strings"
)

// A named is a switch and its name in the module.
type named struct {
	name string
	on   *bool
}

// The features: sources of work and rescuers beside the core.
type features struct {
	yield, tick, syscall, block, idlework, inject, preempt, net, timer, stw, shrink, safepoint, lock, sysmon, deadlines bool
}

func (f *features) names() []named {
	return []named{
		{"yield", &f.yield}, {"tick", &f.tick}, {"syscall", &f.syscall}, {"block", &f.block},
		{"idlework", &f.idlework}, {"inject", &f.inject}, {"preempt", &f.preempt},
		{"net", &f.net}, {"timer", &f.timer}, {"stw", &f.stw}, {"shrink", &f.shrink},
		{"safepoint", &f.safepoint}, {"lock", &f.lock}, {"sysmon", &f.sysmon},
		{"deadlines", &f.deadlines},
	}
}

// The fixes: changes to the shipped code that are said to mend it.
type fixes struct {
	undoFirst, reload, retest, wordStands, clearLocked, throttleLocked, dropClears, throttleKeeps, clearFirst,
	batchLocked, batchWakep, goyieldWakep, handoffNeed, rescan, stopAgain, safeAgain, safeStale, pollNeed, enlistAlways,
	pollWakesSysmon, pidlegetWakesSysmon, sleepEnds, neverEnds bool
}

func (f *fixes) names() []named {
	return []named{
		{"undo_first", &f.undoFirst}, {"reload", &f.reload}, {"retest", &f.retest}, {"word_stands", &f.wordStands},
		{"clear_locked", &f.clearLocked}, {"throttle_locked", &f.throttleLocked},
		{"drop_clears", &f.dropClears}, {"throttle_keeps", &f.throttleKeeps},
		{"clear_first", &f.clearFirst}, {"batch_locked", &f.batchLocked},
		{"batch_wakep", &f.batchWakep}, {"goyield_wakep", &f.goyieldWakep}, {"handoff_need", &f.handoffNeed}, {"rescan", &f.rescan},
		{"stop_again", &f.stopAgain}, {"safe_again", &f.safeAgain}, {"safe_stale", &f.safeStale}, {"poll_need", &f.pollNeed},
		{"enlist_always", &f.enlistAlways}, {"poll_wakes_sysmon", &f.pollWakesSysmon},
		{"pidleget_wakes_sysmon", &f.pidlegetWakesSysmon}, {"sleep_ends", &f.sleepEnds}, {"never_ends", &f.neverEnds},
	}
}

// The bugs: changes that break it.
type bugs struct {
	readyNoWakep, wakepFirst, noStoreload, goschedNoWakep, extraNoWakep,
	needUnlocked, wakepPidleget, leakNmspinning,
	wakeNonspinning, resetNoWakep, tickNoReset,
	clearAfterScan, recheckFirst, noRunnextSteal,
	dropNoGlobcheck, noNeedspinning, recheckEverybody,
	noRecheck, noRecheckGlob, globPidleget, rcNotSpinning, recheckPidleget, extraNoRecheck,
	handoffNoRing, handoffNoGlob, handoffNoExtra, handoffNoSpin, handoffNoGlobcheck,
	exitUnlocked, retakeKeeps, injectPidleget, injectStaleNpidle,
	timerNoWake, noRecheckTimers, handoffNoPoll, handoffNoTimer, startAllIdle,
	resetTwice, batchWhole, returnLocked, injectNoStart, nextKept, npidleKept, wakeIfEmpty,
	wakeWithoutP, extraUnlocked, startPreempted, syscallNoStop, shrinkKeeps, shrinkLosesTimer, startNoWakep,
	retakeUncounted, injectUncounted, injectUnlocked, newmUncounted, netAdjustFirst,
	lockedSchedules, lockedKeeps, lockedFirst, lockedReadLate, decrementBuffered,
	recheckNoNext, handoffNoNext, noSteal, searchNoGlob, searchNoExtra, searchNoNet,
	noLastPoll, pollsetFirst, extraStale, noteLost, startTwice,
	safeNoIdle, handoffNoSafe, dropNoSafe,
	blockLost, goyieldFull, overflowDrops, enterDrops, syscallStopKeeps, statusExits, blockKeepsP, exitSlow,
	enlistBusy, enlistSpins, extraKept, wakepNpidle, wakepNpidleKept, startmUnlocked, wakeKeeps,
	injectForgets, injectTwice, injectIdleUnlocked, injectNpidleKept, injectLocked, globDrops, globUnlocked,
	throttleCounts, spinUncounted, reglobNpidleKept, stopUnlisted, handoffTakesGlob, handoffTakesExtra,
	handoffCounts, handoffUnlocked, handoffUncounted, handoffWrongWord, handoffTwice, oldKeeps, exitLost,
	exitGetUnlocked, preemptPuts, injectCopies, netblockLost, netwaitUncounted, netSpinsTwice,
	timerBreakOnly, timerNoBreak, timersForget, timerNoWakep, stealTimerKept, timersOfRunning, pollsetAlways,
	pollUntilKept, lastpollKept, pollGetUnlocked, pollNpidleKept, stopUnlocked, stopKeepsIdle,
	stopNpidleKept, stopRunLost, stopSpinKept, stopPLost, resizeNpidleKept, safeTakeKeeps, safeNoWait,
	safePreemptDrops, safeSkipsQueue, lockHalf, unlockHalf, lockedListed, lockedElsewhere, lockedStale,
	deepUnlocked, deepAnyIdle, exitNoSysmon, startNoSysmon, syscallNoSysmon, tickPollLoses, tickNoPreempt, tickNoRetake,
	deadlineNoBreak, deadlineFirst, deadlineStealFirst, deadlineRecheckFirst, deadlineWakeFar, deadlineSwapStops bool
}

func (b *bugs) names() []named {
	return []named{
		{"ready_no_wakep", &b.readyNoWakep}, {"wakep_first", &b.wakepFirst},
		{"no_storeload", &b.noStoreload}, {"gosched_no_wakep", &b.goschedNoWakep},
		{"extra_no_wakep", &b.extraNoWakep}, {"need_unlocked", &b.needUnlocked},
		{"wakep_pidleget", &b.wakepPidleget}, {"leak_nmspinning", &b.leakNmspinning},
		{"wake_nonspinning", &b.wakeNonspinning}, {"reset_no_wakep", &b.resetNoWakep},
		{"tick_no_reset", &b.tickNoReset}, {"clear_after_scan", &b.clearAfterScan},
		{"recheck_first", &b.recheckFirst}, {"no_runnext_steal", &b.noRunnextSteal},
		{"drop_no_globcheck", &b.dropNoGlobcheck}, {"no_needspinning", &b.noNeedspinning},
		{"recheck_everybody", &b.recheckEverybody}, {"no_recheck", &b.noRecheck},
		{"no_recheck_glob", &b.noRecheckGlob}, {"glob_pidleget", &b.globPidleget},
		{"rc_not_spinning", &b.rcNotSpinning}, {"recheck_pidleget", &b.recheckPidleget},
		{"extra_no_recheck", &b.extraNoRecheck}, {"handoff_no_ring", &b.handoffNoRing},
		{"handoff_no_glob", &b.handoffNoGlob}, {"handoff_no_extra", &b.handoffNoExtra},
		{"handoff_no_spin", &b.handoffNoSpin}, {"handoff_no_globcheck", &b.handoffNoGlobcheck},
		{"exit_unlocked", &b.exitUnlocked}, {"retake_keeps", &b.retakeKeeps},
		{"inject_pidleget", &b.injectPidleget}, {"inject_stale_npidle", &b.injectStaleNpidle},
		{"timer_no_wake", &b.timerNoWake}, {"no_recheck_timers", &b.noRecheckTimers},
		{"handoff_no_poll", &b.handoffNoPoll}, {"handoff_no_timer", &b.handoffNoTimer},
		{"start_all_idle", &b.startAllIdle}, {"reset_twice", &b.resetTwice},
		{"batch_whole", &b.batchWhole}, {"return_locked", &b.returnLocked},
		{"inject_no_start", &b.injectNoStart}, {"next_kept", &b.nextKept},
		{"npidle_kept", &b.npidleKept}, {"wake_if_empty", &b.wakeIfEmpty},
		{"wake_without_p", &b.wakeWithoutP}, {"extra_unlocked", &b.extraUnlocked},
		{"start_preempted", &b.startPreempted}, {"syscall_no_stop", &b.syscallNoStop},
		{"shrink_keeps", &b.shrinkKeeps}, {"shrink_loses_timer", &b.shrinkLosesTimer}, {"start_no_wakep", &b.startNoWakep},
		{"retake_uncounted", &b.retakeUncounted}, {"inject_uncounted", &b.injectUncounted},
		{"inject_unlocked", &b.injectUnlocked}, {"newm_uncounted", &b.newmUncounted},
		{"net_adjust_first", &b.netAdjustFirst}, {"locked_schedules", &b.lockedSchedules},
		{"locked_keeps", &b.lockedKeeps}, {"locked_first", &b.lockedFirst},
		{"locked_read_late", &b.lockedReadLate}, {"decrement_buffered", &b.decrementBuffered},
		{"recheck_no_next", &b.recheckNoNext}, {"handoff_no_next", &b.handoffNoNext}, {"no_steal", &b.noSteal},
		{"search_no_glob", &b.searchNoGlob}, {"search_no_extra", &b.searchNoExtra}, {"search_no_net", &b.searchNoNet},
		{"no_last_poll", &b.noLastPoll}, {"pollset_first", &b.pollsetFirst},
		{"extra_stale", &b.extraStale}, {"note_lost", &b.noteLost},
		{"start_twice", &b.startTwice},
		{"safe_no_idle", &b.safeNoIdle}, {"handoff_no_safe", &b.handoffNoSafe}, {"drop_no_safe", &b.dropNoSafe},
		{"block_lost", &b.blockLost}, {"goyield_full", &b.goyieldFull}, {"overflow_drops", &b.overflowDrops},
		{"enter_drops", &b.enterDrops}, {"syscall_stop_keeps", &b.syscallStopKeeps},
		{"status_exits", &b.statusExits}, {"block_keeps_p", &b.blockKeepsP}, {"exit_slow", &b.exitSlow},
		{"enlist_busy", &b.enlistBusy}, {"enlist_spins", &b.enlistSpins}, {"extra_kept", &b.extraKept},
		{"wakep_npidle", &b.wakepNpidle}, {"wakep_npidle_kept", &b.wakepNpidleKept},
		{"startm_unlocked", &b.startmUnlocked}, {"wake_keeps", &b.wakeKeeps}, {"inject_forgets", &b.injectForgets},
		{"inject_twice", &b.injectTwice}, {"inject_idle_unlocked", &b.injectIdleUnlocked},
		{"inject_npidle_kept", &b.injectNpidleKept}, {"inject_locked", &b.injectLocked},
		{"glob_drops", &b.globDrops}, {"glob_unlocked", &b.globUnlocked}, {"throttle_counts", &b.throttleCounts},
		{"spin_uncounted", &b.spinUncounted}, {"reglob_npidle_kept", &b.reglobNpidleKept},
		{"stop_unlisted", &b.stopUnlisted}, {"handoff_takes_glob", &b.handoffTakesGlob},
		{"handoff_takes_extra", &b.handoffTakesExtra}, {"handoff_counts", &b.handoffCounts},
		{"handoff_unlocked", &b.handoffUnlocked}, {"handoff_uncounted", &b.handoffUncounted},
		{"handoff_wrong_word", &b.handoffWrongWord}, {"handoff_twice", &b.handoffTwice}, {"old_keeps", &b.oldKeeps},
		{"exit_lost", &b.exitLost}, {"exit_get_unlocked", &b.exitGetUnlocked}, {"preempt_puts", &b.preemptPuts},
		{"inject_copies", &b.injectCopies}, {"netblock_lost", &b.netblockLost},
		{"netwait_uncounted", &b.netwaitUncounted}, {"net_spins_twice", &b.netSpinsTwice},
		{"timer_break_only", &b.timerBreakOnly}, {"timer_no_break", &b.timerNoBreak},
		{"timers_forget", &b.timersForget}, {"timer_no_wakep", &b.timerNoWakep},
		{"steal_timer_kept", &b.stealTimerKept}, {"timers_of_running", &b.timersOfRunning},
		{"pollset_always", &b.pollsetAlways}, {"poll_until_kept", &b.pollUntilKept},
		{"lastpoll_kept", &b.lastpollKept}, {"poll_get_unlocked", &b.pollGetUnlocked},
		{"poll_npidle_kept", &b.pollNpidleKept}, {"stop_unlocked", &b.stopUnlocked},
		{"stop_keeps_idle", &b.stopKeepsIdle}, {"stop_npidle_kept", &b.stopNpidleKept},
		{"stop_run_lost", &b.stopRunLost}, {"stop_spin_kept", &b.stopSpinKept}, {"stop_p_lost", &b.stopPLost},
		{"resize_npidle_kept", &b.resizeNpidleKept}, {"safe_take_keeps", &b.safeTakeKeeps},
		{"safe_no_wait", &b.safeNoWait}, {"safe_preempt_drops", &b.safePreemptDrops},
		{"safe_skips_queue", &b.safeSkipsQueue}, {"lock_half", &b.lockHalf}, {"unlock_half", &b.unlockHalf},
		{"locked_listed", &b.lockedListed}, {"locked_elsewhere", &b.lockedElsewhere},
		{"locked_stale", &b.lockedStale},
		{"deep_unlocked", &b.deepUnlocked}, {"deep_any_idle", &b.deepAnyIdle},
		{"exit_no_sysmon", &b.exitNoSysmon}, {"start_no_sysmon", &b.startNoSysmon}, {"syscall_no_sysmon", &b.syscallNoSysmon},
		{"tick_poll_loses", &b.tickPollLoses}, {"tick_no_preempt", &b.tickNoPreempt}, {"tick_no_retake", &b.tickNoRetake},
		{"deadline_no_break", &b.deadlineNoBreak},
		{"deadline_first", &b.deadlineFirst},
		{"deadline_steal_first", &b.deadlineStealFirst},
		{"deadline_recheck_first", &b.deadlineRecheckFirst},
		{"deadline_wake_far", &b.deadlineWakeFar},
		{"deadline_swap_stops", &b.deadlineSwapStops},
	}
}

// turnOn turns on the switches that names are.
func turnOn(kind string, of []named, names []string) error {
	for _, name := range names {
		i := slices.IndexFunc(of, func(n named) bool { return n.name == name })
		if i < 0 {
			return fmt.Errorf("sched: unknown %s: expected some of %s, saw %q", kind, strings.Join(namesOf(of), ", "), name)
		}
		*of[i].on = true
	}
	return nil
}

func namesOf(of []named) []string {
	var list []string
	for _, n := range of {
		list = append(list, n.name)
	}
	return list
}

// Features are the names that Config.Features may have.
func Features() []string { return namesOf(new(features).names()) }

// Fixes are the names that Config.Fixes may have: changes that are said to mend the shipped
// code, and sleep_ends and never_ends, which are assumptions about the world and mend nothing.
func Fixes() []string { return namesOf(new(fixes).names()) }

// Bugs are the names that Config.Bugs may have.
func Bugs() []string { return namesOf(new(bugs).names()) }

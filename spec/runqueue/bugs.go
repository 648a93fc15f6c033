package runqueue

import (
	"fmt"
	"slices"
)

// A bug is a damage, by its place in the list of their names.
type bug uint

const (
	putFull bug = iota
	publishFirst
	slowNoncas
	getNoncas
	copyAfterCAS
	noInconsistentCheck
	tailBeforeHead
	putNextNoncas
	getNextNoncas
	stealNextNoncas
	noLock
	noLockRest
	drainLinksFirst
	narrowCAS
	getGivesUp
	putCompares
	getCompares
	drainForgetsNext
	drainNoncas
	getRingFirst
	kickDropped
	slowYounger
	slowDrops
	slowBackwards
	staleHead
	batchDrops
	batchBackwards
	batchFull
	stealGivesUp
	stealDown
	stealOldest
	stealForgets
	stealNextUnasked
	stealNextEarly
	stealNextNever
	stealCompares
	emptyNoReload
	emptyReloadHead
	emptyNoNext
	emptySlot
	lenNoNext
	lenWide
	shareZero
	shareNoMore
	batchGetBackwards
	staleGtail
	joinFront
	linkKept
	stealFull
	putNextLost
	drainNextNoncas
	grabNextNone
	stealNoStore
	emptyTailTwice
	emptySkipsNext
	emptyForgetsNext
	lenTailTwice
)

var bugNames = []string{
	"put_full", "publish_first", "slow_noncas", "get_noncas", "copy_after_cas",
	"no_inconsistent_check", "tail_before_head", "put_next_noncas", "get_next_noncas",
	"steal_next_noncas", "no_lock", "no_lock_rest", "drain_links_first", "narrow_cas",
	"get_gives_up", "put_compares", "get_compares", "drain_forgets_next", "drain_noncas",
	"get_ring_first", "kick_dropped", "slow_younger", "slow_drops", "slow_backwards",
	"stale_head", "batch_drops", "batch_backwards", "batch_full", "steal_gives_up",
	"steal_down", "steal_oldest", "steal_forgets", "steal_next_unasked", "steal_next_early",
	"steal_next_never", "steal_compares", "empty_no_reload", "empty_reload_head",
	"empty_no_next", "empty_slot", "len_no_next", "len_wide", "share_zero", "share_no_more",
	"batch_get_backwards", "stale_gtail", "join_front", "link_kept", "steal_full",
	"put_next_lost", "drain_next_noncas", "grab_next_none", "steal_no_store", "empty_tail_twice",
	"empty_skips_next", "empty_forgets_next", "len_tail_twice",
}

// Bugs are the names of the damages that Config.Bugs may have.
func Bugs() []string { return slices.Clone(bugNames) }

// bugSet reads a list of names.
func bugSet(names []string) (uint64, error) {
	var set uint64
	for _, name := range names {
		i := slices.Index(bugNames, name)
		if i < 0 {
			return 0, fmt.Errorf("runqueue: no bug is named %q", name)
		}
		set |= 1 << i
	}
	return set, nil
}

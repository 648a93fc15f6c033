package tla

// twoLevelMutants are the known-bad variants of the protocol that was first proposed.
var twoLevelMutants = []Mutant{
	{Bugs: []string{"decrement_twice"}, Model: "twolevel-2p", Violates: "TypeOK", Depth: 9},
	{Bugs: []string{"syscall_shares"}, Model: "twolevel-2p", Violates: "POwned", Depth: 2},
	{Bugs: []string{"exit_forgets"}, Model: "twolevel-2p", Violates: "OnePlace", Depth: 21},
	{Bugs: []string{"leak_spin"}, Model: "twolevel-2p", Violates: "SpinCount", Depth: 11},
	{Bugs: []string{"leak_two"}, Model: "twolevel-2p", Violates: "TwoCount", Depth: 9},
	{Bugs: []string{"join_no_limit"}, Model: "twolevel-2p", Violates: "SpinBound", Depth: 27},
	{Bugs: []string{"spawn_no_ensure"}, Model: "twolevel-2p", Violates: "WorkRescuer", Depth: 2},
	{Bugs: []string{"syscall_no_ensure"}, Model: "twolevel-1p", Violates: "WorkRescuer", Depth: 5},
	{Bugs: []string{"one_blocks_at_limit"}, Model: "twolevel-1p", Violates: "WorkRescuer", Depth: 30},
	{Bugs: []string{"busy_no_ensure"}, Model: "twolevel-2p4m", Violates: "WorkRescuer", Depth: 15},
	{Bugs: []string{"syscall_keeps"}, Model: "twolevel-1p", Violates: "SyscallQuiet", Depth: 7},
	{Bugs: []string{"no_recheck_queue"}, Model: "twolevel-quiet", Violates: "WorkQuiet", Depth: 18},
	{Bugs: []string{"no_recheck_free"}, Model: "twolevel-quiet", Violates: "WorkQuiet", Depth: 36},
	{Bugs: []string{"recheck_first"}, Model: "twolevel-quiet", Violates: "WorkQuiet", Depth: 19},
	{Bugs: []string{"exit_no_spin"}, Model: "twolevel-quiet", Violates: "WorkQuiet", Depth: 30},
	{Bugs: []string{"no_recheck_queue"}, Model: "twolevel-live", Violates: "WorkLive", Depth: 19},
	{Bugs: []string{"recheck_both"}, Model: "twolevel-live-quiet", Violates: "QuietLive", Depth: 16},
	{Bugs: []string{"one_blocks_early"}, Model: "twolevel-2p", Generated: 18940, Distinct: 6430, Equivalent: "one of kind 2 takes the P in its place; the rule saves that, and no G"},
}

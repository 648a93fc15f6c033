package tla

// twoLevelModels are the questions about the protocol that was first proposed, and
// what wake-ups cost in it and in the shipped one.
var twoLevelModels = []Model{
	{
		Name: "twolevel-2p", Module: "MCTwoLevel", Set: Gate,
		Generated: 20530, Distinct: 6975, Depth: 49, Seconds: 2,
	},
	{
		Name: "twolevel-1p", Module: "MCTwoLevel", Set: Gate,
		Generated: 12124, Distinct: 4224, Depth: 54, Seconds: 2,
	},
	{
		Name: "twolevel-2p4m", Module: "MCTwoLevel", Set: Full,
		Generated: 285470, Distinct: 72868, Depth: 67, Seconds: 8,
	},
	{
		Name: "twolevel-3p", Module: "MCTwoLevel", Set: Full,
		Generated: 473232, Distinct: 115775, Depth: 72, Seconds: 20,
	},
	{
		Name: "twolevel-quiet", Module: "MCTwoLevel", Set: Gate,
		Generated: 20530, Distinct: 6975, Depth: 49, Seconds: 2,
	},
	{
		Name: "twolevel-live", Module: "MCTwoLevel", Set: Gate,
		Generated: 41599, Distinct: 14683, Depth: 54, Seconds: 5,
	},
	{
		Name: "twolevel-live-quiet", Module: "MCTwoLevel", Set: Full,
		Generated: 41599, Distinct: 14683, Depth: 54, Seconds: 4,
	},
	{
		Name: "twolevel-live-2p", Module: "MCTwoLevel", Set: Full,
		Generated: 213574, Distinct: 72899, Depth: 60, Seconds: 30,
	},
	{
		Name: "twolevel-live-quiet-2p", Module: "MCTwoLevel", Set: Full,
		Generated: 213574, Distinct: 72899, Depth: 60, Seconds: 30,
	},
	{
		Name: "twolevel-probe-limit", Module: "MCTwoLevel", Set: Gate,
		Violates: "NeverAtLimit", Depth: 25, Seconds: 2,
	},
	{
		Name: "twolevel-probe-both", Module: "MCTwoLevel", Set: Gate,
		Violates: "NeverBoth", Depth: 12, Seconds: 1,
	},
	{
		Name: "sched-syscall-idle", Module: "MCSched", Set: Gate,
		Violates: "SyscallQuiet", Depth: 21, Seconds: 2,
	},
	{
		Name: "twolevel-wakes", Module: "MCTwoLevelCount", Set: Gate,
		Generated: 23670, Distinct: 8595, Depth: 75, Seconds: 3,
	},
	{
		Name: "twolevel-wakes-more", Module: "MCTwoLevelCount", Set: Full,
		Generated: 293762, Distinct: 102112, Depth: 136, Seconds: 13,
	},
	{
		Name: "twolevel-wakes-spawn", Module: "MCTwoLevelCount", Set: Gate,
		Violates: "WakesBound", Depth: 23, Seconds: 1,
	},
	{
		Name: "twolevel-wakes-syscall", Module: "MCTwoLevelCount", Set: Full,
		Violates: "WakesBound", Depth: 51, Seconds: 2,
	},
	{
		Name: "twolevel-wakes-shipped", Module: "MCSchedCount", Set: Full,
		Generated: 10411, Distinct: 4180, Depth: 65, Seconds: 3,
	},
	{
		Name: "twolevel-wakes-shipped-spawn", Module: "MCSchedCount", Set: Gate,
		Violates: "WakesBound", Depth: 28, Seconds: 2,
	},
	{
		Name: "twolevel-wakes-shipped-sysmon", Module: "MCSchedCount", Set: Full,
		Generated: 140923, Distinct: 48078, Depth: 93, Seconds: 25,
	},
	{
		Name: "twolevel-wakes-shipped-retake", Module: "MCSchedCount", Set: Full,
		Violates: "WakesBound", Depth: 45, Seconds: 10,
	},
}

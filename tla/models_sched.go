package tla

// schedModels are the questions about the dance.
var schedModels = []Model{
	{
		Name: "sched-shipped", Module: "MCSched", Set: Gate,
		Violates: "WorkRescuer", Depth: 45, Seconds: 4,
	},
	{
		Name: "sched-shipped-quiet", Module: "MCSched", Set: Full,
		Violates: "WorkQuiet", Depth: 47, Seconds: 3,
	},
	{
		Name: "sched-shipped-3p", Module: "MCSched", Set: Full,
		Violates: "WorkRescuer", Depth: 56, Seconds: 14,
	},
	{
		Name: "sched-fix-clear-first", Module: "MCSched", Set: Full,
		Violates: "WorkRescuer", Depth: 46, Seconds: 5,
	},
	{
		Name: "sched-fix-clear-locked", Module: "MCSched", Set: Full,
		Generated: 49140, Distinct: 17272, Depth: 82, Seconds: 8,
	},
	{
		Name: "sched-fix-clear-locked-3p", Module: "MCSched", Set: Night,
		Generated: 2615455, Distinct: 602912, Depth: 117, Seconds: 132,
	},
	{
		Name: "sched-fix-drop-clears", Module: "MCSched", Set: Full,
		Generated: 54610, Distinct: 19097, Depth: 77, Seconds: 8,
	},
	{
		Name: "sched-fix-drop-clears-3p", Module: "MCSched", Set: Night,
		Generated: 2976452, Distinct: 679695, Depth: 118, Seconds: 150,
	},
	{
		Name: "sched-fix-reload", Module: "MCSched", Set: Full,
		Generated: 54724, Distinct: 19236, Depth: 82, Seconds: 8,
	},
	{
		Name: "sched-fix-reload-3p", Module: "MCSched", Set: Night,
		Generated: 3003355, Distinct: 692011, Depth: 118, Seconds: 152,
	},
	{
		Name: "sched-fix-retest", Module: "MCSched", Set: Full,
		Violates: "WorkRescuer", Depth: 47, Seconds: 5,
	},
	{
		Name: "sched-fix-throttle-keeps", Module: "MCSched", Set: Full,
		Violates: "WorkRescuer", Depth: 47, Seconds: 5,
	},
	{
		Name: "sched-fix-throttle-locked", Module: "MCSched", Set: Full,
		Violates: "WorkRescuer", Depth: 47, Seconds: 5,
	},
	{
		Name: "sched-fix-undo-first", Module: "MCSched", Set: Full,
		Generated: 50964, Distinct: 17971, Depth: 82, Seconds: 8,
	},
	{
		Name: "sched-fix-undo-first-3p", Module: "MCSched", Set: Night,
		Generated: 2774751, Distinct: 639759, Depth: 117, Seconds: 140,
	},
	{
		Name: "sched-mended-3p", Module: "MCSched", Set: Full,
		Generated: 3083016, Distinct: 713494, Depth: 118, Seconds: 393,
	},
	{
		Name: "sched-mended", Module: "MCSched", Set: Gate,
		Generated: 58920, Distinct: 20636, Depth: 84, Seconds: 8,
	},
	{
		Name: "sched-mended-quiet", Module: "MCSched", Set: Full,
		Generated: 58920, Distinct: 20636, Depth: 84, Seconds: 4,
	},
	{
		Name: "sched-handoff", Module: "MCSched", Set: Gate,
		Violates: "WorkQuiet", Depth: 28, Seconds: 3,
	},
	{
		Name: "sched-handoff-locked", Module: "MCSched", Set: Full,
		Violates: "WorkQuiet", Depth: 32, Seconds: 3,
	},
	{
		Name: "sched-handoff-mended", Module: "MCSched", Set: Gate,
		Generated: 30461, Distinct: 15271, Depth: 91, Seconds: 5,
	},
	{
		Name: "sched-handoff-mended-3p", Module: "MCSched", Set: Full,
		Generated: 567697, Distinct: 181561, Depth: 122, Seconds: 56,
	},
	{
		Name: "sched-batch", Module: "MCSched", Set: Gate,
		Violates: "WorkQuiet", Depth: 32, Seconds: 4,
	},
	{
		Name: "sched-batch-mended", Module: "MCSched", Set: Gate,
		Generated: 40709, Distinct: 18648, Depth: 66, Seconds: 6,
	},
	{
		Name: "sched-batch-mended-3m", Module: "MCSched", Set: Full,
		Generated: 304941, Distinct: 100558, Depth: 87, Seconds: 17,
	},
	{
		Name: "sched-batch-locked", Module: "MCSched", Set: Full,
		Generated: 39623, Distinct: 18140, Depth: 60, Seconds: 7,
	},
	{
		Name: "sched-batch-locked-syscall", Module: "MCSched", Set: Full,
		Violates: "WorkRescuer", Depth: 69, Seconds: 14,
	},
	{
		Name: "sched-batch-mended-syscall", Module: "MCSched", Set: Full,
		Generated: 728690, Distinct: 213655, Depth: 131, Seconds: 81,
	},
	{
		Name: "sched-resize", Module: "MCSched", Set: Full,
		Violates: "WorkQuiet", Depth: 42, Seconds: 14,
	},
	{
		Name: "sched-resize-mended", Module: "MCSched", Set: Night,
		Generated: 3413903, Distinct: 1142679, Depth: 140, Seconds: 271,
	},
	{
		Name: "sched-poll-prompt", Module: "MCSched", Set: Full,
		Violates: "PollPrompt", Depth: 51, Seconds: 7,
	},
	{
		Name: "sched-overflow", Module: "MCSched", Set: Full,
		Generated: 27168, Distinct: 13055, Depth: 81, Seconds: 6,
	},
	{
		Name: "sched-syscall", Module: "MCSched", Set: Full,
		Generated: 290218, Distinct: 111447, Depth: 98, Seconds: 9,
	},
	{
		Name: "sched-preempt", Module: "MCSched", Set: Full,
		Generated: 37273, Distinct: 17711, Depth: 70, Seconds: 6,
	},
	{
		Name: "sched-inject", Module: "MCSched", Set: Full,
		Generated: 441330, Distinct: 162235, Depth: 86, Seconds: 13,
	},
	{
		Name: "sched-idlework", Module: "MCSched", Set: Full,
		Generated: 44590, Distinct: 22285, Depth: 93, Seconds: 7,
	},
	{
		Name: "sched-net", Module: "MCSched", Set: Full,
		Generated: 287766, Distinct: 121921, Depth: 132, Seconds: 9,
	},
	{
		Name: "sched-timer", Module: "MCSched", Set: Full,
		Generated: 1438177, Distinct: 587948, Depth: 199, Seconds: 103,
	},
	{
		Name: "sched-stw", Module: "MCSched", Set: Gate,
		Generated: 49305, Distinct: 25437, Depth: 93, Seconds: 8,
	},
	{
		Name: "sched-sysmon-net", Module: "MCSched", Set: Night,
		Generated: 3895556, Distinct: 1311379, Depth: 168, Seconds: 111,
	},
	{
		Name: "sched-one-p", Module: "MCSched", Set: Gate,
		Generated: 15410, Distinct: 7707, Depth: 94, Seconds: 4,
	},
	{
		Name: "sched-deadlock", Module: "MCSched", Set: Full,
		Generated: 207439, Distinct: 79298, Depth: 76, Seconds: 7,
	},
	{
		Name: "sched-inject-syscall", Module: "MCSched", Set: Full,
		Generated: 110640, Distinct: 41387, Depth: 90, Seconds: 7,
	},
	{
		Name: "sched-inject-syscall-3m", Module: "MCSched", Set: Full,
		Generated: 1532760, Distinct: 436437, Depth: 135, Seconds: 144,
	},
	{
		Name: "sched-exit", Module: "MCSched", Set: Full,
		Generated: 272544, Distinct: 94842, Depth: 93, Seconds: 15,
	},
	{
		Name: "sched-net-block", Module: "MCSched", Set: Full,
		Generated: 62378, Distinct: 25545, Depth: 114, Seconds: 7,
	},
	{
		Name: "sched-timer-3p", Module: "MCSched", Set: Full,
		Generated: 106030, Distinct: 41963, Depth: 192, Seconds: 7,
	},
	{
		Name: "sched-net-timer", Module: "MCSched", Set: Full,
		Generated: 404774, Distinct: 170335, Depth: 180, Seconds: 29,
	},
	{
		Name: "sched-timer-prompt", Module: "MCSched", Set: Full,
		Generated: 362256, Distinct: 147986, Depth: 146, Seconds: 20,
	},
	{
		Name: "sched-storebuffer", Module: "MCSched", Set: Gate,
		Generated: 8362, Distinct: 4125, Depth: 65, Seconds: 3,
	},
	{
		Name: "sched-lock", Module: "MCSched", Set: Gate,
		Generated: 13869, Distinct: 6768, Depth: 55, Seconds: 4,
	},
	{
		Name: "sched-lock-block", Module: "MCSched", Set: Full,
		Generated: 528598, Distinct: 190244, Depth: 106, Seconds: 47,
	},
	{
		Name: "sched-lock-stw", Module: "MCSched", Set: Full,
		Generated: 19789, Distinct: 7222, Depth: 69, Seconds: 7,
	},
	{
		Name: "sched-lock-3p", Module: "MCSched", Set: Full,
		Generated: 461596, Distinct: 149594, Depth: 104, Seconds: 21,
	},
	{
		Name: "sched-lock-syscall", Module: "MCSched", Set: Night,
		Generated: 5022289, Distinct: 1450842, Depth: 140, Seconds: 237,
	},
	{
		Name: "sched-shrink", Module: "MCSched", Set: Gate,
		Generated: 6883, Distinct: 3523, Depth: 74, Seconds: 4,
	},
	{
		Name: "sched-shrink-block", Module: "MCSched", Set: Full,
		Generated: 403943, Distinct: 144205, Depth: 133, Seconds: 40,
	},
	{
		Name: "sched-shrink-3p", Module: "MCSched", Set: Full,
		Generated: 619912, Distinct: 195993, Depth: 142, Seconds: 52,
	},
	{
		Name: "sched-stw-syscall", Module: "MCSched", Set: Full,
		Generated: 64164, Distinct: 25301, Depth: 95, Seconds: 9,
	},
	{
		Name: "sched-stw-3p", Module: "MCSched", Set: Full,
		Generated: 385980, Distinct: 124680, Depth: 111, Seconds: 40,
	},
	{
		Name: "sched-stw-idlework", Module: "MCSched", Set: Full,
		Generated: 266674, Distinct: 84889, Depth: 112, Seconds: 26,
	},
	{
		Name: "sched-deadlock-1p", Module: "MCSched", Set: Full,
		Generated: 20853, Distinct: 8283, Depth: 60, Seconds: 9,
	},
	{
		Name: "sched-deadlock-net", Module: "MCSched", Set: Full,
		Generated: 54561, Distinct: 20784, Depth: 110, Seconds: 10,
	},
	{
		Name: "sched-ref", Module: "MCSchedRef", Set: Gate,
		Generated: 57259, Distinct: 27649, Depth: 87, Seconds: 8,
	},
	{
		Name: "sched-ref-net", Module: "MCSchedRef", Set: Full,
		Generated: 287766, Distinct: 121921, Depth: 132, Seconds: 9,
	},
	{
		Name: "sched-ref-lock", Module: "MCSchedRef", Set: Full,
		Generated: 144744, Distinct: 73064, Depth: 83, Seconds: 10,
	},
	{
		Name: "sched-live", Module: "MCSched", Set: Gate,
		Generated: 8362, Distinct: 4125, Depth: 65, Seconds: 4,
	},
	{
		Name: "sched-live-shipped", Module: "MCSched", Set: Gate,
		Violates: "WorkLive", Depth: 47, Seconds: 5,
	},
	{
		Name: "sched-live-quiet", Module: "MCSched", Set: Gate,
		Generated: 8362, Distinct: 4125, Depth: 65, Seconds: 3,
	},
	{
		Name: "sched-live-idlework", Module: "MCSched", Set: Full,
		Generated: 13196, Distinct: 6506, Depth: 69, Seconds: 5,
	},
	{
		Name: "sched-live-lock", Module: "MCSched", Set: Gate,
		Generated: 4451, Distinct: 2333, Depth: 78, Seconds: 3,
	},
	{
		Name: "sched-live-lock-2p", Module: "MCSched", Set: Night,
		Generated: 1522349, Distinct: 548502, Depth: 124, Seconds: 199,
	},
	{
		Name: "sched-probe-needspinning", Module: "MCSched", Set: Gate,
		Violates: "NeverNeedspinning", Depth: 18, Seconds: 2,
	},
	{
		Name: "sched-probe-overflow", Module: "MCSched", Set: Gate,
		Violates: "NeverOverflow", Depth: 15, Seconds: 1,
	},
	{
		Name: "sched-probe-reglob", Module: "MCSched", Set: Full,
		Violates: "NeverReglob", Depth: 22, Seconds: 2,
	},
	{
		Name: "sched-probe-secondspinner", Module: "MCSched", Set: Full,
		Violates: "NeverSecondSpinner", Depth: 32, Seconds: 2,
	},
}

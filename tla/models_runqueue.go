package tla

// runQueueModels are the questions about the run queue.
var runQueueModels = []Model{
	{
		Name: "runqueue-2p2", Module: "MCRunQueue", Set: Gate,
		Generated: 256195, Distinct: 99791, Depth: 31, Seconds: 12,
	},
	{
		Name: "runqueue-cap4", Module: "MCRunQueue", Set: Full,
		Generated: 436522, Distinct: 182397, Depth: 45, Seconds: 24,
	},
	{
		Name: "runqueue-3p", Module: "MCRunQueue", Set: Full,
		Generated: 251402, Distinct: 65384, Depth: 31, Seconds: 11,
	},
	{
		Name: "runqueue-batches", Module: "MCRunQueue", Set: Gate,
		Generated: 13929, Distinct: 5262, Depth: 31, Seconds: 3,
	},
	{
		Name: "runqueue-global", Module: "MCRunQueue", Set: Gate,
		Generated: 26580, Distinct: 8957, Depth: 38, Seconds: 3,
	},
	{
		Name: "runqueue-length", Module: "MCRunQueue", Set: Full,
		Generated: 50052, Distinct: 19766, Depth: 25, Seconds: 3,
	},
	{
		Name: "runqueue-drain", Module: "MCRunQueue", Set: Full,
		Generated: 124151, Distinct: 47823, Depth: 33, Seconds: 6,
	},
	{
		Name: "runqueue-cap4-overflow", Module: "MCRunQueue", Set: Full,
		Generated: 29584, Distinct: 13803, Depth: 38, Seconds: 21,
	},
	{
		Name: "runqueue-loners", Module: "MCRunQueue", Set: Full,
		Generated: 815975, Distinct: 369702, Depth: 41, Seconds: 50,
	},
	{
		Name: "runqueue-empty", Module: "MCRunQueueCalls", Set: Full,
		Generated: 75996, Distinct: 30422, Depth: 30, Seconds: 6,
	},
	{
		Name: "runqueue-answers", Module: "MCRunQueueCalls", Set: Full,
		Generated: 85973, Distinct: 33214, Depth: 27, Seconds: 6,
	},
	{
		Name: "runqueue-drains", Module: "MCRunQueueCalls", Set: Full,
		Generated: 88062, Distinct: 33987, Depth: 33, Seconds: 7,
	},
	{
		Name: "runqueue-halves", Module: "MCRunQueueCalls", Set: Full,
		Generated: 95654, Distinct: 41085, Depth: 37, Seconds: 8,
	},
	{
		Name: "runqueue-ref", Module: "MCRunQueueRef", Set: Full,
		Generated: 51185, Distinct: 19692, Depth: 25, Seconds: 13,
	},
	{
		Name: "runqueue-ref4", Module: "MCRunQueueRef", Set: Full,
		Generated: 59513, Distinct: 25184, Depth: 36, Seconds: 35,
	},
	{
		Name: "runqueue-ref-batches", Module: "MCRunQueueRef", Set: Full,
		Generated: 8902, Distinct: 3390, Depth: 30, Seconds: 6,
	},
	{
		Name: "runqueue-ref-global", Module: "MCRunQueueRef", Set: Full,
		Generated: 8590, Distinct: 2714, Depth: 26, Seconds: 4,
	},
	{
		Name: "runqueue-ref-drain", Module: "MCRunQueueRef", Set: Full,
		Generated: 22901, Distinct: 8754, Depth: 28, Seconds: 23,
	},
	{
		Name: "runqueue-ref-loners", Module: "MCRunQueueRef", Set: Full,
		Generated: 126499, Distinct: 57212, Depth: 34, Seconds: 36,
	},
	{
		Name: "runqueue-ref-share", Module: "MCRunQueueRef", Set: Gate,
		Generated: 239, Distinct: 143, Depth: 26, Seconds: 2,
	},
	{
		Name: "runqueue-live", Module: "MCRunQueueLive", Set: Full,
		Generated: 63097, Distinct: 26142, Depth: 24, Seconds: 16,
	},
	{
		Name: "runqueue-live-full", Module: "MCRunQueueLive", Set: Gate,
		Generated: 155, Distinct: 97, Depth: 19, Seconds: 2,
	},
	{
		Name: "runqueue-live-next", Module: "MCRunQueueLive", Set: Full,
		Generated: 26523, Distinct: 10287, Depth: 19, Seconds: 14,
	},
	{
		Name: "runqueue-script-steal", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 930, Distinct: 528, Depth: 28, Seconds: 2,
	},
	{
		Name: "runqueue-script-empty", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 128, Distinct: 74, Depth: 14, Seconds: 1,
	},
	{
		Name: "runqueue-script-overflow", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 221, Distinct: 122, Depth: 21, Seconds: 2,
	},
	{
		Name: "runqueue-script-kick", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 269, Distinct: 165, Depth: 23, Seconds: 2,
	},
	{
		Name: "runqueue-script-drain", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 180, Distinct: 110, Depth: 19, Seconds: 1,
	},
	{
		Name: "runqueue-script-global", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 87, Distinct: 55, Depth: 15, Seconds: 1,
	},
	{
		Name: "runqueue-script-batch", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 57, Distinct: 36, Depth: 12, Seconds: 1,
	},
	{
		Name: "runqueue-script-loot", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 1570, Distinct: 645, Depth: 29, Seconds: 2,
	},
	{
		Name: "runqueue-script-room", Module: "MCRunQueueScripts", Set: Gate,
		Generated: 469, Distinct: 261, Depth: 37, Seconds: 2,
	},
}

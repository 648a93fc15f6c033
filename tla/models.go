package tla

// noCall is why actions are dead in a model whose threads make few kinds of calls.
const noCall = "the threads of this configuration make other calls"

// Models is the table: a row for each file of cfg, in the order of the README.
// spindle tlc -measure prints the numbers of a row.
var Models = []Model{
	{
		Name: "runqueue-answers", Module: "MCRunQueueCalls", Set: Gate,
		Question:  "Does it hold: what the answers of get, steal with runnext and length promise?",
		Generated: 85973, Distinct: 33214, Depth: 27, Seconds: 37.5,
	},
	{
		Name: "runqueue-drains", Module: "MCRunQueueCalls", Set: Gate,
		Question:  "Does it hold: what a drain promises?",
		Generated: 88062, Distinct: 33987, Depth: 33, Seconds: 49.2,
	},
	{
		Name: "runqueue-live", Module: "MCRunQueueLive", Set: Gate,
		Question:  "Does it hold: every put and get ends, also one that finds its ring full?",
		Generated: 63097, Distinct: 26142, Depth: 24, Seconds: 52.2, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none?",
		Generated: 51185, Distinct: 19692, Depth: 25, Seconds: 33.6, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref-batches", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none: the same with batches and the global queue?",
		Generated: 8902, Distinct: 3390, Depth: 30, Seconds: 24.7, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref-drain", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none: the same with drains?",
		Generated: 22901, Distinct: 8754, Depth: 28, Seconds: 44.1, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref-global", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none: the same with batches out of the global queue?",
		Generated: 8590, Distinct: 2714, Depth: 26, Seconds: 23.6, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref-loners", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none: the same with thieves that own no P?",
		Generated: 126499, Distinct: 57212, Depth: 34, Seconds: 46.7, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref-share", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none: batches of three out of the global queue come in order: the scenario qqqqm4gg | s of the explorer?",
		Generated: 239, Distinct: 143, Depth: 26, Seconds: 4.1, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-ref4", Module: "MCRunQueueRef", Set: Gate,
		Question:  "Is every step an effect of the abstract queue, or none: the same with rings of four slots?",
		Generated: 59513, Distinct: 25184, Depth: 36, Seconds: 35.1, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-batch", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario b3 | s of the explorer, rings of two?",
		Generated: 57, Distinct: 36, Depth: 12, Seconds: 6.5, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-drain", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario npd | r of the explorer, rings of four?",
		Generated: 180, Distinct: 110, Depth: 19, Seconds: 4.3, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-empty", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario nng | e of the explorer, rings of four?",
		Generated: 128, Distinct: 74, Depth: 14, Seconds: 4.6, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-global", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario qqm2g | m1 of the explorer, rings of four?",
		Generated: 87, Distinct: 55, Depth: 15, Seconds: 5.3, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-kick", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario ppnn | r of the explorer, rings of two?",
		Generated: 269, Distinct: 165, Depth: 23, Seconds: 6.8, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-loot", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario ppp | sg | s1 of the explorer, rings of four?",
		Generated: 1570, Distinct: 645, Depth: 29, Seconds: 11.5, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-overflow", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario ppp | ppp of the explorer, rings of two?",
		Generated: 221, Distinct: 122, Depth: 21, Seconds: 8.9, Dead: map[string][]string{noCall: {Any}},
	},
	{
		Name: "runqueue-script-steal", Module: "MCRunQueueScripts", Set: Gate,
		Question:  "Is every G in one place in the scenario ppgpg | ss of the explorer, rings of two that wrap?",
		Generated: 930, Distinct: 528, Depth: 28, Seconds: 10.1, Dead: map[string][]string{noCall: {Any}},
	},
}

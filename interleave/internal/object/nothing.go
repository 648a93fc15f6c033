package object

// Operations on nothing, and on timers, of which no state is known.
var nothing = map[Kind]rules{
	None:    {name: "nothing"},
	Gosched: {name: "Gosched"},
	Resume:  {name: "goes on"},
	Sleep:   {name: "Sleep"},
	Tick:    {name: "goes by", write: writes},
	Stop:    {name: "Stop", write: writes},
	Reset:   {name: "Reset", write: writes},
	Fence:   {name: "Fence", drains: true},
}

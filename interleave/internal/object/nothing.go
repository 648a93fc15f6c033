package object

// Operations on nothing, and on the clock, of which no state is known.
var nothing = map[Kind]rules{
	None:    {name: "nothing"},
	Gosched: {name: "Gosched"},
	Resume:  {name: "goes on"},
	Sleep:   {name: "Sleep"},
	Tick:    {name: "goes by", write: writes},
	Choose:  {name: "goes by", write: writes},
	Fence:   {name: "Fence", drains: true},
}

package object

// Operations on nothing.
var nothing = map[Kind]rules{
	None:    {name: "nothing"},
	Gosched: {name: "Gosched"},
	Resume:  {name: "goes on"},
	Fence:   {name: "Fence", drains: true},
}

package object

// A sync.Map is one object with many keys: whether an operation that may write will
// do so depends on the key, which is not known here.
var maps = map[Kind]rules{
	MapRead:  {name: "Load"},
	MapWrite: {name: "Store", write: mayWrite, foretell: unknown},
}

func unknown(_, _ *Op) (write, unsure bool) { return true, true }

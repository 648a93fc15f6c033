package object

// A word of sync/atomic. A CompareAndSwap that fails is a read.
var word = map[Kind]rules{
	Load:           {name: "Load"},
	Store:          {name: "Store", write: mayWrite},
	Swap:           {name: "Swap", write: mayWrite},
	CompareAndSwap: {name: "CompareAndSwap", write: mayWrite, foretell: willSwap},
	Add:            {name: "Add", write: mayWrite},
	And:            {name: "And", write: mayWrite},
	Or:             {name: "Or", write: mayWrite},
}

// willSwap: before first the word had the value that first found. It is not known
// what an atomic.Value compares with, nor what was in memory when first found its
// thread's own store.
func willSwap(first, second *Op) (write, unsure bool) {
	if !second.Compares || first.Own {
		return true, true
	}
	return first.Read == second.Expected, false
}

package object

// A sync.Pool. Whether a Get finds something depends on what was put.
var pool = map[Kind]rules{
	PoolGet: {name: "Get", write: mayWrite, foretell: unknown},
	PoolPut: {name: "Put", write: mayWrite},
}

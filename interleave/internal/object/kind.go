package object

// A Kind says what an operation does.
type Kind uint8

// The kinds of operations. Those that may have to wait go through Await of the
// engine, the others through Begin.
const (
	None Kind = iota

	// Words of sync/atomic.
	Load
	Store
	Swap
	CompareAndSwap
	Add
	And
	Or

	// sync.Mutex. Lock waits until nobody holds it.
	Lock
	TryLock
	Unlock

	// sync.RWMutex. Lock is two operations, as in package sync: WLock waits
	// until no other writer is in and shuts out new readers, WDrain waits for the
	// readers that are in. RLock waits until no writer is in or announced.
	RLock
	TryRLock
	RUnlock
	WLock
	WDrain
	TryWLock
	WUnlock

	// sync.Cond. Wait is four operations: Enqueue, an unlock, Wake (waits until
	// signalled), a lock.
	Enqueue
	Wake
	Signal
	Broadcast

	// sync.WaitGroup. Wait waits until the counter is zero.
	Count
	Wait

	// sync.Map and sync.Pool, each one object.
	MapRead
	MapWrite
	PoolGet
	PoolPut

	// Channels: see channel.go.
	Send
	Receive
	Select
	Close
	Look // len, cap

	// runtime.Gosched: touches nothing.
	Gosched

	// A barrier under total store order.
	Fence

	// Time: Tick is all at a moment, and comes after all that was before. A thread that
	// sleeps waits for a moment.
	Tick
	Sleep
	Choose // which of those that are due

	// A thread goes on that has waited in code that is not explored.
	Resume

	kinds
)

// String returns the name of the operation as package sync or sync/atomic has it.
func (k Kind) String() string { return rulesOf[k].name }

// MayWrite reports whether an operation of kind k may conflict with one that does
// not write.
func (k Kind) MayWrite() bool { return writingOf[k] != reads }

// Writes reports whether an operation of kind k conflicts with all others on its
// object, whatever it changed.
func (k Kind) Writes() bool { return writingOf[k] == writes }

// Queues reports whether k is of an object of package sync whose operations may
// have to wait.
func (k Kind) Queues() bool { return k >= Lock && k <= Wait }

// Tries reports whether an operation of kind k fails where another one would wait.
func (k Kind) Tries() bool { return k == TryLock || k == TryRLock || k == TryWLock }

// Word reports whether k is an operation on a number or a pointer.
func (k Kind) Word() bool { return k >= Load && k <= Or || k == Count }

// Drains reports whether an operation of kind k waits, under total store order,
// for the buffer of its thread to be empty: those that may write do, as on x86.
func (k Kind) Drains() bool { return k.MayWrite() || rulesOf[k].drains }

package public

import (
	"encoding/binary"

	"github.com/smallnest/ringbuffer"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// word is how many bytes an id takes.
const word = 8

// RingBuffer is a ring of bytes with a lock, in which an id is eight bytes.
var RingBuffer = Subject{
	Module: "github.com/smallnest/ringbuffer",
	Contract: conformance.Contract{
		// RingBuffer: safe to read and write concurrently, like a buffered pipe.
		Puts: spec.Anyone, Gets: spec.Anyone, Order: spec.FirstIn,
		// New: the size of the buffer. SetBlocking: by default Read and Write return at
		// once, if there is no data, no space.
		Bound: spec.Exact, Refuse: spec.Never, GetMiss: spec.Never, StealMiss: spec.Never,
		// IsEmpty, Length: true when it is empty, the number of bytes.
		Empty: spec.AtMoment, Len: spec.AtMoment,
	},
	Factory: sized(1, 256, newRingBuffer),
}

// RingBufferTry is the same by the calls that give up where the lock is held.
var RingBufferTry = Subject{
	Module: "github.com/smallnest/ringbuffer",
	Contract: conformance.Contract{
		Puts: spec.Anyone, Gets: spec.Anyone, Order: spec.FirstIn,
		// TryWrite, TryRead: ErrAcquireLock where the lock is not to be had.
		Bound: spec.Exact, Refuse: spec.Beside, GetMiss: spec.Beside, StealMiss: spec.Beside,
		Empty: spec.AtMoment, Len: spec.AtMoment,
	},
	Factory: sized(1, 256, func(c int) *ringBufferTry { return &ringBufferTry{newRingBuffer(c)} }),
}

type ringBuffer struct{ q *ringbuffer.RingBuffer }

func newRingBuffer(capacity int) *ringBuffer { return &ringBuffer{ringbuffer.New(word * capacity)} }

// put writes an id, all of it or nothing: the ring has room for a number of ids, and holds
// nothing else.
func put(id record.ID, write func([]byte) (int, error)) bool {
	n, err := write(binary.LittleEndian.AppendUint64(nil, uint64(id)))
	if n != 0 && n != word {
		panic("public: part of an id was written")
	}
	return n == word && err == nil
}

func get(read func([]byte) (int, error)) (record.ID, bool) {
	var b [word]byte
	n, err := read(b[:])
	if n != 0 && n != word {
		panic("public: part of an id was read")
	}
	return record.ID(binary.LittleEndian.Uint64(b[:])), n == word && err == nil
}

func (q *ringBuffer) Put(id record.ID) bool    { return put(id, q.q.Write) }
func (q *ringBuffer) Get() (record.ID, bool)   { return get(q.q.Read) }
func (q *ringBuffer) Steal() (record.ID, bool) { return q.Get() }
func (q *ringBuffer) Empty() bool              { return q.q.IsEmpty() }
func (q *ringBuffer) Len() int                 { return q.q.Length() / word }
func (q *ringBuffer) Cap() int                 { return q.q.Capacity() / word }

type ringBufferTry struct{ *ringBuffer }

func (q *ringBufferTry) Put(id record.ID) bool    { return put(id, q.q.TryWrite) }
func (q *ringBufferTry) Get() (record.ID, bool)   { return get(q.q.TryRead) }
func (q *ringBufferTry) Steal() (record.ID, bool) { return q.Get() }

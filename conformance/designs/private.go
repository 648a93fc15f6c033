package designs

import (
	"runtime"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// Private is a private deque that answers requests (Acar, Charguéraud and Rainey,
// Scheduling Parallel Programs by Work Stealing with Private Deques, PPoPP 2013:
// the receiver-initiated algorithm). Nobody but the owner touches the deque, so
// it is plain memory. A thief asks; the owner looks for a request at each of its
// calls, and answers it with its oldest. It fits the contract
// lifo-deque,steal-miss=answered.
//
// What it trades for that: a thief gets nothing from an owner that makes no
// calls. In the paper it waits, and answers those who ask it meanwhile. Here it
// withdraws its request after a few looks and finds nothing. It may find at that
// moment that it was answered: then it takes the answer.
//
// A thief has no queue here, so the cell for the answer is the victim's, and one
// thief at a time may ask. How many there are is in the word of the request: an
// answer and its effect on the length are one swap, and Empty is exact.
type Private struct {
	word   atomic.Uint64 // how many, times one, and asked or answered
	answer record.ID     // the owner's while a thief has asked, the thief's once it is answered
	ids    []record.ID   // the owner's, oldest first
}

const (
	asked    = 1 << iota // a thief waits
	answered             // the answer is there; no other may ask before it is fetched
	one                  // counts one
)

// looks is how often a thief looks for an answer before it withdraws.
const looks = 2

// NewPrivate returns an empty deque.
func NewPrivate() *Private { return new(Private) }

// Put puts id at the young end, and answers a request.
func (q *Private) Put(id record.ID) bool {
	q.ids = append(q.ids, id)
	q.word.Add(one)
	q.communicate()
	return true
}

// Get takes the newest, and answers a request with one of the others.
func (q *Private) Get() (record.ID, bool) {
	n := len(q.ids) - 1
	if n < 0 {
		return 0, false
	}
	id := q.ids[n]
	q.ids = q.ids[:n]
	q.word.Add(^uint64(one - 1)) // one less
	q.communicate()
	return id, true
}

// communicate gives the oldest to a thief that has asked. It is not given before
// the swap says that the thief still waits, or another by now, which is as good.
func (q *Private) communicate() {
	w := q.word.Load()
	if w&asked == 0 || len(q.ids) == 0 {
		return
	}
	q.answer = q.ids[0]
	if q.word.CompareAndSwap(w, w-one-asked+answered) {
		q.ids = q.ids[1:]
	}
}

// Steal asks for the oldest, if there is something and nobody else asks.
func (q *Private) Steal() (record.ID, bool) {
	w := q.word.Load()
	if w < one || w&(asked|answered) != 0 || !q.word.CompareAndSwap(w, w+asked) {
		return 0, false
	}
	for look := 1; ; look++ {
		w := q.word.Load()
		if w&answered != 0 {
			id := q.answer
			q.word.Add(^uint64(answered - 1)) // no longer answered
			return id, true
		}
		if look >= looks && q.word.CompareAndSwap(w, w-asked) {
			return 0, false
		}
		runtime.Gosched()
	}
}

// Empty reports whether there is nothing. The owner alone changes the number.
func (q *Private) Empty() bool { return q.word.Load() < one }

// Len returns how many there are.
func (q *Private) Len() int { return int(q.word.Load() / one) }

var _ queue.Sized = (*Private)(nil)

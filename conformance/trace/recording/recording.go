// Package recording stands in for sync/atomic and sync in a build of a scheduler whose runs are to be
// recorded: who did what to which word, and in which order.
//
// No lock is taken for it. Each word carries a version, which goes up with each write, in one 64-bit word
// with its value; each operation notes the version that it saw. So the operations on each word are in order,
// those of each thread are, and Merge finds an order of all that agrees with both. A Mutex counts as
// a word that its holder writes.
//
// A goroutine records if it was given a Thread. Operations of others are carried out, and count as versions.
// Bool, Int64, Uint64 and Pointer are those of sync/atomic: they are not recorded.
//
//interleave:off
package recording

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Kinds of operations.
const (
	Load uint8 = iota
	Store
	Add
	CompareAndSwap
	Swap
	Lock
	Unlock
	Hand // of a thread, to a goroutine that will be it
	Born // a goroutine is it
)

// KindNames are the names of the kinds.
var KindNames = [...]string{"Load", "Store", "Add", "CompareAndSwap", "Swap", "Lock", "Unlock", "Hand", "Born"}

// A Record is an operation.
type Record struct {
	PC          uintptr        // of the caller, as runtime.Callers has it
	Object      unsafe.Pointer // what it was on
	Version     uint32         // of the object, before
	Read, Wrote uint32         // the value before and after; of a Mutex 0
	Kind        uint8
	Changed     bool // the version went up
}

// A Thread is who records: an M, whatever goroutine stands for it at a time.
type Thread struct {
	Records []Record
	birth   uint32
}

// made are the threads since Reset.
var made struct {
	sync.Mutex
	list []*Thread
}

// NewThread returns a thread that has recorded nothing.
func NewThread() *Thread {
	t := new(Thread)
	made.Lock()
	made.list = append(made.list, t)
	made.Unlock()
	return t
}

// Reset forgets the threads that there are, and returns them in the order in which they were made.
func Reset() []*Thread {
	made.Lock()
	defer made.Unlock()
	list := made.list
	made.list = nil
	return list
}

// on says whether anything is recorded.
var on atomic.Bool

// Start begins to record, and Stop ends it. When all threads are at rest, nothing is cut off.
func Start() { on.Store(true) }

// Stop ends what Start began.
func Stop() { on.Store(false) }

//go:linkname setLabel runtime/pprof.runtime_setProfLabel
func setLabel(unsafe.Pointer)

//go:linkname getLabel runtime/pprof.runtime_getProfLabel
func getLabel() unsafe.Pointer

// On makes the goroutine that calls it the thread's, from now on. The thread is kept where the labels of
// profiles are: no profile may be taken.
func On(t *Thread) { setLabel(unsafe.Pointer(t)) }

// now returns the thread of the goroutine, or nil if nothing is to be recorded.
func now() *Thread {
	if !on.Load() {
		return nil
	}
	return (*Thread)(getLabel())
}

// note records an operation. Above is how many functions of this package lie between it and who calls.
func (t *Thread) note(above int, object unsafe.Pointer, kind uint8, version, read, wrote uint32, changed bool) {
	var pc [1]uintptr
	runtime.Callers(2+above, pc[:])
	t.Records = append(t.Records, Record{pc[0], object, version, read, wrote, kind, changed})
}

func (t *Thread) hand(kind uint8) {
	if caller := now(); caller != nil {
		caller.note(2, unsafe.Pointer(&t.birth), kind, t.birth, 0, 0, true)
	}
	t.birth++
}

// HandOver is called before a goroutine is started that will be the thread.
func HandOver(t *Thread) { t.hand(Hand) }

// Begin is called first by such a goroutine.
func Begin(t *Thread) {
	On(t)
	t.hand(Born)
}

// Merge calls each with all operations, in an order in which each thread's are in theirs, and each object's
// in that of its versions. An error says that there is none, or is what each returned.
func Merge(threads []*Thread, each func(thread int, r *Record) error) error {
	type object struct {
		version uint32
		loads   []uint32 // at which version, from the first on, there are so many still to come
	}
	objects := make(map[unsafe.Pointer]*object)
	for _, t := range threads {
		for i := range t.Records {
			r := &t.Records[i]
			o := objects[r.Object]
			if o == nil {
				o = &object{version: r.Version}
				objects[r.Object] = o
			}
			o.version = min(o.version, r.Version)
		}
	}
	left := 0
	for _, t := range threads {
		left += len(t.Records)
	}
	for _, t := range threads {
		for i := range t.Records {
			if r := &t.Records[i]; !r.Changed {
				o := objects[r.Object]
				at := int(r.Version - o.version)
				if at > left {
					return fmt.Errorf("recording: expected an object to have %d versions at most, saw %d", left, at)
				}
				for len(o.loads) <= at {
					o.loads = append(o.loads, 0)
				}
				o.loads[at]++
			}
		}
	}
	first := make(map[unsafe.Pointer]uint32, len(objects))
	for p, o := range objects {
		first[p] = o.version
	}
	at := make([]int, len(threads))
	for left > 0 {
		before := left
		for t, thread := range threads {
			for ; at[t] < len(thread.Records); at[t]++ {
				r := &thread.Records[at[t]]
				o := objects[r.Object]
				k := int(r.Version - first[r.Object])
				if r.Version != o.version || r.Changed && k < len(o.loads) && o.loads[k] > 0 {
					break
				}
				if r.Changed {
					o.version++
				} else {
					o.loads[k]--
				}
				left--
				if err := each(t, r); err != nil {
					return err
				}
			}
		}
		if left == before {
			return fmt.Errorf("recording: expected an order of all operations, saw %d that agree with none", left)
		}
	}
	return nil
}

package source

import "sync/atomic"

// A word is what an atomic is reached by as an interface or a type parameter.
type word interface {
	Load() int32
	Store(int32)
	Add(int32) int32
	Swap(int32) int32
	And(int32) int32
	Or(int32) int32
	CompareAndSwap(a, b int32) bool
}

// Raw has the functions of sync/atomic as methods.
type raw int32

func (r *raw) Load() int32                    { return atomic.LoadInt32((*int32)(r)) }
func (r *raw) Store(n int32)                  { atomic.StoreInt32((*int32)(r), n) }
func (r *raw) Add(n int32) int32              { return atomic.AddInt32((*int32)(r), n) }
func (r *raw) Swap(n int32) int32             { return atomic.SwapInt32((*int32)(r), n) }
func (r *raw) And(n int32) int32              { return atomic.AndInt32((*int32)(r), n) }
func (r *raw) Or(n int32) int32               { return atomic.OrInt32((*int32)(r), n) }
func (r *raw) CompareAndSwap(a, b int32) bool { return atomic.CompareAndSwapInt32((*int32)(r), a, b) }

func itself(p *int32) *int32 { return p }

func doLoad[T word](t T) int32                      { return t.Load() }
func doStore[T word](t T, n int32)                  { t.Store(n) }
func doAdd[T word](t T, n int32) int32              { return t.Add(n) }
func doSwap[T word](t T, n int32) int32             { return t.Swap(n) }
func doAnd[T word](t T, n int32) int32              { return t.And(n) }
func doOr[T word](t T, n int32) int32               { return t.Or(n) }
func doCompareAndSwap[T word](t T, a, b int32) bool { return t.CompareAndSwap(a, b) }

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// Stop is what threads panic with.
type stop struct{}

func catch(caught *bool) {
	if _, ok := recover().(stop); ok {
		*caught = true
	}
}

func bind(f func()) func() { return func() { f() } }

// note is called at the end of an execution.
func note(into map[Final]bool, out [4]Observed, w [3]int32, a, b *things) {
	into[Final{out, w, a.pack(), b.pack()}] = true
}

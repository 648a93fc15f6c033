package program

import "github.com/spindle-go/spindle/interleave/internal/racy"

// An object is a variable of a program, and ways to come to it.
type object struct {
	pair
	array    [3]int32
	elements []int32 // two of four, of a backing array of its own
	sums     summer  // on the pair
	outer    summer  // on a struct that embeds a pointer to it
	deep     summer  // on a struct that embeds that interface
	sets     setter
	starts   starter
	library
	others any // what a dependency has
}

type pair struct{ low, high int32 }

type summer interface{ sum(more ...int32) int32 }
type setter interface{ set(n int32) }
type starter interface {
	start(s *State, t int, ops []racy.Op)
}

func (p pair) sum(more ...int32) int32 { return p.low + p.high + int32(len(more)) }

func (p *pair) set(n int32) { p.low, p.high = n, n }

func (p pair) start(s *State, t int, ops []racy.Op) {
	keep(&sink{pair: p})
	s.Run(t, ops)
}

type outer struct {
	_ int32
	*pair
}

type deep struct {
	_ int32
	summer
}

func newObject(o *object) {
	o.elements = make([]int32, 2, 4)
	o.sums, o.sets, o.starts = &o.pair, &o.pair, &o.pair
	o.outer = &outer{pair: &o.pair}
	o.deep = &deep{summer: o.outer}
	newLibrary(&o.library)
	if newOthers != nil {
		o.others = newOthers()
	}
}

// reading and writing are statements that access the pair of an object, its array, or
// its elements, and nothing else that changes.
var reading = []func(o *object, k *sink){
	func(o *object, k *sink) { k.low = o.sums.sum() },
	func(o *object, k *sink) { k.low = o.outer.sum(1) },
	func(o *object, k *sink) { k.low = o.deep.sum() },
	func(o *object, k *sink) { f := o.sums.sum; k.low = f() },
	func(o *object, k *sink) { f := o.pair.sum; k.low = f() },
	func(o *object, k *sink) { k.low = (*pair).sum(&o.pair, 1) },
	func(o *object, k *sink) { f := summer.sum; k.low = f(o.deep) },
	func(o *object, k *sink) { f := (*object).sum; k.low = f(o) },
	func(o *object, k *sink) { defer o.sums.sum(o.array[0]) },
	func(o *object, k *sink) { defer (*pair).sum(&o.pair) },
	func(o *object, k *sink) { k.low = sumOf(&o.pair) },
	func(o *object, k *sink) { k.low = sumOf(o.deep) },
	func(o *object, k *sink) { k.low = outerOf(o).sum() },
	func(o *object, k *sink) {
		for _, e := range o.elements {
			k.low += e
		}
	},
	func(o *object, k *sink) {
		for _, e := range &o.array {
			k.low += e
		}
	},
	func(o *object, k *sink) {
		var i int
		for i, k.high = range o.array {
			k.low += k.high + int32(i)
		}
	},
	func(o *object, k *sink) { var to [2]int32; copy(to[:], o.elements); k.low = to[1] },
	func(o *object, k *sink) { k.low = append([]int32(nil), o.elements...)[1] },
	func(o *object, k *sink) { k.pair = o.pair },
	func(o *object, k *sink) { k.array = o.array },
	func(o *object, k *sink) { k.low, k.high = both(o.low, o.high) },
	func(o *object, k *sink) { k.low, k.high = both(halves(o)) },
	func(o *object, k *sink) { k.low = sumAll(halves(o)) },
	func(o *object, k *sink) { k.low = min(o.low, o.high) },
	func(o *object, k *sink) { k.any = o.pair },
	func(o *object, k *sink) { k.array = [3]int32(arrayOf(o)) },
	func(o *object, k *sink) { k.array = [3]int32{0: o.array[2], 2: o.array[1]} },
	func(o *object, k *sink) {
		switch o.low {
		case 0, o.high:
			k.low = 1
		}
	},
	func(o *object, k *sink) {
		var fs [2]func() int32
		for i := range o.elements {
			fs[i] = func() int32 { return o.elements[i] }
		}
		k.low = fs[1]()
	},
	func(o *object, k *sink) {
		for i := int32(0); i < 3; i++ {
			f := func() { i += o.low & 1 }
			f()
			k.low += i
		}
	},
}

var writing = []func(o *object, n int32){
	func(o *object, n int32) { o.pair = pair{n, n} },
	func(o *object, n int32) { o.low, o.high = n, n },
	func(o *object, n int32) { o.low, o.high = both(n, 1) },
	func(o *object, n int32) { o.low += both1(n) },
	func(o *object, n int32) { o.sets.set(n) },
	func(o *object, n int32) { f := o.set; f(n) },
	func(o *object, n int32) { f := (*object).set; f(o, n) },
	func(o *object, n int32) { defer o.sets.set(n) },
	func(o *object, n int32) {
		for o.low = range n + 1 {
		}
	},
	func(o *object, n int32) {
		for _, itself(o).high = range []int32{n} {
		}
	},
	func(o *object, n int32) {
		for o.low, itself(o).array[o.low&1] = range counts(n) {
		}
	},
	func(o *object, n int32) { o.array = [3]int32{n} },
	func(o *object, n int32) { o.array[both1(n)&1]++ },
	func(o *object, n int32) { copy(o.elements, []int32{n, n}) },
	func(o *object, n int32) { o.elements[both1(n)&1] = n },
	func(o *object, n int32) { _ = append(o.elements[:0], n, n) },
	func(o *object, n int32) { *pairOf(o) = pair{n, n} },
	func(o *object, n int32) { func() (p *pair) { defer func() { p.low = n }(); return pairOf(o) }() },
}

func sumOf[T summer](v T) int32 { return v.sum() }

func outerOf(o *object) outer { return outer{pair: &o.pair} }

//go:noinline
func both(a, b int32) (int32, int32) { return a, b }

//go:noinline
func both1(a int32) int32 { return a }

//go:noinline
func halves(o *object) (int32, int32) { return o.low, o.high }

//go:noinline
func sumAll(all ...int32) (n int32) {
	for _, e := range all {
		n += e
	}
	return n
}

//go:noinline
func itself(o *object) *object { return o }

//go:noinline
func pairOf(o *object) *pair { return &o.pair }

//go:noinline
func arrayOf(o *object) []int32 { return o.array[:] }

func counts(n int32) func(func(int32, int32) bool) {
	return func(yield func(int32, int32) bool) { yield(n, n) }
}

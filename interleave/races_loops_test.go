package interleave_test

import (
	"sync"

	"github.com/spindle-go/spindle/interleave"
)

// A starter is a thread that races with what it starts.
type starter struct {
	name string
	do   func(v *things, start func(func()))
}

// loops has variables of loops that a closure shares.
func loops() []starter {
	return []starter{
		{"variable of a for clause, copied for the next iteration", func(_ *things, start func(func())) {
			for i := 0; i < 1; i++ {
				start(func() { i = 7 })
			}
		}},
		{"the same, with continue", func(_ *things, start func(func())) {
			for i, n := 0, 1; i < n; i++ {
				if n == 1 {
					start(func() { i = 7 })
					continue
				}
				return
			}
		}},
		{"the same, with continue in a loop within", func(_ *things, start func(func())) {
		outer:
			for i := 0; i < 1; i++ {
				for range 2 {
					start(func() { i = 7 })
					continue outer
				}
				return
			}
		}},
		{"the same, hidden", func(_ *things, start func(func())) {
			for i := 0; i < 1; i++ {
				start(func() { i = 7 })
				i := "hides it"
				use(i)
			}
		}},
		{"the same, without a condition", func(v *things, start func(func())) {
			for i := 0; ; i++ {
				if i > 0 {
					return
				}
				start(func() { i = 7 })
			}
		}},
		{"body of a loop over a function", func(v *things, start func(func())) {
			n := 0
			for i := range each2(start) {
				n += i
			}
			use(n)
		}},
		{"array of a type parameter", func(v *things, start func(func())) { setShared(v.a, start) }},
		{"variable of a loop over a function", func(v *things, start func(func())) {
			var i int
			for i = range each2(start) {
			}
			use(i)
		}},
	}
}

// each2 has each body run by a thread of its own.
func each2(start func(func())) func(func(int) bool) {
	return func(yield func(int) bool) { start(func() { yield(1) }) }
}

// litmusOfStarters makes two programs of each: it waits for what it started, or does not.
func litmusOfStarters(starters []starter) (all []litmus) {
	for _, row := range starters {
		program := func(wait bool) func(x *interleave.Exec) {
			return func(x *interleave.Exec) {
				v := newThings()
				x.Go("one", func() {
					row.do(v, func(f func()) {
						var group sync.WaitGroup
						group.Go(f)
						if wait {
							group.Wait()
						}
					})
				})
			}
		}
		all = append(all, litmus{row.name, program(true), program(false)})
	}
	return all
}

// iterations has loops whose variable is copied at the end of an iteration, and there
// alone.
func iterations() []litmus {
	one := func(f func()) func(x *interleave.Exec) {
		return func(x *interleave.Exec) { x.Go("one", f) }
	}
	within := func(wait bool) func() {
		return func() {
			for i := 0; i < 1; i++ {
				var group sync.WaitGroup
				group.Go(func() { i = 7 })
				for range 2 {
					continue
				}
				if wait {
					group.Wait()
				}
			}
		}
	}
	return []litmus{
		{"variable of a for clause, after which nothing comes", one(func() {
			for i := 0; i < 1; i++ {
				go func() { i = 7 }()
				break
			}
		}), one(func() {
			for i := 0; i < 1; i++ {
				go func() { i = 7 }()
			}
		})},
		{"variable of a for clause, and a loop within that goes on", one(within(true)), one(within(false))},
	}
}

//go:build go1.21

package interleave_test

// This file is of version 1.21 of the language: one variable for all iterations, and no
// loops over functions.

func oldLoops() []starter {
	return []starter{
		{"old: variable of a for clause", func(_ *things, start func(func())) {
			for i := 0; i < 1; i++ {
				start(func() { use(i) })
			}
		}},
		{"old: variable of a range", func(v *things, start func(func())) {
			for _, n := range v.s {
				start(func() { use(n) })
			}
		}},
		{"old: key of a range", func(v *things, start func(func())) {
			for i := range v.a {
				start(func() { use(i) })
			}
		}},
	}
}

func oldStatements() []pair {
	return []pair{
		{name: "old: range over a slice", one: func(v *things) {
			for _, e := range v.s {
				use(e)
			}
		}, two: func(v *things) { v.s[1] = 1 }},
		{name: "old: range over a slice, with continue", one: func(v *things) {
		next:
			for i, e := range v.s {
				for range v.s {
					if i == e {
						continue next
					}
				}
			}
		}, two: func(v *things) { v.s[1] = 1 }},
		{name: "old: range over a pointer to an array", one: func(v *things) {
			for i, e := range &v.a {
				use(i, e)
			}
		}, two: func(v *things) { v.a[3] = 1 }},
		{name: "old: range over a map", one: func(v *things) {
			for range v.table {
			}
		}, two: func(v *things) { v.table["b"] = 1 }},
		{name: "old: range over a generic", one: func(v *things) { use(oldSum(v.s)) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "old: range that assigns", one: func(v *things) {
			for v.n, itself(v).m = range v.s {
			}
		}, two: func(v *things) { use(v.m) }},
	}
}

func oldSum[S ~[]E, E any](s S) (n int) {
	for _, e := range s {
		use(e)
		n++
	}
	return n
}

// oldPlaces are as in places.
func oldPlaces() []place {
	return []place{
		{"old: element of a range", func(v *things, call func() int) {
			for i, e := range v.s {
				if i == 0 && e == 0 {
					call()
				}
			}
		}, func(v *things) { v.s[1] = 1 }},
		{"old: range over a map, next time", func(v *things, call func() int) {
			m := v.table
			for range map[int]int{1: 1} {
				call()
			}
			for range m {
			}
		}, func(v *things) { v.table["a"] = 1 }},
	}
}

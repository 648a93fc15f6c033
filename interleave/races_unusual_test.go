package interleave_test

func itself(v *things) *things { return v }

func pointerTo(v *things) *int { return &v.n }

// unusual has statements that are seldom written.
func unusual() []pair {
	return []pair{
		{name: "range that assigns to what a function returns", one: func(v *things) {
			for itself(v).n = range 1 {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "range that assigns behind a pointer", one: func(v *things) {
			for _, *pointerTo(v) = range []int{1} {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "range that assigns by its own index", one: func(v *things) {
			i := 3
			for i, v.a[i] = range []int{1} {
			}
		}, two: func(v *things) { use(v.a[3]) }},
		{name: "range over a string that assigns", one: func(v *things) {
			for _, itself(v).r[0] = range "a" {
			}
		}, two: func(v *things) { use(v.r[0]) }},
		{name: "range over a map that assigns", one: func(v *things) {
			for itself(v).word = range map[int64]int{1: 1} {
			}
		}, two: func(v *things) { use(v.word) }},
		{name: "range over a function that assigns", one: func(v *things) {
			for itself(v).n = range func(yield func(int) bool) { yield(1) } {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "range that assigns to an element of a map", one: func(v *things) {
			for itself(v).table[word(1)] = range 1 {
			}
		}, two: func(v *things) { use(v.table["a"]) }},
	}
}

package hook

import (
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/std"
)

// What a function returns and another is passed: f(g()). Each function here is given
// the values, and returns one that is told where this is and returns them.

// A Mark says what is done with a value.
type Mark struct {
	Site   Site
	Effect std.Effect
}

func tell(marks []Mark, values ...any) {
	for i, m := range marks {
		Given(m.Site, m.Effect, values[i])
	}
}

// Two passes on two values.
func Two[A, B any](a A, b B) func(...Mark) (A, B) {
	return func(marks ...Mark) (A, B) { tell(marks, a, b); return a, b }
}

// Three passes on three.
func Three[A, B, C any](a A, b B, c C) func(...Mark) (A, B, C) {
	return func(marks ...Mark) (A, B, C) { tell(marks, a, b, c); return a, b, c }
}

// Four passes on four.
func Four[A, B, C, D any](a A, b B, c C, d D) func(...Mark) (A, B, C, D) {
	return func(marks ...Mark) (A, B, C, D) { tell(marks, a, b, c, d); return a, b, c, d }
}

// Five passes on five.
func Five[A, B, C, D, E any](a A, b B, c C, d D, e E) func(...Mark) (A, B, C, D, E) {
	return func(marks ...Mark) (A, B, C, D, E) { tell(marks, a, b, c, d, e); return a, b, c, d, e }
}

// Six passes on six.
func Six[A, B, C, D, E, F any](a A, b B, c C, d D, e E, f F) func(...Mark) (A, B, C, D, E, F) {
	return func(marks ...Mark) (A, B, C, D, E, F) { tell(marks, a, b, c, d, e, f); return a, b, c, d, e, f }
}

// Overlooked is a function, or an operand of a call, of which it is not seen what is done.
func Overlooked[T any](site Site, what string, v T) T {
	if engine.Exploring() {
		engine.Overlooked(site, what)
	}
	return v
}

// AppendOf is append of what a function returns.
func AppendOf[S ~[]E, E any](s S, more ...E) func(Site) S {
	return func(site Site) S { return Append(site, s)(more...) }
}

// CopyOf is copy of what a function returns.
func CopyOf[D ~[]E, S ~[]E, E any](to D, from S) func(Site) int {
	return func(site Site) int { return Copy(site, to, from) }
}

// CopyStringOf is copy of a string that a function returns.
func CopyStringOf[D ~[]byte, S ~string](to D, from S) func(Site) int {
	return func(site Site) int { return CopyString(site, to, from) }
}

// DeleteOf is delete of what a function returns.
func DeleteOf[M ~map[K]V, K comparable, V any](m M, key K) func(Site) {
	return func(site Site) { Delete(site, m)(key) }
}

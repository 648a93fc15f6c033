// Package list has the few functions on slices that the packages need which run inside of an exploration.
//
// These packages are compiled without reports of what they read and write, and all others with them. Of a generic function of the standard library
// a binary has one instance for all packages that use it with types of one shape: that of the explorer would be taken for a program's, and what
// the program does in it would not be seen. Instances of functions of this package are the explorer's alone.
package list

import (
	"cmp"
	"iter"
)

// Index returns where v is first in s, or -1.
func Index[E comparable](s []E, v E) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

// Contains reports whether v is in s.
func Contains[E comparable](s []E, v E) bool { return Index(s, v) >= 0 }

// IndexFunc returns the index of the first element for which f holds, or -1.
func IndexFunc[E any](s []E, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

// ContainsFunc reports whether f holds for an element of s.
func ContainsFunc[E any](s []E, f func(E) bool) bool { return IndexFunc(s, f) >= 0 }

// Delete returns s without s[i], in the memory of s.
func Delete[E any](s []E, i int) []E {
	last := len(s) - 1
	copy(s[i:], s[i+1:])
	clear(s[last:])
	return s[:last]
}

// DeleteFunc returns s without the elements for which f holds, in the memory of s.
func DeleteFunc[E any](s []E, f func(E) bool) []E {
	kept := s[:0]
	for _, v := range s {
		if !f(v) {
			kept = append(kept, v)
		}
	}
	clear(s[len(kept):])
	return kept
}

// Clone returns a copy of s, nil of nil.
func Clone[E any](s []E) []E { return append([]E(nil), s...) }

// Backward returns the indices and elements of s, the last first.
func Backward[E any](s []E) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

// Sort sorts s, which is short most often, or nearly sorted, and leaves those in their order that are equal.
func Sort[E any](s []E, compare func(a, b E) int) {
	if len(s) > 32 {
		left, right := Clone(s[:len(s)/2]), Clone(s[len(s)/2:])
		Sort(left, compare)
		Sort(right, compare)
		for i := range s {
			if len(right) == 0 || len(left) > 0 && compare(left[0], right[0]) <= 0 {
				s[i], left = left[0], left[1:]
			} else {
				s[i], right = right[0], right[1:]
			}
		}
		return
	}
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && compare(s[j-1], s[j]) > 0; j-- {
			s[j-1], s[j] = s[j], s[j-1]
		}
	}
}

// Compare compares a and b element by element.
func Compare[E cmp.Ordered](a, b []E) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Package hidden is a dependency of which not all is seen.
package hidden

// A Counter does not report what it does.
type Counter struct{ n int }

//go:norace
func (c *Counter) Add() { c.n++ }

// Set sets a number, and does not report it.
//
//go:norace
func Set(n *int, to int) { *n = to }

// Package machine has a function that is written in assembly.
package machine

// Put writes v to where b begins.
//
//go:noescape
func Put(b []byte, v byte)

// Package testenv stands in for package internal/testenv.
package testenv

import "example.com/litmus/testing"

// SkipFlaky skips nothing.
func SkipFlaky(*testing.T, int) {}

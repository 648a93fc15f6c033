// Package stress has tests of threads that take turns: the same schedule gives the same execution, a thousand times over, and
// a hundred million operations give the same whatever the collector and the stacks do meanwhile. The package is not explored: a go
// statement in it is one of a dependency.
//
// The tests run with coroutines as they are, and package goroot runs them with goroutines of the edited runtime.
package stress

//interleave:on

// Package published has programs of the literature on stateless model checking,
// with the number of executions that was published for each: one execution for
// each class of orders that differ in what conflicts, under sequential
// consistency. An explorer that runs fewer has lost some; one that runs more does
// the same work twice.
//
// The programs are ordinary Go on sync and sync/atomic and know nothing of
// interleave. They are told anew from what the papers and test suites describe.
// The tests explore them and compare.
package published

// A Program is one program in one size.
type Program struct {
	Name   string // with its size
	Source string // who published the count
	Count  int    // executions
	Slow   bool   // takes more than about a second to explore

	// New makes the variables anew and returns the threads.
	New func() []func()
}

// Who published.
const (
	// GenMC is the expected number of complete executions in the test suite of
	// GenMC 0.11.0, for its option -sc (Kokologiannakis and Vafeiadis, CAV 2021).
	GenMC = "GenMC 0.11.0"
	// GenMCHere is what GenMC 0.10.3 counts when it is run on a program of its test
	// suite that was mended.
	GenMCHere = "GenMC 0.10.3, of the mended program"
	// Dscheck is the number of traces that the test suite of dscheck 0.6.0 holds.
	Dscheck = "dscheck 0.6.0"
	// OptimalDPOR is the table of Abdulla, Aronis, Jonsson and Sagonas (POPL 2014).
	OptimalDPOR = "Abdulla and others 2014"
)

// copies returns n threads that do the same.
func copies(n int, f func()) []func() {
	return numbered(n, func(int) { f() })
}

// numbered returns n threads that know their number, from 0.
func numbered(n int, f func(i int)) []func() {
	threads := make([]func(), n)
	for i := range threads {
		threads[i] = func() { f(i) }
	}
	return threads
}

package published

import "fmt"

// Exact returns the programs in which no thread waits for another but for a lock.
// An explorer that is right and wastes nothing runs exactly Count executions.
func Exact() []Program {
	var all []Program
	sizes := func(name string, program func(int) []func(), first int, counts ...int) {
		for i, count := range counts {
			n := first + i
			all = append(all, Program{Name: fmt.Sprintf("%s %d", name, n), Source: GenMC, Count: count, New: func() []func() { return program(n) }})
		}
	}
	one := func(name, source string, count int, program func() []func()) {
		all = append(all, Program{Name: name, Source: source, Count: count, New: program})
	}
	sizes("ainc", ainc, 2, 2, 6, 24, 120, 720, 5040)
	sizes("lockinc", lockinc, 2, 2, 6, 24, 120, 720, 5040)
	sizes("lock2inc", lock2inc, 2, 2, 6, 24, 120, 720, 5040)
	sizes("inc", inc, 2, 4, 36, 576)
	sizes("rw", rw, 2, 4, 36, 576)
	sizes("binc", binc, 2, 4, 36, 576)
	sizes("cinc", cinc, 2, 8, 216, 13824)
	sizes("wainc", wainc, 2, 6, 24, 120)
	sizes("wrw", wrw, 2, 22, 300, 6576)

	sizes("cas", cas, 2, 2, 3, 4, 5)
	sizes("casw", casw, 2, 6, 66, 1200, 32880)
	sizes("casrot", casrot, 2, 2, 5, 14, 43, 144, 523, 2048, 8597)
	sizes("wcas", wcas, 2, 5, 13, 33, 81, 193, 449, 1025, 2305)
	one("wcii", GenMC, 24, wcii)

	sizes("readers", readers, 2, 4)
	sizes("readers", readers, 8, 256)
	sizes("readers", readers, 13, 8192)
	sizes("N-writers", writers, 4, 720)
	sizes("CoA", coherence, 1, 4, 15, 130, 2028, 49776)
	one("2+2W", GenMC, 3, crossedStores)
	one("LB3", GenMC, 7, loadBuffering)
	one("IRIW", GenMC, 15, independentReads)
	one("IRIWish", GenMC, 27, passedOn)
	one("relseq", GenMC, 16, releaseSequence)
	one("viktor-relseq", GenMC, 180, longReleaseSequence)
	one("CoRR2", GenMC, 72, readTwice)
	one("W+RRR+W", GenMC, 20, readThrice)
	one("inc+inc+RR+W+RR", GenMC, 600, addsAndReads)
	one("fr+w+w+w+reads", GenMC, 210, readFourTimes)
	one("big0", GenMC, 69112, big0)
	one("dekker_f", GenMC, 3, dekker)
	one("conditional_nested", Dscheck, 8, nested)
	one("conditional_ssb", Dscheck, 7, sleepSetBlocking)

	sizes("lastzero", lastzero, 5, 64)
	sizes("lastzero", lastzero, 10, 3328)
	sizes("lastzero", lastzero, 15, 147456)
	sizes("indexer", indexer, 12, 8)
	sizes("indexer", indexer, 15, 4096)
	sizes("fib_bench", fibonacci, 5, 218243)
	sizes("eratosthenes", eratosthenes, 5, 398)
	sizes("par_length", longThreads, 400, 4)
	sizes("chase-lev", deques, 1, 59)
	for i, count := range []int{2, 8, 32, 128} {
		n := 14 + 2*i
		one(fmt.Sprintf("filesystem %d", n), OptimalDPOR, count, func() []func() { return filesystem(n) })
	}
	for i := range all {
		all[i].Slow = all[i].Count > 100_000
	}
	return all
}

// Numgoroutine counts how often runtime.NumGoroutine is more than 1 after WaitGroup.Wait has returned, in a program
// whose goroutines have all called Done by then.
//
//	go run ./spec/mechanisms/numgoroutine          # 5000 runs, or 10 s
//	go run ./spec/mechanisms/numgoroutine -n 100 -d 1s
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// program returns how many goroutines there are while n of them wait, and after all have called Done.
func program(n int) (parked, after int) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	done.Add(n)
	release := make(chan struct{})
	for range n {
		go func() {
			defer done.Done()
			ready.Done()
			<-release
		}()
	}
	ready.Wait()
	parked = runtime.NumGoroutine()
	close(release)
	done.Wait()
	return parked, runtime.NumGoroutine()
}

// A count is what some runs showed.
type count struct{ runs, parked, after int }

// measure runs the program up to so many times, and not longer than d. All goroutines of a run have ended before the next one.
func measure(runs, goroutines int, d time.Duration) (c count, err error) {
	before := runtime.NumGoroutine() // 1, or more in a test
	for end := time.Now().Add(d); c.runs < runs && time.Now().Before(end); c.runs++ {
		parked, after := program(goroutines)
		if parked != before+goroutines {
			c.parked++
		}
		if after != before {
			c.after++
		}
		for late := time.Now().Add(10 * time.Second); runtime.NumGoroutine() != before; {
			if time.Now().After(late) {
				return c, fmt.Errorf("numgoroutine: expected %d goroutines in the end, saw %d", before, runtime.NumGoroutine())
			}
			time.Sleep(10 * time.Microsecond)
		}
	}
	return c, nil
}

func main() {
	n := flag.Int("n", 5000, "run the program `N` times")
	d := flag.Duration("d", 10*time.Second, "run it for the time `D` at most")
	goroutines := flag.Int("g", 1000, "have the program start `G` goroutines")
	flag.Parse()
	c, err := measure(*n, *goroutines, *d)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d runs, %d Ps, %s: not %d goroutines while all wait in %d runs; not 1 after Wait in %d runs (%.1f %%)\n",
		c.runs, runtime.GOMAXPROCS(0), runtime.Version(), *goroutines+1, c.parked, c.after, 100*float64(c.after)/float64(max(1, c.runs)))
}

// Package pools judges pools of goroutines of other people, each under the contract that its documentation states. What a
// pool never promised is not held against it.
package pools

import (
	"time"

	"github.com/alitto/pond/v2"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
)

// A task of these pools is a function, and can do nothing more.

// AntsContract is that of ants.NewPool(n). Where a sentence of its documentation stands behind a choice, it is named; what it
// does not say is not judged.
//
//   - waits=worker: "you will get blocked ... once the current Pool runs out of its capacity" (Pool.Submit)
//   - workers=exact: "Pool is a goroutine pool that limits and recycles a mass of goroutines" (Pool)
//   - panics=isolated: "the default behavior is to capture the value given to panic and resume normal execution" (Options.PanicHandler)
//   - close: "it waits all workers to exit before timing out" (ReleaseTimeout)
//   - closes=alone: a caller who is blocked in Submit is woken, and not served (nothing is said)
const AntsContract = spec.Profile("pool,closes=alone,waits=worker,workers=exact,panics=isolated")

// Ants makes a pool of ants.
func Ants(workers int) scheduler.Scheduler {
	p, err := ants.NewPool(workers, ants.WithPanicHandler(func(any) {})) // else it prints the panic
	if err != nil {
		panic(err)
	}
	return antsPool{p}
}

type antsPool struct{ *ants.Pool }

func (p antsPool) Submit(f func(scheduler.Task)) error {
	return p.Pool.Submit(func() { f(nil) })
}

// Close waits longer than any run of the suite.
func (p antsPool) Close() error { return p.ReleaseTimeout(time.Hour) }

// PondContract is that of pond.NewPool(n).
//
//   - workers=exact: "maxConcurrency" (NewPool)
//   - close: "Stops the pool and waits for all tasks to complete" (StopAndWait)
//   - closed: "If the pool has been stopped, this method will return ErrPoolStopped" (Go)
//   - panics=isolated: a panic is an error of its task (README, "Error handling & panic recovery")
const PondContract = spec.Profile("pool,workers=exact,panics=isolated")

// Pond makes a pool of pond.
func Pond(workers int) scheduler.Scheduler { return pondPool{pond.NewPool(workers)} }

type pondPool struct{ pond.Pool }

func (p pondPool) Submit(f func(scheduler.Task)) error { return p.Go(func() { f(nil) }) }

func (p pondPool) Close() error {
	p.StopAndWait()
	return nil
}

// ConcContract is that of pool.New().WithMaxGoroutines(n) of conc.
//
//   - submits=outside: nothing is said of tasks that submit
//   - closes=alone: "Once all your tasks have been submitted, you must call Wait()" (Pool)
//   - waits=worker: "If all goroutines in the pool are busy, a call to Go() will block until the task can be started" (Pool.Go)
//   - workers=exact: "limits the number of goroutines in a pool" (WithMaxGoroutines)
//   - closed=unsaid: nothing is said of Go after Wait
const ConcContract = spec.Profile("pool,submits=outside,closes=alone,waits=worker,workers=exact,closed=unsaid")

// Conc makes a pool of conc.
func Conc(workers int) scheduler.Scheduler { return concPool{pool.New().WithMaxGoroutines(workers)} }

type concPool struct{ *pool.Pool }

func (p concPool) Submit(f func(scheduler.Task)) error {
	p.Go(func() { f(nil) })
	return nil
}

func (p concPool) Close() error {
	p.Wait()
	return nil
}

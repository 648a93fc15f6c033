// Package pools judges pools of goroutines of other people, each under the contract that its documentation states. What a
// pool never promised is not held against it.
package pools

import (
	"context"
	"sync"

	"github.com/alitto/pond/v2"
	"github.com/bytedance/gopkg/util/gopool"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"

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
//   - close: "it waits all workers to exit before the context is done" (ReleaseContext)
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

func (p antsPool) Close() error { return p.ReleaseContext(context.Background()) }

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

// WorkerpoolContract is that of workerpool.New(n).
//
//   - waits=never: "Do will not block regardless of the number of tasks submitted" (Do)
//   - workers=exact: "the number of concurrent goroutines processing requests does not exceed the specified maximum" (WorkerPool)
//   - closes=beside: "Do is safe to call concurrently with Stop or StopWait" (Do)
//   - close: "all pending tasks are executed by workers before this function returns" (StopWait)
//   - closed: "Returns ErrStopped if the worker pool is stopped" (Do)
const WorkerpoolContract = spec.Profile("pool,workers=exact")

// Workerpool makes a pool of workerpool.
func Workerpool(workers int) scheduler.Scheduler { return workerPool{workerpool.New(workers)} }

type workerPool struct{ *workerpool.WorkerPool }

func (p workerPool) Submit(f func(scheduler.Task)) error { return p.Do(func() { f(nil) }) }

func (p workerPool) Close() error {
	p.StopWait()
	return nil
}

// ErrgroupContract is that of an errgroup.Group with SetLimit(n).
//
//   - submits=outside, closes=alone: nothing is said of Go in a task, and beside Wait
//   - waits=worker: "It blocks until the new goroutine can be added without the number of goroutines in the group exceeding the configured limit" (Go)
//   - workers=exact: "limits the number of active goroutines in this group to at most n" (SetLimit)
//   - close: "blocks until all function calls from the Go method have returned" (Wait)
//   - closed=unsaid: nothing is said of Go after Wait
const ErrgroupContract = spec.Profile("pool,submits=outside,closes=alone,waits=worker,workers=exact,closed=unsaid")

// Errgroup makes a group with a limit.
func Errgroup(workers int) scheduler.Scheduler {
	g := new(errgroup.Group)
	g.SetLimit(workers)
	return groupPool{g}
}

type groupPool struct{ *errgroup.Group }

func (p groupPool) Submit(f func(scheduler.Task)) error {
	p.Go(func() error { f(nil); return nil })
	return nil
}

func (p groupPool) Close() error { return p.Wait() }

// GopoolContract is what gopool.NewPool(name, n, gopool.NewConfig()) keeps.
//
//   - submits=outside: nothing is said of tasks that call Go
//   - closes=alone, closed=unsaid: it cannot be closed; the adapter waits for all tasks
//   - workers=at-least: its cap is "the maximum number of goroutines that are actually working" (pool.cap), and CtxGo does not keep it. CtxGo looks how many
//     workers there are, and then adds one; so two calls at once may both add the last one
//   - panics=isolated: the handler is "called after the panic has been recovered" (SetPanicHandler)
const GopoolContract = spec.Profile("pool,submits=outside,closes=alone,closed=unsaid,panics=isolated")

// Gopool makes a pool of gopool.
func Gopool(workers int) scheduler.Scheduler {
	p := gopool.NewPool("judged", int32(workers), gopool.NewConfig())
	p.SetPanicHandler(func(context.Context, any) {}) // else it prints the panic
	return goPool{p, new(sync.WaitGroup)}
}

type goPool struct {
	gopool.Pool
	tasks *sync.WaitGroup // that have not ended
}

func (p goPool) Submit(f func(scheduler.Task)) error {
	p.tasks.Add(1)
	p.Go(func() {
		defer p.tasks.Done()
		f(nil)
	})
	return nil
}

func (p goPool) Close() error {
	p.tasks.Wait()
	return nil
}

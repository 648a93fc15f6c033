package explore

import (
	"context"
	"sync"
)

// parallel goes on with the search, of which n states are expanded, on several
// processors. Batches are expanded at the same
// time and entered in their order, by one goroutine, which expands, too, while
// the batch whose turn it is is not ready. So every state gets the number that
// it gets in a sequential search, and all counts and traces are the same.
func (e *exploration[S]) parallel(ctx context.Context, n int) {
	ahead := 4 * (max(2, e.Workers) + cap(e.Spare))
	jobs := make(chan *batch[S], ahead)
	var group sync.WaitGroup
	work := func() {
		for b := range jobs {
			e.expand(b)
			b.done <- struct{}{}
		}
	}
	lent := func() {
		work()
		e.Spare <- struct{}{}
	}
	if e.Workers <= 1 { // a spare processor was taken
		group.Go(lent)
	}
	for range e.Workers - 1 {
		group.Go(work)
	}
	defer group.Wait()
	defer close(jobs)

	free := make([]*batch[S], ahead)
	for i := range free {
		free[i] = &batch[S]{done: make(chan struct{}, 1)}
	}
	under := make([]*batch[S], 0, ahead) // way, in order
	for e.goesOn(ctx, n) {
		if e.spare() {
			group.Go(lent)
		}
		for len(free) > 0 {
			b := free[len(free)-1]
			if b.states, b.chunk = e.waiting.pop(batchLen); len(b.states) == 0 {
				break
			}
			free = free[:len(free)-1]
			under = append(under, b)
			jobs <- b
		}
		if len(under) == 0 {
			e.complete = true
			return
		}
		b := under[0]
		e.help(b, jobs)
		if !e.insert(b, n) {
			return
		}
		n += len(b.states)
		under = append(under[:0], under[1:]...)
		free = append(free, b)
	}
}

// help waits for b, expanding other batches meanwhile.
func (e *exploration[S]) help(b *batch[S], jobs <-chan *batch[S]) {
	for {
		select {
		case <-b.done:
			return
		default:
		}
		select {
		case <-b.done:
			return
		case other := <-jobs:
			e.expand(other)
			other.done <- struct{}{}
		}
	}
}

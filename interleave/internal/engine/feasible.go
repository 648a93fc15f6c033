package engine

// What an object of package sync would be like, had some operations not been.

// An object is the state of a Mutex, an RWMutex, a Cond or a WaitGroup, as far as
// it decides who has to wait.
type object struct {
	held      int // by one that locked it, or is the writer that is in or waits
	readers   int
	leaving   int // readers that the writer waits for
	count     int
	queue     []uint8 // threads that wait for a Cond, the first comes first
	signalled threadSet
}

// do carries out what e did. Operations that failed have changed nothing.
func (o *object) do(e *event) {
	done := e.wrote != e.read
	switch e.kind {
	case Lock, WLock:
		o.held = 1
		o.leaving += o.readers
	case TryLock:
		if e.write {
			o.held = 1
		}
	case TryWLock: // a write either way
		if done {
			o.held = 1
		}
	case Unlock, WUnlock:
		if done {
			o.held = 0
		}
	case RLock:
		o.readers++
	case TryRLock:
		if done {
			o.readers++
		}
	case RUnlock:
		if done {
			o.readers--
			if o.held > 0 {
				o.leaving--
			}
		}
	case Enqueue:
		o.queue = append(o.queue, e.thread)
	case Signal, Broadcast:
		for len(o.queue) > 0 {
			o.signalled |= 1 << o.queue[0]
			o.queue = o.queue[1:]
			if e.kind == Signal {
				break
			}
		}
	case Wake:
		o.signalled &^= 1 << e.thread
	case Count:
		o.count += int(int64(e.wrote - e.read))
	}
}

// ready reports whether a thread could carry out an operation of kind k.
func (o *object) ready(k Kind, thread uint8) bool {
	switch k {
	case Lock, WLock, RLock:
		return o.held == 0
	case WDrain:
		return o.leaving == 0
	case Wait:
		return o.count == 0
	case Wake:
		return o.signalled.has(int(thread))
	}
	return false
}

// feasible reports whether an operation of kind k could be carried out after the
// first limit events, had event x and what comes after it not been.
func (s *scheduler) feasible(l *location, x, limit int32, k Kind, thread uint8) bool {
	o := object{held: l.held, readers: l.readers, count: l.count}
	for _, y := range l.all {
		if y < limit && (y < x || !s.before(x, y)) {
			o.do(&s.events[y])
		}
	}
	return o.ready(k, thread)
}

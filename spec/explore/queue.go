package explore

// A queue holds the states that were found and not yet expanded, in the order in
// which they were found. It is made of chunks, which are used again.
type queue[S comparable] struct {
	chunks [][]S // the first is read, the last is written
	read   int   // in the first
	free   [][]S
	made   int // chunks, those that a batch still reads among them
}

// chunkLen is a multiple of batchLen, so that no batch is cut short but at the
// end.
const chunkLen = 4096

func (q *queue[S]) push(s *S) {
	n := len(q.chunks)
	if n == 0 || len(q.chunks[n-1]) == chunkLen {
		var c []S
		if f := len(q.free); f > 0 {
			c, q.free = q.free[f-1], q.free[:f-1]
		} else {
			c = make([]S, 0, chunkLen)
			q.made++
		}
		q.chunks = append(q.chunks, c)
		n++
	}
	last := q.chunks[n-1]
	last = last[:len(last)+1]
	last[len(last)-1] = *s
	q.chunks[n-1] = last
}

// pop returns the next states, at most max. used is the chunk that they were the
// last of, or nil: it goes back with recycle once nobody reads them.
func (q *queue[S]) pop(max int) (states, used []S) {
	if len(q.chunks) == 0 {
		return nil, nil
	}
	c := q.chunks[0]
	states = c[q.read:min(len(c), q.read+max)]
	if q.read += len(states); q.read == chunkLen {
		q.chunks = q.chunks[1:]
		q.read = 0
		used = c
	}
	return states, used
}

func (q *queue[S]) recycle(c []S) {
	if c != nil {
		q.free = append(q.free, c[:0])
	}
}

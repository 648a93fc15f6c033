package rerun

import (
	"bytes"
	"sync"
)

// A limited keeps the end of what is written to it.
type limited struct {
	mu  sync.Mutex
	b   bytes.Buffer
	cut bool
}

// outputLimit is how much of a child's output is kept, in bytes.
const outputLimit = 256 << 10

func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Write(p)
	if over := l.b.Len() - outputLimit; over > 0 {
		l.b.Next(over)
		l.cut = true
	}
	return len(p), nil
}

func (l *limited) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return "[...]" + l.b.String()
	}
	return l.b.String()
}

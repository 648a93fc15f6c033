//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/spindle-go/spindle/impl/sched"
)

// A server says over a socket how far a walk is. Gs wait for connections and lines, without a thread.
type server struct {
	walk     *walk
	listener *sched.Desc

	mu     sync.Mutex
	closed bool
	conns  map[*sched.Desc]bool
}

// idle is how long a connection may say nothing.
const idle = 30 * time.Second

// accepts starts a G for each connection.
func (s *server) accepts(g *sched.G) {
	for {
		var fd int
		var failed error
		err := s.listener.Read(g, time.Time{}, func(of uintptr) bool {
			fd, _, failed = syscall.Accept(int(of))
			return failed != syscall.EAGAIN && failed != syscall.EINTR && failed != syscall.ECONNABORTED
		})
		if errors.Is(err, sched.ErrDescClosed) {
			return
		}
		if err = errors.Join(err, failed); err == nil {
			err = s.connected(g, fd)
		}
		if err != nil {
			s.walk.failed(fmt.Errorf("accept: %w", err))
			return
		}
	}
}

// connected starts the G of a connection.
func (s *server) connected(g *sched.G, fd int) error {
	f := os.NewFile(uintptr(fd), "connection")
	conn, err := net.FileConn(f) // which has a descriptor of its own that does not block
	f.Close()
	if err != nil {
		return err
	}
	d, err := s.walk.sched.Open(conn.(*net.TCPConn))
	if err != nil {
		conn.Close()
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		d.Close(g)
		return conn.Close()
	}
	if s.conns == nil {
		s.conns = make(map[*sched.Desc]bool)
	}
	s.conns[d] = true
	g.Go(func(g *sched.G) {
		defer conn.Close()
		defer d.Close(g)
		s.talks(g, d)
		s.mu.Lock()
		delete(s.conns, d)
		s.mu.Unlock()
	})
	return nil
}

// talks answers lines until there are no more, or none comes.
func (s *server) talks(g *sched.G, d *sched.Desc) {
	var line []byte
	b := make([]byte, 512)
	for {
		n, err := read(g, d, b)
		if err != nil {
			return
		}
		line = append(line, b[:n]...)
		for {
			before, after, whole := bytes.Cut(line, []byte("\n"))
			if !whole {
				break
			}
			line = after
			answer := fmt.Sprintf("expected \"progress\", saw %q\n", before)
			if string(bytes.TrimSpace(before)) == "progress" {
				answer = fmt.Sprintf("%v; %v\n", &s.walk.progress, s.walk.sched.Snapshot().Gs)
			}
			if write(g, d, []byte(answer)) != nil {
				return
			}
		}
		if len(line) > 4096 {
			return // that is no line
		}
	}
}

// read reads what there is, and waits until there is something.
func read(g *sched.G, d *sched.Desc, b []byte) (n int, err error) {
	e := d.Read(g, time.Now().Add(idle), func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), b)
		return err != syscall.EAGAIN && err != syscall.EINTR
	})
	if e == nil && err == nil && n == 0 {
		e = io.EOF
	}
	return n, errors.Join(e, err)
}

// write writes all of b.
func write(g *sched.G, d *sched.Desc, b []byte) error {
	for len(b) > 0 {
		var n int
		var err error
		e := d.Write(g, time.Now().Add(idle), func(fd uintptr) bool {
			n, err = syscall.Write(int(fd), b)
			return err != syscall.EAGAIN && err != syscall.EINTR
		})
		if e != nil || err != nil {
			return errors.Join(e, err)
		}
		b = b[n:]
	}
	return nil
}

// close ends all that waits.
func (s *server) close(g *sched.G) {
	s.listener.Close(g)
	s.mu.Lock()
	s.closed = true
	conns := make([]*sched.Desc, 0, len(s.conns))
	for d := range s.conns {
		conns = append(conns, d)
	}
	s.mu.Unlock()
	for _, d := range conns {
		d.Close(g)
	}
}

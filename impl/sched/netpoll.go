package sched

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spindle-go/spindle/impl/runq"
)

// A G can wait for a descriptor, and no M waits with it: the system tells the poller when something
// can be read or written there (epoll on Linux). Ms look there on their way through findRunnable,
// sysmon does, and the last M that finds nothing waits there.
//
// Where there is no such poller a G waits in BlockLong, in that of the Go runtime.

// A Desc is a descriptor that Gs can wait for. One G may wait to read, and one to write. (pollDesc)
type Desc struct {
	s     *Scheduler
	conn  syscall.Conn
	raw   syscall.RawConn
	key   uint64 // by which the system knows it, or 0: it does not
	sides [2]side
}

// The sides of a Desc.
const (
	reading = iota
	writing
)

// A side is what is known of one direction.
type side struct {
	mu     sync.Mutex
	ready  bool // something was there since somebody waited last
	closed bool
	late   bool  // the time of who waited was over
	g      *G    // who waits
	until  int64 // for how long, as nanotime counts
	timer  Timer
}

// ErrDescClosed is returned for what waits for a Desc that was closed.
var ErrDescClosed = errors.New("sched: the Desc was closed")

// Open makes a Desc of a connection, a listener, a pipe, or another file that can be polled and
// does not block: those of packages net and os are so. The Desc is to be closed before the connection.
func (s *Scheduler) Open(c syscall.Conn) (*Desc, error) {
	if c == nil {
		return nil, errors.New("sched: Open: expected a connection, saw nil")
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("sched: Open: %w", err)
	}
	d := &Desc{s: s, conn: c, raw: raw}
	for i := range d.sides {
		d.sides[i].timer.run = func(m *M) { d.timeout(i, m) }
	}
	if err := s.poller.open(d); err != nil {
		return nil, fmt.Errorf("sched: Open: expected a descriptor that can be polled: %w", err)
	}
	return d, nil
}

// Close forgets the descriptor, which it does not close. Gs that wait for it go on, with ErrDescClosed.
func (d *Desc) Close(g *G) {
	g.running("Close of a Desc")
	d.s.poller.forget(d)
	for i := range d.sides {
		side := &d.sides[i]
		side.mu.Lock() // outside: descriptors
		side.closed = true
		waits := side.take()
		side.mu.Unlock() // outside: descriptors
		if waits != nil {
			d.s.netwaiters.Add(-1) // Sched!NetAdjust
			g.m.runqput(waits)
		}
	}
}

// Read calls try until it returns true, as syscall.RawConn.Read does: try is to read what there is without
// waiting, and to return false if there is nothing (EAGAIN). In between the G waits until there is
// something. The error is os.ErrDeadlineExceeded if that takes until a time, which may be
// zero for never, or ErrDescClosed. try must not use the G.
func (d *Desc) Read(g *G, by time.Time, try func(fd uintptr) (done bool)) error {
	return d.do(g, "Read", reading, by, try)
}

// Write is Read for who writes.
func (d *Desc) Write(g *G, by time.Time, try func(fd uintptr) (done bool)) error {
	return d.do(g, "Write", writing, by, try)
}

func (d *Desc) do(g *G, what string, way int, by time.Time, try func(fd uintptr) bool) error {
	g.running(what + " of a Desc")
	if d.key == 0 {
		return d.blocks(g, way, by, try)
	}
	for {
		done := false
		if err := d.raw.Control(func(fd uintptr) { done = try(fd) }); err != nil {
			return fmt.Errorf("sched: %s: %w", what, err)
		}
		if done {
			return nil
		}
		if err := d.sides[way].wait(g, what, by); err != nil {
			return err
		}
	}
}

// blocks waits in the poller of the Go runtime.
func (d *Desc) blocks(g *G, way int, by time.Time, try func(fd uintptr) bool) (err error) {
	deadline, wait := deadlines(d.conn, way), d.raw.Read
	if way == writing {
		wait = d.raw.Write
	}
	if deadline != nil {
		err = deadline(by)
	} else if !by.IsZero() {
		err = errors.New("sched: this descriptor has no deadlines here")
	}
	if err == nil {
		g.BlockLong(func() { err = wait(try) })
	}
	return err
}

// deadlines returns what sets the deadline of a connection, or nil.
func deadlines(c syscall.Conn, way int) func(time.Time) error {
	switch c, ok := c.(interface {
		SetReadDeadline(time.Time) error
		SetWriteDeadline(time.Time) error
	}); {
	case ok && way == reading:
		return c.SetReadDeadline
	case ok:
		return c.SetWriteDeadline
	}
	if c, ok := c.(interface{ SetDeadline(time.Time) error }); ok {
		return c.SetDeadline
	}
	return nil
}

// wait stops the G until something is there. (netpollblock)
func (side *side) wait(g *G, what string, by time.Time) error {
	s := g.s
	side.mu.Lock() // outside: descriptors
	switch {
	case side.closed:
		side.mu.Unlock() // outside: descriptors
		return ErrDescClosed
	case side.g != nil:
		side.mu.Unlock() // outside: descriptors
		panic("sched: " + what + " of a Desc for which another G waits to " + what)
	case side.ready:
		side.ready = false
		side.mu.Unlock() // outside: descriptors
		return nil
	}
	side.g, side.late, side.until = g, false, math.MaxInt64
	if !by.IsZero() {
		side.until = s.after(max(0, time.Until(by)))
		side.timer.when = side.until
		g.m.start(&side.timer)
	}
	g.Park(what+" of a descriptor", func() bool {
		side.mu.Unlock()    // outside: descriptors
		s.netwaiters.Add(1) // Sched!NetWait
		if !s.config.Shipped.Poller &&
			s.lastpoll.Load() != 0 { // outside: the model has no mend of poller
			s.wakep() // nobody polls
		}
		return true
	})
	if !by.IsZero() {
		side.timer.Stop()
	}
	side.mu.Lock()         // outside: descriptors
	defer side.mu.Unlock() // outside: descriptors
	switch {
	case side.closed:
		return ErrDescClosed
	case side.late:
		return os.ErrDeadlineExceeded
	}
	return nil
}

// take makes the G runnable that waits, and returns it, or nil. The lock must be held.
func (side *side) take() (g *G) {
	if g = side.g; g != nil {
		side.g = nil
		g.becomes(waiting, active, "an event")
	}
	return g
}

// timeout is what the timer of a side does. The G that waits there now may be another than the one that the
// timer was for. (netpolldeadlineimpl)
func (d *Desc) timeout(way int, m *M) {
	side := &d.sides[way]
	side.mu.Lock() // outside: descriptors
	var g *G
	if side.until <= m.s.env.nanotime() {
		g = side.take()
		side.late = g != nil
	}
	side.mu.Unlock() // outside: descriptors
	if g != nil {
		m.s.netwaiters.Add(-1) // Sched!NetAdjust
		m.runqput(g)
	}
}

// event: something is there. Who waited is put on a list. (netpollready)
func (side *side) event(list *runq.List) {
	side.mu.Lock() // outside: descriptors
	if g := side.take(); g != nil {
		g.tracks()
		list.PushBack(&g.queued)
	} else {
		side.ready = true
	}
	side.mu.Unlock() // outside: descriptors
}

// A netpoll is what the system has to say when something can be read or written. Its methods but wait may
// be called beside each other.
type netpoll interface {
	// add begins to watch a descriptor, which has a key from then on.
	add(fd uintptr, key uint64) error
	remove(fd uintptr)
	// wait calls event for each that something can be done with. It waits until there is one, until ring
	// is called, or for d; for ever if that is less than 0.
	wait(d time.Duration, event func(key uint64, read, write bool))
	ring()
	close()
}

// A poller is where an M waits for what comes from elsewhere: a time, a ring, descriptors. The bell is for
// as long as there was no descriptor.
type poller struct {
	env  environment
	bell bell
	net  atomic.Pointer[netpoll]

	mu     sync.Mutex
	last   uint64 // key
	descs  map[uint64]*Desc
	closed bool
}

// open begins to watch a descriptor. (netpollinit, netpollopen)
func (p *poller) open(d *Desc) error {
	p.mu.Lock()         // outside: descriptors
	defer p.mu.Unlock() // outside: descriptors
	net := p.net.Load() // outside: it was not there before the first descriptor
	switch {
	case p.closed:
		return ErrClosed
	case net == nil:
		made, err := p.env.newNetpoll()
		if made == nil {
			return err
		}
		net, p.descs = &made, make(map[uint64]*Desc)
		p.net.Store(net) // outside: it was not there before the first descriptor
		p.ring()         // who sleeps on the bell is to come here
	}
	p.last++
	d.key = p.last
	p.descs[d.key] = d
	var err error
	if e := d.raw.Control(func(fd uintptr) { err = (*net).add(fd, d.key) }); e != nil {
		err = e
	}
	if err != nil {
		delete(p.descs, d.key)
	}
	return err
}

// forget ends it.
func (p *poller) forget(d *Desc) {
	p.mu.Lock()         // outside: descriptors
	defer p.mu.Unlock() // outside: descriptors
	if p.descs[d.key] == d {
		delete(p.descs, d.key)
		_ = d.raw.Control((*p.net.Load()).remove) // outside: an error says that it was closed, and is not watched any more
	}
}

const (
	noTime = int64(0)  // wait waits for ever
	atOnce = int64(-1) // it does not wait
)

// wait waits until a time, or a ring, or until there is something to do with a descriptor, and returns the
// Gs that waited for that. (netpoll)
func (p *poller) wait(until int64) (list runq.List) {
	net := p.net.Load() // outside: it was not there before the first descriptor
	if net == nil {
		if until > 0 {
			p.bell.sleep(until)
		}
		return list
	}
	d := time.Duration(-1)
	if until != noTime {
		d = time.Duration(max(0, until-p.env.nanotime()))
	}
	(*net).wait(d, func(key uint64, read, write bool) {
		p.mu.Lock() // outside: descriptors
		d := p.descs[key]
		p.mu.Unlock() // outside: descriptors
		if d != nil && read {
			d.sides[reading].event(&list)
		}
		if d != nil && write {
			d.sides[writing].event(&list)
		}
	})
	return list
}

// ring wakes who waits, or who waits next. (netpollBreak)
func (p *poller) ring() {
	if net := p.net.Load(); net != nil { // outside: it was not there before the first descriptor
		(*net).ring()
	}
	p.bell.ring()
}

// close gives back what the system has given. Nobody waits any more.
func (p *poller) close() {
	p.mu.Lock()         // outside: descriptors
	defer p.mu.Unlock() // outside: descriptors
	p.closed = true
	if net := p.net.Load(); net != nil { // outside: it was not there before the first descriptor
		(*net).close()
	}
}

package sched

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/impl/runq"
)

// portable is an environment in which the system has no poller.
type portable struct{ realTime }

func (portable) newNetpoll() (netpoll, error) { return nil, nil }

// pollers runs a test with the poller of this system, and without.
func pollers(t *testing.T, procs int, f func(t *testing.T, s *Scheduler)) {
	for name, env := range map[string]environment{"system": realTime{}, "portable": portable{}} {
		t.Run(name, func(t *testing.T) {
			leaks(t)
			s, err := newIn(Config{Procs: procs}, env)
			if err != nil {
				t.Fatal(err)
			}
			f(t, s)
			if err := end(t, s); err != nil {
				t.Error(err)
			}
			if n := s.netwaiters.Load(); n != 0 {
				t.Errorf("expected nobody to wait for a descriptor, saw %d", n)
			}
		})
	}
}

// read reads what there is, up to a time.
func read(g *G, d *Desc, b []byte, by time.Time) (n int, err error) {
	e := d.Read(g, by, func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), b)
		return err != syscall.EAGAIN && err != syscall.EINTR
	})
	if e != nil {
		return 0, e
	}
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// writeAll writes all of b.
func writeAll(g *G, d *Desc, b []byte) error {
	for len(b) > 0 {
		var n int
		var err error
		if e := d.Write(g, time.Time{}, func(fd uintptr) bool {
			n, err = syscall.Write(int(fd), b)
			return err != syscall.EAGAIN && err != syscall.EINTR
		}); e != nil {
			return e
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func open(t testing.TB, s *Scheduler, c syscall.Conn) *Desc {
	t.Helper()
	d, err := s.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDescriptors: Gs send through pipes more than these hold, and other Gs read it, beside Gs that sleep and
// compute: all comes, in order, and few Ms wait.
func TestDescriptors(t *testing.T) {
	t.Attr("req", "TM-POLL")
	pollers(t, 2, func(t *testing.T, s *Scheduler) {
		const pipes, size = 40, 300_000
		for i := range pipes {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			sent := make([]byte, size)
			chance := rand.NewChaCha8([32]byte{byte(i)})
			chance.Read(sent)
			from, to := open(t, s, r), open(t, s, w)
			start(t, s, func(g *G) {
				defer w.Close()
				defer to.Close(g)
				for b := sent; len(b) > 0; b = b[min(len(b), 70_000):] {
					if i%3 == 0 {
						g.Sleep(time.Millisecond)
					}
					if err := writeAll(g, to, b[:min(len(b), 70_000)]); err != nil {
						t.Error(err)
					}
				}
			})
			start(t, s, func(g *G) {
				defer r.Close()
				defer from.Close(g)
				var got []byte
				b := make([]byte, 10_000)
				for {
					n, err := read(g, from, b, time.Time{})
					got = append(got, b[:n]...)
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Error(err)
						break
					}
					if i%4 == 0 {
						g.Yield()
					}
				}
				if !bytes.Equal(got, sent) {
					t.Errorf("pipe %d: %d bytes were sent, and %d others received", i, len(sent), len(got))
				}
			})
		}
	})
}

// TestDescriptorsNeedNoM: 500 Gs wait for descriptors, and the Ms are few.
func TestDescriptorsNeedNoM(t *testing.T) {
	t.Attr("req", "TM-POLL")
	s := begin(t, Config{Procs: 2})
	if made, err := s.env.newNetpoll(); made == nil {
		t.Skipf("this system has no poller here: %v", err)
	} else {
		made.close()
	}
	var ends []*os.File
	var came atomic.Int32
	for range 500 {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, w)
		d := open(t, s, r)
		start(t, s, func(g *G) {
			defer r.Close()
			defer d.Close(g)
			if _, err := read(g, d, make([]byte, 1), time.Time{}); err != nil {
				t.Error(err)
			}
			came.Add(1)
		})
	}
	eventually(t, "all wait", func() bool { return s.netwaiters.Load() == 500 })
	s.global.Lock()
	ms := len(s.allm)
	s.global.Unlock()
	if ms > 10 {
		t.Errorf("500 Gs wait for descriptors: expected at most 10 Ms, saw %d", ms)
	}
	for _, w := range ends {
		if _, err := w.Write([]byte{1}); err != nil {
			t.Error(err)
		}
		w.Close()
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if n := came.Load(); n != 500 {
		t.Errorf("expected 500 Gs to go on, saw %d", n)
	}
}

// TestDescriptorAlone: a G that waits for a descriptor goes on although another one computes on the
// other P, or on the only one and calls Checkpoint.
func TestDescriptorAlone(t *testing.T) {
	t.Attr("req", "TM-POLL")
	for _, procs := range []int{1, 2} {
		pollers(t, procs, func(t *testing.T, s *Scheduler) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			d := open(t, s, r)
			var came atomic.Bool
			start(t, s, func(g *G) {
				defer r.Close()
				defer d.Close(g)
				if _, err := read(g, d, make([]byte, 1), time.Time{}); err != nil {
					t.Error(err)
				}
				came.Store(true)
			})
			start(t, s, func(g *G) {
				for !came.Load() {
					g.Checkpoint()
				}
			})
			time.Sleep(30 * time.Millisecond)
			w.Write([]byte{1})
			eventually(t, "the G has read", came.Load)
		})
	}
}

// TestDescriptorErrors: a time that is over, a Desc that is closed, what cannot be polled.
func TestDescriptorErrors(t *testing.T) {
	t.Attr("req", "TM-POLL")
	pollers(t, 2, func(t *testing.T, s *Scheduler) {
		if _, err := s.Open(nil); err == nil {
			t.Error("Open(nil): expected an error")
		}
		l, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Skip(err)
		}
		defer l.Close()
		d := open(t, s, l)
		done := make(chan bool)
		start(t, s, func(g *G) {
			defer close(done)
			for range 3 {
				began := time.Now()
				if _, err := read(g, d, make([]byte, 9), began.Add(20*time.Millisecond)); !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("expected os.ErrDeadlineExceeded, saw %v", err)
				}
				if took := time.Since(began); took < 20*time.Millisecond {
					t.Errorf("expected it after 20 ms, saw it after %v", took)
				}
			}
		})
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatal("a G that reads until a time waits on for 20 s")
		}
	})

	s := begin(t, Config{Procs: 2})
	if f, err := os.Open("netpoll.go"); err == nil {
		defer f.Close()
		if _, err := s.Open(f); err == nil {
			t.Error("a file that cannot be polled: expected an error")
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	d := open(t, s, r)
	if d.key == 0 {
		t.Skip("this system has no poller here")
	}
	var saw atomic.Pointer[error]
	start(t, s, func(g *G) {
		_, err := read(g, d, make([]byte, 1), time.Time{})
		saw.Store(&err)
	})
	eventually(t, "it waits", func() bool { return s.netwaiters.Load() == 1 })
	start(t, s, func(g *G) {
		if v := panics(func() { read(g, d, make([]byte, 1), time.Time{}) }); v == nil {
			t.Error("two Gs that wait to read from one Desc: expected a panic")
		}
		d.Close(g)
	})
	eventually(t, "it goes on", func() bool { return saw.Load() != nil })
	if err := *saw.Load(); err != ErrDescClosed {
		t.Errorf("expected ErrDescClosed, saw %v", err)
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if _, err := s.Open(r); !errors.Is(err, ErrClosed) {
		t.Errorf("Open after Close: expected ErrClosed, saw %v", err)
	}
}

// TestRings: a ring is for who waits; who asks without waiting leaves it.
func TestRings(t *testing.T) {
	t.Attr("req", "TM-POLL")
	e, err := realTime{}.newNetpoll()
	if e == nil {
		t.Skipf("this system has no poller here: %v", err)
	}
	defer e.close()
	waits := func(d time.Duration) time.Duration {
		began := time.Now()
		e.wait(d, func(uint64, bool, bool) { t.Error("an event of no descriptor") })
		return time.Since(began)
	}
	e.ring()
	e.ring()
	waits(0)
	if took := waits(10 * time.Second); took > 5*time.Second {
		t.Errorf("a ring was lost: waited for %v", took)
	}
	if took := waits(20 * time.Millisecond); took < 20*time.Millisecond {
		t.Errorf("expected two rings to be one: waited for %v", took)
	}
}

// TestStoppedTimerAndClose: an M waits for the time of a timer that was stopped. Close does not.
func TestStoppedTimerAndClose(t *testing.T) {
	t.Attr("req", "TM-POLL")
	s := begin(t, Config{Procs: 2})
	timer := make(chan *Timer, 1)
	start(t, s, func(g *G) { timer <- g.AfterFunc(time.Hour, func(*G) {}) })
	eventually(t, "an M waits for the end of an hour", func() bool { return s.pollUntil.Load() != 0 })
	(<-timer).Stop()
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// TestDescriptorsAtOnce: many Gs can go on at once, while Ps are idle.
func TestDescriptorsAtOnce(t *testing.T) {
	t.Attr("req", "TM-POLL")
	const gs = 50
	s := begin(t, Config{Procs: 3, Ring: 4, Unwatched: true})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	if open(t, s, w).key == 0 {
		t.Skip("this system has no poller here")
	}
	for range gs {
		var fd int
		conn, err := r.SyscallConn()
		if err == nil {
			err = conn.Control(func(of uintptr) { fd, err = syscall.Dup(int(of)) })
		}
		if err != nil {
			t.Fatal(err)
		}
		same := os.NewFile(uintptr(fd), "pipe")
		d := open(t, s, same)
		start(t, s, func(g *G) {
			defer same.Close()
			defer d.Close(g)
			if _, err := read(g, d, make([]byte, 1), time.Now().Add(10*time.Second)); err != nil {
				t.Error(err)
			}
		})
	}
	eventually(t, "all wait", func() bool { return s.netwaiters.Load() == gs })
	if _, err := w.Write(make([]byte, gs)); err != nil {
		t.Error(err)
	}
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

// TestDescriptorBesideYield: there is one P, and always a G that is runnable, so that no M gets as far as the
// poller; sysmon does.
func TestDescriptorBesideYield(t *testing.T) {
	t.Attr("req", "TM-POLL")
	s := begin(t, Config{Procs: 1})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	d := open(t, s, r)
	var came, late atomic.Bool
	start(t, s, func(g *G) {
		if _, err := read(g, d, make([]byte, 1), time.Time{}); err != nil {
			t.Error(err)
		}
		came.Store(true)
	})
	start(t, s, func(g *G) {
		for !came.Load() && !late.Load() {
			g.Yield()
		}
	})
	time.Sleep(5 * time.Millisecond)
	if _, err := w.Write([]byte{1}); err != nil {
		t.Error(err)
	}
	defer time.AfterFunc(10*time.Second, func() { late.Store(true) }).Stop()
	if err := end(t, s); err != nil {
		t.Error(err)
	}
	if late.Load() {
		t.Error("nobody asked the poller for 10 s")
	}
}

// TestReadyBefore: what came before the G waits is not lost, and is there once.
func TestReadyBefore(t *testing.T) {
	t.Attr("req", "TM-POLL")
	s := begin(t, Config{Procs: 1})
	start(t, s, func(g *G) {
		side := &Desc{s: s}
		side.sides[reading].timer.run = func(m *M) { side.timeout(reading, m) }
		var list runq.List
		side.sides[reading].event(&list)
		if !list.Empty() {
			t.Error("an event for nobody: expected no G")
		}
		for _, expected := range []error{nil, os.ErrDeadlineExceeded} {
			if err := side.sides[reading].wait(g, "Read", time.Now().Add(20*time.Millisecond)); err != expected {
				t.Errorf("expected %v, saw %v", expected, err)
			}
		}
	})
	if err := end(t, s); err != nil {
		t.Error(err)
	}
}

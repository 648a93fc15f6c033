package sched

import (
	"fmt"
	"syscall"
	"time"
)

// An epoll is what Linux has. Each side of a descriptor is told of once (EPOLLET).
type epoll struct {
	fd   int
	pipe [2]int // a ring is a byte in it
}

// ringKey is the key of the pipe.
const ringKey = 0

func (realTime) newNetpoll() (netpoll, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll_create1: %w", err)
	}
	e := &epoll{fd: fd}
	err = syscall.Pipe2(e.pipe[:], syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		syscall.Close(fd)
		return nil, fmt.Errorf("pipe2: %w", err)
	}
	if err := e.control(syscall.EPOLL_CTL_ADD, e.pipe[0], ringKey, syscall.EPOLLIN); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

func (e *epoll) control(op, fd int, key uint64, events uint32) error {
	ev := syscall.EpollEvent{Events: events, Fd: int32(key), Pad: int32(key >> 32)}
	if err := syscall.EpollCtl(e.fd, op, fd, &ev); err != nil {
		return fmt.Errorf("epoll_ctl: %w", err)
	}
	return nil
}

func (e *epoll) add(fd uintptr, key uint64) error {
	const et = 1 << 31 // EPOLLET, which package syscall has as a number less than 0
	return e.control(syscall.EPOLL_CTL_ADD, int(fd), key, syscall.EPOLLIN|syscall.EPOLLOUT|syscall.EPOLLRDHUP|et)
}

func (e *epoll) remove(fd uintptr) {
	_ = e.control(syscall.EPOLL_CTL_DEL, int(fd), 0, 0) // it is not there any more, then
}

func (e *epoll) wait(d time.Duration, event func(key uint64, read, write bool)) {
	ms := int(min((d+time.Millisecond-1)/time.Millisecond, 1<<30))
	if d < 0 {
		ms = -1
	}
	var events [128]syscall.EpollEvent
	n, err := syscall.EpollWait(e.fd, events[:], ms)
	if err != nil { // EINTR: the caller comes again
		return
	}
	for _, ev := range events[:n] {
		key := uint64(uint32(ev.Fd)) | uint64(uint32(ev.Pad))<<32
		if key == ringKey {
			if d != 0 { // else it is for who waits
				var rings [16]byte
				for n, _ := syscall.Read(e.pipe[0], rings[:]); n == len(rings); n, _ = syscall.Read(e.pipe[0], rings[:]) {
				}
			}
			continue
		}
		both := ev.Events&(syscall.EPOLLHUP|syscall.EPOLLERR) != 0
		event(key, both || ev.Events&(syscall.EPOLLIN|syscall.EPOLLRDHUP) != 0, both || ev.Events&syscall.EPOLLOUT != 0)
	}
}

func (e *epoll) ring() {
	_, _ = syscall.Write(e.pipe[1], []byte{0}) // EAGAIN: it is full of rings
}

func (e *epoll) close() {
	for _, fd := range []int{e.fd, e.pipe[0], e.pipe[1]} {
		syscall.Close(fd)
	}
}

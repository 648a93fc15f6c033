//go:build unix

// Command walker hashes a tree of files in parallel, on the scheduler of impl/sched, and says over a socket how
// far it is.
//
//	walker [-procs N] [-open N] [-listen ADDRESS] DIRECTORY
//
// It prints a digest of the tree: SHA-256 of a file is that of what it holds, and of a directory that of the sorted
// names of what is in it, each with its kind and digest. Who connects to the address and sends "progress" gets a
// line with the numbers of directories, files and bytes that are done, and of Gs that there are.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/impl/sched"
)

func main() {
	procs := flag.Int("procs", 0, "how many Gs run at a time; 0: as many as there are processors")
	open := flag.Int("open", 64, "how many files and directories are open at a time")
	listen := flag.String("listen", "", "the `address` on which to say how far it is, as 127.0.0.1:7070; without, nowhere")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: walker [flags] DIRECTORY\n\nHashes a tree of files.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || *open < 1 {
		flag.Usage()
		os.Exit(2)
	}
	w := &walk{room: room{free: *open}}
	digest, err := w.run(flag.Arg(0), *procs, *listen, func(at net.Addr) { fmt.Fprintf(os.Stderr, "listening on %v\n", at) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "walker:", err)
		os.Exit(1)
	}
	fmt.Printf("%s  %s\n", hex.EncodeToString(digest[:]), flag.Arg(0))
	fmt.Fprintln(os.Stderr, &w.progress)
}

type digest = [sha256.Size]byte

// A walk is a tree that is being hashed.
type walk struct {
	room     room
	progress progress
	sched    *sched.Scheduler

	mu   sync.Mutex
	errs []error
}

// progress is how far it is.
type progress struct {
	dirs, files, bytes atomic.Int64
	done               atomic.Bool
}

func (p *progress) String() string {
	state := "at work"
	if p.done.Load() {
		state = "done"
	}
	return fmt.Sprintf("%d directories, %d files, %d bytes, %s", p.dirs.Load(), p.files.Load(), p.bytes.Load(), state)
}

// run hashes the tree below root. While it does, it serves its progress on an address, if there is one,
// which is told to listening.
func (w *walk) run(root string, procs int, address string, listening func(net.Addr)) (d digest, err error) {
	w.sched, err = sched.New(sched.Config{Procs: procs})
	if err != nil {
		return d, err
	}
	over := func() {}
	if address != "" {
		if over, err = w.serve(address, listening); err != nil {
			return d, errors.Join(err, w.sched.Close())
		}
	}
	walked := make(chan struct{})
	err = w.sched.Go(func(g *sched.G) {
		defer close(walked)
		all := new(group)
		w.dir(g, root, &d, all)
		all.wait(g)
		w.progress.done.Store(true)
	})
	if err == nil {
		<-walked
	}
	over()
	return d, errors.Join(append(w.errs, err, w.sched.Close())...)
}

// failed notes an error. The walk goes on.
func (w *walk) failed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, err)
}

// dir starts a G that writes the digest of a directory, in the group.
func (w *walk) dir(g *sched.G, path string, to *digest, all *group) {
	all.add()
	g.Go(func(g *sched.G) {
		defer all.done(g)
		w.room.enter(g)
		var entries []fs.DirEntry
		var err error
		g.Block(func() { entries, err = os.ReadDir(path) })
		w.room.leave(g)
		if err != nil {
			w.failed(err)
			return
		}
		digests := make([]digest, len(entries))
		below := new(group)
		for i, e := range entries {
			at := filepath.Join(path, e.Name())
			switch {
			case e.IsDir():
				w.dir(g, at, &digests[i], below)
			case e.Type().IsRegular():
				w.file(g, at, &digests[i], below)
			}
			g.Checkpoint()
		}
		below.wait(g)
		*to = sum(entries, digests)
		w.progress.dirs.Add(1)
	})
}

// sum is the digest of a directory, whose entries are sorted.
func sum(entries []fs.DirEntry, digests []digest) (d digest) {
	h := sha256.New()
	for i, e := range entries {
		fmt.Fprintf(h, "%q %v %x\n", e.Name(), e.Type(), digests[i])
	}
	h.Sum(d[:0])
	return d
}

// file starts a G that writes the digest of a file, in the group.
func (w *walk) file(g *sched.G, path string, to *digest, all *group) {
	all.add()
	g.Go(func(g *sched.G) {
		defer all.done(g)
		w.room.enter(g)
		defer w.room.leave(g)
		var f *os.File
		var err error
		if g.Block(func() { f, err = os.Open(path) }); err != nil {
			w.failed(err)
			return
		}
		defer g.Block(func() { f.Close() })
		h := sha256.New()
		b := make([]byte, 64<<10)
		for {
			var n int
			g.Block(func() { n, err = f.Read(b) })
			h.Write(b[:n])
			w.progress.bytes.Add(int64(n))
			if err != nil {
				break
			}
			g.Checkpoint()
		}
		if err != io.EOF {
			w.failed(err)
		}
		h.Sum(to[:0])
		w.progress.files.Add(1)
	})
}

// serve says on an address how far it is, until over is called. Each connection has a G.
func (w *walk) serve(address string, listening func(net.Addr)) (over func(), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	tcp := l.(*net.TCPListener)
	d, err := w.sched.Open(tcp)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	listening(l.Addr())
	s := &server{walk: w, listener: d}
	ended := make(chan struct{})
	if err := w.sched.Go(func(g *sched.G) { defer close(ended); s.accepts(g) }); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return func() {
		closed := make(chan struct{})
		if err := w.sched.Go(func(g *sched.G) { s.close(g); close(closed) }); err == nil {
			<-closed
			<-ended
		}
		l.Close()
	}, nil
}

// A room holds so many Gs at a time. The others park.
type room struct {
	mu    sync.Mutex
	free  int
	waits []*sched.G
}

func (r *room) enter(g *sched.G) {
	r.mu.Lock()
	if r.free > 0 {
		r.free--
		r.mu.Unlock()
		return
	}
	r.waits = append(r.waits, g)
	g.Park("room", func() bool { r.mu.Unlock(); return true })
}

// leave gives the place to the G that has waited for longest.
func (r *room) leave(g *sched.G) {
	r.mu.Lock()
	if len(r.waits) == 0 {
		r.free++
		r.mu.Unlock()
		return
	}
	next := r.waits[0]
	r.waits = slices.Delete(r.waits, 0, 1)
	r.mu.Unlock()
	g.Ready(next)
}

// A group is for one G to wait until others are done.
type group struct {
	mu    sync.Mutex
	left  int
	waits *sched.G
}

func (a *group) add() {
	a.mu.Lock()
	a.left++
	a.mu.Unlock()
}

func (a *group) done(g *sched.G) {
	a.mu.Lock()
	a.left--
	var waits *sched.G
	if a.left == 0 {
		waits, a.waits = a.waits, nil
	}
	a.mu.Unlock()
	if waits != nil {
		g.Ready(waits)
	}
}

func (a *group) wait(g *sched.G) {
	a.mu.Lock()
	if a.left == 0 {
		a.mu.Unlock()
		return
	}
	a.waits = g
	g.Park("group", func() bool { a.mu.Unlock(); return true })
}

//go:build unix

package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// inTurn is the digest of a directory by one goroutine.
func inTurn(t *testing.T, dir string) digest {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	digests := make([]digest, len(entries))
	for i, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			digests[i] = inTurn(t, path)
		} else if e.Type().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			digests[i] = sha256.Sum256(b)
		}
	}
	return sum(entries, digests)
}

// tree makes a tree of files by chance, and returns how many files and directories there are.
func tree(t *testing.T, dir string, chance *rand.Rand, deep int) (files, dirs int64) {
	for i := range 2 + chance.IntN(8) {
		b := make([]byte, chance.IntN(40_000))
		for k := range b {
			b[k] = byte(chance.Uint32())
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file %d", i)), b, 0o600); err != nil {
			t.Fatal(err)
		}
		files++
	}
	for i := range deep * 2 {
		below := filepath.Join(dir, fmt.Sprintf("dir %d", i))
		if err := os.Mkdir(below, 0o700); err != nil {
			t.Fatal(err)
		}
		f, d := tree(t, below, chance, deep-1)
		files, dirs = files+f, dirs+d
	}
	return files, dirs + 1
}

// TestWalker: the digest is that of one goroutine, with any number of Ps, with few open files, beside clients that
// ask how far it is, come and go, and say nothing.
func TestWalker(t *testing.T) {
	root := t.TempDir()
	files, dirs := tree(t, root, rand.New(rand.NewPCG(1, 2)), 3)
	if err := os.Symlink("nowhere", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	expected := inTurn(t, root)
	for _, procs := range []int{1, 2, 5} {
		answers := 0
		for range 20 { // on a busy machine a walk may be over before anybody has asked
			w := &walk{room: room{free: 3}}
			answers += asked(t, w, root, procs, expected)
			if p := &w.progress; p.files.Load() != files || p.dirs.Load() != dirs {
				t.Errorf("%d Ps: expected %d files and %d directories, saw %v", procs, files, dirs, p)
			}
			if answers > 0 || t.Failed() {
				break
			}
		}
		if answers == 0 {
			t.Errorf("%d Ps: nobody got an answer", procs)
		}
	}
}

// asked walks while clients ask, and returns how many answers they got.
func asked(t *testing.T, w *walk, root string, procs int, expected digest) (n int) {
	t.Helper()
	var clients sync.WaitGroup
	answers := make(chan string, 1000)
	saw, err := w.run(root, procs, "127.0.0.1:0", func(at net.Addr) {
		for i := range 8 {
			clients.Add(1)
			go func() {
				defer clients.Done()
				conn, err := net.Dial("tcp", at.String())
				if err != nil {
					return // it is over
				}
				defer conn.Close()
				lines := bufio.NewReader(conn)
				for range i * 3 {
					fmt.Fprintf(conn, "prog")
					time.Sleep(100 * time.Microsecond)
					fmt.Fprintf(conn, "ress\n")
					line, err := lines.ReadString('\n')
					if err != nil {
						return // it is over
					}
					answers <- line
				}
				if i%2 == 0 {
					lines.ReadString('\n') // it says nothing until it is over
				}
			}()
		}
	})
	if err != nil {
		t.Errorf("%d Ps: %v", procs, err)
	}
	clients.Wait()
	close(answers)
	if saw != expected {
		t.Errorf("%d Ps: expected %x, saw %x", procs, expected, saw)
	}
	for line := range answers {
		if n++; !strings.Contains(line, " directories, ") || !strings.Contains(line, " that run, ") {
			t.Errorf("%d Ps: saw the answer %q", procs, line)
		}
	}
	return n
}

// TestWalkerErrors: what cannot be read is an error, and the rest is done.
func TestWalkerErrors(t *testing.T) {
	w := &walk{room: room{free: 1}}
	if _, err := w.run(filepath.Join(t.TempDir(), "nothing"), 2, "", nil); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a directory that is not there: saw %v", err)
	}
	if _, err := (&walk{}).run(".", -1, "", nil); err == nil || !strings.Contains(err.Error(), "expected 1 to 1024") {
		t.Errorf("-1 Ps: saw %v", err)
	}
	if _, err := (&walk{}).run(".", 1, "nowhere:x", nil); err == nil {
		t.Error("an address that is none: expected an error")
	}
}

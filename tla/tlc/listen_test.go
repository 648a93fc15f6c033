package tlc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// A server and its worker listen on the loopback alone; that the system's tables would
// tell otherwise is seen by one that may listen everywhere.
func TestServerListensOnTheLoopback(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.FindServer(t)
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		t.Skip("nothing here says who listens where: ", err)
	}
	for _, all := range []bool{false, true} {
		t.Run(fmt.Sprintf("listen all is %v", all), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			server := tlc.Server{Port: freePort(t), ListenAll: all}
			ready, served := make(chan bool, 1), make(chan error, 1)
			go func() {
				_, err := tool.Serve(ctx, big(60), server, func(text string) {
					if strings.Contains(text, "ready") {
						ready <- true
					}
				})
				served <- err
			}()
			select {
			case <-ready:
			case err := <-served:
				t.Fatalf("expected a server, saw %v", err)
			}
			worked := make(chan error, 1)
			go func() {
				_, err := tool.Work(ctx, server, 1, 256)
				worked <- err
			}()
			// The server listens at its port and one more, the worker at one.
			var found []netip.AddrPort
			for len(found) < 3 && ctx.Err() == nil {
				time.Sleep(200 * time.Millisecond)
				found = listening(t, children(t))
			}
			t.Log(found)
			if !slices.ContainsFunc(found, func(a netip.AddrPort) bool { return int(a.Port()) == server.Port }) || len(found) < 3 {
				t.Errorf("expected three ports, of which one is %d; saw %v", server.Port, found)
			}
			open := slices.DeleteFunc(found, func(a netip.AddrPort) bool { return a.Addr().Unmap().IsLoopback() })
			if !all && len(open) > 0 || all && len(open) < 3 {
				t.Errorf("listen all is %v; saw open to others: %v", all, open)
			}
			cancel()
			<-served
			<-worked
		})
	}
}

// children are the processes that this one has started.
func children(t *testing.T) (pids []string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// PID (NAME) STATE PARENT ..., where a name may have blanks.
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, filepath.Base(filepath.Dir(file)))
		}
	}
	return pids
}

// listening returns where the processes listen.
func listening(t *testing.T, pids []string) (found []netip.AddrPort) {
	t.Helper()
	own := make(map[string]bool) // inodes of their sockets
	for _, pid := range pids {
		links, _ := filepath.Glob("/proc/" + pid + "/fd/*")
		for _, link := range links {
			to, _ := os.Readlink(link)
			if inode, ok := strings.CutPrefix(to, "socket:["); ok {
				own[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(file)
		for line := range bytes.Lines(text) {
			f := strings.Fields(string(line))
			const listen = "0A"
			if len(f) < 10 || f[3] != listen || !own[f[9]] {
				continue
			}
			found = append(found, addressOf(t, f[1]))
		}
	}
	return found
}

// addressOf reads ADDRESS:PORT of /proc/net: hexadecimal, the address in words of four
// bytes, of this machine's order.
func addressOf(t *testing.T, text string) netip.AddrPort {
	t.Helper()
	words, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(words)
	n, err2 := strconv.ParseUint(port, 16, 16)
	if err != nil || err2 != nil || len(b)%4 != 0 {
		t.Fatalf("expected an address, saw %q", text)
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	addr, ok := netip.AddrFromSlice(b)
	if !ok {
		t.Fatalf("expected an address, saw %q", text)
	}
	return netip.AddrPortFrom(addr, uint16(n))
}

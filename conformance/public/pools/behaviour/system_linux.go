package main

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

const isLinux = true

// threads is how many threads this process has.
func threads() int {
	list, _ := os.ReadDir("/proc/self/task")
	return len(list)
}

// trimThreads ends the threads that the Go runtime keeps for later: a goroutine that ends while it has a thread for itself takes that along.
func trimThreads() {
	for try := 0; try < 5 && threads() > 10; try++ {
		n, all := threads(), make(chan struct{})
		var there, ended sync.WaitGroup
		there.Add(n)
		for range n {
			ended.Go(func() {
				runtime.LockOSThread()
				there.Done()
				<-all
			})
		}
		there.Wait()
		close(all)
		ended.Wait()
		time.Sleep(20 * time.Millisecond)
	}
}

func gettid() int { return syscall.Gettid() }

// getppid is a call that the Go runtime is told of, as it is of those that block; syscall.Getppid is not one.
func getppid() { _, _, _ = syscall.Syscall(syscall.SYS_GETPPID, 0, 0, 0) }

func nanosleep(d time.Duration) {
	left := syscall.NsecToTimespec(int64(d))
	for syscall.Nanosleep(&left, &left) == syscall.EINTR {
	}
}

// usage is the processor time of this process, and how often its threads went to sleep.
func usage() (cpu time.Duration, sleeps int64) {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it fails for a wrong argument alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Nvcsw
}

// mostFiles is how many files this process may have open, after it has asked for more.
func mostFiles() int {
	const want = 21_000
	var l syscall.Rlimit
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	if l.Cur < want {
		more := max(l.Max, want)
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: more, Max: more}) // EPERM: it must do with what it has
		_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	}
	return int(min(l.Cur, want))
}

// blockingPipe makes a pipe that the poller of the Go runtime does not know: a read is a blocking call.
func blockingPipe() (r, w *os.File, err error) {
	var p [2]int
	err = syscall.Pipe2(p[:], syscall.O_CLOEXEC)
	return os.NewFile(uintptr(p[0]), "pipe"), os.NewFile(uintptr(p[1]), "pipe"), err
}

// writeByte keeps the P: the Go runtime is not told of the call. Else the task that comes back finds the P of the one that writes.
func writeByte(f *os.File) {
	b := [1]byte{1}
	_, _, _ = syscall.RawSyscall(syscall.SYS_WRITE, f.Fd(), uintptr(unsafe.Pointer(&b)), 1) // if it fails, the bound is passed
}

// readable reads, and reports whether that needed no wait.
func readable(fd uintptr) bool {
	_, err := syscall.Read(int(fd), make([]byte, 1))
	return err != syscall.EAGAIN
}

// processor names the processor.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	_, name, _ := strings.Cut(string(text), "model name")
	name, _, _ = strings.Cut(strings.TrimLeft(name, "\t :"), "\n")
	return name
}

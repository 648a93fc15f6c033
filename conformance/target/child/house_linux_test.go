package child

import (
	"os"
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

// TestHouse: threads are left out by how their names begin.
func TestHouse(t *testing.T) {
	there, done := make(chan bool), make(chan bool)
	go func() {
		runtime.LockOSThread() // and the thread ends with the goroutine
		name := append([]byte("clock-7"), 0)
		_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, 15 /* PR_SET_NAME */, uintptr(unsafe.Pointer(&name[0])), 0)
		there <- true
		<-done
	}()
	<-there
	all, house := look(os.Getpid(), nil), look(os.Getpid(), []string{"garden", "clock"})
	close(done)
	if !all.seen || house.threads >= all.threads || len(house.wanted) != house.threads {
		t.Errorf("saw %d threads, and %d besides the clock", all.threads, house.threads)
	}
}

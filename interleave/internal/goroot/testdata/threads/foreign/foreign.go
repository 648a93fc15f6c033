// Package foreign is a dependency that calls C, and the network.
package foreign

// static int twice(int n) { return 2 * n; }
// extern void spindleCallback(void);
// static void back(void) { spindleCallback(); }
import "C"

import "net"

var callback func()

//export spindleCallback
func spindleCallback() { callback() }

// Twice has C compute.
func Twice(n int32) int32 { return int32(C.twice(C.int(n))) }

// Back has C call f.
func Back(f func()) {
	callback = f
	C.back()
}

// Listen listens, and accepts a connection if it is asked to.
func Listen(accept bool) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	if accept {
		_, err = l.Accept()
	}
	return err
}

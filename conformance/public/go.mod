// Public queues, judged each under the contract that its documentation states. A
// module of its own, so that users of the library do not inherit what it imports.
module github.com/spindle-go/spindle/conformance/public

go 1.26.0

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/bytedance/gopkg v0.1.4
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/smallnest/ringbuffer v0.2.1
	github.com/spindle-go/spindle v0.0.0
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/spindle-go/spindle => ../..

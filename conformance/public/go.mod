// Public queues, judged each under the contract that its documentation states. A
// module of its own, so that users of the library do not inherit what it imports.
module github.com/spindle-go/spindle/conformance/public

go 1.26.0

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/alitto/pond/v2 v2.7.1
	github.com/bytedance/gopkg v0.1.4
	github.com/gammazero/workerpool v1.3.0
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/smallnest/ringbuffer v0.2.1
	github.com/sourcegraph/conc v0.3.0
	github.com/spindle-go/spindle v0.0.0
	golang.org/x/sync v0.11.0
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/gammazero/deque v1.2.2 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	golang.org/x/arch v0.33.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/spindle-go/spindle => ../..

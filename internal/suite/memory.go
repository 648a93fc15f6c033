package suite

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"
)

// A call that never ends is given up after some time, but nothing ends it. If it takes memory all the while, the kernel ends this process in the end, or
// another one, and nobody learns why. So the memory of this process is looked at while a check is carried out on a target that lives in it. A child's is
// not.

// mostMemory is how much memory, in bytes, may be in use beyond what was when the first check of this process began; a lower limit of the user's,
// GOMEMLIMIT, stands for it.
var mostMemory uint64 = 4 << 30

// exhausted ends the process. Tests have it do something else.
var exhausted = func(text string) { panic(text) }

// A memoryWatch watches the memory of this process.
type memoryWatch struct {
	check     string
	d         Description
	most      uint64 // what may be in use beyond what was at first
	beside    func() bool
	end, over chan struct{}
}

// lookEvery is how often the memory is looked at: in that time a loop takes some hundred megabytes.
const lookEvery = 100 * time.Millisecond

// besides is how much memory the suite itself may take, in bytes, while it prepares checks that are carried out elsewhere.
const besides = 1 << 30

// startWatch begins to watch, until stop is called. Beside says whether the suite itself takes memory; nil: it does not.
func startWatch(check string, t Target, beside func() bool) *memoryWatch {
	w := &memoryWatch{check: check, beside: beside, d: t.Describe(), end: make(chan struct{}), over: make(chan struct{})}
	if w.d.Kind != InProcess {
		close(w.over)
		return w
	}
	w.most = mostMemory
	if l := debug.SetMemoryLimit(-1); l < math.MaxInt64 {
		w.most = min(w.most, uint64(l))
	}
	atFirst()
	go func() {
		defer close(w.over)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-w.end:
				return
			case <-tick.C:
				w.look()
			}
		}
	}()
	return w
}

func (w *memoryWatch) stop() {
	close(w.end)
	<-w.over
}

// look ends the process if too much memory is in use.
func (w *memoryWatch) look() {
	most := atFirst() + w.most
	if w.beside != nil && w.beside() {
		most += besides
	}
	if w.d.Kind != InProcess || inUse() <= most {
		return
	}
	if runtime.GC(); inUse() <= most { // it was only not collected
		return
	}
	id := "RQ-CRASH"
	if _, ok := w.d.Profile.Scheduler(); ok {
		id = "SC-CALLS"
	}
	exhausted(fmt.Sprintf("conformance: %s: in check %s of %s more than %d MiB are in use beyond what was at the beginning: a call takes memory, and does not return. At work:\n\n%s",
		id, w.check, w.d.Name, w.most>>20, atWork()))
}

// inUse returns how many bytes of the heap and of stacks are in use, or not collected yet.
func inUse() uint64 {
	list := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(list)
	return list[0].Value.Uint64() + list[1].Value.Uint64()
}

// atFirst is what was in use when it was first called. A call of an earlier check may take memory still.
var atFirst = sync.OnceValue(inUse)

var runs = regexp.MustCompile(`^goroutine \d+ \[(running|runnable)`)

// calls are in the stack of a goroutine that makes a call of a target.
var calls = regexp.MustCompile(`/conformance/(queue|scheduler)/drive\.`)

// atWork returns the stacks of the goroutines that run, but for the caller's: of those that make a call of a target, if there are any.
func atWork() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var list []string
	for i, g := range strings.Split(string(buf), "\n\n") {
		if i > 0 && runs.MatchString(g) {
			list = append(list, g)
		}
	}
	if making := slices.DeleteFunc(slices.Clone(list), func(g string) bool { return !calls.MatchString(g) }); len(making) > 0 {
		list = making
	}
	if len(list) == 0 {
		return string(buf)
	}
	return strings.Join(list, "\n\n")
}

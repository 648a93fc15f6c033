package trace

import (
	"fmt"
	"math"
	"slices"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/sched"
)

// maxThreads bounds the Ms of an execution.
const maxThreads = sched.MaxMs

// A mode is how an operation of the code relates to the machine's actions that its line names.
type mode uint8

const (
	stutter  mode = iota // it is none of them
	must                 // it is one
	may                  // it is one, or none
	postpone             // it is one now, or later: a section under the lock begins
	riding               // it is part of one that was postponed, and that may be taken now
	ended                // all is over
)

// An observation is what an operation of the code says of the machine.
type observation struct {
	mode    mode
	thread  uint8
	p       uint8 // the P whose queue it is on, from 1, or 0
	own     bool  // which is that of the thread's M
	aside   bool  // it is outside of the scheduler, by whoever it may be
	unlocks bool  // the lock
	opens   float // what the thread may do unseen from now on
	closes  float // what it must have done unseen by now
	looked  int8  // the end of a look at p's queue: 1 empty, -1 not
	word    danceWord
	wrote   uint64
	changed bool
	take    [8]uint8          // the actions, from 1
	due     [sched.MaxPs]bool // of which Ps a G is to wake, before
	over    bool              // who polls has waited for long enough, before
	after   sched.Words
	writes  section
}

// nothing reports whether an operation says nothing of the machine.
func (o *observation) nothing() bool {
	return o.mode == stutter && !o.changed && o.opens == none && o.closes == none && o.looked == 0 && !o.unlocks
}

// A float is a step of a thread that nobody sees: when it is taken is not known.
type float uint8

const (
	none    float = iota
	blocks        // Block: the G has stopped
	breaks        // TimerBreak: it is about to tell who polls
	polls         // Poll: it waits for a time, or to be told
	done          // it has done so
	looksAt       // Recheck or HandoffEmpty of P 1, and so on
)

// A section is one under the lock that writes, one after the other, words that the machine writes in one step. That step is
// taken somewhere in it, and until it ends these words are not compared.
type section uint8

const (
	_       section = iota
	stops           // StopIdle or StopAgain: which Ps lie with an M in a syscall
	resizes         // Resize: what is on Ps, and on the global queue
)

// agree reports whether the machine's words are those of the code.
func (o *observation) agree(s *sched.State) bool {
	w, after := s.Words(), o.after
	switch o.writes {
	case stops:
		w.Insyscall = after.Insyscall
	case resizes:
		w.Ring, w.Next, w.Timer, w.Runq = after.Ring, after.Next, after.Timer, after.Runq
	}
	return w == after
}

// An observer makes observations of operations.
type observer struct {
	d       *Dance
	words   DanceObjects
	values  values
	holder  int // of the lock, -1 for nobody
	writes  section
	threads [maxThreads]reading
}

// reading is what an observer remembers of a thread.
type reading struct {
	head, tail, next uint32 // what it has read in the call of the run queue that it is in
	woke             bool   // it has just woken a G that slept
	safeSeen         uint64 // what it has read of its P's
	again            bool   // it waits in ForEachP: it looks at the Ps in syscalls again
}

func (b *observer) begin(words DanceObjects) {
	*b = observer{d: b.d, words: words, holder: -1}
	b.values.ofState(&b.d.start)
	for p := b.d.config.Ps; p < sched.MaxPs; p++ { // ForEachP waits for no P that is not there
		*b.values.at(danceWord{safeSeen, uint8(p + 1)}) = math.MaxUint64
	}
}

// observe returns what an operation at a site says. A divergence is one that needs no machine.
func (b *observer) observe(s *harness.Step, at *danceSite) (o observation, _ *Divergence) {
	differ := func(expected string) (observation, *Divergence) {
		return o, &Divergence{Thread: s.Thread, Action: at.label(), Expected: expected, Observed: at.shown(s)}
	}
	if s.Thread >= maxThreads || s.Thread < 0 {
		return differ(fmt.Sprintf("threads 0 to %d", maxThreads-1))
	}
	if !at.marked {
		return differ("an operation whose line says which action it is, or that it is outside of the model")
	}
	w := b.words[s.Object]
	o.thread, o.word, o.p = uint8(s.Thread), w, w.p
	o.aside = at.module == "" && at.test
	b.values.time(&o)
	switch {
	case w.kind == lockWord:
		if free := b.holder < 0; (s.Kind == "Lock") != free || !free && b.holder != s.Thread {
			return differ("the lock to be taken when it is free, and given back by who has it")
		}
		b.holder = -1
		if s.Kind == "Lock" {
			b.holder = s.Thread
		}
		o.unlocks = s.Kind == "Unlock"
	case w.kind != noWord:
		v := b.values.at(w)
		if s.Read != *v {
			return differ(fmt.Sprintf("%s to hold %d", wordNames[w.kind], int64(*v)))
		}
		if s.Kind == "Load" && s.Changed || s.Kind != "Load" && s.Kind != "CompareAndSwap" && !s.Changed {
			return differ("a load to leave what is there, and others not to")
		}
		if s.Kind == "CompareAndSwap" && s.Changed && s.Read == s.Wrote {
			return differ("a swap to change what is there")
		}
		if w.kind == needspinning && s.Changed && s.Wrote > 1 {
			return differ("needspinning to become 0 or 1")
		}
		if o.changed = s.Changed; o.changed {
			o.wrote = s.Wrote
			*v = o.wrote
		}
	}
	o.after, o.writes = b.values.words(), b.section(s, at)
	for kind, name := range wordNames {
		if name == at.field && kind != int(lockWord) && kind != int(w.kind) && at.module != "" {
			return differ("an operation on " + name)
		}
	}
	switch {
	case at.module == sched.Module:
		if expected := b.dance(&o, s, at); expected != "" {
			return differ(expected)
		}
	case at.module != "":
		if expected := b.queue(&o, s, at); expected != "" {
			return differ(expected)
		}
	}
	return o, nil
}

// section returns in which section an operation is.
func (b *observer) section(s *harness.Step, at *danceSite) section {
	switch locks := s.Kind == "Lock"; {
	case locks && (at.is("StopWorld") || at.is("StopAgain")):
		b.writes = stops
	case locks && at.is("Resize"):
		b.writes = resizes
	case s.Kind == "Unlock" && at.is("StopAgain"), s.Kind == "Store" && !at.with && (at.is("StopNpidle") || at.is("ResizeIdle")):
		b.writes = 0
	}
	return b.writes
}

// reads says which word actions read that write none.
var reads = map[string]wordKind{"WakepLoad": nmspinning, "WakepBusy": npidle, "WakepWord": needspinning, "SpinLoad": nmspinning, "IdleLoad": npidle, "GlobTest": runqsize, "Tick": runqsize,
	"HandoffGlob": runqsize, "HandoffSpin": nmspinning, "HandoffIdle": npidle, "ExitTry": npidle, "RecheckTimer": firstWord, "HandoffPut": firstWord,
	"TimerWake": lastpoll, "TimerBreak": pollUntil, "TopCheck": gcwaiting}

// features are those of the model without which an action is never taken.
var features = map[string]string{
	"TimersCheck": "timer", "StealTimer": "timer", "RecheckTimer": "timer", "TimerSet": "timer", "TimerWake": "timer", "TimerBreak": "timer",
	"PollGet": "timer", "PollIdle": "timer", "ExitIdle": "syscall", "HandoffPutIdle": "syscall",
	"SyscallLook": "sysmon", "SyscallWake": "sysmon", "SysLook": "sysmon", "SysSleep": "sysmon", "SysRetake": "sysmon",
	"TopCheck": "stw", "StopWorld": "stw", "StopIdle": "stw", "StopNpidle": "stw", "StopAgain": "stw", "StopSpinning": "stw", "StopP": "stw",
	"SyscallStop": "stw", "EnterStatus": "stw", "Resize": "stw", "ResizeIdle": "stw", "StartWorld": "stw",
	"SafeCheck": "safepoint", "ForEachP": "safepoint", "SafeTake": "safepoint", "SafeAgain": "safepoint", "SafeStale": "safepoint", "SafeWait": "safepoint",
	"NetTest": "net", "NetGet": "net", "NetWait": "net", "NetAdjust": "net", "PollTest": "timer",
}

// dance is an operation of the dance. It returns what was expected instead, or "".
func (b *observer) dance(o *observation, s *harness.Step, at *danceSite) string {
	names := slices.DeleteFunc(slices.Clone(at.names), func(name string) bool {
		return features[name] != "" && !b.d.has(features[name])
	})
	if at.is("EnterSyscall") { // the model's looks whether the world is to stop, and whether ForEachP waits, only if it has that
		switch stw, safe := b.d.has("stw"), b.d.has("safepoint"); o.word.kind {
		case gcwaiting:
			if !stw {
				return ""
			}
		case safePoint, safeSeen:
			if !safe {
				return ""
			}
		case insyscall:
			if stw || safe {
				names = []string{"EnterStatus"}
			}
		}
	}
	if len(names) > len(o.take) {
		return fmt.Sprintf("a line with at most %d actions", len(o.take))
	}
	if len(names) == 0 {
		return "" // it looks at what this configuration has not
	}
	for i, name := range names {
		if o.take[i] = b.d.actions[name]; o.take[i] == 0 {
			return "an action of the model"
		}
		if word := reads[name]; !at.with && word != noWord && word != o.word.kind {
			return name + " to read " + wordNames[word]
		}
	}
	locks := s.Kind == "Lock" && o.word.kind == lockWord
	r := &b.threads[s.Thread]
	switch {
	case at.with && at.is("TimerBreak"):
		o.closes, o.take = breaks, [8]uint8{}
	case at.with && (s.Kind == "Unlock" || o.word.kind == noWord), at.is("Tick") && s.Read == 0, at.is("Retake") && !s.Changed,
		o.writes == stops && (at.is("StopIdle") || at.is("StopAgain")), o.writes == resizes && at.with: // a part of a step that is taken unseen
		o.mode, o.take = stutter, [8]uint8{}
	case at.is("TimersCheck") && s.Kind == "Load":
		switch {
		case r.woke, o.due[o.p-1]: // the machine looks once; and what is due, it takes by and by, or somebody else does
			o.mode, o.take = stutter, [8]uint8{}
		case s.Read == 0:
			o.mode = must
		default: // it may be due before it asks what time it is
			o.mode = may
		}
		r.woke = false
	case at.is("RecheckTimer") && s.Read == 0 && b.d.has("stw"): // the P may be gone by now
		o.mode = may
	case at.is("TimersCheck") && s.Kind == "Store":
		o.mode, r.woke = must, true
	case at.is("SafeTake"):
		b.safeTake(o, s, r.again)
	case at.is("SafeWait"):
		if r.again = s.Read != 0; r.again {
			o.take = [8]uint8{}
		} else {
			o.mode = must
		}
	case !at.with && s.Kind == "Load" && o.word.kind == safeSeen:
		r.safeSeen, o.take = s.Read, [8]uint8{}
	case !at.with && s.Kind == "Load" && o.word.kind == safePoint && r.safeSeen < s.Read: // the step is where the flag is cleared
		o.take = [8]uint8{}
	case at.is("TimerBreak") && s.Read == 0:
		o.opens, o.take = breaks, [8]uint8{}
	case at.is("Poll"):
		o.closes, o.take = polls, [8]uint8{}
	case at.is("PollSet"):
		o.mode, o.opens = must, polls
	case at.with:
		o.mode = riding
	case at.is("Block"):
		o.mode, o.opens = may, blocks
	case locks && len(names) > 1:
		return "a section of one action to begin"
	case locks:
		o.mode = postpone
	default:
		o.mode = must
	}
	return ""
}

// safeTake is an operation of forEachP's look at a P. The first time the step is the operation that decides whether the P is taken.
// When forEachP looks again, only a take is a step.
func (b *observer) safeTake(o *observation, s *harness.Step, again bool) {
	takes := s.Kind == "CompareAndSwap" && s.Changed
	o.take = [8]uint8{}
	switch seen := s.Kind == "CompareAndSwap" || o.word.kind == insyscall && s.Read == 0 || o.word.kind == safeSeen && s.Read == b.values.single[safePoint]; {
	case takes && again:
		o.mode, o.take[0], o.take[1] = must, b.d.safeAgain, b.d.safeStale
	case takes:
		o.mode, o.take[0], o.take[1] = must, b.d.safeTake, b.d.safeStale
	case seen && !again:
		o.mode, o.take[0] = must, b.d.safeTake
	}
}

// queue is an operation of a run queue. Which of them is the dance's step is said here.
func (b *observer) queue(o *observation, s *harness.Step, at *danceSite) string {
	r := &b.threads[s.Thread]
	took := func(effects ...string) {
		o.mode = must
		for i, name := range effects {
			o.take[i] = b.d.actions[name]
		}
	}
	if at.with || len(at.names) != 1 || o.writes == resizes {
		return ""
	}
	read := uint32(s.Read)
	switch name := at.names[0]; name {
	case "PutLoadNext", "PutLoadHead", "PutBatchLoadHead", "StealLoadHead": // for what comes
		o.own = true
	case "PutWriteSlot", "PutSlowCopy", "PutBatchWriteSlots", "GrabCopySlot": // Gs have no identity
	case "PutCASNext":
		if o.own = true; s.Changed {
			took("Ready", "TimerPut")
		}
	case "PutStoreTail":
		o.own = true
		took("Kick", "Goyield")
	case "PutSlowCASHead":
		if o.own = true; s.Changed {
			took("Kick", "Goyield")
		}
	case "PutBatchStoreTail":
		o.own = true
		took("BatchPut", "RecheckGlobPut")
	case "GetLoadNext":
		if o.own = true; read == 0 {
			took("GetNext")
		}
	case "GetCASNext": // if it fails the slot is empty: only the owner fills it
		o.own = true
		took("GetNext")
	case "GetLoadHead":
		if o.own = true; s.Read == *b.values.at(danceWord{tailWord, o.p}) {
			took("GetRing")
		}
	case "GetCASHead":
		if o.own = true; s.Changed {
			took("GetRing")
		}
	case "GrabLoadHead":
		r.head = read
	case "GrabLoadTail": // an empty ring; it may be looked at again
		if r.head == read {
			took("StealRing")
			o.mode = may
		}
	case "GrabCASHead":
		if s.Changed {
			took("StealRing")
		}
	case "GrabLoadNext":
		if read == 0 {
			took("StealNext")
		}
	case "GrabCASNext":
		if s.Changed {
			took("StealNext")
		}
	case "StealStoreTail":
		o.own = true
		took("StealPut")
	case "EmptyLoadHead":
		r.head = read
		o.opens = looksAt + float(o.p-1)
	case "EmptyLoadTail":
		r.tail = read
	case "EmptyLoadNext":
		r.next = read
	case "EmptyReloadTail":
		if read == r.tail {
			o.looked = -1
			if r.head == r.tail && r.next == 0 {
				o.looked = 1
			}
		}
	default:
		return "an operation that a scheduler makes"
	}
	return ""
}

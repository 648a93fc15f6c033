// Package sched is an M:N scheduler in user space, in plain Go: what src/runtime/proc.go
// does for goroutines, it does for functions of its own, step by step as the model
// tla/Sched.tla names it.
//
//	s, err := sched.New(sched.Config{})
//	s.Go(func(g *sched.G) {
//		g.Go(func(g *sched.G) { ... })
//		g.Yield()
//	})
//	err = s.Close() // when all have ended
//
// # G, M and P
//
// A G is a function with a stack of its own, so that it can stop and go on; an M is a
// goroutine that runs Gs; a P is the permission to run one, with a queue of those that wait for their
// turn. There are Config.Procs Ps, and as many Ms as are needed to have all Ps at work. To
// this package a goroutine is what a thread of the operating system is to the runtime.
//
// # Where to read
//
// dance.go has how Ms look for work, sleep and wake each other; package impl/runq the queue of a P; g.go what
// Gs can do; state.go M, P and what they are made of; syscall.go Block; timer.go Sleep and AfterFunc; netpoll.go
// descriptors; world.go SetProcs; semaphore.go Semaphore; idlework.go Idle; safepoint.go ForEachP; locked.go GoLocked; sysmon.go
// what watches over all of it; snapshot.go, figures.go and trace.go what can be seen of it; valves.go the scenes that
// spindle check plays.
//
// # What is not as in the runtime
//
//   - Nothing stops a G that calls nothing: Checkpoint stands in for the signal (asyncPreempt).
//   - A G has a thread for itself from its birth on, or never: GoLocked stands in for LockOSThread.
//   - A G that would inherit a time slice that is over yields before it begins to run, and not at its first safe point.
//   - wakep does nothing if no P is idle and needspinning says so already (word_stands in tla/variant); the runtime's
//     takes the lock each time.
//   - A G that runs is not told from one that is about to, and time slices are counted by their owner alone.
//   - Thieves look at the queue of each P: there is no idlepMask, nor timerpMask.
//   - The flag of a P that ForEachP sets is that the P is behind in the count of its calls: one store sets all.
//   - Idle-priority work is functions and no Gs (Idle). No worker comes before the Gs of a P (tryWakeP): nothing here
//     has a share of the processors to keep.
//   - Close, which the runtime has not, ends all: it waits until each G has ended, or waits for nobody.
package sched

// Package twolevel is a scheduler with two levels of spinning: the design of Vyukov's "Scalable Go Scheduler Design"
// (2012), which Go did not ship. It runs functions, step by step as the model tla/TwoLevel.tla names it.
//
//	s, err := twolevel.New(4)
//	s.Go(func(t *twolevel.Task) {
//		t.Go(func(t *twolevel.Task) { ... })
//		t.Block(func() { time.Sleep(time.Millisecond) })
//	})
//	err = s.Close() // when all have ended
//
// A task has a stack of its own; an M is a goroutine that runs tasks; a P is the permission to run one. To this package a
// goroutine is what a thread of the operating system is to the runtime. dance.go has how Ms look for work, sleep and wake
// each other; task.go what tasks can do; state.go what all are made of.
//
// # The design
//
//   - An M with a P and without a task spins, looking for tasks: kind 1.
//   - An M without a P spins, looking for a P: kind 2.
//   - At most as many Ms spin as there are Ps, of both kinds.
//   - An M of kind 1 does not block while there is one of kind 2.
//   - An M that spawns a task, enters a syscall, or goes from idle to busy ensures that an M spins, or that all Ps are busy.
//
// So a P is free the moment that its M enters a syscall, and no sysmon has to take it back. The price is that each syscall
// may wake an M, however short it is: tla/findings/two-levels.md counts it, and impl/sched has what Go ships.
//
// # What is not as in the design
//
//   - There is one queue of tasks, behind a lock, as in the model. The design has one for each P.
//   - An M of kind 2 looks once for a P, and then sleeps. How long to spin the design leaves open.
//   - An M that looks in vain beside others that spin lets other goroutines run (runtime.Gosched).
package twolevel

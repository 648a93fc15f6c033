------------------------------- MODULE Sched --------------------------------
(***************************************************************************)
(* How Ms look for work, go to sleep and are woken: the "delicate dance"   *)
(* of the Go scheduler, as src/runtime/proc.go of Go 1.26 has it.          *)
(*                                                                         *)
(* One action is at most one access to a word that somebody else may       *)
(* touch at that moment: nmspinning, needspinning, npidle, the length of   *)
(* the global queue, a ring, a runnext.  A section under sched.lock is one *)
(* action if it holds one such access, else the lock is a variable and     *)
(* each access a step of its own.  Merging two accesses hides the very     *)
(* bugs that this module is for: the lost wake-up of wakep needs the gap   *)
(* between two lines that hold the same lock.                              *)
(*                                                                         *)
(* Gs have no identity here, only numbers: a ring is how many it holds.    *)
(* That each G is in one place, and in which order they come, is the       *)
(* question of module RunQueue; that a ring's operations are single steps  *)
(* is what its refinement of RunQueueAbs is for.                           *)
(*                                                                         *)
(* Where the model departs from the code, and which way:                   *)
(*  - The idle lists are sets: any idle P or M may come first, not only    *)
(*    the last that was put (more behaviours than the code has).           *)
(*  - There are as many Ms as the constant says; startm waits when none is *)
(*    left, where the code makes a new one (fewer behaviours).             *)
(*  - Thieves and re-checks visit the Ps in any order (more), and a thief  *)
(*    makes one round with runnext instead of four of which the last has   *)
(*    it: the other three are delay (the same behaviours).                 *)
(*  - Thieves and re-checks do not look at idlepMask: an idle P's queue is *)
(*    empty (IdleEmpty), so that looking at the queue sees the same.  (The *)
(*    "snapshot" of the mask is a slice: its bits are the present ones.)   *)
(*  - Which of the Gs in a queue is one that is locked is found out when   *)
(*    it is taken, from whatever place (more).                             *)
(*  - mget and notewakeup are one step: between the two the M is asleep    *)
(*    and on no list, and nobody can tell that from an M that was woken    *)
(*    and is slow.                                                         *)
(*                                                                         *)
(* Every source of work and every rescuer beside the core is a member of   *)
(* the constant Features, so that a question costs what it needs:          *)
(*   yield     Gosched and goyield                                         *)
(*   tick      every 61st look at the global queue first                   *)
(*   syscall   entersyscall, exitsyscall, and retaking the P               *)
(*   block     entersyscallblock, which hands its P off at once            *)
(*   idlework  a further source of work, looked at last (GC workers)       *)
(*   inject    Gs that come from a thread without a P, sysmon here         *)
(*   preempt   sysmon makes a running G yield                              *)
(*   net       Gs that wait in the poller, and a last M that blocks there  *)
(*   timer     Gs that sleep; the poller wakes in time for them            *)
(*   stw       stopping the world; GOMAXPROCS is raised to all of Ps       *)
(*   shrink    and may become less: any Ps may be those that are left      *)
(*   frozen    and the masks are allocated anew then (every 32 Ps)         *)
(*   lock      LockOSThread, and Ms that wait for their locked G           *)
(*                                                                         *)
(* The modules: SchedState (constants, variables, Init), SchedPlace (where *)
(* Ms are), SchedProgram (what Gs do), SchedWake (wakep, startm,           *)
(* injectglist), SchedFind (findRunnable), SchedDrop (its second half:     *)
(* drop the P, look again, stopm), SchedHandoff (handoffp, exitsyscall,    *)
(* sysmon), SchedNet (the poller, timers), SchedWorld (stopping the        *)
(* world), SchedLock (locked Ms), and this one: the next-state relation    *)
(* and what must hold.                                                     *)
(***************************************************************************)
EXTENDS SchedProgram, SchedWake, SchedFind, SchedDrop, SchedHandoff, SchedNet, SchedWorld, SchedLock

\* What the program does.
UserStep(m) ==
   \/ Ready(m) \/ Block(m) \/ Gosched(m) \/ Goyield(m)
   \/ EnterSyscall(m) \/ EnterSyscallBlock(m) \/ ExitSyscall(m)
   \/ SubmitExtra(m) \/ ExtraDone(m)
   \/ NetBlock(m) \/ TimerSet(m) \/ TimerAfter(m) \/ StopWorld(m) \/ LockThread(m) \/ UnlockThread(m)

\* What sysmon decides to do.
SysmonStep(s) == Retake(s) \/ Preempt(s) \/ Inject(s) \/ SysPoll(s)

\* What the world does.
WorldStep == NetReady \/ \E p \in Ps : TimerDue(p)

\* What an M does by itself.
SysStep(m) ==
   \/ LatePut(m) \/ Kick(m) \/ Flush(m) \/ Overflow(m)
   \/ WakepLoad(m) \/ WakepCAS(m) \/ WakepGet(m) \/ WakepNeed(m) \/ WakepIdle(m) \/ WakepUndo(m) \/ WakepAgain(m)
   \/ StartM(m) \/ Wake(m) \/ Seek(m)
   \/ ResetSpinning(m) \/ WakeAnyway(m) \/ Tick(m) \/ TickGet(m) \/ GetNext(m) \/ GetRing(m)
   \/ GlobTest(m) \/ GlobGet(m) \/ BatchPut(m)
   \/ SpinLoad(m) \/ IdleLoad(m) \/ SpinAdd(m) \/ SpinClear(m) \/ ClearFirst(m)
   \/ StealRing(m) \/ StealPut(m) \/ StealNext(m) \/ Extra(m)
   \/ ClearLate(m) \/ DropLock(m) \/ DropPut(m) \/ DropIdle(m) \/ Decrement(m) \/ FlushDecrement(m)
   \/ RecheckGlob(m) \/ RecheckGlobIdle(m) \/ RecheckGlobGet(m) \/ RecheckGlobPut(m)
   \/ Recheck(m) \/ Rescan(m) \/ RecheckGet(m) \/ Reacquire(m)
   \/ RecheckExtra(m) \/ RecheckExtraGet(m) \/ RecheckExtraTry(m) \/ RecheckExtraIdle(m) \/ Stop(m)
   \/ HandoffEmpty(m) \/ HandoffGlob(m) \/ HandoffExtra(m) \/ HandoffSpin(m) \/ HandoffIdle(m)
   \/ HandoffCAS(m) \/ HandoffClear(m) \/ HandoffLock(m) \/ HandoffAdd(m) \/ HandoffPut(m) \/ HandoffPutIdle(m)
   \/ ExitOld(m) \/ ExitTry(m) \/ ExitGet(m) \/ ExitIdle(m) \/ ExitNoP(m) \/ ExitPut(m)
   \/ Preempted(m) \/ InjectGlob(m) \/ InjectIdle(m) \/ InjectNpidle(m) \/ InjectStart(m)
   \/ InjectLoad(m) \/ InjectSome(m) \/ InjectPut(m)
   \/ NetWait(m) \/ TimerWake(m) \/ TimerBreak(m) \/ TimersCheck(m) \/ TimerPut(m) \/ StealTimer(m)
   \/ NetTest(m) \/ NetGet(m) \/ NetAdjust(m) \/ RecheckTimers(m) \/ RecheckTimer(m)
   \/ PollTest(m) \/ PollSwap(m) \/ PollSet(m) \/ Poll(m) \/ PollClear(m) \/ PollLast(m) \/ PollGet(m) \/ PollIdle(m)
   \/ StopIdle(m) \/ StopNpidle(m) \/ StopRunning(m) \/ TopCheck(m) \/ StopSpinning(m) \/ StopP(m)
   \/ Resize(m) \/ ResizeIdle(m) \/ StartWorld(m) \/ StartP(m) \/ SyscallStop(m) \/ StopStarting(m)
   \/ StopLocked(m) \/ LockPark(m) \/ Execute(m) \/ WakeLocked(m) \/ ExitLate(m)

Next == WorldStep \/ \E m \in Ms : UserStep(m) \/ SysStep(m) \/ SysmonStep(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

Held(p)   == {m \in Ms : myp[m] = p}
Coming(p) == {m \in Ms : nextp[m] = p}
InHand(p) == {m \in Ms : cand[m] = p /\ pc[m] \notin {"stealnext", "stealring"}}
Waits(p)  == {m \in Ms : p \in todo[m] /\ pc[m] \in {"stwidle", "stwgo", "stwstart"}}

\* DN-P-OWNED: each P is in exactly one place.
POwned ==
   \A p \in procs :
      Cardinality(Held(p)) + Cardinality(Coming(p)) + Cardinality(InHand(p)) + Cardinality(Waits(p))
      + (IF p \in pidle THEN 1 ELSE 0) + (IF p \in stopped THEN 1 ELSE 0) = 1

\* DN-SPIN-COUNT: nmspinning counts the Ms that spin, and the tokens of those to come.
SpinCount == nmspinning = Cardinality({m \in Ms : spin[m]}) + Cardinality({m \in Ms : tok[m]})

\* DN-IDLE-EMPTY: a P that is idle, or is not there, has no work.
IdleEmpty == \A p \in pidle \cup (Ps \ procs) : ring[p] + next[p] = 0

\* DN-IDLE-COUNT: npidle is the number of idle Ps while nobody is changing it.
IdleCount == lock = NoM => npidle = Cardinality(pidle)

\* DN-LOCAL-SPIN: an M that is to spin gets a P without work.
NoLocalSpin == \A m \in Ms : (pc[m] = "start" /\ tok[m] /\ cand[m] # NoP) => ring[cand[m]] + next[cand[m]] = 0

RECURSIVE Total(_, _)
Total(f, S) ==
   IF S = {} THEN 0
   ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Total(f, S \ {x})

\* How many Gs an M has in its hands, the one that it runs among them.
InHands(m) ==
   IF InLimbo(m) \/ pc[m] \in {"run", "preempted", "again", "timerput", "exec"} \cup InSyscall \cup InExit \cup InStop THEN 1
   ELSE IF pc[m] = "late" THEN 2
   ELSE IF pc[m] = "kick" THEN IF ret[m] = "run" THEN 2 ELSE 1
   ELSE IF pc[m] = "overflow" THEN num[m] + (IF ret[m] = "run" THEN 1 ELSE 0)
   ELSE IF pc[m] \in {"batchput", "stealput", "reglobput", "injload", "injsome", "injput"} THEN num[m] + 1
   ELSE IF pc[m] \in InInject THEN IF ret[m] = "injput" THEN num[m] + 1 ELSE 0
   ELSE IF pc[m] \in {"injglob"} \cup InPoll THEN num[m]
   ELSE IF pc[m] = "netadj" THEN IF myp[m] = NoP THEN 0 ELSE 1
   ELSE IF pc[m] = "reset" THEN IF ret[m] = "runextra" THEN 0 ELSE 1
   ELSE IF pc[m] \in InWakep \cup InHandoff \cup {"start", "timewake", "timeread"}
   THEN IF ret[m] = "late" THEN 2 ELSE IF ret[m] \in {"run", "exec", "syscall", "netadj"} THEN 1 ELSE 0
   ELSE IF pc[m] \in {"spinadd", "spinclear"} /\ ret[m] = "reset" THEN 1
   ELSE 0

\* DN-ONE-PLACE: no G is lost, and none is in two places.
OnePlace ==
   runq + Total(ring, Ps) + Total(next, Ps) + blocked + netgs + Cardinality({p \in Ps : tim[p] # 0})
   + Total(sb, Ms) + Total([m \in Ms |-> InHands(m)], Ms) + Cardinality(LockedGiven) = Gs

\* DN-RING: no ring holds more than it can, and less than nothing is not.
RingBounds == \A p \in Ps : ring[p] \in 0..RingCap

\* DN-LOCK: the lock is held just where a section has more than one step.
LockHeld ==
   \A m \in Ms :
      (lock = m) <=>
         \/ pc[m] \in {"wakenp", "dropput", "dropnp", "reglobnp", "reglobget", "reacquire", "reextranp", "hput", "hadd", "hputnp", "exitnp",
                        "injnp", "injstart", "pollnp", "stwtake", "stwnp", "stwidle", "stwgo"}
         \/ pc[m] = "wakeundo" /\ ~Bug("need_unlocked")
         \/ pc[m] \in {"spinadd", "spinclear"} /\ myp[m] # NoP /\ lock = m
         \/ pc[m] \in {"hclear", "batchput"} /\ lock = m

-----------------------------------------------------------------------------
(* Work conservation, in three strengths. *)

Idle == pidle # {}

\* An M that does nothing by itself: it runs a program, which may never end, or is asleep.
Calm(m) ==
   \/ pc[m] \in {"run", "runextra", "syscall", "sysmon", "threw", "limbo"}
   \/ pc[m] \in {"parked", "lockpark", "unborn"} /\ nextp[m] = NoP
   \/ pc[m] = "polling" /\ ~PollOver(m)

AllCalm == \A m \in Ms : Calm(m) /\ sb[m] = 0

\* DN-WORK-QUIET: when all is quiet, no G waits beside an idle P.
WorkQuiet == AllCalm => ~(Work /\ Idle)

\* A search that has still to come where the work is: this M's P, the global queue.
WillFind(m) ==
   /\ myp[m] # NoP
   /\ \/ pc[m] \in {"top", "timers", "getnext"} /\ ring[myp[m]] + next[myp[m]] > 0
      \/ pc[m] = "getring" /\ ring[myp[m]] > 0
      \/ pc[m] \in {"top", "timers", "tickget", "getnext", "getring", "globtest", "globget", "nettest", "netget", "spinload", "idleload", "extra", "drop"} /\ runq > 0
      \/ pc[m] \in {"top", "timers", "tickget", "getnext", "getring", "globtest", "globget", "nettest", "netget", "spinload", "idleload", "extra"} /\ extra = 1

\* Why an M is somebody who will see to it.
Rescuer(m) ==
   \/ WillFind(m)
   \/ spin[m]
   \/ tok[m]
   \/ nextp[m] # NoP
   \/ pc[m] \in {"late", "kick", "overflow", "start", "again"} \cup InWakep \cup InHandoff
   \/ pc[m] = "top" /\ Locked(m)
   \/ pc[m] \in {"reglob", "reglobnp", "reglobget", "reglobput", "recheck", "rescan", "recheckget", "reacquire",
                  "reextra", "reextraget", "reextranp", "spinadd", "spinclear"}
   \/ pc[m] \in {"injglob", "injload", "injsome", "injput", "timerput", "timewake"} \cup InInject \cup InPoll \cup InStop
   \/ sb[m] = 1

\* DN-WORK-RESCUER: while a G waits beside an idle P, somebody is about to see to it.
WorkRescuer == (Work /\ Idle) => \E m \in Ms : Rescuer(m)

\* A G that waits in the poller may run, or one that sleeps is to wake.
NetDue == netready > 0 \/ \E p \in procs : tim[p] = 2

\* TM-POLL: when all is quiet and no P runs, no G in the poller may run, and no timer
\* is due: somebody waits for them.
PollQuiet == (AllCalm /\ pidle = procs) => ~NetDue

\* TM-POLL-IDLE: the same while one P is idle.  Go does not promise it without sysmon, which polls
\* if nobody did for 10 ms.  An M that comes back from the poller with one G runs
\* it, and who looked meanwhile saw it there and went to sleep.
PollPrompt == (AllCalm /\ Idle) => ~NetDue

\* SY-HANDOFF: when all is quiet, no G is queued while a P lies with an M in a syscall.
\* Go does not promise it: the P stays with its M until sysmon retakes it.  The
\* protocol of module TwoLevel does.
SyscallQuiet == AllCalm => ~(Work /\ \E m \in Ms : pc[m] = "syscall" /\ myp[m] # NoP)

\* DN-DEADLOCK: checkdead reports no deadlock while a G can run; and while every M is asleep none can.
DeadTrue ==
   /\ \A m \in Ms : pc[m] # "threw"
   /\ (\A m \in Ms \ {Sysmon} : Asleep(m) /\ nextp[m] = NoP) => (Work => \E s \in Ms \cap {Sysmon} : pc[s] # "sysmon")

\* DN-STOP: when all is quiet, and nobody runs who could be preempted, the world has stopped.
StopQuiet ==
   \A m \in Ms :
      (pc[m] = "stwwait" /\ \A n \in Ms \ {m} : Calm(n) /\ pc[n] \notin {"run", "runextra"}) => stopped \cup {myp[m]} = procs

\* SY-LOCKED: a locked G runs on its M alone, and its M runs no other, nor looks for one.
LockedAlone ==
   \A m \in Ms :
      /\ Locked(m) => pc[m] \notin {"exec", "getnext", "getring", "globtest", "reset", "sysmon"}
      /\ lk[m] \in {"wait", "ready"} => pc[m] # "run"
      /\ pc[m] \in {"lockstop", "lockpark"} => Locked(m)

-----------------------------------------------------------------------------
(* Liveness: strong fairness for each M, none for what the program does. *)

EnvStep == WorldStep \/ \E m \in Ms : UserStep(m) \/ SysmonStep(m)

Fairness == \A m \in Ms : SF_vars(SysStep(m))

LiveSpec == Spec /\ Fairness

\* A P is put to use when its M has a G.
Used(p) == \E m \in Ms : myp[m] = p /\ (InHands(m) > 0 \/ pc[m] = "runextra")

Starved == Work /\ \E p \in procs : ~Used(p)

\* DN-WORK-LIVE: no G waits for ever beside a P that does nothing for it, while the program does nothing.
WorkLive == []<>~Starved \/ []<><<EnvStep>>_vars

\* DN-QUIET: the search for work ends, while the program does nothing.
QuietLive == []<>AllCalm \/ []<><<EnvStep>>_vars
=============================================================================

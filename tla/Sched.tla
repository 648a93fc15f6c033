------------------------------- MODULE Sched --------------------------------
(***************************************************************************)
(* How Ms look for work, go to sleep and are woken: the "delicate dance"   *)
(* of the Go scheduler, as src/runtime/proc.go of Go 1.26 has it.          *)
(*                                                                         *)
(* The text is what is shipped.  Fixes and known bugs are edits of it, in  *)
(* variant/sched.edits; a configuration names them in Fixes and Bugs, and  *)
(* spindle makes them before it runs TLC.                                  *)
(*                                                                         *)
(* The state is two variables: S, a record of what all share, and M, a     *)
(* record for each M.  M[m].pc is the name of the action that m takes      *)
(* next, or a word for where it rests or has a choice (SchedPlace).        *)
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
(*    left, where the code makes a new one (fewer behaviours).  Such a     *)
(*    wait rescues nobody: NeedsM.  EnoughMs: it never lasts.              *)
(*  - Thieves and re-checks visit the Ps in any order (more), and a thief  *)
(*    makes one round with runnext instead of four of which the last has   *)
(*    it: the other three are delay (the same behaviours).                 *)
(*  - Thieves and re-checks do not look at idlepMask: an idle P's queue is *)
(*    empty (IdleEmpty), so that looking at the queue sees the same.  (The *)
(*    "snapshot" of the mask is a slice: its bits are the present ones.)   *)
(*  - Which of the Gs in a queue is one that is locked is found out when   *)
(*    it is taken, from whatever place (more).                             *)
(*  - Any G that made another runnable may call goyield next, where        *)
(*    semrelease1 alone does (more).  Where goyield is not inlined, the G  *)
(*    may be preempted at its entry, and yield when it runs again (fewer). *)
(*  - mget and notewakeup are one step: between the two the M is asleep    *)
(*    and on no list, and nobody can tell that from an M that was woken    *)
(*    and is slow.                                                         *)
(*  - A P has one timer at most: a G sleeps only where there is none, and  *)
(*    a P with a timer does not go where it would be the second (fewer).   *)
(*  - forEachP sets all flags in one step, and looks at a P's flag and at  *)
(*    its M in one (the owner alone clears it, and a P that is handed off  *)
(*    in vain is one more idle P).                                         *)
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
(*   safepoint forEachP: every P runs a function at a safe point           *)
(*   lock      LockOSThread, and Ms that wait for their locked G           *)
(*   sysmon    sysmon's ticks and its deep sleep; else it acts at will     *)
(*   deadlines timers are for one of two times; else none is the earlier   *)
(*                                                                         *)
(* The modules: SchedState (constants, variables, Init), SchedPlace (where *)
(* Ms are), SchedProgram (what Gs do), SchedWake (wakep, startm,           *)
(* injectglist), SchedFind (findRunnable), SchedDrop (its second half:     *)
(* drop the P, look again, stopm), SchedHandoff (handoffp, exitsyscall,    *)
(* sysmon), SchedSysmon (its ticks), SchedNet (the poller, timers),        *)
(* SchedWorld (stopping the world, forEachP), SchedLock (locked Ms), and   *)
(* this one: the next-state relation and what must hold.                   *)
(***************************************************************************)
EXTENDS SchedProgram, SchedWake, SchedFind, SchedDrop, SchedHandoff, SchedSysmon, SchedNet, SchedWorld, SchedLock

\* What the program does.
UserStep(m) ==
   \/ Ready(m) \/ Block(m) \/ Gosched(m)
   \/ EnterSyscall(m) \/ EnterSyscallBlock(m) \/ ExitSyscall(m)
   \/ SubmitExtra(m) \/ ExtraDone(m)
   \/ NetBlock(m) \/ TimerSet(m) \/ TimerAfter(m) \/ StopWorld(m) \/ ForEachP(m) \/ LockThread(m) \/ UnlockThread(m)

\* What sysmon decides to do.
SysmonStep(s) == Retake(s) \/ Preempt(s) \/ Inject(s) \/ SysPoll(s) \/ SysTimeout(s)

\* What the world does.
WorldStep == NetReady \/ \E p \in Ps : TimerDue(p)

\* What an M does by itself.
SysStep(m) ==
   \/ Kick(m) \/ Overflow(m) \/ Goyield(m) \/ SyscallStop(m) \/ EnterStatus(m) \/ SyscallLook(m) \/ SyscallWake(m) \/ EnlistLoad(m) \/ EnlistSpin(m)
   \/ WakepLoad(m) \/ WakepCAS(m) \/ WakepGet(m) \/ WakepIdle(m) \/ WakepUndo(m)
   \/ StartM(m) \/ Wake(m)
   \/ ResetSpinning(m) \/ TopCheck(m) \/ Tick(m) \/ TickGet(m) \/ GetNext(m) \/ GetRing(m)
   \/ GlobTest(m) \/ GlobGet(m) \/ BatchPut(m)
   \/ SpinLoad(m) \/ IdleLoad(m) \/ SpinAdd(m) \/ SpinClear(m)
   \/ StealRing(m) \/ StealPut(m) \/ StealNext(m) \/ Extra(m)
   \/ DropLock(m) \/ DropPut(m) \/ DropIdle(m) \/ Decrement(m)
   \/ RecheckGlob(m) \/ RecheckGlobIdle(m) \/ RecheckGlobGet(m) \/ RecheckGlobPut(m)
   \/ Recheck(m) \/ RecheckGet(m) \/ Reacquire(m)
   \/ RecheckExtra(m) \/ RecheckExtraGet(m) \/ RecheckExtraIdle(m) \/ Stop(m)
   \/ HandoffEmpty(m) \/ HandoffGlob(m) \/ HandoffExtra(m) \/ HandoffSpin(m) \/ HandoffIdle(m)
   \/ HandoffCAS(m) \/ HandoffClear(m) \/ HandoffLock(m) \/ HandoffPut(m) \/ HandoffPutIdle(m)
   \/ ExitOld(m) \/ ExitTry(m) \/ ExitGet(m) \/ ExitIdle(m) \/ ExitNoP(m) \/ Preempted(m)
   \/ InjectGlob(m) \/ InjectIdle(m) \/ InjectNpidle(m) \/ InjectStart(m) \/ InjectLoad(m) \/ InjectSome(m) \/ InjectPut(m)
   \/ NetWait(m) \/ TimerWake(m) \/ TimerBreak(m) \/ TimersCheck(m) \/ TimerPut(m) \/ StealTimer(m)
   \/ NetTest(m) \/ NetGet(m) \/ NetAdjust(m) \/ RecheckTimers(m) \/ RecheckTimer(m)
   \/ PollTest(m) \/ PollSwap(m) \/ PollSet(m) \/ Poll(m) \/ PollClear(m) \/ PollLast(m) \/ PollGet(m) \/ PollIdle(m)
   \/ StopIdle(m) \/ StopNpidle(m) \/ StopRunning(m) \/ StopSpinning(m) \/ StopP(m)
   \/ Resize(m) \/ ResizeIdle(m) \/ StartWorld(m) \/ StartP(m)
   \/ SafeTake(m) \/ SafeWait(m) \/ SafePreempt(m) \/ SafeCheck(m)
   \/ SysTick(m) \/ SysLook(m) \/ SysSleep(m) \/ SysWake(m) \/ SysNetpoll(m) \/ SysRetake(m)
   \/ StopLocked(m) \/ LockPark(m) \/ Execute(m) \/ WakeLocked(m)

Next == WorldStep \/ \E m \in Ms : UserStep(m) \/ SysStep(m) \/ SysmonStep(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

\* A victim in cand is in nobody's hands.
Held(p)   == {m \in Ms : M[m].p = p}
Coming(p) == {m \in Ms : M[m].nextp = p}
InHand(p) == {m \in Ms : M[m].cand = p /\ ~In(m, {"StealNext", "StealRing"})}
Waits(p)  == {m \in Ms : p \in M[m].todo /\ In(m, {"ResizeIdle", "StartWorld", "StartP"})}

\* DN-P-OWNED: each P is in exactly one place.
POwned ==
   \A p \in S.procs :
      Cardinality(Held(p)) + Cardinality(Coming(p)) + Cardinality(InHand(p)) + Cardinality(Waits(p))
      + Cardinality({p} \cap S.pidle) + Cardinality({p} \cap S.stopped) = 1

\* DN-SPIN-COUNT: nmspinning counts the Ms that spin, and the tokens of those to come.
SpinCount == S.nmspinning = Cardinality({m \in Ms : M[m].spinning}) + Cardinality({m \in Ms : M[m].token})

\* DN-IDLE-EMPTY: a P that is idle, or is not there, has no work.
IdleEmpty == \A p \in S.pidle \cup (Ps \ S.procs) : Queued(p) = 0

\* DN-IDLE-COUNT: npidle is the number of idle Ps while nobody is changing it.
IdleCount == S.lock = NoM => S.npidle = Cardinality(S.pidle)

\* DN-LOCAL-SPIN: an M that is to spin gets a P without work.
NoLocalSpin == \A m \in Ms : (At(m, "StartM") /\ M[m].token /\ M[m].cand # NoP) => Queued(M[m].cand) = 0

RECURSIVE Total(_, _)
Total(f, xs) ==
   IF xs = {} THEN 0
   ELSE LET x == CHOOSE x \in xs : TRUE IN f[x] + Total(f, xs \ {x})

\* How many Gs an M has in its hands, the one that it runs among them.
InHands(m) == Carries(m) + (IF HasG(m) THEN 1 ELSE 0)

\* DN-ONE-PLACE: no G is lost, and none is in two places.
OnePlace ==
   S.runq + Total([p \in Ps |-> Queued(p)], Ps) + S.blocked + S.netgs + Sleeping
   + Total([m \in Ms |-> InHands(m)], Ms) + Cardinality(LockedGiven) = Gs

\* Does an M do the further work, or will it next?
DoesExtra(m) == In(m, {"RecheckExtraIdle", "runextra"}) \/ M[m].ret = "runextra"

\* DN-ONE-PLACE: the further work is a G, too: one M does it, or nobody.
ExtraOnce == Cardinality({m \in Ms : DoesExtra(m)}) = IF S.extra = 2 THEN 1 ELSE 0

\* DN-RING: no ring holds more than it can, and less than nothing is not.
RingBounds == \A p \in Ps : S.ring[p] \in 0..RingCap

\* DN-LOCK: the lock is held just where a section has more than one step.
LockHeld ==
   \A m \in Ms :
      (S.lock = m) <=>
         \/ In(m, {"WakepIdle", "WakepUndo", "DropPut", "DropIdle", "RecheckGlobIdle", "RecheckGlobGet", "Reacquire", "RecheckExtraIdle",
                   "HandoffPut", "HandoffPutIdle", "ExitIdle", "InjectNpidle", "InjectStart", "PollIdle",
                   "StopIdle", "StopNpidle", "ResizeIdle", "StartWorld"})
         \/ In(m, {"SpinAdd", "SpinClear"}) /\ M[m].p # NoP /\ S.lock = m

\* What the lock is for: the global queue and the idle lists.
Guarded == <<S.runq, S.pidle, S.npidle, IdleMs>>

\* DN-LOCK: while an M holds the lock, nobody else changes that.
LockGuards == [][Guarded' # Guarded => S.lock = NoM \/ M'[S.lock] # M[S.lock]]_vars

-----------------------------------------------------------------------------
(* Work conservation, in three strengths. *)

Idle == S.pidle # {}

\* An M that does nothing by itself: it runs a program, which may never end, or is
\* asleep, or waits in startm for another M to become free.
Calm(m) ==
   \/ In(m, {"run", "runextra", "syscall", "sysmon", "threw"})
   \/ In(m, {"parked", "lockpark", "unborn"}) /\ M[m].nextp = NoP
   \/ At(m, "deep") /\ S.sysmonwait
   \/ At(m, "Poll") /\ ~PollOver(m)
   \/ NeedsM(m)

AllCalm == \A m \in Ms : Calm(m)

\* DN-WORK-QUIET: when all is quiet, no G waits beside an idle P.
WorkQuiet == AllCalm => ~(Work /\ Idle)

\* Where a search has still the M's own queue before it, the global queue, the further source.
BeforeNext  == {"top", "SafeCheck", "TimersCheck", "GetNext"}
BeforeExtra == BeforeNext \cup {"TickGet", "GetRing", "GlobTest", "GlobGet", "NetTest", "NetGet", "SpinLoad", "IdleLoad", "Extra"}
BeforeGlob  == BeforeExtra \cup {"DropLock"}

\* A search that has still to come where the work is.  For example, M1 is at GlobTest when a
\* G is put on the global queue: it will find it, there or under the lock in DropLock.  A
\* G that is put in another P's ring then it may pass by, so it is no rescuer of that.
WillFind(m) ==
   /\ M[m].p # NoP
   /\ \/ In(m, BeforeNext) /\ Queued(M[m].p) > 0
      \/ At(m, "GetRing") /\ S.ring[M[m].p] > 0
      \/ In(m, BeforeGlob) /\ S.runq > 0
      \/ In(m, BeforeExtra) /\ S.extra = 1

\* It has put something in a queue, and will call wakep or start Ms;
Submits ==
   {"Kick", "StartM", "TimerPut", "TimerWake", "InjectGlob", "InjectLoad", "InjectSome", "InjectPut"} \cup InWakep \cup InInject

\* it looks at everything again, or takes what it saw then.
LooksAgain ==
   {"RecheckGlob", "RecheckGlobIdle", "RecheckGlobGet", "RecheckGlobPut", "Recheck", "RecheckGet", "Reacquire",
    "RecheckExtra", "RecheckExtraGet", "RecheckExtraIdle", "SpinAdd", "SpinClear"}

\* Why an M is somebody who will see to it.  For example, M1 puts a G in its ring (Kick)
\* and is a rescuer until its wakep has ended; by then it has counted a token, which makes
\* whoever it starts a rescuer, or it has seen nmspinning at 1: somebody else's token, or an
\* M that spins and will look again after its Decrement.
Rescuer(m) ==
   /\ NeedsM(m) => ~AllCalm
   /\ \/ M[m].spinning \/ M[m].token \/ M[m].nextp # NoP
      \/ In(m, Submits \cup InHandoff \cup LooksAgain \cup InPoll \cup InStop)
      \/ At(m, "Overflow") /\ M[m].ret # ""
      \/ At(m, "top") /\ Locked(m)
      \/ WillFind(m)

\* DN-WORK-RESCUER: while a G waits beside an idle P, somebody is about to see to it.
WorkRescuer == (Work /\ Idle) => \E m \in Ms : Rescuer(m)

\* A G that waits in the poller may run, or one that sleeps is to wake.
NetDue == S.netready > 0 \/ \E p \in S.procs : S.timer[p] = 2

\* TM-POLL: when all is quiet and no P runs, no G in the poller may run, and no timer
\* is due: somebody waits for them.
PollQuiet == (AllCalm /\ S.pidle = S.procs) => ~NetDue

\* TM-POLL-IDLE: the same while one P is idle.  Go does not promise it: sysmon polls at a
\* tick if nobody did for 10 ms, unless it is in its deep sleep.  An M that comes back from
\* the poller with one G runs it, and who looked meanwhile saw it there and went to sleep.
PollPrompt == (AllCalm /\ Idle) => ~NetDue

\* TM-POLL: an M that drops its P knows of the P's timer, and so looks that somebody waits for it.
TimerKnown == \A m \in Ms : (At(m, "DropPut") /\ S.timer[M[m].p] # 0) => M[m].pollUntil \in 1..When(M[m].p)

\* SY-HANDOFF: when all is quiet, no G is queued while a P lies with an M in a syscall.
\* Go does not promise it: the P stays with its M until sysmon retakes it.  The
\* protocol of module TwoLevel does.
SyscallQuiet == AllCalm => ~(Work /\ Holders(Ps) # {})

\* DN-DEADLOCK: checkdead reports no deadlock while a G can run; and while every M is asleep none can.
DeadTrue ==
   /\ \A m \in Ms : ~At(m, "threw")
   /\ (\A m \in Ms \ {Sysmon} : Asleep(m)) => (Work => \E s \in Ms \cap {Sysmon} : ~In(s, {"sysmon", "deep"}))

\* All Ms but m are calm, run nothing that could be preempted, and do not wait for
\* another M: the code would make one, who then stops.
CalmBut(m) == \A n \in Ms \ {m} : Calm(n) /\ ~In(n, {"run", "runextra"}) /\ ~NeedsM(n)

\* It waits for the others: to stop, to run forEachP's function.
Gathers(m) ==
   \/ At(m, "Resize") /\ ~Stopped(m)
   \/ At(m, "SafeWait") /\ S.safefn # {}

\* Of the model, not of the code: nobody waits for ever for an M, which the code would make.
\* Who waits at InjectStart holds the lock, without which no other M goes to sleep.  A model
\* that holds without this one says that it has few Ms.
EnoughMs ==
   /\ (\A m \in Ms : Calm(m) \/ Gathers(m)) => \A m \in Ms : ~NeedsM(m)
   /\ \A m \in Ms : At(m, "InjectStart") => ~NeedsM(m)

\* DN-STOP: when all is quiet, and nobody runs who could be preempted, the world has stopped.
StopQuiet == \A m \in Ms : (At(m, "Resize") /\ CalmBut(m)) => Stopped(m)

\* DN-SAFEPOINT: then, too, every P has run forEachP's function.
SafeQuiet == \A m \in Ms : (At(m, "SafeWait") /\ CalmBut(m)) => S.safefn = {}

\* DN-SAFEPOINT: forEachP does not end before that.
SafeEnds == S.foreach = NoM => S.safefn = {}

\* SY-LOCKED: a locked G runs on its M alone, and its M runs no other, nor looks for one.
LockedAlone ==
   \A m \in Ms :
      /\ Locked(m) => ~In(m, {"Execute", "GetNext", "GetRing", "GlobTest", "ResetSpinning", "sysmon"})
      /\ M[m].lk \in {"wait", "ready"} => ~In(m, {"run", "Goyield"})
      /\ In(m, {"LockPark", "lockpark"}) => Locked(m)

\* SY-LOCKED: one that may run is queued, or in somebody's hands, until its M has a P for it.
LockedQueued == Cardinality(LockedReady) <= InQueues

-----------------------------------------------------------------------------
(* Liveness: strong fairness for each M, none for what the program does. *)

EnvStep == WorldStep \/ \E m \in Ms : UserStep(m) \/ SysmonStep(m)

Fairness == \A m \in Ms : SF_vars(SysStep(m))

LiveSpec == Spec /\ Fairness

\* A P is put to use when its M has a G.
Used(p) == \E m \in Ms : M[m].p = p /\ (InHands(m) > 0 \/ At(m, "runextra"))

Starved == Work /\ \E p \in S.procs : ~Used(p)

\* DN-WORK-LIVE: no G waits for ever beside a P that does nothing for it, while the program does nothing.
WorkLive == []<>~Starved \/ []<><<EnvStep>>_vars

\* DN-STOP-LIVE: a stop of the world ends, while the program does nothing: Gs run for ever, or
\* are in syscalls for ever.
StopLive == []<>(S.stopping = NoM) \/ []<><<EnvStep>>_vars

\* DN-QUIET: the search for work ends, while the program does nothing.
QuietLive == []<>AllCalm \/ []<><<EnvStep>>_vars
=============================================================================

---------------------------- MODULE SchedProgram ----------------------------
EXTENDS SchedPlace

(* What the program does.  Nothing makes it go on: no fairness. *)

\* ready, newproc: the running G makes another runnable.  runqput swaps it into
\* runnext, and what was there is in the M's hands now.  After wakep the G goes on, or
\* yields to the other at once (semrelease1).
Ready(m) ==
   /\ At(m, "run")
   /\ S.blocked > 0
   /\ S' = [Next1(m) EXCEPT !.blocked = @ - 1]
   /\ \E L \in ReadyOf(1), to \in IF Has("yield") THEN {"run", "Goyield"} ELSE {"run"} :
         M' = [MadeReady(L) EXCEPT ![m].pc = AfterNext(m), ![m].ret = to]

\* runqput: what runnext held goes to the tail of the ring, if there is room.
Kick(m) ==
   /\ At(m, "Kick")
   /\ IF S.ring[M[m].p] < RingCap
      THEN /\ S' = [S EXCEPT !.ring[M[m].p] = @ + 1]
           /\ M' = [M EXCEPT ![m].pc = "WakepLoad"]
      ELSE /\ S' = [S EXCEPT !.ring[M[m].p] = @ - RingCap \div 2]
           /\ M' = [M EXCEPT ![m].pc = "Overflow", ![m].num = RingCap \div 2 + 1]

\* runqputslow: half of the ring and the new G go to the global queue.  goyield_m wakes nobody.
Overflow(m) ==
   /\ At(m, "Overflow")
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.runq = @ + M[m].num]
   /\ M' = [M EXCEPT ![m].pc = IF M[m].ret = "" THEN "top" ELSE "WakepLoad", ![m].num = 0]

\* gopark, goexit: the running G is gone, and the M calls schedule.
Block(m) ==
   /\ At(m, "run")
   /\ S' = [S EXCEPT !.blocked = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "top", ![m].lk = Leaves(m, "wait")]

\* goschedImpl: the running G goes to the global queue; wakep; schedule.
PutGlobal(m) ==
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.runq = @ + 1]
   /\ M' = [Call(m, "WakepLoad", "top") EXCEPT ![m].lk = Leaves(m, "ready")]

Gosched(m) == Has("yield") /\ At(m, "run") /\ PutGlobal(m)

\* goyield_m: the running G goes to the tail of its own ring, if there is room, and nobody is woken.
Goyield(m) ==
   /\ At(m, "Goyield")
   /\ IF S.ring[M[m].p] < RingCap
      THEN /\ S' = [S EXCEPT !.ring[M[m].p] = @ + 1]
           /\ M' = [M EXCEPT ![m].pc = "top", ![m].lk = Leaves(m, "ready")]
      ELSE /\ S' = [S EXCEPT !.ring[M[m].p] = @ - RingCap \div 2]
           /\ M' = [M EXCEPT ![m].pc = "Overflow", ![m].num = RingCap \div 2 + 1, ![m].lk = Leaves(m, "ready")]

-----------------------------------------------------------------------------
(* Syscalls. *)

\* Where it goes when its P may be taken.
Entered == IF Has("sysmon") THEN "SyscallLook" ELSE "syscall"

\* reentersyscall looks whether forEachP waits for its P, whose function it runs then,
\* and whether the world is being stopped.  To others its G runs until EnterStatus.
EnterSyscall(m) ==
   /\ Has("syscall")
   /\ At(m, "run")
   /\ S' = [S EXCEPT !.safefn = @ \ {M[m].p}]
   /\ M' = [M EXCEPT ![m].todo = {M[m].p},
                     ![m].pc = IF S.stopping # NoM THEN "SyscallStop"
                               ELSE IF Has("stw") \/ Has("safepoint") THEN "EnterStatus"
                               ELSE Entered]

\* entersyscallHandleGCWait: who stops the world gets the P.
SyscallStop(m) ==
   /\ At(m, "SyscallStop")
   /\ S.lock = NoM
   /\ IF S.stopping # NoM
      THEN /\ S' = [S EXCEPT !.stopped = @ \cup {M[m].p}]
           /\ M' = [M EXCEPT ![m].pc = Entered, ![m].p = NoP]
      ELSE Goes(m, Entered)

\* reentersyscall: _Gsyscall; from now on the P may be taken.
EnterStatus(m) == At(m, "EnterStatus") /\ Goes(m, Entered)

\* reentersyscall: is sysmon in its deep sleep?
SyscallLook(m) == At(m, "SyscallLook") /\ Goes(m, IF S.sysmonwait THEN "SyscallWake" ELSE "syscall")

\* entersyscallWakeSysmon.
SyscallWake(m) ==
   /\ At(m, "SyscallWake")
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.sysmonwait = FALSE]
   /\ M' = [M EXCEPT ![m].pc = "syscall"]

\* entersyscallblock: the M hands its P off at once.
EnterSyscallBlock(m) ==
   /\ Has("block")
   /\ At(m, "run")
   /\ Private([Call(m, "HandoffEmpty", "syscall") EXCEPT ![m].cand = M[m].p, ![m].p = NoP, ![m].todo = {M[m].p}])

\* exitsyscall: the P is still there, or another is to be found.
ExitSyscall(m) ==
   /\ At(m, "syscall")
   /\ Private(IF M[m].p # NoP
              THEN [M EXCEPT ![m].pc = "run", ![m].todo = {}]
              ELSE [M EXCEPT ![m].pc = "ExitOld"])

-----------------------------------------------------------------------------
(* The further source of work. *)

\* Somebody puts something there, and calls enlistWorker: wakep, if a P is idle and
\* nobody spins.
SubmitExtra(m) ==
   /\ Has("idlework")
   /\ At(m, "run")
   /\ S.extra = 0
   /\ S' = [S EXCEPT !.extra = 1]
   /\ M' = Call(m, "EnlistLoad", "run")

EnlistLoad(m) ==
   /\ At(m, "EnlistLoad")
   /\ Private(IF S.npidle # 0 THEN [M EXCEPT ![m].pc = "EnlistSpin"] ELSE Return(m))

EnlistSpin(m) ==
   /\ At(m, "EnlistSpin")
   /\ Private(IF S.nmspinning = 0 THEN [M EXCEPT ![m].pc = "WakepLoad"] ELSE Return(m))

ExtraDone(m) ==
   /\ At(m, "runextra")
   /\ S' = [S EXCEPT !.extra = 0]
   /\ M' = [M EXCEPT ![m].pc = "top"]
=============================================================================

----------------------------- MODULE SchedPlace -----------------------------
(* Module Sched: where Ms are, and what follows from it: whether one runs a G, whose
   locked G is where, and whether checkdead would report a deadlock.

   pc is the name of the action that the M takes next, or a word for where it rests or
   has a choice:
     unborn    not made yet               run       runs a G
     parked    on the list of idle Ms     runextra  does the further work
     lockpark  waits for its locked G     syscall   its G is in a syscall
     top       findRunnable's label top   sysmon    sysmon, with nothing to do
     steal     about to choose a victim   deep      sysmon, in its deep sleep
     threw     reported a deadlock *)
EXTENDS SchedState

In(m, places) == M[m].pc \in places

(* Where an M is on its way through functions that return to ret. *)
InWakep   == {"EnlistLoad", "EnlistSpin", "WakepLoad", "WakepCAS", "WakepGet", "WakepIdle", "WakepUndo"}
InHandoff == {"HandoffEmpty", "HandoffGlob", "HandoffExtra", "HandoffSpin", "HandoffIdle", "HandoffCAS", "HandoffClear", "HandoffLock",
              "HandoffPut", "HandoffPutIdle"}
InStart   == {"StartM", "TimerWake", "TimerBreak"}
Called    == InWakep \cup InHandoff \cup InStart

(* And through others. *)
InKernel  == {"syscall", "SyscallLook", "SyscallWake"}
InSyscall == InKernel \cup {"SyscallStop", "EnterStatus"}
InExit    == {"ExitOld", "ExitTry", "ExitGet", "ExitIdle", "ExitNoP"}
InStop    == {"StopIdle", "StopNpidle", "Resize", "ResizeIdle", "StartWorld", "StartP"}
InForEach == {"SafeTake", "SafeWait"}
InPoll    == {"PollClear", "PollLast", "PollGet", "PollIdle"}
InInject  == {"InjectIdle", "InjectNpidle", "InjectStart"}

\* The Ps that may be taken from Ms in syscalls, and who has such a P.
Holders(ps) == {m \in Ms : In(m, InKernel) /\ M[m].p \in ps}

Queued(p) == S.ring[p] + S.next[p]

\* Has every P but m's stopped?
Stopped(m) == S.stopped \cup {M[m].p} = S.procs

\* Is anything queued?
Work == S.runq > 0 \/ S.extra = 1 \/ \E p \in S.procs : Queued(p) > 0

Sleeping == Cardinality({p \in Ps : S.timer[p] # 0})

\* Has M m a G that it runs, or will run next?
HasG(m) ==
   \/ In(m, {"run", "Goyield", "Preempted", "Execute"} \cup InSyscall \cup InExit \cup InStop \cup InForEach)
   \/ In(m, {"BatchPut", "StealPut", "RecheckGlobPut", "InjectLoad", "InjectSome", "InjectPut"})
   \/ In(m, {"Kick", "Overflow"}) /\ M[m].ret \in {"run", "Goyield"}
   \/ In(m, Called) /\ M[m].ret \in {"run", "Goyield", "Execute", "syscall", "NetAdjust"} \cup InForEach
   \/ In(m, InInject) /\ M[m].ret = "InjectPut"
   \/ In(m, {"SpinAdd", "SpinClear"}) /\ M[m].ret = "ResetSpinning"
   \/ At(m, "ResetSpinning") /\ M[m].ret # "runextra"
   \/ At(m, "NetAdjust") /\ M[m].p # NoP

\* How many more does it carry, on their way from one queue to another?
Carries(m) ==
   IF In(m, {"Kick", "TimerPut"}) THEN 1
   ELSE IF In(m, {"Overflow", "BatchPut", "StealPut", "RecheckGlobPut", "InjectGlob", "InjectLoad", "InjectSome", "InjectPut"} \cup InInject \cup InPoll)
   THEN M[m].num
   ELSE 0

-----------------------------------------------------------------------------
(* Locked Ms.  A G that is locked has no place of its own among those that are
   queued: which of them it is, is found out when one is taken. *)

Locked(m) == M[m].lk # ""

\* Does an M run a G of its own, which is in no queue?
Executes(m) ==
   \/ In(m, {"run", "Goyield", "Preempted"} \cup InSyscall \cup InExit \cup InStop \cup InForEach)
   \/ In(m, {"Kick", "Overflow"}) /\ M[m].ret \in {"run", "Goyield"}
   \/ In(m, Called) /\ M[m].ret \in {"run", "Goyield", "syscall"} \cup InForEach

\* The Ms whose locked Gs wait for something, may run, and were found: their M has the P for it.
LockedWaits == {m \in Ms : M[m].lk = "wait"}
LockedReady == {m \in Ms : M[m].lk = "ready" /\ M[m].nextp = NoP}
LockedGiven == {m \in Ms : M[m].lk = "ready" /\ M[m].nextp # NoP}

\* How many Gs are in queues, or in hands between two.
InQueues ==
   Gs - S.blocked - S.netgs - Sleeping - Cardinality({m \in Ms : Executes(m)}) - Cardinality(LockedGiven)

\* Of k Gs that are ready now some may be locked: whose.
ReadyOf(k) ==
   {L \in SUBSET LockedWaits : Cardinality(L) <= k /\ k - Cardinality(L) <= S.blocked - Cardinality(LockedWaits)}
MadeReady(L) == [m \in Ms |-> IF m \in L THEN [M[m] EXCEPT !.lk = "ready"] ELSE M[m]]

\* What becomes of lk when the G that m runs is queued, or waits.
Leaves(m, state) == IF Locked(m) THEN state ELSE ""

\* Where an M goes that has a G in hand: it runs it, if it is not locked to another.
Exec == IF Has("lock") THEN "Execute" ELSE "run"

-----------------------------------------------------------------------------
(* checkdead, which counts the Ms that are not asleep, when one more goes to sleep. *)

\* While sysmon hands a P off that it took from a syscall, or starts Ms for Gs that
\* it injected, it counts itself (incidlelocked(-1)).
Pretends == \E s \in Ms \cap {Sysmon} : In(s, InHandoff \cup {"StartM"} \cup InInject)

Asleep(m) == In(m, {"parked", "lockpark", "unborn"}) /\ M[m].nextp = NoP

\* Nobody is awake but m, who is about to sleep, and sysmon; and no timer is set.
Dead(m) == (\A n \in Ms \ {m, Sysmon} : Asleep(n)) /\ ~Pretends /\ \A p \in S.procs : S.timer[p] = 0

\* It reports a deadlock though a G may run, or waits in the poller, or sysmon has it from there.
FalseAlarm(m) == Dead(m) /\ (Work \/ S.netgs > 0 \/ \E s \in Ms \cap {Sysmon} : M[s].delta > 0 /\ M[s].num > 0)

\* Where m goes that goes to sleep at this place.
Sleep(m, place) == IF FalseAlarm(m) THEN "threw" ELSE place
=============================================================================

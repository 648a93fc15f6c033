---------------------------- MODULE SchedHandoff ----------------------------
EXTENDS SchedProgram

(* handoffp: the P in cand belongs to an M that is blocked.  It goes on at ret. *)

\* runqempty.
HandoffEmpty(m) == At(m, "HandoffEmpty") /\ Goes(m, IF Queued(M[m].cand) > 0 THEN "StartM" ELSE "HandoffGlob")

HandoffGlob(m) ==
   /\ At(m, "HandoffGlob")
   /\ Goes(m, IF S.runq > 0 THEN "StartM" ELSE IF Has("idlework") THEN "HandoffExtra" ELSE "HandoffSpin")

HandoffExtra(m) == At(m, "HandoffExtra") /\ Goes(m, IF S.extra = 1 THEN "StartM" ELSE "HandoffSpin")

\* Nobody spins and no P is idle: somebody must look for work.
HandoffSpin(m) ==
   /\ At(m, "HandoffSpin")
   /\ Private([M EXCEPT ![m].pc = "HandoffIdle", ![m].num = S.nmspinning])

HandoffIdle(m) ==
   /\ At(m, "HandoffIdle")
   /\ Private([M EXCEPT ![m].pc = IF M[m].num + S.npidle = 0 THEN "HandoffCAS" ELSE "HandoffLock", ![m].num = 0])

HandoffCAS(m) ==
   /\ At(m, "HandoffCAS")
   /\ IF S.nmspinning = 0
      THEN /\ S' = [S EXCEPT !.nmspinning = 1]
           /\ M' = [M EXCEPT ![m].pc = "HandoffClear", ![m].token = TRUE]
      ELSE Goes(m, "HandoffLock")

\* needspinning.
HandoffClear(m) ==
   /\ At(m, "HandoffClear")
   /\ S' = [S EXCEPT !.needspinning = 0]
   /\ M' = [M EXCEPT ![m].pc = "StartM"]

\* This is the last P that runs, and nobody polls.
LastPoll == Polls /\ S.npidle = Gomaxprocs - 1 /\ S.poller = NoM

\* Takes the lock: the world is being stopped; forEachP's function is run for the P;
\* then there is something in the global queue by now, or somebody must poll, or else
\* the P becomes idle.
HandoffLock(m) ==
   /\ At(m, "HandoffLock")
   /\ S.lock = NoM
   /\ LET p == M[m].cand IN
      IF S.stopping # NoM
      THEN /\ S' = [S EXCEPT !.stopped = @ \cup {p}]
           /\ M' = [Return(m) EXCEPT ![m].cand = NoP]
      ELSE IF S.runq > 0 \/ LastPoll
      THEN /\ S' = [S EXCEPT !.safefn = @ \ {p}]
           /\ M' = [M EXCEPT ![m].pc = "StartM"]
      ELSE /\ S' = [S EXCEPT !.safefn = @ \ {p}, !.lock = m]
           /\ M' = [M EXCEPT ![m].pc = "HandoffPut"]

\* wakeNetPoller(when) is called.
Wakes(m, when, ret) == [Call(m, "TimerWake", ret) EXCEPT ![m].num = when]

HandoffPut(m) ==
   /\ At(m, "HandoffPut")
   /\ LET p == M[m].cand IN
      /\ S' = [S EXCEPT !.pidle = @ \cup {p}]
      /\ M' = [M EXCEPT ![m].pc = "HandoffPutIdle", ![m].cand = NoP, ![m].pollUntil = When(p)]

\* pidleput: npidle, and the lock is released; who polls must know of the P's timers.
HandoffPutIdle(m) ==
   /\ At(m, "HandoffPutIdle")
   /\ S' = [S EXCEPT !.npidle = @ + 1, !.lock = NoM]
   /\ M' = [IF M[m].pollUntil # 0 THEN Wakes(m, M[m].pollUntil, M[m].ret) ELSE Return(m) EXCEPT ![m].pollUntil = 0]

-----------------------------------------------------------------------------
(* exitsyscall without a P. *)

\* exitsyscallTryGetP: the P that it had, if another M is in a syscall with it.
ExitOld(m) ==
   /\ At(m, "ExitOld")
   /\ IF Holders(M[m].todo) # {}
      THEN \E n \in Holders(M[m].todo) :
              Private([M EXCEPT ![m].pc = "run", ![m].p = M[n].p, ![n].p = NoP, ![m].todo = {}])
      ELSE Private([M EXCEPT ![m].pc = "ExitTry", ![m].todo = {}])

\* exitsyscallTryGetP: is any P idle?  Without the lock.
ExitTry(m) == At(m, "ExitTry") /\ Goes(m, IF S.pidle # {} THEN "ExitGet" ELSE "ExitNoP")

\* exitsyscallTryGetP: pidleget.
ExitGet(m) ==
   /\ At(m, "ExitGet")
   /\ S.lock = NoM
   /\ \/ Pidleget(m, "ExitIdle")
      \/ S.pidle = {} /\ Goes(m, "ExitNoP")

\* npidle; sysmon is woken, and the lock is released.
ExitIdle(m) ==
   /\ At(m, "ExitIdle")
   /\ S' = [S EXCEPT !.npidle = @ - 1, !.sysmonwait = FALSE, !.lock = NoM]
   /\ M' = Acquirep(m, "run", M[m].ret)

\* exitsyscallNoP: an idle P, or the G goes to the global queue, under one lock; then
\* schedule, or stoplockedm.
ExitNoP(m) ==
   /\ At(m, "ExitNoP")
   /\ S.lock = NoM
   /\ \/ Pidleget(m, "ExitIdle")
      \/ /\ S.pidle = {}
         /\ S' = [S EXCEPT !.runq = @ + 1]
         /\ M' = [M EXCEPT ![m].pc = IF Locked(m) THEN "LockPark" ELSE "Stop", ![m].lk = Leaves(m, "ready")]

-----------------------------------------------------------------------------
(* sysmon, and others without a P.  Without the feature sysmon it may do all this at any
   moment. *)

\* m takes the P from n, which is in a syscall, and hands it off.
TakeP(m, n, ret) ==
   [Call(m, "HandoffEmpty", ret) EXCEPT ![m].cand = M[n].p, ![n].p = NoP]

\* retake: the P of an M that is in a syscall.
Retake(s) ==
   /\ At(s, "sysmon")
   /\ Has("syscall") /\ ~Has("sysmon")
   /\ \E n \in Holders(Ps) : Private(TakeP(s, n, "sysmon"))

\* preemptone: the G that an M runs is to yield, and does.
Preempt(s) ==
   /\ At(s, "sysmon")
   /\ Has("preempt") /\ ~Has("sysmon")
   /\ \E m \in Ms : At(m, "run") /\ Private([M EXCEPT ![m].pc = "Preempted"])

Preempted(m) == At(m, "Preempted") /\ PutGlobal(m)

\* Some Gs became runnable: injectglist, without a P.
Inject(s) ==
   /\ At(s, "sysmon")
   /\ Has("inject")
   /\ \E k \in 1..S.blocked :
         /\ S' = [S EXCEPT !.blocked = @ - k]
         /\ \E L \in ReadyOf(k) : M' = [MadeReady(L) EXCEPT ![s].pc = "InjectGlob", ![s].ret = "sysmon", ![s].num = k]

\* What netpoll gives: the Gs that may run are m's now.
Netpoll == [S EXCEPT !.netgs = @ - S.netready, !.netready = 0]

\* netpoll(0), if nobody has polled for long.
SysPoll(s) ==
   /\ At(s, "sysmon")
   /\ Has("net") /\ ~Has("sysmon")
   /\ S.poller = NoM
   /\ S.netready > 0
   /\ S' = Netpoll
   /\ M' = [Call(s, "InjectGlob", "NetAdjust") EXCEPT ![s].num = S.netready, ![s].delta = S.netready]
=============================================================================

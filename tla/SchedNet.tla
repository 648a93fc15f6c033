------------------------------ MODULE SchedNet ------------------------------
(* Module Sched: the network poller and the timers.  A last M without a P waits
   there. *)
EXTENDS SchedFind, SchedWake, SchedHandoff

\* netpollblock: the running G waits in the poller,
NetBlock(m) ==
   /\ Has("net")
   /\ At(m, "run")
   /\ ~Locked(m)
   /\ S' = [S EXCEPT !.netgs = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "NetWait"]

\* and is counted (netpollblockcommit).
NetWait(m) ==
   /\ At(m, "NetWait")
   /\ S' = [S EXCEPT !.netwaiters = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "top"]

\* The world: a G that waits in the poller may run now.
NetReady ==
   /\ S.netready < S.netgs
   /\ S' = [S EXCEPT !.netready = @ + 1]
   /\ UNCHANGED M

\* The timer of P p is set, is due, or is gone.
Timer(p, t) == [S EXCEPT !.timer[p] = t, !.far = IF t = 0 THEN @ \ {p} ELSE @]
SetTimer(p, when) == [Timer(p, 1) EXCEPT !.far = IF when = 2 THEN @ \cup {p} ELSE @]

\* timeSleep: the running G sleeps; its timer is in the heap of this P,
TimerSet(m) ==
   /\ Has("timer")
   /\ At(m, "run")
   /\ ~Locked(m)
   /\ S.timer[M[m].p] = 0
   /\ \E when \in Deadlines :
         /\ S' = SetTimer(M[m].p, when)
         /\ M' = Wakes(m, when, "top")

\* time.AfterFunc: the running G goes on, and another is made runnable later,
TimerAfter(m) ==
   /\ Has("timer")
   /\ At(m, "run")
   /\ S.blocked > Cardinality(LockedWaits)
   /\ S.timer[M[m].p] = 0
   /\ \E when \in Deadlines :
         /\ S' = [SetTimer(M[m].p, when) EXCEPT !.blocked = @ - 1]
         /\ M' = Wakes(m, when, "run")

\* and who polls must know (wakeNetPoller): or somebody is to be woken who will.
TimerWake(m) ==
   /\ At(m, "TimerWake")
   /\ Private(IF S.poller = NoM THEN [M EXCEPT ![m].pc = "WakepLoad", ![m].num = 0] ELSE [M EXCEPT ![m].pc = "TimerBreak"])

\* wakeNetPoller: netpollBreak, unless it wakes in time by itself.
TimerBreak(m) ==
   /\ At(m, "TimerBreak")
   /\ S' = [S EXCEPT !.brk = IF S.pollUntil = 0 \/ S.pollUntil > M[m].num THEN 1 ELSE @]
   /\ M' = [Return(m) EXCEPT ![m].num = 0]

\* The world: time passes, first to the near deadline.
\*
\* Near and far say of timers, and of times that Ms know of, which one is earlier; what is
\* near for all of them is one time.  A near timer that is set when another was due is for
\* a time of its own, and old times are compared with it as if they were not over: an M
\* may be told in vain (more behaviours).  Left out are three times in a row: a far timer is
\* never the earlier of two.  And a poller whose timer another M ran waits for the next
\* timer; in the code it returns with nothing, and looks what it has to wait for.
TimerDue(p) ==
   /\ S.timer[p] = 1
   /\ p \in S.far => \A q \in Ps : S.timer[q] = 1 => q \in S.far
   /\ S' = Timer(p, 2)
   /\ UNCHANGED M

-----------------------------------------------------------------------------
(* On the way through findRunnable. *)

\* timers.check of its own P: what is due is run, and it knows of what is not.
TimersCheck(m) ==
   /\ At(m, "TimersCheck")
   /\ LET p == M[m].p IN
      IF S.timer[p] = 2
      THEN /\ S' = Timer(p, 0)
           /\ M' = [Call(m, "TimerPut", "GetNext") EXCEPT ![m].pollUntil = 0]
      ELSE Private([M EXCEPT ![m].pc = "GetNext", ![m].pollUntil = When(p)])

\* goready of the G that slept: runqput, and then wakep.
TimerPut(m) ==
   /\ At(m, "TimerPut")
   /\ S' = Next1(m)
   /\ M' = [M EXCEPT ![m].pc = AfterNext(m)]

\* stealWork: a victim's timers, before its queue.
StealTimer(m) ==
   /\ Has("timer")
   /\ At(m, "steal")
   /\ \E p \in M[m].todo :
         IF S.timer[p] = 2
         THEN /\ S' = Timer(p, 0)
              /\ M' = [Call(m, "TimerPut", "top") EXCEPT ![m].todo = {}]
         ELSE Private([M EXCEPT ![m].pc = "StealRing", ![m].cand = p, ![m].pollUntil = Sooner(@, When(p))])

\* The poller, without waiting, unless somebody waits there.
NetTest(m) ==
   /\ At(m, "NetTest")
   /\ Goes(m, IF S.poller = NoM /\ S.netwaiters > 0 THEN "NetGet" ELSE Throttle(m))

\* netpoll(0): one G is run, the others are injected.
NetGet(m) ==
   /\ At(m, "NetGet")
   /\ S' = Netpoll
   /\ M' = IF S.netready = 0
           THEN [M EXCEPT ![m].pc = Throttle(m), ![m].num = 0, ![m].delta = 0]
           ELSE [M EXCEPT ![m].pc = IF S.netready = 1 THEN "NetAdjust" ELSE "InjectLoad",
                          ![m].num = S.netready - 1, ![m].delta = S.netready, ![m].todo = {}]

AfterPoll == IF Has("sysmon") THEN "SysRetake" ELSE "sysmon"

\* netpollAdjustWaiters: only now, when the Gs are where they can be seen.
NetAdjust(m) ==
   /\ At(m, "NetAdjust")
   /\ S' = [S EXCEPT !.netwaiters = @ - M[m].delta]
   /\ M' = [M EXCEPT ![m].pc = IF m = Sysmon THEN AfterPoll ELSE IF M[m].p = NoP THEN "Stop" ELSE Found(m), ![m].delta = 0]

-----------------------------------------------------------------------------
(* After the re-check, without a P: somebody must wait in the poller. *)

\* checkTimersNoP: at the Ps that there are,
RecheckTimers(m) ==
   /\ At(m, "RecheckTimers")
   /\ Private([M EXCEPT ![m].pc = "RecheckTimer", ![m].todo = S.procs])

\* one after the other.
RecheckTimer(m) ==
   /\ At(m, "RecheckTimer")
   /\ \E p \in M[m].todo :
         Private([M EXCEPT ![m].pc = IF M[m].todo = {p} THEN "PollTest" ELSE "RecheckTimer",
                           ![m].todo = @ \ {p}, ![m].pollUntil = Sooner(@, When(p))])

\* Is there anything to wait for?
PollTest(m) ==
   /\ At(m, "PollTest")
   /\ Goes(m, IF S.netwaiters > 0 \/ M[m].pollUntil # 0 THEN "PollSwap" ELSE "Stop")

\* lastpoll.Swap(0): one M alone.  Another's wait may be too long.
PollSwap(m) ==
   /\ At(m, "PollSwap")
   /\ IF S.poller = NoM
      THEN /\ S' = [S EXCEPT !.poller = m]
           /\ M' = Call(m, "PollSet", "")
      ELSE Private(IF M[m].pollUntil # 0 THEN [Call(m, "TimerBreak", "Stop") EXCEPT ![m].num = M[m].pollUntil] ELSE Call(m, "Stop", ""))

\* pollUntil.Store: until when it waits.
PollSet(m) ==
   /\ At(m, "PollSet")
   /\ S' = [S EXCEPT !.pollUntil = M[m].pollUntil]
   /\ M' = [M EXCEPT ![m].pc = "Poll"]

\* What it waits for: a G that may run, a break, the deadline of a timer that it knows of.
PollOver(m) == S.netready > 0 \/ S.brk = 1 \/ \E p \in S.procs : S.timer[p] = 2 /\ M[m].pollUntil \in 1..When(p)

\* netpoll(delay) returns.
Poll(m) ==
   /\ At(m, "Poll")
   /\ IF PollOver(m) THEN TRUE ELSE FALSE
   /\ S' = [Netpoll EXCEPT !.brk = 0]
   /\ M' = [M EXCEPT ![m].pc = "PollClear", ![m].num = S.netready, ![m].delta = S.netready]

PollClear(m) ==
   /\ At(m, "PollClear")
   /\ S' = [S EXCEPT !.pollUntil = 0]
   /\ M' = [M EXCEPT ![m].pc = "PollLast"]

\* lastpoll.Store(now).
PollLast(m) ==
   /\ At(m, "PollLast")
   /\ S' = [S EXCEPT !.poller = NoM, !.polled = Has("sysmon")]
   /\ M' = [M EXCEPT ![m].pc = "PollGet"]

\* pidleget: without a P it injects what it got, and stops.
PollGet(m) ==
   /\ At(m, "PollGet")
   /\ S.lock = NoM
   /\ \/ Pidleget(m, "PollIdle")
      \/ /\ S.pidle = {}
         /\ Private(IF M[m].num > 0 THEN Call(m, "InjectGlob", "NetAdjust") ELSE Call(m, "Stop", ""))

\* With a P: it runs a G if it got one, and injects the others.  If it got none it
\* searches again, and spins if it did before.
PollIdle(m) ==
   /\ At(m, "PollIdle")
   /\ S' = [S EXCEPT !.npidle = @ - 1, !.seen = @ \ {M[m].cand}, !.lock = NoM]
   /\ M' = IF M[m].num > 0
           THEN [Acquirep(m, IF M[m].num > 1 THEN "InjectLoad" ELSE "NetAdjust", "") EXCEPT ![m].num = @ - 1]
           ELSE IF M[m].wasSpinning THEN Acquirep(m, "SpinAdd", "top") ELSE Acquirep(m, "top", "")
=============================================================================

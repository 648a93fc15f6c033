---------------------------- MODULE SchedSysmon -----------------------------
(* Module Sched: sysmon's own loop, its ticks and its deep sleep (the feature sysmon).

   A tick stands for 10 ms, the longest that sysmon sleeps while it is awake.  So one
   flag for each P is enough of retake's clocks: a tick sees a schedtick that it has not
   seen before, and notes it (seen); a later one sees the same, and takes the P from a
   syscall, or preempts the G.  The clock of syscalls says nothing more then: one that was
   there at the tick before has the schedtick of then, too.

   Where it departs from the code: sysmon waits to look at a P until the G that has it
   is out of wakep and the like, which the G would be before it obeys; a G that is asked
   to yield does, though it might go into a syscall first and be found there a tick
   later; and exitsyscallNoP does not renew schedtick (a G may be preempted a tick
   early). *)
EXTENDS SchedHandoff

\* usleep returns: time passes.
SysTick(s) == Has("sysmon") /\ At(s, "sysmon") /\ Goes(s, "SysLook")

\* Is there nothing to watch?  The world is being stopped, or all Ps are idle.
Rests == S.stopping # NoM \/ S.npidle = Gomaxprocs

\* What a tick does, if it does not sleep before.
Round(s) == [M EXCEPT ![s].pc = IF Has("net") THEN "SysNetpoll" ELSE "SysRetake", ![s].todo = S.procs]

\* Without the lock,
SysLook(s) ==
   /\ At(s, "SysLook")
   /\ Private(IF Rests THEN [M EXCEPT ![s].pc = "SysSleep"] ELSE Round(s))

\* and again with it: sysmon sleeps until it is woken, if no timer is due.
SysSleep(s) ==
   /\ At(s, "SysSleep")
   /\ S.lock = NoM
   /\ IF Rests /\ \A p \in S.procs : S.timer[p] # 2
      THEN /\ S' = [S EXCEPT !.sysmonwait = TRUE]
           /\ M' = [M EXCEPT ![s].pc = "deep"]
      ELSE Private(Round(s))

\* notetsleep returns: somebody woke it,
SysWake(s) ==
   /\ At(s, "deep")
   /\ ~S.sysmonwait
   /\ S.lock = NoM
   /\ Private(Round(s))

\* or the time is over: the next timer, or 60 s.
SysTimeout(s) ==
   /\ At(s, "deep")
   /\ S.sysmonwait
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.sysmonwait = FALSE]
   /\ M' = Round(s)

\* netpoll(0), if nobody polls, or has polled since the tick before.
SysNetpoll(s) ==
   /\ At(s, "SysNetpoll")
   /\ IF S.poller = NoM /\ ~S.polled /\ S.netready > 0
      THEN /\ S' = Netpoll
           /\ M' = [Call(s, "InjectGlob", "NetAdjust") EXCEPT ![s].num = S.netready, ![s].delta = S.netready]
      ELSE /\ S' = [S EXCEPT !.polled = FALSE]
           /\ M' = [M EXCEPT ![s].pc = "SysRetake"]

\* It runs a G, and is in the middle of a function of the runtime's; but not while it
\* stops the world and waits for others.
Inside(m) ==
   /\ Executes(m)
   /\ In(m, {"Kick", "Overflow", "Goyield"} \cup Called \cup InStop)
   /\ At(m, "Resize") => Stopped(m)

\* retake, for each P: what its M does is noted, or has been at the tick before.
SysRetake(s) ==
   /\ At(s, "SysRetake")
   /\ \E p \in M[s].todo :
      LET after == IF M[s].todo = {p} THEN "sysmon" ELSE "SysRetake"
          on    == {m \in Ms : M[m].p = p /\ Executes(m)}
          next  == [M EXCEPT ![s].pc = after, ![s].todo = @ \ {p}] IN
      /\ \A m \in on : ~Inside(m)
      /\ IF on # {} /\ p \notin S.seen
         THEN M' = next /\ S' = [S EXCEPT !.seen = @ \cup {p}]
         ELSE Private(IF on = {} THEN next
                      ELSE LET m == CHOOSE m \in on : TRUE IN
                           IF m \in Holders({p}) THEN [TakeP(s, m, after) EXCEPT ![s].todo = @ \ {p}]
                           ELSE IF At(m, "run") THEN [next EXCEPT ![m].pc = "Preempted"]
                           ELSE next)
=============================================================================

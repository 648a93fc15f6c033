----------------------------- MODULE SchedLock ------------------------------
(* Module Sched: LockOSThread.  A locked G runs on its M alone.  Who finds it
   hands its P over to that M, which sleeps on its own and not on the idle list. *)
EXTENDS SchedHandoff

\* lockOSThread, and its end.
LockThread(m) ==
   /\ Has("lock")
   /\ At(m, "run")
   /\ ~Locked(m)
   /\ Private([M EXCEPT ![m].lk = "on"])

UnlockThread(m) ==
   /\ At(m, "run")
   /\ Locked(m)
   /\ Private([M EXCEPT ![m].lk = ""])

\* schedule, called by a locked M: stoplockedm hands its P off,
StopLocked(m) ==
   /\ At(m, "top")
   /\ Locked(m)
   /\ Private([Call(m, "HandoffEmpty", "LockPark") EXCEPT ![m].cand = M[m].p, ![m].p = NoP])

\* counts the M as asleep (incidlelocked, which asks checkdead), and sleeps.
LockPark(m) ==
   /\ At(m, "LockPark")
   /\ S.lock = NoM
   /\ Goes(m, IF M[m].nextp = NoP THEN Sleep(m, "lockpark") ELSE "lockpark")

\* schedule has a G: it runs it, or startlockedm: the G is locked to an M, which gets
\* the P and is woken.  One that is locked must be there if all that are queued are.
Execute(m) ==
   /\ At(m, "Execute")
   /\ \/ InQueues > Cardinality(LockedReady) /\ Goes(m, "run")
      \/ \E n \in LockedReady : Private([M EXCEPT ![m].pc = "Stop", ![m].p = NoP, ![n].nextp = M[m].p])

\* stoplockedm returns: acquirep(nextp), execute.
WakeLocked(m) ==
   /\ At(m, "lockpark")
   /\ M[m].nextp # NoP
   /\ M' = [M EXCEPT ![m].pc = "run", ![m].p = M[m].nextp, ![m].nextp = NoP, ![m].lk = "on"]
   /\ S' = [S EXCEPT !.seen = @ \ {M[m].nextp}]
=============================================================================

----------------------------- MODULE SchedLock ------------------------------
(* Module Sched: LockOSThread.  A locked G runs on its M alone.  Who finds it
   hands its P over to that M, which sleeps on its own and not on the idle list. *)
EXTENDS SchedHandoff

\* lockOSThread, and its end.
LockThread(m) ==
   /\ Has("lock")
   /\ pc[m] = "run"
   /\ ~Locked(m)
   /\ lk' = [lk EXCEPT ![m] = "on"]
   /\ UNCHANGED <<lock, shared, queues, rest, pc, myp, spin, nextp, hands, todo, ret>>

UnlockThread(m) ==
   /\ pc[m] = "run"
   /\ Locked(m)
   /\ lk' = [lk EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, rest, pc, myp, spin, nextp, hands, todo, ret>>

\* schedule, called by a locked M: stoplockedm hands its P off,
StopLocked(m) ==
   /\ pc[m] = "top"
   /\ Locked(m)
   /\ ~Bug("locked_schedules")
   /\ IF Bug("locked_keeps")
      THEN /\ pc' = [pc EXCEPT ![m] = "lockstop"]
           /\ UNCHANGED <<myp, cand, ret>>
      ELSE /\ cand' = [cand EXCEPT ![m] = myp[m]]
           /\ myp' = [myp EXCEPT ![m] = NoP]
           /\ pc' = [pc EXCEPT ![m] = "hempty"]
           /\ ret' = [ret EXCEPT ![m] = "lockstop"]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, tok, num, todo>>

\* counts the M as asleep (incidlelocked, which asks checkdead), and sleeps.
LockPark(m) ==
   /\ pc[m] = "lockstop"
   /\ lock = NoM
   /\ pc' = [pc EXCEPT ![m] = IF nextp[m] = NoP THEN Sleep(m, "lockpark") ELSE "lockpark"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* schedule has a G: it runs it, or startlockedm: the G is locked to an M, which gets
\* the P and is woken.  One that is locked must be there if all that are queued are.
Execute(m) ==
   /\ pc[m] = "exec"
   /\ \/ /\ Queued > Cardinality(LockedReady)
         /\ pc' = [pc EXCEPT ![m] = IF spin[m] THEN "reset" ELSE "run"]
         /\ UNCHANGED <<myp, nextp>>
      \/ \E n \in LockedReady :
            /\ nextp' = [nextp EXCEPT ![n] = myp[m]]
            /\ myp' = [myp EXCEPT ![m] = NoP]
            /\ pc' = [pc EXCEPT ![m] = "stop"]
   /\ UNCHANGED <<lock, shared, queues, world, spin, hands, todo, ret>>

\* stoplockedm returns: acquirep(nextp), execute.
WakeLocked(m) ==
   /\ pc[m] = "lockpark"
   /\ nextp[m] # NoP
   /\ myp' = [myp EXCEPT ![m] = nextp[m]]
   /\ nextp' = [nextp EXCEPT ![m] = NoP]
   /\ lk' = [lk EXCEPT ![m] = "on"]
   /\ pc' = [pc EXCEPT ![m] = "run"]
   /\ UNCHANGED <<lock, shared, queues, rest, spin, hands, todo, ret>>

\* Under the mutant locked_read_late: exitsyscall asks whether its G is locked when it is
\* queued, and another may run and lock it already.
ExitLate(m) ==
   /\ pc[m] = "exitlate"
   /\ \/ pc' = [pc EXCEPT ![m] = IF Locked(m) THEN "lockstop" ELSE "stop"]
      \/ /\ \E n \in Ms : pc[n] = "run" /\ Locked(n)
         /\ pc' = [pc EXCEPT ![m] = "lockstop"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>
=============================================================================

----------------------------- MODULE SchedDrop ------------------------------
EXTENDS SchedFind

(* findRunnable: nothing found.  Drop the P, stop spinning, look again. *)

\* Takes the lock: whether it has to stop or to run forEachP's function, the global
\* queue, and needspinning if it does not spin.
DropLock(m) ==
   /\ At(m, "DropLock")
   /\ S.lock = NoM
   /\ IF S.stopping # NoM \/ M[m].p \in S.safefn
      THEN Private([M EXCEPT ![m].pc = "top", ![m].todo = {}])
      ELSE IF S.runq > 0
      THEN TakeBatch(m)
      ELSE /\ S' = [S EXCEPT !.lock = m]
           /\ M' = IF ~M[m].spinning /\ S.needspinning = 1
                   THEN Call(m, "SpinAdd", "top")
                   ELSE [M EXCEPT ![m].pc = "DropPut"]

\* releasep, pidleput: the list and the mask.  An M that spins will look at the Ps
\* again that there are now (snapshotAllp; without a P it does not keep them from
\* changing), and must not rely on those that there will be.
DropPut(m) ==
   /\ At(m, "DropPut")
   /\ S' = [S EXCEPT !.pidle = @ \cup {M[m].p}]
   /\ M' = [M EXCEPT ![m].pc = "DropIdle", ![m].p = NoP, ![m].todo = IF M[m].spinning THEN S.procs ELSE {}]

\* Where an M goes after the Ps' queues, after the further source, after the
\* timers, and in the end.
AfterTimers  == IF Polls THEN "PollTest" ELSE "Stop"
AfterExtra   == IF Has("timer") THEN "RecheckTimers" ELSE AfterTimers
AfterRecheck == IF Has("idlework") THEN "RecheckExtra" ELSE AfterExtra

\* pidleput: npidle, and the lock is released.
DropIdle(m) ==
   /\ At(m, "DropIdle")
   /\ S' = [S EXCEPT !.npidle = @ + 1, !.lock = NoM]
   /\ M' = [M EXCEPT ![m].pc = IF M[m].spinning THEN "Decrement" ELSE AfterTimers]

\* It spins no more, and must look at every source again.
Decrement(m) ==
   /\ At(m, "Decrement")
   /\ S' = [S EXCEPT !.nmspinning = @ - 1]
   /\ M' = [M EXCEPT ![m].pc = "RecheckGlob", ![m].spinning = FALSE, ![m].wasSpinning = Polls]

\* The global queue, under the lock; if it holds something, pidlegetSpinning.
RecheckGlob(m) ==
   /\ At(m, "RecheckGlob")
   /\ S.lock = NoM
   /\ IF S.runq = 0
      THEN Goes(m, "Recheck")
      ELSE /\ \/ \E p \in S.pidle :
                    /\ S' = [S EXCEPT !.lock = m, !.pidle = @ \ {p}]
                    /\ M' = [M EXCEPT ![m].pc = "RecheckGlobIdle", ![m].cand = p, ![m].todo = {}]
              \/ /\ S.pidle = {}
                 /\ S' = [S EXCEPT !.needspinning = 1]
                 /\ M' = [M EXCEPT ![m].pc = "Recheck"]

RecheckGlobIdle(m) ==
   /\ At(m, "RecheckGlobIdle")
   /\ S' = [S EXCEPT !.npidle = @ - 1]
   /\ M' = [M EXCEPT ![m].pc = "RecheckGlobGet"]

\* globrunqgetbatch, and the lock is released; the P is this M's.
RecheckGlobGet(m) ==
   /\ At(m, "RecheckGlobGet")
   /\ S' = [S EXCEPT !.runq = @ - Batch, !.seen = @ \ {M[m].cand}, !.lock = NoM]
   /\ M' = [Acquirep(m, IF Batch > 1 THEN "RecheckGlobPut" ELSE "SpinAdd", "ResetSpinning") EXCEPT ![m].num = Batch - 1]

RecheckGlobPut(m) ==
   /\ At(m, "RecheckGlobPut")
   /\ S' = [S EXCEPT !.ring[M[m].p] = @ + M[m].num]
   /\ M' = [M EXCEPT ![m].pc = "SpinAdd", ![m].num = 0]

\* checkRunqsNoP: runqempty of a P that it has not looked at yet.
Recheck(m) ==
   /\ At(m, "Recheck")
   /\ \E p \in M[m].todo :
         Private(IF Queued(p) = 0
                 THEN [M EXCEPT ![m].pc = IF M[m].todo = {p} THEN AfterRecheck ELSE "Recheck", ![m].todo = @ \ {p}]
                 ELSE [M EXCEPT ![m].pc = "RecheckGet", ![m].todo = {}])

\* checkRunqsNoP: a queue that is not empty was seen; pidlegetSpinning.
RecheckGet(m) ==
   /\ At(m, "RecheckGet")
   /\ S.lock = NoM
   /\ \/ Pidleget(m, "Reacquire")
      \/ /\ S.pidle = {}
         /\ S' = [S EXCEPT !.needspinning = 1]
         /\ M' = [M EXCEPT ![m].pc = AfterRecheck]

\* pidleget: npidle, and the lock is released; acquirep.
Reacquire(m) ==
   /\ At(m, "Reacquire")
   /\ S' = [S EXCEPT !.npidle = @ - 1, !.lock = NoM]
   /\ M' = Acquirep(m, "SpinAdd", "top")

\* checkIdleGCNoP: is there anything?
RecheckExtra(m) == At(m, "RecheckExtra") /\ Goes(m, IF S.extra = 1 THEN "RecheckExtraGet" ELSE AfterExtra)

\* checkIdleGCNoP: pidlegetSpinning; the work itself is taken under the same lock.
RecheckExtraGet(m) ==
   /\ At(m, "RecheckExtraGet")
   /\ S.lock = NoM
   /\ IF S.pidle # {} /\ S.extra = 1
      THEN \E p \in S.pidle :
              /\ S' = [S EXCEPT !.lock = m, !.pidle = @ \ {p}, !.extra = 2]
              /\ M' = [M EXCEPT ![m].pc = "RecheckExtraIdle", ![m].cand = p]
      ELSE /\ S' = [S EXCEPT !.needspinning = IF S.pidle = {} THEN 1 ELSE @]
           /\ M' = [M EXCEPT ![m].pc = AfterExtra]

RecheckExtraIdle(m) ==
   /\ At(m, "RecheckExtraIdle")
   /\ S' = [S EXCEPT !.npidle = @ - 1, !.seen = @ \ {M[m].cand}, !.lock = NoM]
   /\ M' = Acquirep(m, "SpinAdd", "runextra")

\* stopm: onto the list of idle Ms, which asks checkdead, and asleep.
Stop(m) ==
   /\ At(m, "Stop")
   /\ S.lock = NoM
   /\ Private([M EXCEPT ![m].pc = Sleep(m, "parked"), ![m].wasSpinning = FALSE, ![m].pollUntil = 0])
=============================================================================

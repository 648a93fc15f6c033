----------------------------- MODULE SchedFind ------------------------------
EXTENDS SchedPlace

(* schedule and the first half of findRunnable: sources that any M may take from. *)

\* Where an M goes that has found a G: schedule calls resetspinning if it spins.
Found(m) == IF M[m].spinning THEN "ResetSpinning" ELSE Exec

\* resetspinning: it spins no more; wakep.
ResetSpinning(m) ==
   /\ At(m, "ResetSpinning")
   /\ S' = [S EXCEPT !.nmspinning = @ - 1]
   /\ M' = [Call(m, "WakepLoad", IF M[m].ret = "" THEN Exec ELSE M[m].ret) EXCEPT ![m].spinning = FALSE]

\* findRunnable at its top looks whether the world is being stopped, whether forEachP
\* waits for its P, and at its timers.  What there is none of is passed over.
AfterSafe == IF Has("timer") THEN "TimersCheck" ELSE "GetNext"
AfterTop  == IF Has("safepoint") THEN "SafeCheck" ELSE AfterSafe
First     == IF Has("stw") \/ Has("safepoint") \/ Has("timer") THEN "GetNext" ELSE "top"

\* Is the world to be stopped?
TopCheck(m) ==
   /\ At(m, "top")
   /\ ~Locked(m)
   /\ First # "top"
   /\ Goes(m, IF S.stopping = NoM THEN AfterTop ELSE IF M[m].spinning THEN "StopSpinning" ELSE "StopP")

\* Every 61st time the global queue is looked at first.
Tick(m) ==
   /\ Has("tick")
   /\ At(m, First)
   /\ ~Locked(m)
   /\ S.runq > 0
   /\ Goes(m, "TickGet")

TickGet(m) ==
   /\ At(m, "TickGet")
   /\ S.lock = NoM
   /\ IF S.runq > 0
      THEN /\ S' = [S EXCEPT !.runq = @ - 1, !.seen = @ \ {M[m].p}]
           /\ M' = [M EXCEPT ![m].pc = Found(m)]
      ELSE Goes(m, "GetNext")

\* runqget: runnext.  A G from there goes on with the schedtick of the last one; every
\* other gets a new one.
GetNext(m) ==
   /\ In(m, {First, "GetNext"})
   /\ ~Locked(m)
   /\ IF S.next[M[m].p] = 1
      THEN /\ S' = [S EXCEPT !.next[M[m].p] = 0]
           /\ M' = [M EXCEPT ![m].pc = Found(m)]
      ELSE /\ S' = [S EXCEPT !.seen = @ \ {M[m].p}]
           /\ M' = [M EXCEPT ![m].pc = "GetRing"]

\* runqget: the ring.
GetRing(m) ==
   /\ At(m, "GetRing")
   /\ IF S.ring[M[m].p] > 0
      THEN /\ S' = [S EXCEPT !.ring[M[m].p] = @ - 1]
           /\ M' = [M EXCEPT ![m].pc = Found(m)]
      ELSE Goes(m, "GlobTest")

\* Where an M goes that stole nothing, or may not steal.
Victims(p) == S.procs \ {p}
Idlework   == IF Has("idlework") THEN "Extra" ELSE "DropLock"
Steal(p)   == IF Victims(p) = {} THEN Idlework ELSE "steal"

\* Where an M goes that found nothing in any queue, nor in the poller, and what it
\* has then still to look at.
Throttle(m) == IF M[m].spinning THEN Steal(M[m].p) ELSE "SpinLoad"
Unseen(m)   == IF M[m].spinning THEN Victims(M[m].p) ELSE {}
Beyond(m)   == [M EXCEPT ![m].pc = IF Has("net") THEN "NetTest" ELSE Throttle(m), ![m].todo = Unseen(m)]

\* The global queue, without the lock.
GlobTest(m) ==
   /\ At(m, "GlobTest")
   /\ Private(IF S.runq > 0 THEN [M EXCEPT ![m].pc = "GlobGet"] ELSE Beyond(m))

\* What GlobGet and DropLock do when they hold the lock and there is something: one G
\* is run, the others of the batch are put in the ring after the lock was released.
TakeBatch(m) ==
   /\ S' = [S EXCEPT !.runq = @ - Batch]
   /\ M' = [M EXCEPT ![m].pc = IF Batch > 1 THEN "BatchPut" ELSE Found(m), ![m].num = Batch - 1, ![m].todo = {}]

\* globrunqgetbatch, under the lock.
GlobGet(m) ==
   /\ At(m, "GlobGet")
   /\ S.lock = NoM
   /\ IF S.runq > 0 THEN TakeBatch(m) ELSE Private(Beyond(m))

\* runqputbatch: the rest of the batch, after the lock was released.
BatchPut(m) ==
   /\ At(m, "BatchPut")
   /\ S' = [S EXCEPT !.ring[M[m].p] = @ + M[m].num]
   /\ M' = [M EXCEPT ![m].pc = Found(m), ![m].num = 0]

-----------------------------------------------------------------------------
(* findRunnable: may it spin?  The throttle is 2*nmspinning < gomaxprocs-npidle. *)

SpinLoad(m) ==
   /\ At(m, "SpinLoad")
   /\ Private([M EXCEPT ![m].pc = "IdleLoad", ![m].num = S.nmspinning])

IdleLoad(m) ==
   /\ At(m, "IdleLoad")
   /\ Private([IF 2 * M[m].num < Gomaxprocs - S.npidle
               THEN Call(m, "SpinAdd", "steal")
               ELSE [M EXCEPT ![m].pc = Idlework]
               EXCEPT ![m].num = 0])

\* becomeSpinning: nmspinning.
SpinAdd(m) ==
   /\ At(m, "SpinAdd")
   /\ S' = [S EXCEPT !.nmspinning = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "SpinClear", ![m].spinning = TRUE, ![m].wasSpinning = FALSE]

\* becomeSpinning: needspinning.  It goes on at ret, and releases the lock if it has it.
SpinClear(m) ==
   /\ At(m, "SpinClear")
   /\ S' = [S EXCEPT !.needspinning = 0, !.lock = IF @ = m THEN NoM ELSE @]
   /\ M' = CASE M[m].ret = "steal"    -> [Call(m, Steal(M[m].p), "") EXCEPT ![m].todo = Victims(M[m].p)]
             [] M[m].ret = "runextra" -> [M EXCEPT ![m].pc = "ResetSpinning"]
             [] OTHER                 -> Return(m)

-----------------------------------------------------------------------------
(* stealWork: from any P that it has not looked at yet. *)

\* There was nothing to steal from p.
LookedAt(m, p) ==
   [M EXCEPT ![m].pc = IF M[m].todo = {p} THEN Idlework ELSE "steal",
             ![m].todo = @ \ {p},
             ![m].cand = NoP]

\* runqsteal: half of the ring, rounded up; the last is run, the rest is put in
\* the thief's ring by a store of its own.  With timers, StealTimer has chosen the victim.
StealRing(m) ==
   /\ At(m, IF Has("timer") THEN "StealRing" ELSE "steal")
   /\ \E p \in IF Has("timer") THEN {M[m].cand} ELSE M[m].todo :
      LET k == S.ring[p] - S.ring[p] \div 2 IN
         IF k > 0
         THEN /\ S' = [S EXCEPT !.ring[p] = @ - k]
              /\ M' = [M EXCEPT ![m].pc = IF k > 1 THEN "StealPut" ELSE Found(m),
                                ![m].num = k - 1, ![m].todo = {}, ![m].cand = NoP]
         ELSE Private([M EXCEPT ![m].pc = "StealNext", ![m].cand = p])

StealPut(m) ==
   /\ At(m, "StealPut")
   /\ S' = [S EXCEPT !.ring[M[m].p] = @ + M[m].num]
   /\ M' = [M EXCEPT ![m].pc = Found(m), ![m].num = 0]

\* The ring was empty: runnext.
StealNext(m) ==
   /\ At(m, "StealNext")
   /\ LET p == M[m].cand IN
      IF S.next[p] = 1
      THEN /\ S' = [S EXCEPT !.next[p] = 0]
           /\ M' = [M EXCEPT ![m].pc = Found(m), ![m].todo = {}, ![m].cand = NoP]
      ELSE Private(LookedAt(m, p))

\* findRunnable: the further source of work.
Extra(m) ==
   /\ At(m, "Extra")
   /\ IF S.extra = 1
      THEN /\ S' = [S EXCEPT !.extra = 2]
           /\ M' = IF M[m].spinning THEN Call(m, "ResetSpinning", "runextra") ELSE Call(m, "runextra", "")
      ELSE Goes(m, "DropLock")
=============================================================================

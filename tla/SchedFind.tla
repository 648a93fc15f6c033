----------------------------- MODULE SchedFind ------------------------------
EXTENDS SchedPlace

(* schedule and the first half of findRunnable: sources that any M may take from. *)

\* Where an M goes that has found a G: schedule calls resetspinning if it spins.
Found(m) ==
   IF Bug("locked_first") THEN Exec
   ELSE IF spin[m] THEN "reset"
   ELSE IF Bug("wake_nonspinning") THEN "again"
   ELSE Exec

\* resetspinning: it spins no more; wakep.
ResetSpinning(m) ==
   /\ pc[m] = "reset"
   /\ nmspinning' = nmspinning - (IF Bug("reset_twice") THEN 2 ELSE 1)
   /\ spin' = [spin EXCEPT ![m] = FALSE]
   /\ IF Bug("reset_no_wakep")
      THEN /\ pc' = [pc EXCEPT ![m] = IF ret[m] = "" THEN Exec ELSE ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
      ELSE /\ pc' = [pc EXCEPT ![m] = "wakeload"]
           /\ ret' = [ret EXCEPT ![m] = IF ret[m] = "" THEN Exec ELSE ret[m]]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, nextp, hands, todo>>

\* Under the mutant wake_nonspinning (Go 1.5): an M that did not spin calls wakep, too.
WakeAnyway(m) ==
   /\ pc[m] = "again"
   /\ pc' = [pc EXCEPT ![m] = "wakeload"]
   /\ ret' = [ret EXCEPT ![m] = Exec]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo>>

\* Where the search begins: what is looked at before the queues is passed over if
\* there is none of it.
First == IF Has("stw") \/ Has("timer") THEN "getnext" ELSE "top"

\* findRunnable: every 61st time the global queue is looked at first.
Tick(m) ==
   /\ Has("tick")
   /\ pc[m] = First
   /\ MayFind(m)
   /\ runq > 0
   /\ pc' = [pc EXCEPT ![m] = "tickget"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

TickGet(m) ==
   /\ pc[m] = "tickget"
   /\ lock = NoM
   /\ IF runq > 0
      THEN /\ runq' = runq - 1
           /\ pc' = [pc EXCEPT ![m] = IF Bug("tick_no_reset") THEN Exec ELSE Found(m)]
      ELSE /\ pc' = [pc EXCEPT ![m] = "getnext"]
           /\ UNCHANGED runq
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* runqget: runnext.
GetNext(m) ==
   /\ pc[m] \in {First, "getnext"}
   /\ MayFind(m)
   /\ LET p == myp[m] IN
      IF next[p] = 1
      THEN /\ next' = [next EXCEPT ![p] = 0]
           /\ pc' = [pc EXCEPT ![m] = Found(m)]
      ELSE /\ pc' = [pc EXCEPT ![m] = "getring"]
           /\ UNCHANGED next
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* runqget: the ring.
GetRing(m) ==
   /\ pc[m] = "getring"
   /\ LET p == myp[m] IN
      IF ring[p] > 0
      THEN /\ ring' = [ring EXCEPT ![p] = @ - 1]
           /\ pc' = [pc EXCEPT ![m] = Found(m)]
      ELSE /\ pc' = [pc EXCEPT ![m] = "globtest"]
           /\ UNCHANGED ring
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* Where an M goes that stole nothing, or may not steal.
Victims(p) == IF Bug("no_steal") THEN {} ELSE procs \ {p}
Unspun     == IF Bug("clear_after_scan") THEN "clearlate" ELSE IF Bug("recheck_first") THEN "recheck" ELSE "drop"
Idlework   == IF Has("idlework") THEN "extra" ELSE Unspun
Steal(p)   == IF Victims(p) = {} THEN Idlework ELSE "steal"

\* What is left to look at after the last victim: under the mutant recheck_first
\* the Ps' queues are looked at again now.
Left == IF Bug("recheck_first") /\ ~Has("idlework") THEN procs ELSE {}

\* Where an M goes that found nothing in any queue, nor in the poller, and what it
\* has then still to look at.
Throttle(m) == IF spin[m] THEN Steal(myp[m]) ELSE "spinload"
Unseen(m)   == IF spin[m] THEN Victims(myp[m]) ELSE {}
Beyond(m)   == IF Has("net") THEN "nettest" ELSE Throttle(m)

\* The global queue, without the lock.
GlobTest(m) ==
   /\ pc[m] = "globtest"
   /\ IF runq > 0 /\ ~Bug("search_no_glob")
      THEN pc' = [pc EXCEPT ![m] = "globget"] /\ UNCHANGED todo
      ELSE pc' = [pc EXCEPT ![m] = Beyond(m)] /\ todo' = [todo EXCEPT ![m] = Unseen(m)]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* What GlobGet and DropLock do when they hold the lock and runq > 0: one G is
\* run, the others of the batch are put in the ring after the lock was released.
\* The fix batch_locked keeps the lock until then, as Go 1.24 did; with syscalls it
\* is not enough.
TakeBatch(m) ==
   /\ runq' = runq - Batch
   /\ lock' = IF Fix("batch_locked") /\ Batch > 1 THEN m ELSE NoM
   /\ num' = [num EXCEPT ![m] = Batch - 1]
   /\ pc' = [pc EXCEPT ![m] = IF Batch > 1 THEN "batchput" ELSE Found(m)]

\* globrunqgetbatch, under the lock.
GlobGet(m) ==
   /\ pc[m] = "globget"
   /\ lock = NoM
   /\ IF runq > 0
      THEN TakeBatch(m) /\ UNCHANGED todo
      ELSE /\ pc' = [pc EXCEPT ![m] = Beyond(m)]
           /\ todo' = [todo EXCEPT ![m] = Unseen(m)]
           /\ UNCHANGED <<lock, runq, num>>
   /\ UNCHANGED <<shared, ring, next, blocked, world, myp, spin, nextp, tok, cand, ret>>

\* runqputbatch: the rest of the batch, after the lock was released.  With the fix
\* batch_wakep an M that does not spin calls wakep then, as it does for any other G
\* that it puts in its ring.
BatchPut(m) ==
   /\ pc[m] = "batchput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ IF Fix("batch_wakep") /\ ~spin[m]
      THEN pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = Exec]
      ELSE pc' = [pc EXCEPT ![m] = Found(m)] /\ UNCHANGED ret
   /\ UNCHANGED <<shared, runq, next, blocked, world, myp, spin, nextp, tok, cand, todo>>

-----------------------------------------------------------------------------
(* findRunnable: may it spin?  The throttle is 2*nmspinning < gomaxprocs-npidle. *)

SpinLoad(m) ==
   /\ pc[m] = "spinload"
   /\ num' = [num EXCEPT ![m] = nmspinning]
   /\ pc' = [pc EXCEPT ![m] = "idleload"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo, ret>>

IdleLoad(m) ==
   /\ pc[m] = "idleload"
   /\ num' = [num EXCEPT ![m] = 0]
   /\ IF 2 * num[m] < Gomaxprocs - npidle
      THEN /\ pc' = [pc EXCEPT ![m] = IF Fix("clear_first") THEN "clearfirst" ELSE "spinadd"]
           /\ ret' = [ret EXCEPT ![m] = "steal"]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF Has("idlework") THEN "extra" ELSE "drop"]
           /\ UNCHANGED ret
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo>>

\* becomeSpinning: nmspinning.
SpinAdd(m) ==
   /\ pc[m] = "spinadd"
   /\ nmspinning' = nmspinning + 1
   /\ spin' = [spin EXCEPT ![m] = TRUE]
   /\ was' = [was EXCEPT ![m] = FALSE]
   /\ pc' = [pc EXCEPT ![m] = "spinclear"]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, procs, extra, sb, net, cnt, delta, pu, stw, lk, myp, nextp, hands, todo, ret>>

\* becomeSpinning: needspinning.  It goes on at ret, and releases the lock if it has it.
SpinClear(m) ==
   /\ pc[m] = "spinclear"
   /\ IF Fix("clear_locked") THEN lock \in {NoM, m} ELSE TRUE
   /\ IF Fix("throttle_locked") /\ ret[m] = "steal" THEN lock \in {NoM, m} ELSE TRUE
   /\ needspinning' =
         IF Bug("clear_after_scan") /\ ret[m] = "steal" THEN needspinning
         ELSE IF Fix("drop_clears") /\ lock # m THEN needspinning
         ELSE IF Fix("throttle_keeps") /\ ret[m] = "steal" THEN needspinning
         ELSE IF Fix("clear_first") /\ ret[m] = "steal" THEN needspinning
         ELSE 0
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ IF ret[m] = "steal"
      THEN /\ pc' = [pc EXCEPT ![m] = Steal(myp[m])]
           /\ todo' = [todo EXCEPT ![m] = Victims(myp[m])]
           /\ ret' = [ret EXCEPT ![m] = ""]
      ELSE IF ret[m] \in {"reset", "resetextra"}
      THEN /\ pc' = [pc EXCEPT ![m] = "reset"]
           /\ ret' = [ret EXCEPT ![m] = IF ret[m] = "resetextra" THEN "runextra" ELSE ""]
           /\ UNCHANGED todo
      ELSE /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED todo
   /\ UNCHANGED <<nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands>>

\* With the fix clear_first: needspinning is cleared before nmspinning is raised.
ClearFirst(m) ==
   /\ pc[m] = "clearfirst"
   /\ needspinning' = 0
   /\ pc' = [pc EXCEPT ![m] = "spinadd"]
   /\ UNCHANGED <<lock, nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* stealWork: from any P that it has not looked at yet. *)

\* runqsteal: half of the ring, rounded up; the last is run, the rest is put in
\* the thief's ring by a store of its own.
StealRing(m) ==
   /\ pc[m] = IF Has("timer") THEN "stealring" ELSE "steal"
   /\ \E p \in IF Has("timer") THEN {cand[m]} ELSE todo[m] :
         IF ring[p] > 0
         THEN LET k == ring[p] - ring[p] \div 2 IN
              /\ ring' = [ring EXCEPT ![p] = @ - k]
              /\ num' = [num EXCEPT ![m] = k - 1]
              /\ todo' = [todo EXCEPT ![m] = {}]
              /\ pc' = [pc EXCEPT ![m] = IF k > 1 THEN "stealput" ELSE Found(m)]
              /\ cand' = [cand EXCEPT ![m] = NoP]
         ELSE IF Bug("no_runnext_steal")
         THEN /\ todo' = [todo EXCEPT ![m] = IF todo[m] = {p} THEN Left ELSE @ \ {p}]
              /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {p} THEN Idlework ELSE "steal"]
              /\ cand' = [cand EXCEPT ![m] = NoP]
              /\ UNCHANGED <<ring, num>>
         ELSE /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "stealnext"]
              /\ UNCHANGED <<ring, num, todo>>
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, tok, ret>>

StealPut(m) ==
   /\ pc[m] = "stealput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = Found(m)]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, tok, cand, todo, ret>>

\* The ring was empty: runnext.
StealNext(m) ==
   /\ pc[m] = "stealnext"
   /\ LET p == cand[m] IN
      IF next[p] = 1
      THEN /\ next' = IF Bug("next_kept") THEN next ELSE [next EXCEPT ![p] = 0]
           /\ todo' = [todo EXCEPT ![m] = {}]
           /\ pc' = [pc EXCEPT ![m] = Found(m)]
      ELSE /\ todo' = [todo EXCEPT ![m] = IF todo[m] = {p} THEN Left ELSE @ \ {p}]
           /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {p} THEN Idlework ELSE "steal"]
           /\ UNCHANGED next
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, tok, num, ret>>

\* findRunnable: the further source of work.
Extra(m) ==
   /\ pc[m] = "extra"
   /\ IF extra = 1 /\ ~Bug("search_no_extra")
      THEN /\ extra' = 2
           /\ pc' = [pc EXCEPT ![m] = IF spin[m] THEN "reset" ELSE "runextra"]
           /\ ret' = [ret EXCEPT ![m] = IF spin[m] THEN "runextra" ELSE ""]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF spin[m] THEN Unspun ELSE "drop"]
           /\ UNCHANGED <<extra, ret>>
   /\ UNCHANGED <<lock, shared, queues, procs, sb, more, lk, myp, spin, nextp, hands, todo>>
=============================================================================

----------------------------- MODULE SchedDrop ------------------------------
EXTENDS SchedFind

(* findRunnable: nothing found.  Drop the P, stop spinning, look again. *)

\* Under the mutant clear_after_scan: needspinning is cleared when the scan is over.
ClearLate(m) ==
   /\ pc[m] = "clearlate"
   /\ needspinning' = 0
   /\ pc' = [pc EXCEPT ![m] = "drop"]
   /\ UNCHANGED <<lock, nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* Takes the lock: the global queue, and needspinning if it does not spin.
DropLock(m) ==
   /\ pc[m] = "drop"
   /\ lock = NoM
   /\ IF Has("stw") /\ stopping # NoM
      THEN /\ pc' = [pc EXCEPT ![m] = "top"]
           /\ todo' = [todo EXCEPT ![m] = {}]
           /\ UNCHANGED <<lock, runq, num, ret>>
      ELSE IF runq > 0 /\ ~Bug("drop_no_globcheck")
      THEN /\ TakeBatch(m)
           /\ todo' = [todo EXCEPT ![m] = {}]
           /\ UNCHANGED ret
      ELSE IF ~spin[m] /\ needspinning = 1 /\ ~Bug("no_needspinning")
      THEN /\ lock' = m
           /\ pc' = [pc EXCEPT ![m] = "spinadd"]
           /\ ret' = [ret EXCEPT ![m] = "top"]
           /\ UNCHANGED <<runq, num, todo>>
      ELSE /\ lock' = m
           /\ pc' = [pc EXCEPT ![m] = "dropput"]
           /\ UNCHANGED <<runq, num, todo, ret>>
   /\ UNCHANGED <<shared, ring, next, blocked, world, myp, spin, nextp, tok, cand>>

\* releasep, pidleput: the list and the mask.  An M that spins will look at the Ps
\* again that there are now (snapshotAllp; without a P it does not keep them from
\* changing), and must not rely on those that there will be.
DropPut(m) ==
   /\ pc[m] = "dropput"
   /\ pidle' = pidle \cup {myp[m]}
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "dropnp"]
   /\ todo' = [todo EXCEPT ![m] = IF spin[m] \/ Bug("recheck_everybody") THEN procs ELSE {}]
   /\ UNCHANGED <<lock, nmspinning, needspinning, npidle, queues, world, spin, nextp, hands, ret>>

\* Where an M goes after the Ps' queues, after the further source, after the
\* timers, and in the end.
AfterTimers  == IF Polls THEN "polltest" ELSE "stop"
AfterExtra   == IF Has("timer") THEN "retimers" ELSE AfterTimers
AfterRecheck == IF Has("idlework") /\ ~Bug("extra_no_recheck") THEN "reextra" ELSE AfterExtra

\* Where an M goes that has dropped its P.
AfterDrop(m) ==
   IF spin[m] THEN "decr"
   ELSE IF Bug("recheck_everybody") THEN "reglob"
   ELSE AfterTimers

\* pidleput: npidle, and the lock is released.
DropIdle(m) ==
   /\ pc[m] = "dropnp"
   /\ npidle' = npidle + 1
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = AfterDrop(m)]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* It spins no more, and must look at every source again.
Decrement(m) ==
   /\ pc[m] = "decr"
   /\ IF Bug("decrement_buffered")
      THEN tok' = [tok EXCEPT ![m] = TRUE] /\ UNCHANGED nmspinning
      ELSE nmspinning' = nmspinning - 1 /\ UNCHANGED tok
   /\ spin' = [spin EXCEPT ![m] = FALSE]
   /\ pc' = [pc EXCEPT ![m] =
                 IF Bug("recheck_first") THEN AfterExtra
                 ELSE IF Bug("no_recheck_glob") THEN IF Bug("no_recheck") THEN AfterRecheck ELSE "recheck"
                 ELSE "reglob"]
   /\ todo' = [todo EXCEPT ![m] = IF Bug("no_recheck") \/ Bug("recheck_first") THEN {} ELSE @]
   /\ was' = [was EXCEPT ![m] = Polls]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, procs, extra, sb, net, cnt, delta, pu, stw, lk, myp, nextp, cand, num, ret>>

\* Under the mutant decrement_buffered, which has no barrier between the decrement and
\* what follows: it becomes visible some time later, and before the M takes the lock
\* or swaps a word.
FlushDecrement(m) ==
   /\ Buffered(m)
   /\ nmspinning' = nmspinning - 1
   /\ tok' = [tok EXCEPT ![m] = FALSE]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, pc, myp, spin, nextp, cand, num, todo, ret>>

AfterReglob ==
   IF Bug("no_recheck") THEN AfterRecheck
   ELSE IF Fix("rescan") THEN "rescan"
   ELSE "recheck"

\* The global queue, under the lock; if it holds something, pidlegetSpinning.
RecheckGlob(m) ==
   /\ pc[m] = "reglob"
   /\ lock = NoM
   /\ ~Buffered(m)
   /\ IF runq = 0
      THEN /\ pc' = [pc EXCEPT ![m] = AfterReglob]
           /\ UNCHANGED <<lock, pidle, needspinning, cand, todo>>
      ELSE IF pidle = {}
      THEN /\ needspinning' = IF Bug("glob_pidleget") THEN needspinning ELSE 1
           /\ pc' = [pc EXCEPT ![m] = AfterReglob]
           /\ UNCHANGED <<lock, pidle, cand, todo>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "reglobnp"]
              /\ todo' = [todo EXCEPT ![m] = {}]
              /\ UNCHANGED needspinning
   /\ UNCHANGED <<nmspinning, npidle, queues, world, myp, spin, nextp, tok, num, ret>>

RecheckGlobIdle(m) ==
   /\ pc[m] = "reglobnp"
   /\ npidle' = npidle - 1
   /\ pc' = [pc EXCEPT ![m] = "reglobget"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* globrunqgetbatch, and the lock is released; the P is this M's.
RecheckGlobGet(m) ==
   /\ pc[m] = "reglobget"
   /\ runq' = runq - Batch
   /\ num' = [num EXCEPT ![m] = Batch - 1]
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = IF Batch > 1 THEN "reglobput" ELSE IF Bug("rc_not_spinning") THEN Exec ELSE "spinadd"]
   /\ ret' = [ret EXCEPT ![m] = IF Bug("rc_not_spinning") THEN "" ELSE "reset"]
   /\ UNCHANGED <<shared, ring, next, blocked, world, spin, nextp, tok, todo>>

RecheckGlobPut(m) ==
   /\ pc[m] = "reglobput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = IF Bug("rc_not_spinning") THEN Exec ELSE "spinadd"]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, tok, cand, todo, ret>>

\* checkRunqsNoP: runqempty of a P that it has not looked at yet.
Recheck(m) ==
   /\ pc[m] = "recheck"
   /\ \E p \in todo[m] :
         IF ring[p] + (IF Bug("recheck_no_next") THEN 0 ELSE next[p]) = 0
         THEN /\ todo' = [todo EXCEPT ![m] = @ \ {p}]
              /\ pc' = [pc EXCEPT ![m] =
                            IF todo[m] # {p} THEN "recheck"
                            ELSE IF Bug("recheck_first") THEN "drop"
                            ELSE AfterRecheck]
         ELSE /\ todo' = [todo EXCEPT ![m] = {}]
              /\ pc' = [pc EXCEPT ![m] = IF Bug("recheck_first") THEN "top" ELSE "recheckget"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* With the fix rescan: the Ps that there are now, once nmspinning has gone down.
Rescan(m) ==
   /\ pc[m] = "rescan"
   /\ todo' = [todo EXCEPT ![m] = procs]
   /\ pc' = [pc EXCEPT ![m] = "recheck"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* checkRunqsNoP: a queue that is not empty was seen; pidlegetSpinning.
RecheckGet(m) ==
   /\ pc[m] = "recheckget"
   /\ lock = NoM
   /\ ~Buffered(m)
   /\ IF pidle = {}
      THEN /\ needspinning' = IF Bug("recheck_pidleget") THEN needspinning ELSE 1
           /\ pc' = [pc EXCEPT ![m] = AfterRecheck]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "reacquire"]
              /\ UNCHANGED needspinning
   /\ UNCHANGED <<nmspinning, npidle, queues, world, myp, spin, nextp, tok, num, todo, ret>>

\* pidleget: npidle, and the lock is released; acquirep.
Reacquire(m) ==
   /\ pc[m] = "reacquire"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ IF Bug("rc_not_spinning") \/ Bug("recheck_everybody")
      THEN pc' = [pc EXCEPT ![m] = "top"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = "spinadd"] /\ ret' = [ret EXCEPT ![m] = "top"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, num, todo>>

\* Under the mutant extra_stale (golang/go#51654's kind) an M that looks again asks whether
\* somebody works there, and not whether there is anything left to do.
Stale == Bug("extra_stale") /\ extra # 0

\* checkIdleGCNoP: is there anything?
RecheckExtra(m) ==
   /\ pc[m] = "reextra"
   /\ pc' = [pc EXCEPT ![m] = IF extra = 1 \/ Stale THEN "reextraget" ELSE AfterExtra]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* checkIdleGCNoP: pidlegetSpinning; the work itself is taken under the same lock.
RecheckExtraGet(m) ==
   /\ pc[m] = "reextraget"
   /\ lock = NoM
   /\ ~Buffered(m)
   /\ IF pidle = {}
      THEN /\ needspinning' = 1
           /\ pc' = [pc EXCEPT ![m] = AfterExtra]
           /\ UNCHANGED <<lock, npidle, pidle, cand, extra>>
      ELSE IF extra # 1 /\ ~Stale
      THEN /\ pc' = [pc EXCEPT ![m] = AfterExtra]
           /\ UNCHANGED <<lock, npidle, pidle, cand, extra, needspinning>>
      ELSE \E p \in pidle :
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ IF Bug("extra_unlocked")
                 THEN /\ npidle' = npidle - 1
                      /\ pc' = [pc EXCEPT ![m] = "reextratry"]
                      /\ UNCHANGED <<lock, extra>>
                 ELSE /\ lock' = m
                      /\ extra' = IF Stale THEN extra ELSE 2
                      /\ pc' = [pc EXCEPT ![m] = "reextranp"]
                      /\ UNCHANGED npidle
              /\ UNCHANGED needspinning
   /\ UNCHANGED <<nmspinning, queues, procs, sb, more, lk, myp, spin, nextp, tok, num, todo, ret>>

\* Under the mutant extra_unlocked (golang/go#45975): the P was taken in a section of
\* its own, and goes back if the work is gone.
RecheckExtraTry(m) ==
   /\ pc[m] = "reextratry"
   /\ lock = NoM
   /\ IF extra = 1
      THEN /\ extra' = 2
           /\ myp' = [myp EXCEPT ![m] = cand[m]]
           /\ pc' = [pc EXCEPT ![m] = "spinadd"]
           /\ ret' = [ret EXCEPT ![m] = "resetextra"]
           /\ UNCHANGED <<npidle, pidle>>
      ELSE /\ pidle' = pidle \cup {cand[m]}
           /\ npidle' = npidle + 1
           /\ pc' = [pc EXCEPT ![m] = AfterExtra]
           /\ UNCHANGED <<extra, myp, ret>>
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ UNCHANGED <<lock, nmspinning, needspinning, queues, procs, sb, more, lk, spin, nextp, tok, num, todo>>

RecheckExtraIdle(m) ==
   /\ pc[m] = "reextranp"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "spinadd"]
   /\ ret' = [ret EXCEPT ![m] = IF Bug("extra_stale") THEN "top" ELSE "resetextra"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, num, todo>>

\* stopm: onto the list of idle Ms, which asks checkdead, and asleep.
Stop(m) ==
   /\ pc[m] = "stop"
   /\ lock = NoM
   /\ ~Buffered(m)
   /\ pc' = [pc EXCEPT ![m] = Sleep(m, "parked")]
   /\ was' = [was EXCEPT ![m] = FALSE]
   /\ pu' = [pu EXCEPT ![m] = FALSE]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, cnt, delta, stw, lk, myp, spin, nextp, hands, todo, ret>>
=============================================================================

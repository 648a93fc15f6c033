----------------------------- MODULE SchedWake ------------------------------
EXTENDS SchedPlace

(* wakep: called when a G became runnable.  It goes on at ret. *)

WakepLoad(m) ==
   /\ pc[m] = "wakeload"
   /\ IF nmspinning = 0
      THEN pc' = [pc EXCEPT ![m] = "wakecas"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo>>

WakepCAS(m) ==
   /\ pc[m] = "wakecas"
   /\ sb[m] = 0
   /\ IF nmspinning = 0
      THEN /\ nmspinning' = 1
           /\ tok' = [tok EXCEPT ![m] = TRUE]
           /\ pc' = [pc EXCEPT ![m] = IF Bug("wake_without_p") THEN "start" ELSE "wakeget"]
           /\ UNCHANGED ret
      ELSE /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED <<nmspinning, tok>>
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo>>

\* Takes the lock; pidlegetSpinning: an idle P, or needspinning is set.
WakepGet(m) ==
   /\ pc[m] = "wakeget"
   /\ lock = NoM
   /\ IF pidle # {}
      THEN \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "wakenp"]
              /\ UNCHANGED <<needspinning, nmspinning, tok>>
      ELSE IF Bug("need_unlocked")
      THEN /\ pc' = [pc EXCEPT ![m] = "wakeneed"]
           /\ UNCHANGED <<lock, needspinning, nmspinning, tok, pidle, cand>>
      ELSE /\ lock' = m
           /\ IF Fix("undo_first")
              THEN /\ nmspinning' = IF Bug("leak_nmspinning") THEN nmspinning ELSE nmspinning - 1
                   /\ tok' = [tok EXCEPT ![m] = FALSE]
                   /\ UNCHANGED needspinning
              ELSE /\ needspinning' = IF Bug("wakep_pidleget") THEN needspinning ELSE 1
                   /\ UNCHANGED <<nmspinning, tok>>
           /\ pc' = [pc EXCEPT ![m] = "wakeundo"]
           /\ UNCHANGED <<pidle, cand>>
   /\ UNCHANGED <<npidle, queues, world, myp, spin, nextp, num, todo, ret>>

\* Under the mutant need_unlocked: needspinning is set after the lock was released.
WakepNeed(m) ==
   /\ pc[m] = "wakeneed"
   /\ needspinning' = 1
   /\ pc' = [pc EXCEPT ![m] = "wakeundo"]
   /\ UNCHANGED <<lock, nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* pidleget: npidle, and the lock is released.
WakepIdle(m) ==
   /\ pc[m] = "wakenp"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = "start"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* No idle P: nmspinning goes down again, and the lock is released.
WakepUndo(m) ==
   /\ pc[m] = "wakeundo"
   /\ IF Fix("undo_first") /\ ~Bug("need_unlocked")
      THEN /\ needspinning' = IF Bug("wakep_pidleget") THEN needspinning ELSE 1
           /\ UNCHANGED <<nmspinning, tok>>
      ELSE /\ nmspinning' = IF Bug("leak_nmspinning") THEN nmspinning ELSE nmspinning - 1
           /\ tok' = [tok EXCEPT ![m] = FALSE]
           /\ UNCHANGED needspinning
   /\ lock' = IF lock = m /\ ~Bug("return_locked") THEN NoM ELSE lock
   /\ IF Fix("reload") \/ Fix("retest")
      THEN pc' = [pc EXCEPT ![m] = "wakeagain"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo>>

\* With the fix reload: if somebody cleared needspinning meanwhile, from the start.
\* With retest, if there is an idle P now.
WakepAgain(m) ==
   /\ pc[m] = "wakeagain"
   /\ IF (Fix("reload") /\ needspinning = 0) \/ (Fix("retest") /\ npidle # 0)
      THEN pc' = [pc EXCEPT ![m] = "wakeload"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo>>

-----------------------------------------------------------------------------
(* startm: an M for the P in cand; it spins if there is a token for it. *)

Parked == {m \in Ms : pc[m] = "parked"}
IdleMs == {m \in Parked : nextp[m] = NoP}
NewMs  == {m \in Ms : pc[m] = "unborn" /\ nextp[m] = NoP}

StartM(m) ==
   /\ pc[m] = "start"
   /\ lock = NoM
   /\ \E n \in IF IdleMs # {} THEN IdleMs ELSE NewMs :
         /\ nextp' = [nextp EXCEPT ![n] = cand[m]]
         /\ spin' = [spin EXCEPT ![n] = tok[m]]
         /\ pc' = [pc EXCEPT ![n] = IF cand[m] = NoP THEN "seek"
                                    ELSE IF Bug("newm_uncounted") THEN @
                                    ELSE IF Bug("note_lost") /\ @ = "parked" THEN "limbo"
                                    ELSE "parked", ![m] = ret[m]]
   /\ tok' = [tok EXCEPT ![m] = FALSE]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, world, myp, num, todo>>

\* The M wakes: stopm returns, or mstart begins; acquirep(nextp).
Wake(m) ==
   /\ pc[m] \in {"parked", "unborn"}
   /\ nextp[m] # NoP
   /\ myp' = [myp EXCEPT ![m] = nextp[m]]
   /\ nextp' = [nextp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, queues, world, spin, hands, todo, ret>>

\* Under the mutant wake_without_p (Kotlin/kotlinx.coroutines#3660): the M that was woken
\* has to find a P by itself.
Seek(m) ==
   /\ pc[m] = "seek"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ nmspinning' = nmspinning - 1
           /\ spin' = [spin EXCEPT ![m] = FALSE]
           /\ pc' = [pc EXCEPT ![m] = "stop"]
           /\ UNCHANGED <<npidle, pidle, myp>>
      ELSE \E p \in pidle :
              /\ pidle' = pidle \ {p}
              /\ npidle' = npidle - 1
              /\ myp' = [myp EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "top"]
              /\ UNCHANGED <<nmspinning, spin>>
   /\ UNCHANGED <<lock, needspinning, queues, world, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* injectglist: the Gs that an M has in its hands become runnable, as many Ms are
   started as there are idle Ps for them, and it goes on at ret. *)

\* Without a P: all go to the global queue (globrunqputbatch).
InjectGlob(m) ==
   /\ pc[m] = "injglob"
   /\ lock = NoM
   /\ runq' = runq + num[m]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ IF Bug("inject_no_start")
      THEN /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED cnt
      ELSE /\ pc' = [pc EXCEPT ![m] = "injidle"]
           /\ cnt' = [cnt EXCEPT ![m] = num[m]]
           /\ UNCHANGED ret
   /\ UNCHANGED <<lock, shared, ring, next, blocked, procs, extra, sb, net, delta, pu, was, stw, lk, myp, spin, nextp, tok, cand, todo>>

\* With a P: as many go to the global queue as there are idle Ps,
InjectLoad(m) ==
   /\ pc[m] = "injload"
   /\ cnt' = [cnt EXCEPT ![m] = Min(npidle, num[m])]
   /\ pc' = [pc EXCEPT ![m] = IF npidle > 0 THEN "injsome" ELSE "injput"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, delta, pu, was, stw, lk, myp, spin, nextp, hands, todo, ret>>

InjectSome(m) ==
   /\ pc[m] = "injsome"
   /\ lock = NoM
   /\ runq' = runq + cnt[m]
   /\ num' = [num EXCEPT ![m] = @ - cnt[m]]
   /\ pc' = [pc EXCEPT ![m] = "injidle"]
   /\ ret' = [ret EXCEPT ![m] = "injput"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, nextp, tok, cand, todo>>

\* the others to its ring (runqputbatch), and at the end wakep.
InjectPut(m) ==
   /\ pc[m] = "injput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ cnt' = [cnt EXCEPT ![m] = 0]
   /\ IF Bug("inject_stale_npidle")
      THEN pc' = [pc EXCEPT ![m] = "netadj"] /\ ret' = [ret EXCEPT ![m] = ""]
      ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "netadj"]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, procs, extra, sb, net, delta, pu, was, stw, lk, myp, spin, nextp, tok, cand, todo>>

\* startIdle: pidlegetSpinning.
InjectIdle(m) ==
   /\ pc[m] = "injidle"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ needspinning' = IF Bug("inject_pidleget") THEN needspinning ELSE 1
           /\ cnt' = [cnt EXCEPT ![m] = 0]
           /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "injnp"]
              /\ UNCHANGED <<needspinning, cnt, ret>>
   /\ UNCHANGED <<nmspinning, npidle, queues, procs, extra, sb, net, delta, pu, was, stw, lk, myp, spin, nextp, tok, num, todo>>

InjectNpidle(m) ==
   /\ pc[m] = "injnp"
   /\ npidle' = npidle - 1
   /\ lock' = IF Bug("inject_unlocked") THEN NoM ELSE lock
   /\ pc' = [pc EXCEPT ![m] = "injstart"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* startm with the lock held, which is then released; the M does not spin.
InjectStart(m) ==
   /\ pc[m] = "injstart"
   /\ lock \in {NoM, m}
   /\ \E n \in IF IdleMs # {} THEN IdleMs ELSE NewMs :
         /\ nextp' = [nextp EXCEPT ![n] = cand[m]]
         /\ pc' = [pc EXCEPT ![n] = "parked", ![m] = IF cnt[m] = 1 THEN ret[m] ELSE "injidle"]
   /\ lock' = NoM
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ cnt' = [cnt EXCEPT ![m] = @ - 1]
   /\ ret' = [ret EXCEPT ![m] = IF cnt[m] = 1 THEN "" ELSE @]
   /\ UNCHANGED <<shared, queues, procs, extra, sb, net, delta, pu, was, stw, lk, myp, spin, num, tok, todo>>
=============================================================================

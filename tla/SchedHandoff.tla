---------------------------- MODULE SchedHandoff ----------------------------
EXTENDS SchedProgram

(* handoffp: the P in cand belongs to an M that is blocked.  It goes on at ret. *)

\* runqempty.
HandoffEmpty(m) ==
   /\ pc[m] = "hempty"
   /\ pc' = [pc EXCEPT ![m] =
                 IF ~Bug("handoff_no_ring") /\ (ring[cand[m]] > 0 \/ (next[cand[m]] > 0 /\ ~Bug("handoff_no_next")))
                 THEN "start" ELSE "hglob"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

HandoffGlob(m) ==
   /\ pc[m] = "hglob"
   /\ pc' = [pc EXCEPT ![m] =
                 IF runq > 0 /\ ~Bug("handoff_no_glob") THEN "start"
                 ELSE IF Has("idlework") /\ ~Bug("handoff_no_extra") THEN "hextra"
                 ELSE "hspin"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

HandoffExtra(m) ==
   /\ pc[m] = "hextra"
   /\ pc' = [pc EXCEPT ![m] = IF extra = 1 THEN "start" ELSE "hspin"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* Nobody spins and no P is idle: somebody must look for work.
HandoffSpin(m) ==
   /\ pc[m] = "hspin"
   /\ num' = [num EXCEPT ![m] = nmspinning]
   /\ pc' = [pc EXCEPT ![m] = "hidle"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo, ret>>

HandoffIdle(m) ==
   /\ pc[m] = "hidle"
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = IF num[m] + npidle = 0 /\ ~Bug("handoff_no_spin") THEN "hcas" ELSE "hlock"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo, ret>>

HandoffCAS(m) ==
   /\ pc[m] = "hcas"
   /\ IF nmspinning = 0
      THEN /\ nmspinning' = 1
           /\ tok' = [tok EXCEPT ![m] = TRUE]
           /\ pc' = [pc EXCEPT ![m] = "hclear"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "hlock"]
           /\ UNCHANGED <<nmspinning, tok>>
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo, ret>>

\* needspinning; the lock is released if it is held (with the fix handoff_need).
HandoffClear(m) ==
   /\ pc[m] = "hclear"
   /\ IF Fix("clear_locked") THEN lock \in {NoM, m} ELSE TRUE
   /\ needspinning' = IF Fix("drop_clears") /\ lock # m THEN needspinning ELSE 0
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ pc' = [pc EXCEPT ![m] = "start"]
   /\ UNCHANGED <<nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* This is the last P that runs, and nobody polls.
LastPoll == Polls /\ npidle = Gomaxprocs - 1 /\ poller = NoM /\ ~Bug("handoff_no_poll")

\* Takes the lock: the world is being stopped; or there is something in the global
\* queue by now; or somebody must poll; or else the P becomes idle.
HandoffLock(m) ==
   /\ pc[m] = "hlock"
   /\ lock = NoM
   /\ IF Has("stw") /\ stopping # NoM
      THEN /\ stopped' = stopped \cup {cand[m]}
           /\ cand' = [cand EXCEPT ![m] = NoP]
           /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED lock
      ELSE /\ IF (runq > 0 /\ ~Bug("handoff_no_globcheck")) \/ LastPoll
              THEN pc' = [pc EXCEPT ![m] = "start"] /\ UNCHANGED lock
              ELSE IF Fix("handoff_need") /\ needspinning = 1
              THEN pc' = [pc EXCEPT ![m] = "hadd"] /\ lock' = m
              ELSE pc' = [pc EXCEPT ![m] = "hput"] /\ lock' = m
           /\ UNCHANGED <<stopped, cand, ret>>
   /\ UNCHANGED <<shared, queues, procs, extra, sb, net, poll, stopping, lk, myp, spin, nextp, tok, num, todo>>

\* With the fix handoff_need: the M that gets the P spins, as one that drops its
\* P would.
HandoffAdd(m) ==
   /\ pc[m] = "hadd"
   /\ nmspinning' = nmspinning + 1
   /\ tok' = [tok EXCEPT ![m] = TRUE]
   /\ pc' = [pc EXCEPT ![m] = "hclear"]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo, ret>>

HandoffPut(m) ==
   /\ pc[m] = "hput"
   /\ pidle' = pidle \cup {cand[m]}
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pu' = [pu EXCEPT ![m] = tim[cand[m]] # 0]
   /\ pc' = [pc EXCEPT ![m] = "hputnp"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, npidle, queues, procs, extra, sb, net, cnt, delta, was, stw, lk, myp, spin, nextp, tok, num, todo, ret>>

HandoffPutIdle(m) ==
   /\ pc[m] = "hputnp"
   /\ npidle' = npidle + 1
   /\ lock' = NoM
   /\ IF pu[m] /\ ~Bug("handoff_no_timer")
      THEN pc' = [pc EXCEPT ![m] = "timewake"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ pu' = [pu EXCEPT ![m] = FALSE]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, procs, extra, sb, net, cnt, delta, was, stw, lk, myp, spin, nextp, hands, todo>>

-----------------------------------------------------------------------------
(* exitsyscall without a P. *)

\* exitsyscallTryGetP: the P that it had, if another M is in a syscall with it.
ExitOld(m) ==
   /\ pc[m] = "exitold"
   /\ LET holders == {n \in Ms : pc[n] \in InSyscall /\ myp[n] \in todo[m]} IN
      IF holders # {}
      THEN \E n \in holders :
              /\ myp' = [myp EXCEPT ![m] = myp[n], ![n] = NoP]
              /\ pc' = [pc EXCEPT ![m] = "run"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "exittry"]
           /\ UNCHANGED myp
   /\ todo' = [todo EXCEPT ![m] = {}]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, hands, ret>>

\* exitsyscallTryGetP: is any P idle?  Without the lock.
ExitTry(m) ==
   /\ pc[m] = "exittry"
   /\ pc' = [pc EXCEPT ![m] = IF pidle # {} THEN "exitget" ELSE "exitnop"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* exitsyscallTryGetP: pidleget.
ExitGet(m) ==
   /\ pc[m] = "exitget"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ pc' = [pc EXCEPT ![m] = "exitnop"]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "exitnp"]
   /\ UNCHANGED <<nmspinning, needspinning, npidle, queues, world, myp, spin, nextp, tok, num, todo, ret>>

ExitIdle(m) ==
   /\ pc[m] = "exitnp"
   /\ npidle' = IF Bug("npidle_kept") THEN npidle ELSE npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "run"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, num, todo, ret>>

\* Where an M goes whose G was queued: schedule, or stoplockedm.
GoneQueued(m) ==
   IF Bug("locked_read_late") THEN "exitlate"
   ELSE IF Locked(m) THEN "lockstop"
   ELSE "stop"

\* exitsyscallNoP: an idle P, or the G goes to the global queue, under one lock.
ExitNoP(m) ==
   /\ pc[m] = "exitnop"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN IF Bug("exit_unlocked")
           THEN /\ pc' = [pc EXCEPT ![m] = "exitput"]
                /\ UNCHANGED <<lock, pidle, cand, runq, lk>>
           ELSE /\ runq' = runq + 1
                /\ lk' = Leaves(m, "ready")
                /\ pc' = [pc EXCEPT ![m] = GoneQueued(m)]
                /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "exitnp"]
              /\ UNCHANGED <<runq, lk>>
   /\ UNCHANGED <<nmspinning, needspinning, npidle, ring, next, blocked, rest, myp, spin, nextp, tok, num, todo, ret>>

\* Under the mutant exit_unlocked: the put is a section of its own.
ExitPut(m) ==
   /\ pc[m] = "exitput"
   /\ lock = NoM
   /\ runq' = runq + 1
   /\ lk' = Leaves(m, "ready")
   /\ pc' = [pc EXCEPT ![m] = GoneQueued(m)]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, rest, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* sysmon, and others without a P. *)

\* retake: the P of an M that is in a syscall; handoffp.
Retake(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("syscall")
   /\ \E m \in Ms :
         /\ pc[m] \in InSyscall
         /\ myp[m] # NoP
         /\ cand' = [cand EXCEPT ![s] = myp[m]]
         /\ myp' = [myp EXCEPT ![m] = IF Bug("retake_keeps") THEN @ ELSE NoP]
   /\ pc' = [pc EXCEPT ![s] = "hempty"]
   /\ ret' = [ret EXCEPT ![s] = "sysmon"]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, tok, num, todo>>

\* preemptone: the G that an M runs is to yield, and does.
Preempt(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("preempt")
   /\ \E m \in Ms :
         /\ pc[m] = "run"
         /\ pc' = [pc EXCEPT ![m] = "preempted"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

Preempted(m) ==
   /\ pc[m] = "preempted"
   /\ PutGlobal(m)

\* Some Gs became runnable: injectglist, without a P.
Inject(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("inject")
   /\ \E k \in 1..blocked :
         /\ blocked' = blocked - k
         /\ num' = [num EXCEPT ![s] = k]
         /\ \E S \in ReadyOf(k) : lk' = MadeReady(S)
   /\ pc' = [pc EXCEPT ![s] = "injglob"]
   /\ ret' = [ret EXCEPT ![s] = "sysmon"]
   /\ UNCHANGED <<lock, shared, runq, ring, next, rest, myp, spin, nextp, tok, cand, todo>>

\* netpoll(0), if nobody has polled for long.
SysPoll(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("net")
   /\ poller = NoM
   /\ netready > 0
   /\ netgs' = netgs - netready
   /\ netready' = 0
   /\ num' = [num EXCEPT ![s] = netready]
   /\ delta' = [delta EXCEPT ![s] = netready]
   /\ netwaiters' = netwaiters - AtOnce
   /\ pc' = [pc EXCEPT ![s] = "injglob"]
   /\ ret' = [ret EXCEPT ![s] = "netadj"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, poller, polluntil, brk, tim, cnt, pu, was, stw, lk, myp, spin, nextp, tok, cand, todo>>
=============================================================================

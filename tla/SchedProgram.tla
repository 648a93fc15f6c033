---------------------------- MODULE SchedProgram ----------------------------
EXTENDS SchedPlace

(* What the program does.  Nothing makes it go on: no fairness. *)

\* ready, newproc: the running G makes another runnable.  runqput swaps it into
\* runnext, and what was there is in the M's hands now.
Ready(m) ==
   /\ pc[m] = "run"
   /\ blocked > 0
   /\ blocked' = blocked - 1
   /\ \E S \in ReadyOf(1) : lk' = MadeReady(S)
   /\ IF Bug("wakep_first")
      THEN /\ pc' = [pc EXCEPT ![m] = "wakeload"]
           /\ ret' = [ret EXCEPT ![m] = "late"]
           /\ UNCHANGED next
      ELSE /\ next' = [next EXCEPT ![myp[m]] = 1]
           /\ IF next[myp[m]] = 1
              THEN pc' = [pc EXCEPT ![m] = "kick"] /\ ret' = [ret EXCEPT ![m] = "run"]
              ELSE IF Bug("ready_no_wakep")
              THEN UNCHANGED <<pc, ret>>
              ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<lock, shared, runq, ring, rest, myp, spin, nextp, hands, todo>>

\* Under the mutant wakep_first: runqput after wakep.
LatePut(m) ==
   /\ pc[m] = "late"
   /\ next' = [next EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF next[myp[m]] = 1 THEN "kick" ELSE "run"]
   /\ ret' = [ret EXCEPT ![m] = IF next[myp[m]] = 1 THEN "run" ELSE ""]
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, hands, todo>>

\* runqput: what runnext held goes to the tail of the ring, if there is room.
Kick(m) ==
   /\ pc[m] = "kick"
   /\ sb[m] = 0
   /\ LET p == myp[m] IN
      IF ring[p] < RingCap
      THEN /\ IF Bug("no_storeload")
              THEN sb' = [sb EXCEPT ![m] = 1] /\ UNCHANGED ring
              ELSE ring' = [ring EXCEPT ![p] = @ + 1] /\ UNCHANGED sb
           /\ IF Bug("wake_if_empty")
              THEN pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
              ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ UNCHANGED ret
           /\ UNCHANGED num
      ELSE /\ ring' = [ring EXCEPT ![p] = @ - RingCap \div 2]
           /\ num' = [num EXCEPT ![m] = RingCap \div 2 + 1]
           /\ pc' = [pc EXCEPT ![m] = "overflow"]
           /\ UNCHANGED <<sb, ret>>
   /\ UNCHANGED <<lock, shared, runq, next, blocked, procs, extra, more, lk, myp, spin, tok, nextp, cand, todo>>

\* Under the mutant no_storeload, which has no barrier between the store of tail
\* and what follows: the store becomes visible some time later.
Flush(m) ==
   /\ sb[m] = 1
   /\ sb' = [sb EXCEPT ![m] = 0]
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + 1]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, procs, extra, more, lk, pc, myp, spin, nextp, hands, todo, ret>>

\* runqputslow: half of the ring and the new G go to the global queue.
Overflow(m) ==
   /\ pc[m] = "overflow"
   /\ lock = NoM
   /\ runq' = runq + num[m]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = "wakeload"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, tok, nextp, cand, todo, ret>>

\* gopark, goexit: the running G is gone, and the M calls schedule.
Block(m) ==
   /\ pc[m] = "run"
   /\ sb[m] = 0
   /\ blocked' = blocked + 1
   /\ lk' = Leaves(m, "wait")
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, runq, ring, next, rest, myp, spin, nextp, hands, todo, ret>>

\* goschedImpl: the running G goes to the global queue; wakep; schedule.
PutGlobal(m) ==
   /\ lock = NoM
   /\ runq' = runq + 1
   /\ lk' = Leaves(m, "ready")
   /\ IF Bug("gosched_no_wakep")
      THEN pc' = [pc EXCEPT ![m] = "top"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, rest, myp, spin, nextp, hands, todo>>

Gosched(m) ==
   /\ Has("yield")
   /\ pc[m] = "run"
   /\ PutGlobal(m)

\* goyield_m: the running G goes to the tail of its own ring, and nobody is woken.
Goyield(m) ==
   /\ Has("yield")
   /\ pc[m] = "run"
   /\ ring[myp[m]] < RingCap
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + 1]
   /\ lk' = Leaves(m, "ready")
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, rest, myp, spin, nextp, hands, todo, ret>>

\* entersyscall: the P stays, but may be taken.
EnterSyscall(m) ==
   /\ Has("syscall")
   /\ pc[m] = "run"
   /\ sb[m] = 0
   /\ pc' = [pc EXCEPT ![m] = IF Has("stw") /\ ~Bug("syscall_no_stop") THEN "sysgc" ELSE "syscall"]
   /\ todo' = [todo EXCEPT ![m] = {myp[m]}]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* entersyscallblock: the M hands its P off at once.
EnterSyscallBlock(m) ==
   /\ Has("block")
   /\ pc[m] = "run"
   /\ sb[m] = 0
   /\ pc' = [pc EXCEPT ![m] = "hempty"]
   /\ ret' = [ret EXCEPT ![m] = "syscall"]
   /\ cand' = [cand EXCEPT ![m] = myp[m]]
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ todo' = [todo EXCEPT ![m] = {myp[m]}]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, tok, num>>

\* exitsyscall: the P is still there, or another is to be found.
ExitSyscall(m) ==
   /\ pc[m] = "syscall"
   /\ IF myp[m] # NoP
      THEN pc' = [pc EXCEPT ![m] = "run"] /\ todo' = [todo EXCEPT ![m] = {}]
      ELSE pc' = [pc EXCEPT ![m] = "exitold"] /\ UNCHANGED todo
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* The further source of work: somebody puts something there.
SubmitExtra(m) ==
   /\ Has("idlework")
   /\ pc[m] = "run"
   /\ extra = 0
   /\ extra' = 1
   /\ IF Bug("extra_no_wakep")
      THEN UNCHANGED <<pc, ret>>
      ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<lock, shared, queues, procs, sb, more, lk, myp, spin, nextp, hands, todo>>

ExtraDone(m) ==
   /\ pc[m] = "runextra"
   /\ extra' = 0
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, queues, procs, sb, more, lk, myp, spin, nextp, hands, todo, ret>>
=============================================================================

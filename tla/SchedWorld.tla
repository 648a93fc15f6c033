----------------------------- MODULE SchedWorld -----------------------------
(* Module Sched: stopping the world, and starting it again with all the Ps. *)
EXTENDS SchedWake

\* stopTheWorldWithSema: gcwaiting is set under the lock.
StopWorld(m) ==
   /\ Has("stw")
   /\ pc[m] = "run"
   /\ stopping = NoM
   /\ lock = NoM
   /\ stopping' = m
   /\ lock' = m
   /\ pc' = [pc EXCEPT ![m] = "stwtake"]
   /\ UNCHANGED <<shared, queues, procs, extra, sb, net, poll, stopped, myp, spin, nextp, hands, todo, ret>>

\* The Ps in syscalls and the idle ones are stopped at once: the list and the mask,
StopIdle(m) ==
   /\ pc[m] = "stwtake"
   /\ LET out == {n \in Ms : pc[n] = "syscall" /\ myp[n] # NoP} IN
      /\ stopped' = stopped \cup pidle \cup {myp[n] : n \in out}
      /\ myp' = [n \in Ms |-> IF n \in out THEN NoP ELSE myp[n]]
   /\ pidle' = {}
   /\ pc' = [pc EXCEPT ![m] = "stwnp"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, npidle, queues, procs, extra, sb, net, poll, stopping, spin, nextp, hands, todo, ret>>

\* npidle, and the lock is released.
StopNpidle(m) ==
   /\ pc[m] = "stwnp"
   /\ npidle' = 0
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = "stwwait"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* A G that runs is preempted: it goes to runnext, and wakep (goschedImpl).
StopRunning(m) ==
   /\ pc[m] = "run"
   /\ stopping \notin {NoM, m}
   /\ next' = [next EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF next[myp[m]] = 1 THEN "kick" ELSE "wakeload"]
   /\ ret' = [ret EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, hands, todo>>

\* findRunnable, at its top: is the world to be stopped?
TopCheck(m) ==
   /\ pc[m] = "top"
   /\ IF Has("stw") THEN TRUE ELSE Has("timer")
   /\ pc' = [pc EXCEPT ![m] =
                IF stopping = NoM THEN IF Has("timer") THEN "timers" ELSE "getnext"
                ELSE IF spin[m] THEN "gcspin"
                ELSE "gcstop"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* gcstopm: it spins no more, and wakes nobody.
StopSpinning(m) ==
   /\ pc[m] = "gcspin"
   /\ nmspinning' = nmspinning - 1
   /\ spin' = [spin EXCEPT ![m] = FALSE]
   /\ pc' = [pc EXCEPT ![m] = "gcstop"]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, nextp, hands, todo, ret>>

\* gcstopm: its P has stopped.
StopP(m) ==
   /\ pc[m] = "gcstop"
   /\ lock = NoM
   /\ stopped' = stopped \cup {myp[m]}
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "stop"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, poll, stopping, spin, nextp, hands, todo, ret>>

\* procresize, when all have stopped: Ps without work are idle, and the others wait
\* for an M.  An M without a P was not waited for; if the masks are allocated anew
\* (frozen), one that is looking at Ps again goes on with the old ones, in which what
\* was idle is idle for ever.
Resize(m) ==
   /\ pc[m] = "stwwait"
   /\ lock = NoM
   /\ stopped \cup {myp[m]} = procs
   /\ lock' = m
   /\ procs' = Ps
   /\ LET others == Ps \ {myp[m]}
          busy == {p \in others : ring[p] + next[p] > 0} IN
      /\ pidle' = IF Bug("start_all_idle") THEN others ELSE others \ busy
      /\ todo' = [n \in Ms |->
                    IF n = m THEN IF Bug("start_all_idle") THEN {} ELSE busy
                    ELSE IF Has("frozen") /\ pc[n] \notin {"syscall", "exitold"} THEN todo[n] \ stopped
                    ELSE todo[n]]
   /\ stopped' = {}
   /\ pc' = [pc EXCEPT ![m] = "stwidle"]
   /\ UNCHANGED <<nmspinning, needspinning, npidle, queues, extra, sb, net, poll, stopping, myp, spin, nextp, hands, ret>>

ResizeIdle(m) ==
   /\ pc[m] = "stwidle"
   /\ npidle' = Cardinality(pidle)
   /\ pc' = [pc EXCEPT ![m] = "stwgo"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* startTheWorldWithSema: gcwaiting is cleared, and the lock is released.
StartWorld(m) ==
   /\ pc[m] = "stwgo"
   /\ stopping' = NoM
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {} THEN "wakeload" ELSE "stwstart"]
   /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<shared, queues, procs, extra, sb, net, poll, stopped, myp, spin, nextp, hands, todo>>

\* An M for each P with work, and at the end wakep.
StartP(m) ==
   /\ pc[m] = "stwstart"
   /\ lock = NoM
   /\ \E p \in todo[m], n \in IF IdleMs # {} THEN IdleMs ELSE NewMs :
         /\ nextp' = [nextp EXCEPT ![n] = p]
         /\ todo' = [todo EXCEPT ![m] = @ \ {p}]
         /\ pc' = [pc EXCEPT ![n] = "parked", ![m] = IF todo[m] = {p} THEN "wakeload" ELSE "stwstart"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, hands, ret>>
=============================================================================

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
   /\ UNCHANGED <<shared, queues, procs, extra, sb, net, poll, stopped, lk, myp, spin, nextp, hands, todo, ret>>

\* The Ps in syscalls and the idle ones are stopped at once: the list and the mask,
StopIdle(m) ==
   /\ pc[m] = "stwtake"
   /\ LET out == {n \in Ms : pc[n] \in InSyscall /\ myp[n] # NoP} IN
      /\ stopped' = stopped \cup pidle \cup {myp[n] : n \in out}
      /\ myp' = [n \in Ms |-> IF n \in out THEN NoP ELSE myp[n]]
   /\ pidle' = {}
   /\ pc' = [pc EXCEPT ![m] = "stwnp"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, npidle, queues, procs, extra, sb, net, poll, stopping, lk, spin, nextp, hands, todo, ret>>

\* npidle, and the lock is released.
StopNpidle(m) ==
   /\ pc[m] = "stwnp"
   /\ npidle' = 0
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = "stwwait"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* entersyscall: the world may be stopping, and has looked at the Ps in syscalls before.
SyscallStop(m) ==
   /\ pc[m] = "sysgc"
   /\ IF stopping # NoM /\ myp[m] # NoP
      THEN /\ lock = NoM
           /\ stopped' = stopped \cup {myp[m]}
           /\ myp' = [myp EXCEPT ![m] = NoP]
      ELSE UNCHANGED <<stopped, myp>>
   /\ pc' = [pc EXCEPT ![m] = "syscall"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, poll, stopping, lk, spin, nextp, hands, todo, ret>>

\* Under the mutant start_preempted (golang/go#42237): a G that is in startm is preempted
\* there, too, and the P that it has for another M is in nobody's hands.
StopStarting(m) ==
   /\ Bug("start_preempted")
   /\ pc[m] = "start"
   /\ ret[m] = "run"
   /\ stopping \notin {NoM, m}
   /\ lock = NoM
   /\ stopped' = stopped \cup {myp[m]}
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "limbo"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, poll, stopping, lk, spin, nextp, hands, todo, ret>>

\* A G that runs is preempted: it goes to runnext, and wakep (goschedImpl).
StopRunning(m) ==
   /\ pc[m] = "run"
   /\ stopping \notin {NoM, m}
   /\ next' = [next EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF next[myp[m]] = 1 THEN "kick" ELSE "wakeload"]
   /\ ret' = [ret EXCEPT ![m] = "top"]
   /\ lk' = Leaves(m, "ready")
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, rest, myp, spin, nextp, hands, todo>>

\* findRunnable, at its top: is the world to be stopped?
TopCheck(m) ==
   /\ pc[m] = "top"
   /\ MayFind(m)
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
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, poll, stopping, lk, spin, nextp, hands, todo, ret>>

\* What GOMAXPROCS may become, and how much there is in the queues of some Ps.
NewProcs == IF Has("shrink") THEN (SUBSET Ps) \ {{}} ELSE {Ps}

RECURSIVE Queues(_)
Queues(S) == IF S = {} THEN 0 ELSE LET p == CHOOSE p \in S : TRUE IN ring[p] + next[p] + Queues(S \ {p})

\* procresize, when all have stopped: Ps without work are idle, and the others wait
\* for an M.  What a P has that goes is put on the global queue, and who stops the
\* world takes another if its own goes.  An M without a P was not waited for; if the masks are allocated anew
\* (frozen), one that is looking at Ps again goes on with the old ones, in which what
\* was idle is idle for ever.
Resize(m) ==
   /\ pc[m] = "stwwait"
   /\ lock = NoM
   /\ stopped \cup {myp[m]} = procs
   /\ lock' = m
   /\ \E left \in NewProcs : \E mine \in IF myp[m] \in left THEN {myp[m]} ELSE left :
      LET gone   == IF Bug("shrink_keeps") THEN {} ELSE procs \ left
          others == left \ {mine}
          busy   == {p \in others : ring[p] + next[p] > 0} IN
      /\ procs' = left
      /\ myp' = [myp EXCEPT ![m] = mine]
      /\ runq' = runq + Queues(gone)
      /\ ring' = [p \in Ps |-> IF p \in gone THEN 0 ELSE ring[p]]
      /\ next' = [p \in Ps |-> IF p \in gone THEN 0 ELSE next[p]]
      /\ pidle' = IF Bug("start_all_idle") THEN others ELSE others \ busy
      /\ todo' = [n \in Ms |->
                    IF n = m THEN IF Bug("start_all_idle") THEN {} ELSE busy
                    ELSE IF Has("frozen") /\ pc[n] \notin InSyscall \cup {"exitold"} THEN todo[n] \ stopped
                    ELSE todo[n]]
   /\ stopped' = {}
   /\ pc' = [pc EXCEPT ![m] = "stwidle"]
   /\ UNCHANGED <<nmspinning, needspinning, npidle, blocked, extra, sb, net, poll, stopping, lk, spin, nextp, hands, ret>>

ResizeIdle(m) ==
   /\ pc[m] = "stwidle"
   /\ npidle' = Cardinality(pidle)
   /\ pc' = [pc EXCEPT ![m] = "stwgo"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* Where who stopped the world goes when it has started: wakep, for what is on the global queue.
Started == IF Bug("start_no_wakep") THEN "run" ELSE "wakeload"

\* startTheWorldWithSema: gcwaiting is cleared, and the lock is released.
StartWorld(m) ==
   /\ pc[m] = "stwgo"
   /\ stopping' = NoM
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {} THEN Started ELSE "stwstart"]
   /\ ret' = [ret EXCEPT ![m] = IF todo[m] = {} /\ Started = "run" THEN "" ELSE "run"]
   /\ UNCHANGED <<shared, queues, procs, extra, sb, net, poll, stopped, lk, myp, spin, nextp, hands, todo>>

\* An M for each P with work, and at the end wakep.
StartP(m) ==
   /\ pc[m] = "stwstart"
   /\ lock = NoM
   /\ \E p \in todo[m], n \in IF Bug("start_twice") THEN Parked ELSE IF IdleMs # {} THEN IdleMs ELSE NewMs :
         /\ nextp' = [nextp EXCEPT ![n] = p]
         /\ todo' = [todo EXCEPT ![m] = @ \ {p}]
         /\ pc' = [pc EXCEPT ![n] = "parked", ![m] = IF todo[m] = {p} THEN Started ELSE "stwstart"]
         /\ ret' = [ret EXCEPT ![m] = IF todo[m] = {p} /\ Started = "run" THEN "" ELSE "run"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, hands>>
=============================================================================

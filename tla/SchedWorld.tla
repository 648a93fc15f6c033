----------------------------- MODULE SchedWorld -----------------------------
(* Module Sched: stopping the world, starting it again with all the Ps, and running a
   function on every P.  Who does the one or the other holds worldsema. *)
EXTENDS SchedHandoff, SchedWake

Semacquire == S.stopping = NoM /\ S.foreach = NoM

\* stopTheWorldWithSema: gcwaiting is set under the lock.
StopWorld(m) ==
   /\ Has("stw")
   /\ At(m, "run")
   /\ Semacquire
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.stopping = m, !.lock = m]
   /\ M' = [M EXCEPT ![m].pc = "StopIdle"]

\* The Ps in syscalls are taken.
Taken(H) == [n \in Ms |-> IF n \in H THEN [M[n] EXCEPT !.p = NoP] ELSE M[n]]
PsOf(H)  == {M[n].p : n \in H}

\* The Ps in syscalls and the idle ones are stopped at once: the list and the mask,
StopIdle(m) ==
   /\ At(m, "StopIdle")
   /\ S' = [S EXCEPT !.stopped = @ \cup S.pidle \cup PsOf(Holders(Ps)), !.pidle = {}]
   /\ M' = [Taken(Holders(Ps)) EXCEPT ![m].pc = "StopNpidle"]

\* npidle, and the lock is released.
StopNpidle(m) ==
   /\ At(m, "StopNpidle")
   /\ S' = [S EXCEPT !.npidle = 0, !.lock = NoM]
   /\ M' = [M EXCEPT ![m].pc = "Resize"]

\* A G that runs is preempted: it goes to runnext, and wakep (goschedImpl).
StopRunning(m) ==
   /\ At(m, "run")
   /\ S.stopping \notin {NoM, m}
   /\ S' = Next1(m)
   /\ M' = [Call(m, AfterNext(m), "top") EXCEPT ![m].lk = Leaves(m, "ready")]

\* gcstopm: it spins no more, and wakes nobody.
StopSpinning(m) ==
   /\ At(m, "StopSpinning")
   /\ S' = [S EXCEPT !.nmspinning = @ - 1]
   /\ M' = [M EXCEPT ![m].pc = "StopP", ![m].spinning = FALSE]

\* gcstopm: its P has stopped.
StopP(m) ==
   /\ At(m, "StopP")
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.stopped = @ \cup {M[m].p}]
   /\ M' = [M EXCEPT ![m].pc = "Stop", ![m].p = NoP]

\* What GOMAXPROCS may become, and how much there is in the queues of some Ps.
NewProcs == IF Has("shrink") THEN (SUBSET Ps) \ {{}} ELSE {Ps}

RECURSIVE Queues(_)
Queues(ps) == IF ps = {} THEN 0 ELSE LET p == CHOOSE p \in ps : TRUE IN Queued(p) + Queues(ps \ {p})

\* procresize, when all have stopped: Ps without work are idle, and the others wait
\* for an M.  Who stops the world takes another P if its own goes.  The Gs of a P that
\* goes are put on the global queue, and its timer moves to the P of who stops the
\* world.  A P has one timer at most here: no P goes if that one would get two.  An M
\* without a P was not waited for.
Resize(m) ==
   /\ At(m, "Resize")
   /\ S.lock = NoM
   /\ Stopped(m)
   /\ \E left \in NewProcs : \E mine \in IF M[m].p \in left THEN {M[m].p} ELSE left :
      LET gone == S.procs \ left
          busy == {p \in left \ {mine} : Queued(p) > 0}
          timed == {p \in gone \cup {mine} : S.timer[p] # 0} IN
      /\ Cardinality(timed) <= 1
      /\ S' = [S EXCEPT !.lock = m, !.procs = left, !.pidle = left \ ({mine} \cup busy), !.stopped = {},
                        !.runq = @ + Queues(gone),
                        !.timer = [p \in Ps |-> IF p = mine /\ timed # {} THEN @[CHOOSE q \in timed : TRUE] ELSE IF p \in gone THEN 0 ELSE @[p]],
                        !.far = IF timed \cap @ # {} THEN (@ \ gone) \cup {mine} ELSE @,
                        !.ring = [p \in Ps |-> IF p \in gone THEN 0 ELSE @[p]],
                        !.next = [p \in Ps |-> IF p \in gone THEN 0 ELSE @[p]]]
      /\ M' = [M EXCEPT ![m].pc = "ResizeIdle", ![m].p = mine, ![m].todo = busy]

ResizeIdle(m) ==
   /\ At(m, "ResizeIdle")
   /\ S' = [S EXCEPT !.npidle = Cardinality(S.pidle)]
   /\ M' = [M EXCEPT ![m].pc = "StartWorld"]

\* Where who stopped the world goes when it has started all Ps: wakep, for what is on the
\* global queue.
Started(left) == IF left = {} THEN "WakepLoad" ELSE "StartP"

\* startTheWorldWithSema: gcwaiting is cleared, sysmon woken, and the lock is released.
StartWorld(m) ==
   /\ At(m, "StartWorld")
   /\ S' = [S EXCEPT !.stopping = NoM, !.sysmonwait = FALSE, !.lock = NoM]
   /\ M' = Call(m, Started(M[m].todo), "run")

\* An M for each P with work, and at the end wakep.
StartP(m) ==
   /\ At(m, "StartP")
   /\ S.lock = NoM
   /\ \E p \in M[m].todo, n \in FreeMs :
         Private([M EXCEPT ![n].pc = "parked", ![n].nextp = p, ![m].pc = Started(M[m].todo \ {p}), ![m].todo = @ \ {p}])

-----------------------------------------------------------------------------
(* forEachP: every P runs a function at a safe point. *)

\* The flags of all other Ps are set under the lock; it runs for those that are idle.
ForEachP(m) ==
   /\ Has("safepoint")
   /\ At(m, "run")
   /\ Semacquire
   /\ S.lock = NoM
   /\ LET others == S.procs \ {M[m].p} IN
      /\ S' = [S EXCEPT !.foreach = m, !.safefn = others \ S.pidle]
      /\ M' = [M EXCEPT ![m].pc = IF others = {} THEN "SafeWait" ELSE "SafeTake", ![m].todo = others]

\* Each P once: if its flag is set and it lies with an M in a syscall, it is taken and
\* handed off.
SafeTake(m) ==
   /\ At(m, "SafeTake")
   /\ \E p \in M[m].todo :
      LET after == IF M[m].todo = {p} THEN "SafeWait" ELSE "SafeTake" IN
         IF p \in S.safefn /\ Holders({p}) # {}
         THEN \E n \in Holders({p}) : Private([TakeP(m, n, after) EXCEPT ![m].todo = @ \ {p}])
         ELSE Private([M EXCEPT ![m].pc = after, ![m].todo = @ \ {p}])

\* All have run it.
SafeWait(m) ==
   /\ At(m, "SafeWait")
   /\ S.safefn = {}
   /\ S' = [S EXCEPT !.foreach = NoM]
   /\ M' = [M EXCEPT ![m].pc = "run"]

\* preemptall.
SafePreempt(m) == At(m, "run") /\ M[m].p \in S.safefn /\ Goes(m, "Preempted")

\* findRunnable, at its top.
SafeCheck(m) ==
   /\ At(m, "SafeCheck")
   /\ S' = [S EXCEPT !.safefn = @ \ {M[m].p}]
   /\ M' = [M EXCEPT ![m].pc = IF Has("timer") THEN "TimersCheck" ELSE "GetNext"]
=============================================================================

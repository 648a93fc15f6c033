----------------------------- MODULE SchedWake ------------------------------
EXTENDS SchedPlace

(* wakep: called when a G became runnable.  It goes on at ret. *)

WakepLoad(m) ==
   /\ At(m, "WakepLoad")
   /\ Private(IF S.nmspinning = 0 THEN [M EXCEPT ![m].pc = "WakepCAS"] ELSE Return(m))

WakepCAS(m) ==
   /\ At(m, "WakepCAS")
   /\ IF S.nmspinning = 0
      THEN /\ S' = [S EXCEPT !.nmspinning = 1]
           /\ M' = [M EXCEPT ![m].pc = "WakepGet", ![m].token = TRUE]
      ELSE Private(Return(m))

\* Takes the lock; pidlegetSpinning: an idle P, or needspinning is set.
WakepGet(m) ==
   /\ At(m, "WakepGet")
   /\ S.lock = NoM
   /\ \/ Pidleget(m, "WakepIdle")
      \/ /\ S.pidle = {}
         /\ S' = [S EXCEPT !.lock = m, !.needspinning = 1]
         /\ M' = [M EXCEPT ![m].pc = "WakepUndo"]

\* pidleget: npidle, and the lock is released.
WakepIdle(m) ==
   /\ At(m, "WakepIdle")
   /\ S' = [S EXCEPT !.npidle = @ - 1, !.lock = NoM]
   /\ M' = [M EXCEPT ![m].pc = "StartM"]

\* No idle P: nmspinning goes down again, and the lock is released.
WakepUndo(m) ==
   /\ At(m, "WakepUndo")
   /\ S' = [S EXCEPT !.lock = NoM, !.nmspinning = @ - 1]
   /\ M' = [Return(m) EXCEPT ![m].token = FALSE]

-----------------------------------------------------------------------------
(* startm: an M for the P in cand; it spins if there is a token for it. *)

IdleMs == {m \in Ms : At(m, "parked") /\ M[m].nextp = NoP}
NewMs  == {m \in Ms : At(m, "unborn") /\ M[m].nextp = NoP}

\* mget, or newm if no M is idle.
FreeMs == IF IdleMs # {} THEN IdleMs ELSE NewMs

\* m needs another M, and waits here until one is free; the code would make one.
NeedsM(m) == In(m, {"StartM", "InjectStart", "StartP"}) /\ FreeMs = {}

StartM(m) ==
   /\ At(m, "StartM")
   /\ S.lock = NoM
   /\ \E n \in FreeMs :
         Private([Return(m) EXCEPT ![n].pc = "parked", ![n].nextp = M[m].cand, ![n].spinning = M[m].token,
                                   ![m].token = FALSE, ![m].cand = NoP])

\* The M wakes: stopm returns, or mstart begins; acquirep(nextp).
Wake(m) ==
   /\ In(m, {"parked", "unborn"})
   /\ M[m].nextp # NoP
   /\ Private([M EXCEPT ![m].pc = "top", ![m].p = M[m].nextp, ![m].nextp = NoP])

-----------------------------------------------------------------------------
(* injectglist: the Gs that an M has in its hands become runnable, as many Ms are
   started as there are idle Ps for them, and it goes on at ret. *)

\* Without a P: all go to the global queue (globrunqputbatch).
InjectGlob(m) ==
   /\ At(m, "InjectGlob")
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.runq = @ + M[m].num]
   /\ M' = [M EXCEPT ![m].pc = "InjectIdle", ![m].cnt = M[m].num, ![m].num = 0]

\* With a P: as many go to the global queue as there are idle Ps,
InjectLoad(m) ==
   /\ At(m, "InjectLoad")
   /\ Private([M EXCEPT ![m].pc = IF S.npidle > 0 THEN "InjectSome" ELSE "InjectPut", ![m].cnt = Min(S.npidle, M[m].num)])

InjectSome(m) ==
   /\ At(m, "InjectSome")
   /\ S.lock = NoM
   /\ S' = [S EXCEPT !.runq = @ + M[m].cnt]
   /\ M' = [Call(m, "InjectIdle", "InjectPut") EXCEPT ![m].num = @ - M[m].cnt]

\* the others to its ring (runqputbatch), and at the end wakep.
InjectPut(m) ==
   /\ At(m, "InjectPut")
   /\ S' = [S EXCEPT !.ring[M[m].p] = @ + M[m].num]
   /\ M' = [Call(m, "WakepLoad", "NetAdjust") EXCEPT ![m].num = 0, ![m].cnt = 0]

\* startIdle: pidlegetSpinning.
InjectIdle(m) ==
   /\ At(m, "InjectIdle")
   /\ S.lock = NoM
   /\ \/ Pidleget(m, "InjectNpidle")
      \/ /\ S.pidle = {}
         /\ S' = [S EXCEPT !.needspinning = 1]
         /\ M' = [Return(m) EXCEPT ![m].cnt = 0]

InjectNpidle(m) ==
   /\ At(m, "InjectNpidle")
   /\ S' = [S EXCEPT !.npidle = @ - 1]
   /\ M' = [M EXCEPT ![m].pc = "InjectStart"]

\* startm with the lock held, which is then released; the M does not spin.
InjectStart(m) ==
   /\ At(m, "InjectStart")
   /\ \E n \in FreeMs :
         M' = [IF M[m].cnt = 1 THEN Return(m) ELSE [M EXCEPT ![m].pc = "InjectIdle"]
               EXCEPT ![n].pc = "parked", ![n].nextp = M[m].cand, ![m].cand = NoP, ![m].cnt = @ - 1]
   /\ S' = [S EXCEPT !.lock = NoM]
=============================================================================

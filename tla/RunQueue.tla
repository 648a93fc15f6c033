------------------------------ MODULE RunQueue ------------------------------
(***************************************************************************)
(* The run queue of a P, as the Go scheduler has it: runnext in front, a   *)
(* ring of Cap slots with two free-running indices, and a global queue     *)
(* behind all Ps. One action is one atomic access to a word that others    *)
(* may write at that moment, or one section under the scheduler's lock.    *)
(* The names of the actions are those at the line ends of impl/runq.       *)
(*                                                                         *)
(* Reads of words that nobody else writes ride along: an owner's own tail, *)
(* its own slots, the thief's slots above its tail. Slots are never        *)
(* cleared: a slow thief finds there what a fast one took.                 *)
(*                                                                         *)
(* Each P has one thread, its owner, of the same name. What steps are made *)
(* of is in RunQueueState, puts and the global queue are in RunQueuePut,   *)
(* drains and thieves that have no P in RunQueueDrain; gets, steals and    *)
(* looks are here, and what must hold. What breaks it is an edit of this   *)
(* text: variant/runqueue.edits.                                           *)
(*                                                                         *)
(* The indices of the code wrap at 2^32, here at W, a multiple of Cap. An  *)
(* index that comes round to the same value while a thief stands still is  *)
(* what 2^32 rules out, so fewer Gs must be put in one run than W.         *)
(***************************************************************************)
EXTENDS RunQueuePut, RunQueueDrain

(* runqget *)

\* Where a get goes that took something, or found nothing: back to its caller, which
\* asks again while it looks for work and its own queue still has some.
Took(c) ==
  IF c.op = "get" THEN Idle(c.at)
  ELSE [c EXCEPT !.pc = "GetLoadNext", !.h = 0, !.old = NoG]
FoundNone(c) ==
  IF c.op = "get" THEN Idle(c.at)
  ELSE [c EXCEPT !.pc = First[c.op], !.h = 0, !.old = NoG]

\* runqget: what is in runnext.
GetLoadNext(p) ==
  \E c \in Now(p, "GetLoadNext") :
    Goes(p, [c EXCEPT !.old = Q.next[p], !.pc = IF Q.next[p] = NoG THEN "GetLoadHead" ELSE "GetCASNext"])

\* runqget: takes runnext. One try: only the owner fills it, so if the swap fails it
\* is empty.
GetCASNext(p) ==
  LET c == th[p] IN
  /\ c.pc = "GetCASNext"
  /\ IF Q.next[p] = c.old
     THEN /\ Q' = [Q EXCEPT !.next[p] = NoG]
          /\ S' = [S EXCEPT !.out = @ \cup {c.old}]
          /\ Becomes(p, Took(c))
     ELSE Goes(p, [c EXCEPT !.pc = "GetLoadHead", !.old = NoG])

\* runqget: head.
GetLoadHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "GetLoadHead"
  /\ Goes(p, IF Q.tail[p] = Q.head[p] THEN FoundNone(c) ELSE [c EXCEPT !.pc = "GetCASHead", !.h = Q.head[p]])

\* runqget: takes the oldest.
GetCASHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "GetCASHead"
  /\ IF Q.head[p] = c.h
     THEN /\ Q' = [Q EXCEPT !.head[p] = Plus(c.h, 1)]
          /\ S' = [S EXCEPT !.out = @ \cup {Slot(p, c.h)}]
          /\ Becomes(p, Took(c))
     ELSE Goes(p, [c EXCEPT !.pc = "GetLoadHead", !.h = 0])

-----------------------------------------------------------------------------
(* runqgrab and runqsteal *)

\* How many a thief takes of a ring with these indices, rounded up.
Half(h, t) == Dist(h, t) - (Dist(h, t) \div 2)

\* runqgrab: the victim's head.
GrabLoadHead(p) ==
  \E c \in Now(p, "GrabLoadHead") : Goes(p, [c EXCEPT !.pc = "GrabLoadTail", !.h = Q.head[c.v]])

\* runqgrab: the victim's tail; how many to take. More than half a ring: head and tail are
\* not of one moment.
GrabLoadTail(p) ==
  LET c == th[p]
      n == Half(c.h, Q.tail[c.v]) IN
  /\ c.pc = "GrabLoadTail"
  /\ Goes(p, IF n = 0 THEN IF c.op = "stealnext" THEN Anew(c, "GrabLoadNext") ELSE Idle(c.at)
             ELSE IF n > Cap \div 2 THEN Anew(c, "GrabLoadHead")
             ELSE [c EXCEPT !.pc = "GrabCopySlot", !.n = n])

\* runqgrab: one slot of the victim into one of the thief's own, above its tail. The owner may
\* have written over it by now; then the swap of head will fail.
GrabCopySlot(p) ==
  LET c == th[p]
      all == c.i + 1 = c.n IN
  /\ c.pc = "GrabCopySlot"
  /\ Q' = [Q EXCEPT !.slot[p][At(Q.tail[p] + c.i)] = Slot(c.v, c.h + c.i)]
  /\ UNCHANGED S
  /\ Becomes(p, [c EXCEPT !.pc = IF all THEN "GrabCASHead" ELSE @, !.i = IF all THEN 0 ELSE @ + 1])

\* runqgrab: takes the older half. The newest of it will be returned.
GrabCASHead(p) ==
  LET c == th[p]
      got == Slot(p, Q.tail[p] + c.n - 1)
      taken == [Q EXCEPT !.head[c.v] = Plus(@, c.n)] IN
  /\ c.pc = "GrabCASHead"
  /\ IF Q.head[c.v] # c.h THEN Goes(p, Anew(c, "GrabLoadHead"))
     ELSE IF c.n = 1 THEN StealEnds(p, taken, got)
     ELSE Q' = taken /\ UNCHANGED S /\ Becomes(p, [c EXCEPT !.pc = "StealLoadHead", !.h = 0, !.n = @ - 1, !.ret = got])

\* runqgrab: the ring was empty; the victim's runnext. (The runtime waits 3 us here if the
\* victim is running, which is no step.)
GrabLoadNext(p) ==
  LET c == th[p] IN
  /\ c.pc = "GrabLoadNext"
  /\ Goes(p, IF Q.next[c.v] = NoG THEN Idle(c.at) ELSE [c EXCEPT !.pc = "GrabCASNext", !.old = Q.next[c.v]])

\* runqgrab: takes runnext, which is the whole loot.
GrabCASNext(p) ==
  LET c == th[p]
      taken == [Q EXCEPT !.next[c.v] = NoG, !.slot[p] = IF Owns(p) THEN [@ EXCEPT ![At(Q.tail[p])] = c.old] ELSE @] IN
  /\ c.pc = "GrabCASNext"
  /\ IF Q.next[c.v] = c.old THEN StealEnds(p, taken, c.old) ELSE Goes(p, Anew(c, "GrabLoadHead"))

\* runqsteal: the thief's own head, for the room; thieves of the thief may move it.
StealLoadHead(p) ==
  /\ th[p].pc = "StealLoadHead"
  /\ Goes(p, [th[p] EXCEPT !.pc = "StealStoreTail", !.h = Q.head[p]])

\* runqsteal: publishes the loot but for the G that is returned.
StealStoreTail(p) ==
  /\ th[p].pc = "StealStoreTail"
  /\ StealEnds(p, [Q EXCEPT !.tail[p] = Plus(@, th[p].n)], th[p].ret)

-----------------------------------------------------------------------------
(* runqempty, and the length in schedtrace *)

EmptyLoadHead(p) ==
  \E c \in Now(p, "EmptyLoadHead") : Goes(p, [c EXCEPT !.pc = "EmptyLoadTail", !.h = Q.head[c.v]])

EmptyLoadTail(p) ==
  /\ th[p].pc = "EmptyLoadTail"
  /\ Goes(p, [th[p] EXCEPT !.pc = "EmptyLoadNext", !.t = Q.tail[th[p].v]])

EmptyLoadNext(p) ==
  /\ th[p].pc = "EmptyLoadNext"
  /\ Goes(p, [th[p] EXCEPT !.pc = "EmptyReloadTail", !.old = Q.next[th[p].v]])

\* runqempty: tail again. A kick of runnext into the ring moves it.
EmptyReloadTail(p) ==
  LET c == th[p] IN
  /\ c.pc = "EmptyReloadTail"
  /\ Goes(p, IF c.t = Q.tail[c.v] THEN Idle(c.at) ELSE Anew(c, "EmptyLoadHead"))

\* What runqempty answers if the last look is steady.
SaysEmpty(c) == c.h = c.t /\ c.old = NoG

LenLoadHead(p) ==
  \E c \in Now(p, "LenLoadHead") : Goes(p, [c EXCEPT !.pc = "LenLoadTail", !.h = Q.head[c.v]])

LenLoadTail(p) ==
  LET c == th[p] IN
  /\ c.pc = "LenLoadTail"
  /\ Goes(p, [c EXCEPT !.pc = "LenLoadNext", !.h = 0, !.n = Min(Dist(c.h, Q.tail[c.v]), Cap)])

LenLoadNext(p) ==
  /\ th[p].pc = "LenLoadNext"
  /\ Goes(p, Idle(th[p].at))

\* What the length is if this is the last look.
SaysLen(c) == c.n + IF Q.next[c.v] = NoG THEN 0 ELSE 1

-----------------------------------------------------------------------------

Step(p) ==
  \/ PutLoadNext(p)
  \/ PutCASNext(p)
  \/ PutLoadHead(p)
  \/ PutWriteSlot(p)
  \/ PutStoreTail(p)
  \/ PutSlowCopy(p)
  \/ PutSlowCASHead(p)
  \/ PutSlowGlobal(p)
  \/ PutBatchLoadHead(p)
  \/ PutBatchWriteSlots(p)
  \/ PutBatchStoreTail(p)
  \/ PutRestGlobal(p)
  \/ GlobalPut(p)
  \/ GlobalGetBatch(p)
  \/ GetLoadNext(p)
  \/ GetCASNext(p)
  \/ GetLoadHead(p)
  \/ GetCASHead(p)
  \/ GrabLoadHead(p)
  \/ GrabLoadTail(p)
  \/ GrabCopySlot(p)
  \/ GrabCASHead(p)
  \/ GrabLoadNext(p)
  \/ GrabCASNext(p)
  \/ StealLoadHead(p)
  \/ StealStoreTail(p)
  \/ EmptyLoadHead(p)
  \/ EmptyLoadTail(p)
  \/ EmptyLoadNext(p)
  \/ EmptyReloadTail(p)
  \/ LenLoadHead(p)
  \/ LenLoadTail(p)
  \/ LenLoadNext(p)
  \/ DrainStep(p)

Next == \E p \in Ps : Step(p)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Where each G is *)

\* The Gs that p's call holds, besides the one that it will return, in order.
Held(p) ==
  LET c == th[p]
  IN CASE c.pc = "DrainReadSlots" -> Drained(p)
       [] c.pc \in {"StealLoadHead", "StealStoreTail"} -> Slots(p, Q.tail[p], c.n)
       [] OTHER -> c.hand

One(g) == IF g = NoG THEN <<>> ELSE <<g>>

OfP(p) == Ring(p) \o One(Q.next[p]) \o Held(p) \o One(th[p].ret)

RECURSIVE OfPs(_)
OfPs(some) ==
  IF some = {} THEN <<>>
  ELSE LET p == CHOOSE q \in some : TRUE
       IN OfP(p) \o OfPs(some \ {p})

Queued == OfPs(Ps) \o GlobalList

(* Invariants *)

\* Every G is in exactly one place.
\* RQ-LOST RQ-TWICE RQ-INVENTED
Exact ==
  /\ Cardinality(S.out) + Len(Queued) = Cardinality(Gs)
  /\ S.out \cup Elems(Queued) = Gs

\* RQ-CAPACITY RQ-WRAP
Bounded ==
  \A p \in Ps : Dist(Q.head[p], Q.tail[p]) <= Cap

\* What tail has published was written. RQ-INVENTED
NoHole ==
  \A p \in Ps : NoG \notin Elems(Ring(p))

\* The throw in runqputslow. RQ-CRASH
QueueIsFull ==
  \A p \in Ps : th[p].pc \in {"PutSlowCopy", "PutSlowCASHead"} => Dist(th[p].h, Q.tail[p]) = Cap

\* The throw in runqsteal. RQ-CRASH
RoomForLoot ==
  \A p \in Ps : th[p].pc = "StealStoreTail" => Dist(th[p].h, Q.tail[p]) + th[p].n < Cap

\* The list ends where its tail is, and both are none together. RQ-GLOBAL-FIFO
Linked ==
  IF S.ghead = NoG THEN S.gtail = NoG
  ELSE LET q == GlobalList
       IN q[Len(q)] = S.gtail /\ S.link[S.gtail] = NoG

\* What a batch get would take: at least one if there is one, and as many as all bounds
\* allow. RQ-GLOBAL-BATCH
GlobalShare ==
  LET size == Len(GlobalList)
  IN S.ghead # NoG =>
       \A asked \in 1..Cap :
         LET n == Share(asked, size)
         IN /\ n >= 1
            /\ n <= asked /\ n <= Cap \div 2 /\ n <= size /\ n <= (size \div Shares) + 1
            /\ \/ n = asked
               \/ n = Cap \div 2
               \/ n = size
               \/ n = (size \div Shares) + 1

=============================================================================

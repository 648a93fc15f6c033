---------------------------- MODULE RunQueuePut -----------------------------
(* Module RunQueue: puts, overflows, and the global queue. *)
EXTENDS RunQueueState

(* runqput *)

\* runqput, "retryNext:": what is in runnext.
PutLoadNext(p) ==
  \E c \in Now(p, "PutLoadNext") :
    /\ S' = HandedIn(p, c)
    /\ Becomes(p, [c EXCEPT !.pc = "PutCASNext", !.old = Q.next[p]])
    /\ UNCHANGED Q

\* runqput: the new G takes runnext; what was there is kicked to the ring.
PutCASNext(p) ==
  LET c == th[p] IN
  /\ c.pc = "PutCASNext"
  /\ IF Q.next[p] = c.old
     THEN /\ Q' = [Q EXCEPT !.next[p] = c.hand[1]]
          /\ UNCHANGED S
          /\ Becomes(p, IF c.old = NoG THEN Idle(c.at)
                        ELSE [c EXCEPT !.pc = "PutLoadHead", !.hand = <<c.old>>, !.old = NoG])
     ELSE Goes(p, [c EXCEPT !.pc = "PutLoadNext", !.old = NoG])

\* runqput, "retry:": head, for the length.
PutLoadHead(p) ==
  \E c \in Now(p, "PutLoadHead") :
    /\ S' = HandedIn(p, c)
    /\ Becomes(p, [c EXCEPT
         !.h = Q.head[p],
         !.pc = IF Dist(Q.head[p], Q.tail[p]) < Cap THEN "PutWriteSlot" ELSE "PutSlowCopy"])
    /\ UNCHANGED Q

\* runqput: the slot, which nobody looks at yet.
PutWriteSlot(p) ==
  /\ th[p].pc = "PutWriteSlot"
  /\ Q' = [Q EXCEPT !.slot[p][At(Q.tail[p])] = th[p].hand[1]]
  /\ UNCHANGED S
  /\ Becomes(p, Goto(p, "PutStoreTail"))

\* runqput: publishes.
PutStoreTail(p) ==
  /\ th[p].pc = "PutStoreTail"
  /\ Q' = [Q EXCEPT !.tail[p] = Plus(@, 1)]
  /\ UNCHANGED S
  /\ Becomes(p, Idle(th[p].at))

\* runqputslow: one slot of the older half.
PutSlowCopy(p) ==
  LET c == th[p]
      all == c.i + 1 = Cap \div 2 IN
  /\ c.pc = "PutSlowCopy"
  /\ Goes(p, [c EXCEPT
       !.pc = IF all THEN "PutSlowCASHead" ELSE @,
       !.copied = Append(@, Slot(p, c.h + c.i)),
       !.i = IF all THEN 0 ELSE @ + 1])

\* runqputslow: takes the older half. If a thief took some, the ring has room.
PutSlowCASHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "PutSlowCASHead"
  /\ IF Q.head[p] = c.h
     THEN /\ Q' = [Q EXCEPT !.head[p] = Plus(@, Cap \div 2)]
          /\ UNCHANGED S
          /\ Becomes(p, [c EXCEPT !.pc = "PutSlowGlobal", !.copied = <<>>, !.h = 0, !.hand = c.copied \o c.hand])
     ELSE Goes(p, [c EXCEPT !.pc = "PutLoadHead", !.copied = <<>>, !.h = 0])

\* globrunqputbatch: r with s on the global queue. The caller holds the lock.
Appended(r, s) ==
  [r EXCEPT !.link = Chained(S.gtail, s), !.ghead = IF S.gtail = NoG THEN s[1] ELSE @, !.gtail = s[Len(s)]]

\* runqputslow: the batch onto the global queue, under the lock.
PutSlowGlobal(p) ==
  /\ th[p].pc = "PutSlowGlobal"
  /\ S' = Appended(S, th[p].hand)
  /\ UNCHANGED Q
  /\ Becomes(p, Idle(th[p].at))

-----------------------------------------------------------------------------
(* runqputbatch; the rest goes to the global queue (injectglist) *)

RoomForOneMore(p, h, n) == Dist(h, Q.tail[p]) + n < Cap

\* runqputbatch: head, for the room.
PutBatchLoadHead(p) ==
  \E c \in Now(p, "PutBatchLoadHead") :
    /\ S' = HandedIn(p, c)
    /\ Becomes(p, [c EXCEPT
         !.h = Q.head[p],
         !.pc = IF RoomForOneMore(p, Q.head[p], 0) THEN "PutBatchWriteSlots" ELSE "PutBatchStoreTail"])
    /\ UNCHANGED Q

\* runqputbatch: a slot, which nobody looks at yet.
PutBatchWriteSlots(p) ==
  LET c == th[p]
      more == c.i + 1 < Len(c.hand) /\ RoomForOneMore(p, c.h, c.i + 1) IN
  /\ c.pc = "PutBatchWriteSlots"
  /\ Q' = [Q EXCEPT !.slot[p][At(Q.tail[p] + c.i)] = c.hand[c.i + 1]]
  /\ UNCHANGED S
  /\ Becomes(p, [c EXCEPT !.i = @ + 1, !.pc = IF more THEN @ ELSE "PutBatchStoreTail"])

\* runqputbatch: publishes what was written.
PutBatchStoreTail(p) ==
  LET c == th[p]
      rest == SubSeq(c.hand, c.i + 1, Len(c.hand)) IN
  /\ c.pc = "PutBatchStoreTail"
  /\ Q' = [Q EXCEPT !.tail[p] = Plus(@, c.i)]
  /\ IF rest = <<>>
     THEN S' = HandedOut(c) /\ Becomes(p, Idle(c.at))
     ELSE UNCHANGED S /\ Becomes(p, [c EXCEPT !.pc = "PutRestGlobal", !.hand = rest, !.h = 0, !.i = 0])

\* injectglist: what did not fit goes to the global queue, under the lock. A thief
\* without a P does so with its loot.
PutRestGlobal(p) ==
  /\ th[p].pc = "PutRestGlobal"
  /\ S' = Appended(HandedOut(th[p]), th[p].hand)
  /\ UNCHANGED Q
  /\ Becomes(p, Idle(th[p].at))

-----------------------------------------------------------------------------
(* The global queue by itself *)

\* globrunqput, under the lock.
GlobalPut(p) ==
  \E c \in Now(p, "GlobalPut") :
    /\ S' = Appended(HandedIn(p, c), c.hand)
    /\ UNCHANGED Q
    /\ Becomes(p, Idle(c.at))

\* How many globrunqgetbatch takes of a queue of this size.
Share(asked, size) == Min(Min(asked, Cap \div 2), Min(size, (size \div Shares) + 1))

\* globrunqgetbatch, under the lock: the first is returned, the others are put in
\* the ring after the unlock.
GlobalGetBatch(p) ==
  \E c \in Now(p, "GlobalGetBatch") :
    LET q == GlobalList
        n == Share(c.n, Len(q))
        taken == [S EXCEPT
          !.ghead = IF n = Len(q) THEN NoG ELSE q[n + 1],
          !.gtail = IF n = Len(q) THEN NoG ELSE @,
          !.link = [g \in Gs |-> IF g \in Elems(SubSeq(q, 1, n)) THEN NoG ELSE S.link[g]]] IN
    /\ UNCHANGED Q
    /\ IF q = <<>> THEN UNCHANGED S /\ Becomes(p, Idle(c.at))
       ELSE IF n = 1 THEN S' = [taken EXCEPT !.out = @ \cup {q[1]}] /\ Becomes(p, Idle(c.at))
       ELSE S' = taken /\ Becomes(p, [c EXCEPT !.pc = "PutBatchLoadHead", !.n = 0, !.ret = q[1], !.hand = SubSeq(q, 2, n)])
=============================================================================

--------------------------- MODULE RunQueueDrain ----------------------------
(***************************************************************************)
(* runqdrain, and the thieves that need it: a thread that has no P         *)
(* (Loners) makes one for each steal, as large as the victim's, and drains *)
(* it onto the global queue before it returns.                             *)
(***************************************************************************)
EXTENDS RunQueueState

\* A steal ends, with g, and S is r: a thread that has a P returns.
StealEnds(p, r, g) ==
  IF Owns(p) THEN S' = [r EXCEPT !.out = @ \cup {g}] /\ Becomes(p, Idle(th[p].at))
  ELSE S' = r /\ Becomes(p, [Anew(th[p], "DrainLoadNext") EXCEPT !.ret = g])

\* A drain ends, with s, and S is r. An owner hands the list to its caller. A thief without a P
\* passes it on, and its P is forgotten: it is as new for the next steal.
DrainEnds(p, r, s) ==
  LET c == th[p]
      anew == [r EXCEPT !.head[p] = 0, !.tail[p] = 0, !.slot[p] = NoSlots] IN
  IF c.op = "drain"
  THEN /\ S' = [r EXCEPT !.out = @ \cup Elems(s), !.link = [g \in Gs |-> IF g \in Elems(s) THEN NoG ELSE r.link[g]]]
       /\ Becomes(p, Idle(c.at))
  ELSE IF s = <<>> THEN S' = [anew EXCEPT !.out = @ \cup {c.ret}] /\ Becomes(p, Idle(c.at))
  ELSE S' = anew /\ Becomes(p, [Idle(c.at) EXCEPT !.op = c.op, !.pc = "PutRestGlobal", !.hand = s, !.ret = c.ret])

\* runqdrain: what is in runnext.
DrainLoadNext(p) ==
  \E c \in Now(p, "DrainLoadNext") :
    Goes(p, [c EXCEPT !.old = S.next[p], !.pc = IF S.next[p] = NoG THEN "DrainLoadHead" ELSE "DrainCASNext"])

\* runqdrain: takes runnext.
DrainCASNext(p) ==
  LET c == th[p]
      on == [c EXCEPT !.pc = "DrainLoadHead", !.old = NoG] IN
  /\ c.pc = "DrainCASNext"
  /\ IF S.next[p] = c.old
     THEN S' = [S EXCEPT !.next[p] = NoG, !.link[c.old] = NoG] /\ Becomes(p, [on EXCEPT !.hand = <<c.old>>])
     ELSE Goes(p, on)

\* runqdrain: head.
DrainLoadHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "DrainLoadHead"
  /\ IF S.head[p] = S.tail[p] THEN DrainEnds(p, S, c.hand)
     ELSE Goes(p, [c EXCEPT !.pc = "DrainCASHead", !.h = S.head[p]])

\* runqdrain: takes the whole ring.
DrainCASHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "DrainCASHead"
  /\ IF S.head[p] = c.h
     THEN S' = [S EXCEPT !.head[p] = S.tail[p]] /\ Becomes(p, Goto(p, "DrainReadSlots"))
     ELSE Goes(p, [c EXCEPT !.pc = "DrainLoadHead", !.h = 0])

\* runqdrain: a slot, owned by now, and its G is linked to those before it.
DrainReadSlots(p) ==
  LET c == th[p]
      g == Slot(p, c.h + c.i)
      before == c.hand
      linked == [S EXCEPT !.link = IF before = <<>> THEN [@ EXCEPT ![g] = NoG]
                                   ELSE [@ EXCEPT ![g] = NoG, ![before[Len(before)]] = g]]
      all == c.i + 1 = Dist(c.h, S.tail[p]) IN
  /\ c.pc = "DrainReadSlots"
  /\ IF all THEN DrainEnds(p, linked, Append(c.hand, g))
     ELSE S' = linked /\ Becomes(p, [c EXCEPT !.i = @ + 1, !.hand = Append(@, g)])

DrainStep(p) ==
  \/ DrainLoadNext(p)
  \/ DrainCASNext(p)
  \/ DrainLoadHead(p)
  \/ DrainCASHead(p)
  \/ DrainReadSlots(p)

\* What p's drain has taken, in order: some of it is not read yet.
Drained(p) == th[p].hand \o Slots(p, th[p].h + th[p].i, Dist(th[p].h, S.tail[p]) - th[p].i)
=============================================================================

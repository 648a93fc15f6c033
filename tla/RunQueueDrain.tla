--------------------------- MODULE RunQueueDrain ----------------------------
(***************************************************************************)
(* runqdrain, and the thieves that need it: a thread that has no P         *)
(* (Loners) makes one for each steal, as large as the victim's, and drains *)
(* it onto the global queue before it returns.                             *)
(***************************************************************************)
EXTENDS RunQueueState

\* A steal ends, with g, and Q is r: a thread that has a P returns.
StealEnds(p, r, g) ==
  /\ Q' = r
  /\ IF Owns(p) THEN S' = [S EXCEPT !.out = @ \cup {g}] /\ Becomes(p, Idle(th[p].at))
     ELSE UNCHANGED S /\ Becomes(p, [Anew(th[p], "DrainLoadNext") EXCEPT !.ret = g])

\* A drain ends, with s; S is r, and Q, of an owner, q. An owner hands the list to its caller. A thief without a P
\* passes it on, and its P is forgotten: it is as new for the next steal.
DrainEnds(p, q, r, s) ==
  LET c == th[p] IN
  IF c.op = "drain"
  THEN /\ Q' = q
       /\ S' = [r EXCEPT !.out = @ \cup Elems(s), !.link = [g \in Gs |-> IF g \in Elems(s) THEN NoG ELSE r.link[g]]]
       /\ Becomes(p, Idle(c.at))
  ELSE /\ Q' = [Q EXCEPT !.head[p] = 0, !.tail[p] = 0, !.slot[p] = NoSlots]
       /\ IF s = <<>> THEN S' = [r EXCEPT !.out = @ \cup {c.ret}] /\ Becomes(p, Idle(c.at))
          ELSE S' = r /\ Becomes(p, [Idle(c.at) EXCEPT !.op = c.op, !.pc = "PutRestGlobal", !.hand = s, !.ret = c.ret])

\* runqdrain: what is in runnext.
DrainLoadNext(p) ==
  \E c \in Now(p, "DrainLoadNext") :
    Goes(p, [c EXCEPT !.old = Q.next[p], !.pc = IF Q.next[p] = NoG THEN "DrainLoadHead" ELSE "DrainCASNext"])

\* runqdrain: takes runnext.
DrainCASNext(p) ==
  LET c == th[p]
      on == [c EXCEPT !.pc = "DrainLoadHead", !.old = NoG] IN
  /\ c.pc = "DrainCASNext"
  /\ IF Q.next[p] = c.old
     THEN /\ Q' = [Q EXCEPT !.next[p] = NoG]
          /\ S' = [S EXCEPT !.link[c.old] = NoG]
          /\ Becomes(p, [on EXCEPT !.hand = <<c.old>>])
     ELSE Goes(p, on)

\* runqdrain: head.
DrainLoadHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "DrainLoadHead"
  /\ IF Q.head[p] = Q.tail[p] THEN DrainEnds(p, Q, S, c.hand)
     ELSE Goes(p, [c EXCEPT !.pc = "DrainCASHead", !.h = Q.head[p]])

\* runqdrain: takes the whole ring.
DrainCASHead(p) ==
  LET c == th[p] IN
  /\ c.pc = "DrainCASHead"
  /\ IF Q.head[p] = c.h
     THEN Q' = [Q EXCEPT !.head[p] = Q.tail[p]] /\ UNCHANGED S /\ Becomes(p, Goto(p, "DrainReadSlots"))
     ELSE Goes(p, [c EXCEPT !.pc = "DrainLoadHead", !.h = 0])

\* runqdrain: a slot, owned by now, and its G is linked to those before it.
DrainReadSlots(p) ==
  LET c == th[p]
      g == Slot(p, c.h + c.i)
      before == c.hand
      linked == [S EXCEPT !.link = IF before = <<>> THEN [@ EXCEPT ![g] = NoG]
                                   ELSE [@ EXCEPT ![g] = NoG, ![before[Len(before)]] = g]]
      all == c.i + 1 = Dist(c.h, Q.tail[p]) IN
  /\ c.pc = "DrainReadSlots"
  /\ IF all THEN DrainEnds(p, Q, linked, Append(c.hand, g))
     ELSE UNCHANGED Q /\ S' = linked /\ Becomes(p, [c EXCEPT !.i = @ + 1, !.hand = Append(@, g)])

DrainStep(p) ==
  \/ DrainLoadNext(p)
  \/ DrainCASNext(p)
  \/ DrainLoadHead(p)
  \/ DrainCASHead(p)
  \/ DrainReadSlots(p)

\* What p's drain has taken, in order: some of it is not read yet.
Drained(p) == th[p].hand \o Slots(p, th[p].h + th[p].i, Dist(th[p].h, Q.tail[p]) - th[p].i)
=============================================================================

--------------------------- MODULE MCRunQueueRef ---------------------------
(* The steps of RunQueue are effects of RunQueueAbs, or none. *)
EXTENDS MCRunQueueScripts

\* A ring that a thief made for one steal is part of its hands.
AbsRing == [p \in Ps |-> IF p \in Loners THEN <<>> ELSE Ring(p)]
AbsHold ==
  [p \in Ps |-> IF p \in Loners /\ th[p].pc \notin {"StealLoadHead", "StealStoreTail"}
                THEN Held(p) \o Ring(p) ELSE Held(p)]

Abs == INSTANCE RunQueueAbs WITH
  ring <- AbsRing,
  first <- Q.next,
  out <- S.out,
  glob <- GlobalList,
  hold <- AbsHold,
  ret <- [p \in Ps |-> th[p].ret]

\* RQ-FIFO RQ-OVERFLOW RQ-RUNNEXT-KICK RQ-STEAL-ORDER RQ-DRAIN RQ-PUT-BATCH RQ-GLOBAL-FIFO
\* RQ-GLOBAL-BATCH RQ-RUNNEXT-OWNER
Refines == Abs!Spec

=============================================================================

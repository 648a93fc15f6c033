-------------------------- MODULE MCRunQueueCalls --------------------------
(***************************************************************************)
(* What the answers of calls promise. A call lasts from its first step to  *)
(* its last. What was true at some moment of it is written down in saw,    *)
(* and an answer that needs a moment that there was not is a broken        *)
(* promise.                                                                *)
(***************************************************************************)
EXTENDS MCRunQueue

VARIABLES
  saw,   \* of each thread: what was true at a moment of its call
  lens,  \* of each thread: lengths of the victim's ring since the last take from it
  broken \* promises

callVars == <<vars, saw, lens, broken>>

Grabbing == {"GrabLoadHead", "GrabLoadTail", "GrabCopySlot", "GrabCASHead", "GrabLoadNext", "GrabCASNext"}
Getting == {"GetCASNext", "GetLoadHead", "GetCASHead"}
Emptying == {"EmptyLoadHead", "EmptyLoadTail", "EmptyLoadNext", "EmptyReloadTail"}
Counting == {"LenLoadTail", "LenLoadNext"}
Draining == {"DrainCASNext", "DrainLoadHead", "DrainCASHead", "DrainReadSlots"}

Watched == Grabbing \cup Getting \cup Emptying \cup Counting \cup Draining

\* What is true after a step of the queue that p's call is about.
SeenNow(p) ==
  LET v == IF th'[p].pc \in Getting \cup Draining THEN p ELSE th'[p].v
      r == Q'.head[v] = Q'.tail[v]
      n == Q'.next[v] = NoG
  IN {f \in {"empty", "some", "ring", "next", "first"} :
        CASE f = "empty" -> r /\ n
          [] f = "some" -> ~(r /\ n)
          [] f = "ring" -> r
          [] f = "next" -> n /\ (r \/ "ring" \in saw[p])
          [] f = "first" -> n}

\* Nobody but p is at work before and after a step, nor makes it.
Alone(p) ==
  /\ \A q \in Ps \ {p} : th'[q].pc = "idle" /\ th[q].pc = "idle" /\ th'[q] = th[q]
  /\ S'.out = S.out

\* p's thread is in a call of which something is written down.
InCall(p) == th[p].pc \in Watched
InCallNext(p) == th'[p].pc \in Watched

SawNext ==
  /\ saw' = [p \in Ps |->
       IF ~InCallNext(p) THEN {}
       ELSE (IF InCall(p) THEN saw[p] \ {"alone"} ELSE {}) \cup SeenNow(p) \cup
            (IF Alone(p) /\ (IF InCall(p) THEN "alone" \in saw[p] ELSE TRUE) THEN {"alone"} ELSE {})]
  /\ lens' = [p \in Ps |->
       IF th'[p].pc \notin Grabbing THEN {}
       ELSE LET v == th'[p].v
            IN {(Q'.tail[v] - Q'.head[v] + W) % W} \cup
               (IF th[p].pc \in Grabbing /\ Q'.head[v] = Q.head[v] THEN lens[p] ELSE {})]

\* The promises that p's step breaks.
EndsGet(p) == th[p].pc \in Getting /\ th'[p].pc \notin Getting
EndsSteal(p) == th[p].pc \in Grabbing /\ th'[p].pc = "idle"
EndsEmpty(p) == th[p].pc \in Emptying /\ th'[p].pc \notin Emptying
EndsDrain(p) == th[p].pc \in Draining /\ th'[p].pc \notin Draining
EndsLen(p) == th[p].pc = "LenLoadNext" /\ th'[p].pc # "LenLoadNext"

\* RQ-GET-NONE: a get that finds nothing.
GetLied(p) == EndsGet(p) /\ S'.out = S.out /\ "empty" \notin saw[p]

\* RQ-RUNNEXT-FIRST: the owner takes from the ring when runnext is empty.
FirstLied(p) ==
  th[p].pc = "GetCASHead" /\ th'[p] # th[p] /\ Q'.head # Q.head /\ Q.next[p] # NoG

\* RQ-DRAIN: runnext and the whole ring, so that both were empty at some moment.
DrainLied(p) == EndsDrain(p) /\ ("first" \notin saw[p] \/ "ring" \notin saw[p])

\* RQ-STEAL-NONE: a steal that finds nothing.
StealLied(p) == EndsSteal(p) /\ S'.out = S.out /\ "ring" \notin saw[p]

\* RQ-STEAL-RUNNEXT: runnext is looked at, and taken, by who asks for it and after the ring
\* was empty only; and one that finds nothing found nothing there.
NextLied(p) ==
  IF th[p].pc = "GrabCASNext" /\ th'[p] # th[p] /\ Q'.next # Q.next
  THEN th[p].op # "stealnext" \/ "ring" \notin saw[p]
  ELSE th[p].op = "stealnext" /\ EndsSteal(p) /\ S'.out = S.out /\ "next" \notin saw[p]

\* RQ-STEAL-HALF: how many were taken.
HalfLied(p) ==
  IF th[p].pc = "GrabCASHead" /\ th'[p] # th[p] /\ Q'.head # Q.head
  THEN LET v == th[p].v
       IN \A l \in lens[p] : (Q'.head[v] - Q.head[v] + W) % W # l - (l \div 2)
  ELSE FALSE

\* RQ-EMPTY-TRUE, RQ-EMPTY-FALSE
EmptyLied(p) == EndsEmpty(p) /\ "empty" \notin saw[p] /\ SaysEmpty(th[p])
SomeLied(p) == EndsEmpty(p) /\ "some" \notin saw[p] /\ ~SaysEmpty(th[p])

\* RQ-LEN: exact while nobody else is at work.
LenLied(p) ==
  IF EndsLen(p) /\ "alone" \in saw[p]
  THEN SaysLen(th[p]) # Dist(Q.head[th[p].v], Q.tail[th[p].v]) + Len(One(Q.next[th[p].v]))
  ELSE FALSE

BrokenNext ==
  broken' = broken \cup
    {id \in {"RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-RUNNEXT", "RQ-STEAL-HALF",
             "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN", "RQ-RUNNEXT-FIRST", "RQ-DRAIN"} :
       \E p \in Ps :
         CASE id = "RQ-GET-NONE" -> GetLied(p)
           [] id = "RQ-STEAL-NONE" -> StealLied(p)
           [] id = "RQ-STEAL-RUNNEXT" -> NextLied(p)
           [] id = "RQ-STEAL-HALF" -> HalfLied(p)
           [] id = "RQ-EMPTY-TRUE" -> EmptyLied(p)
           [] id = "RQ-EMPTY-FALSE" -> SomeLied(p)
           [] id = "RQ-LEN" -> LenLied(p)
           [] id = "RQ-RUNNEXT-FIRST" -> FirstLied(p)
           [] id = "RQ-DRAIN" -> DrainLied(p)}

CallInit ==
  /\ Init
  /\ saw = [p \in Ps |-> {}]
  /\ lens = [p \in Ps |-> {}]
  /\ broken = {}

CallNext ==
  /\ Next
  /\ SawNext
  /\ BrokenNext

CallSpec == CallInit /\ [][CallNext]_callVars

\* RQ-GET-NONE
GetNone == "RQ-GET-NONE" \notin broken
\* RQ-STEAL-NONE
StealNone == "RQ-STEAL-NONE" \notin broken
\* RQ-STEAL-RUNNEXT
StealRunnext == "RQ-STEAL-RUNNEXT" \notin broken
\* RQ-STEAL-HALF
StealHalf == "RQ-STEAL-HALF" \notin broken
\* RQ-EMPTY-TRUE
EmptyTrue == "RQ-EMPTY-TRUE" \notin broken
\* RQ-EMPTY-FALSE
EmptyFalse == "RQ-EMPTY-FALSE" \notin broken
\* RQ-LEN
LenExact == "RQ-LEN" \notin broken
\* RQ-RUNNEXT-FIRST
RunnextFirst == "RQ-RUNNEXT-FIRST" \notin broken
\* RQ-DRAIN
DrainAll == "RQ-DRAIN" \notin broken

=============================================================================

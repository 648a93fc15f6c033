--------------------------- MODULE RunQueueState ----------------------------
(* Module RunQueue: its constants, its variables, and how a thread goes from call to call. *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Ps,       \* the Ps, which are the threads as well
  Gs,       \* the units of work
  NoP, NoG, \* none of these
  Loners,   \* the threads that own no P of the set: see RunQueueDrain
  Cap,      \* slots of a ring
  W,        \* where indices wrap
  Start,    \* the indices at the start
  Scripts,  \* for each thread the calls that it makes, in order ...
  Free,     \* ... unless this is a set of kinds of calls that it makes at will
  MaxPuts,  \* how many Gs the free calls hand in, together
  Batch,    \* how many Gs a free batch put brings, and a free batch get asks for
  Bugs      \* what is damaged

\* The bugs that spindle edited into this text: none.
ASSUME Bugs = {}

\* The kinds of calls, with the first step of each.
First ==
  [putnext |-> "PutLoadNext",
   put |-> "PutLoadHead",
   putbatch |-> "PutBatchLoadHead",
   get |-> "GetLoadNext",
   steal |-> "GrabLoadHead",
   stealnext |-> "GrabLoadHead",
   drain |-> "DrainLoadNext",
   empty |-> "EmptyLoadHead",
   len |-> "LenLoadHead",
   gput |-> "GlobalPut",
   gget |-> "GlobalGetBatch"]

ASSUME
  /\ W % Cap = 0
  /\ W > Cap
  /\ Start \in 0..(W - 1)
  /\ Loners \subseteq Ps
  /\ \A p \in Ps : Free[p] \subseteq DOMAIN First

VARIABLES
  Q, \* of each P: its queue
  S, \* what all share
  th \* of each thread, what its call knows

vars == <<Q, S, th>>

-----------------------------------------------------------------------------
(* Indices and lists *)

Elems(s) == {s[i] : i \in 1..Len(s)}
At(i) == i % Cap                 \* the place of index i
Plus(i, n) == (i + n) % W
Dist(h, t) == (t - h + W) % W    \* t - h in wrapping arithmetic
Owns(p) == p \notin Loners       \* p's thread has a P
Victims == {p \in Ps : Owns(p)}
Shares == Cardinality(Victims)   \* gomaxprocs
Min(a, b) == IF a < b THEN a ELSE b

Slot(p, i) == Q.slot[p][At(i)]
Slots(p, i, n) == [k \in 1..n |-> Slot(p, i + k - 1)]
Ring(p) == Slots(p, Q.head[p], Dist(Q.head[p], Q.tail[p]))
NoSlots == [k \in 0..(Cap - 1) |-> NoG]

\* The Gs of a list from g on, but no more than there are Gs and one: a list
\* that runs in a circle shows.
RECURSIVE Walk(_, _)
Walk(g, n) == IF g = NoG \/ n = 0 THEN <<>> ELSE <<g>> \o Walk(S.link[g], n - 1)
GlobalList == Walk(S.ghead, Cardinality(Gs) + 1)

\* The links after s has been chained and its last G ends a list; before is the
\* G that s is appended to, or NoG.
Chained(before, s) ==
  [g \in Gs |->
    IF \E i \in 1..Len(s) : s[i] = g
    THEN LET i == CHOOSE j \in 1..Len(s) : s[j] = g
         IN IF i < Len(s) THEN s[i + 1] ELSE NoG
    ELSE IF g = before THEN s[1] ELSE S.link[g]]

-----------------------------------------------------------------------------
(* Threads and calls. What a call does not need any more is cleared. *)

Idle(at) ==
  [at |-> at,       \* the next call of the script
   copied |-> <<>>, \* Gs that were read and are not owned yet
   h |-> 0,         \* head as it was read
   hand |-> <<>>,   \* Gs that the call owns, in the order in which it moves them
   i |-> 0,         \* the slot that is next
   n |-> 0,         \* how many
   old |-> NoG,     \* runnext as it was read
   op |-> "none",   \* the kind of call
   pc |-> "idle",   \* the next step
   ret |-> NoG,     \* the G that the call will return
   t |-> 0,         \* tail as it was read
   v |-> NoP]       \* whose queue the call is about

Init ==
  /\ Q = [head |-> [p \in Ps |-> IF Owns(p) THEN Start ELSE 0],
          tail |-> [p \in Ps |-> IF Owns(p) THEN Start ELSE 0],
          slot |-> [p \in Ps |-> NoSlots],
          next |-> [p \in Ps |-> NoG]]
  /\ S = [ghead |-> NoG, \* the global queue is a list, linked through the Gs
          gtail |-> NoG,
          link  |-> [g \in Gs |-> NoG],
          out   |-> Gs,  \* the Gs that are in no queue and in no call's hands
          puts  |-> 0]   \* Gs that free calls have handed in
  /\ th = [p \in Ps |-> Idle(1)]

\* Calls that look for work: a thread that has a P makes them when its own queue
\* is empty, and gets until it is. (findRunnable)
Seeking == {"steal", "stealnext", "gget"}

Scripted(p) == Free[p] = {}

FirstOf(p, op) == IF op \in Seeking /\ Scripted(p) /\ Owns(p) THEN "GetLoadNext" ELSE First[op]

\* The call that the script of p has next, if it begins with this step.
FromScript(p, step) ==
  IF th[p].at > Len(Scripts[p]) THEN {}
  ELSE LET c == Scripts[p][th[p].at]
       IN IF FirstOf(p, c.op) # step THEN {}
          ELSE {[Idle(th[p].at + 1) EXCEPT !.op = c.op, !.hand = c.gs, !.v = c.v, !.n = c.n]}

Call(op) == [Idle(1) EXCEPT !.op = op]
Handing(op, n) ==
  IF S.puts + n > MaxPuts THEN {}
  ELSE IF n = 1 THEN {[Call(op) EXCEPT !.hand = <<g>>] : g \in S.out}
  ELSE {[Call(op) EXCEPT !.hand = s] :
          s \in {q \in [1..n -> S.out] : Cardinality(Elems(q)) = n}}
About(op, p) == {[Call(op) EXCEPT !.v = v] : v \in Victims \ {p}}

\* The calls that p may make at will that begin with this step. A thief's own
\* ring is empty: its owner has just seen that, and nobody else fills it.
AtWill(p, step) ==
  UNION {
    IF First[op] # step THEN {}
    ELSE CASE op \in {"put", "putnext", "gput"} -> Handing(op, 1)
           [] op = "putbatch" -> Handing(op, Batch)
           [] op = "gget" -> {[Call(op) EXCEPT !.n = Batch]}
           [] op \in {"steal", "stealnext"} -> IF Q.head[p] = Q.tail[p] THEN About(op, p) ELSE {}
           [] op \in {"empty", "len"} -> About(op, p)
           [] OTHER -> {Call(op)}
    : op \in Free[p]}

\* What p's thread knows when it makes this step: one that its call has come to,
\* or the first of a call.
Now(p, step) ==
  IF th[p].pc = step THEN {th[p]}
  ELSE IF th[p].pc # "idle" THEN {}
  ELSE IF Scripted(p) THEN FromScript(p, step)
  ELSE AtWill(p, step)

\* S after the first step of a put, which takes the Gs that are handed in.
HandedIn(p, c) ==
  IF th[p].pc # "idle" THEN S
  ELSE [S EXCEPT !.out = @ \ Elems(c.hand), !.puts = IF Scripted(p) THEN @ ELSE @ + Len(c.hand)]

\* S after a call has returned its G, if it has one.
HandedOut(c) == [S EXCEPT !.out = @ \cup ({c.ret} \ {NoG})]

\* p's thread knows r now; and that is all that the step does.
Becomes(p, r) == th' = [th EXCEPT ![p] = r]
Goes(p, r) == Becomes(p, r) /\ UNCHANGED <<Q, S>>

Goto(p, step) == [th[p] EXCEPT !.pc = step]

\* The same call from this step on, which knows nothing yet.
Anew(c, step) == [Idle(c.at) EXCEPT !.op = c.op, !.v = c.v, !.pc = step]
=============================================================================

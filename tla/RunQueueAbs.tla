---------------------------- MODULE RunQueueAbs ----------------------------
(***************************************************************************)
(* What a user of the run queue may assume: each P is a first-in-first-out *)
(* queue of Cap Gs with one G in front, behind all is a global queue, and  *)
(* each effect of a call is one action. What a call moves is in its hands  *)
(* in between, in order.                                                   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Ps, Gs, NoG, Cap

VARIABLES
  ring,  \* of each P, oldest first
  first, \* of each P: runnext
  glob,  \* the global queue, oldest first
  out,   \* the Gs that are in no queue and in no call's hands
  hold,  \* of each thread, what its call will put somewhere, in order
  ret    \* of each thread, the G that its call will return, or NoG

vars == <<ring, first, glob, out, hold, ret>>

Elems(s) == {s[i] : i \in 1..Len(s)}
Prefix(s, n) == SubSeq(s, 1, n)
Rest(s, n) == SubSeq(s, n + 1, Len(s))
One(g) == IF g = NoG THEN {} ELSE {g}

\* A call that puts begins. RQ-TWICE
Give(p) ==
  /\ hold[p] = <<>>
  /\ \E g \in out :
       /\ hold' = [hold EXCEPT ![p] = <<g>>]
       /\ out' = out \ {g}
  /\ UNCHANGED <<ring, first, glob, ret>>

GiveBatch(p) ==
  /\ hold[p] = <<>>
  /\ \E n \in 2..Cardinality(out) : \E s \in [1..n -> out] :
       /\ Cardinality(Elems(s)) = n
       /\ hold' = [hold EXCEPT ![p] = s]
       /\ out' = out \ Elems(s)
  /\ UNCHANGED <<ring, first, glob, ret>>

\* The G takes runnext, and what was there is to be put in the ring. RQ-RUNNEXT-KICK
\* RQ-RUNNEXT-OWNER
Kick(p) ==
  /\ Len(hold[p]) = 1
  /\ first' = [first EXCEPT ![p] = hold[p][1]]
  /\ hold' = [hold EXCEPT ![p] = IF first[p] = NoG THEN <<>> ELSE <<first[p]>>]
  /\ UNCHANGED <<ring, glob, out, ret>>

\* Of a call's hands to the tail of its ring, as much as has room; with the last of it the
\* call returns. RQ-FIFO RQ-CAPACITY RQ-PUT-BATCH RQ-STEAL-ORDER
PutRing(p) ==
  \E n \in 1..Cap :
    /\ n <= Len(hold[p])
    /\ Len(ring[p]) + n <= Cap
    /\ ring' = [ring EXCEPT ![p] = @ \o Prefix(hold[p], n)]
    /\ hold' = [hold EXCEPT ![p] = Rest(hold[p], n)]
    /\ IF n = Len(hold[p])
       THEN /\ out' = out \cup One(ret[p])
            /\ ret' = [ret EXCEPT ![p] = NoG]
       ELSE UNCHANGED <<out, ret>>
    /\ UNCHANGED <<first, glob>>

\* The older half of a full ring, in front of the G that found no room. RQ-OVERFLOW
Overflow(p) ==
  /\ Len(hold[p]) = 1
  /\ Len(ring[p]) = Cap
  /\ ring' = [ring EXCEPT ![p] = Rest(@, Cap \div 2)]
  /\ hold' = [hold EXCEPT ![p] = Prefix(ring[p], Cap \div 2) \o @]
  /\ UNCHANGED <<first, glob, out, ret>>

\* A call's hands to the tail of the global queue, in one piece. RQ-GLOBAL-FIFO
PutGlobal(p) ==
  /\ hold[p] # <<>>
  /\ glob' = glob \o hold[p]
  /\ hold' = [hold EXCEPT ![p] = <<>>]
  /\ out' = out \cup One(ret[p])
  /\ ret' = [ret EXCEPT ![p] = NoG]
  /\ UNCHANGED <<ring, first>>

\* One G, from outside onto the global queue. RQ-GLOBAL-FIFO
GivePutGlobal(p) ==
  /\ \E g \in out :
       /\ glob' = Append(glob, g)
       /\ out' = out \ {g}
  /\ UNCHANGED <<ring, first, hold, ret>>

\* The oldest of the global queue: one to return, the others to be put in the ring.
\* RQ-GLOBAL-BATCH RQ-GLOBAL-FIFO
GetGlobal(p) ==
  \E n \in 1..Len(glob) :
    /\ hold[p] = <<>>
    /\ n <= Cap \div 2
    /\ glob' = Rest(glob, n)
    /\ hold' = [hold EXCEPT ![p] = Rest(Prefix(glob, n), 1)]
    /\ IF n = 1
       THEN /\ out' = out \cup {glob[1]}
            /\ ret' = ret
       ELSE /\ ret' = [ret EXCEPT ![p] = glob[1]]
            /\ out' = out
    /\ UNCHANGED <<ring, first>>

\* runnext to whoever takes it: its owner, or a thief. RQ-RUNNEXT-FIRST RQ-STEAL-RUNNEXT
TakeFirst(p) ==
  /\ first[p] # NoG
  /\ first' = [first EXCEPT ![p] = NoG]
  /\ out' = out \cup {first[p]}
  /\ UNCHANGED <<ring, glob, hold, ret>>

\* The oldest to its owner. RQ-FIFO RQ-TWICE
TakeOldest(p) ==
  /\ ring[p] # <<>>
  /\ ring' = [ring EXCEPT ![p] = Tail(@)]
  /\ out' = out \cup {Head(ring[p])}
  /\ UNCHANGED <<first, glob, hold, ret>>

\* The older half, of what was there when the thief looked, to the thief: the newest of it
\* to return. RQ-STEAL-HALF RQ-STEAL-ORDER RQ-FIFO
TakeHalf(p, v) ==
  \E n \in 1..Len(ring[v]) :
    LET k == n - (n \div 2)
    IN
    /\ hold[p] = <<>>
    /\ ret[p] = NoG
    /\ ring' = [ring EXCEPT ![v] = Rest(@, k)]
    /\ hold' = [hold EXCEPT ![p] = Prefix(ring[v], k - 1)]
    /\ IF k = 1 /\ p # v
       THEN \/ /\ out' = out \cup {ring[v][1]}
               /\ ret' = ret
            \/ /\ ret' = [ret EXCEPT ![p] = ring[v][1]]
               /\ out' = out
       ELSE /\ ret' = [ret EXCEPT ![p] = ring[v][k]]
            /\ out' = out
    /\ UNCHANGED <<first, glob>>

\* runnext to a thief that has no P, and will look whether it has more to pass on.
HoldFirst(p, v) ==
  /\ ret[p] = NoG
  /\ first[v] # NoG
  /\ first' = [first EXCEPT ![v] = NoG]
  /\ ret' = [ret EXCEPT ![p] = first[v]]
  /\ UNCHANGED <<ring, glob, out, hold>>

\* It has not.
Return(p) ==
  /\ hold[p] = <<>>
  /\ ret[p] # NoG
  /\ out' = out \cup {ret[p]}
  /\ ret' = [ret EXCEPT ![p] = NoG]
  /\ UNCHANGED <<ring, first, glob, hold>>

\* A drain: runnext, then the whole ring, then the caller has it. RQ-DRAIN
DrainFirst(p) ==
  /\ hold[p] = <<>>
  /\ first[p] # NoG
  /\ first' = [first EXCEPT ![p] = NoG]
  /\ hold' = [hold EXCEPT ![p] = <<first[p]>>]
  /\ UNCHANGED <<ring, glob, out, ret>>

DrainRing(p) ==
  /\ ring[p] # <<>>
  /\ Len(hold[p]) <= 1
  /\ ring' = [ring EXCEPT ![p] = <<>>]
  /\ hold' = [hold EXCEPT ![p] = @ \o ring[p]]
  /\ UNCHANGED <<first, glob, out, ret>>

Drained(p) ==
  /\ hold[p] # <<>>
  /\ ret[p] = NoG
  /\ out' = out \cup Elems(hold[p])
  /\ hold' = [hold EXCEPT ![p] = <<>>]
  /\ UNCHANGED <<ring, first, glob, ret>>

Init ==
  /\ ring = [p \in Ps |-> <<>>]
  /\ first = [p \in Ps |-> NoG]
  /\ glob = <<>>
  /\ out = Gs
  /\ hold = [p \in Ps |-> <<>>]
  /\ ret = [p \in Ps |-> NoG]

Next ==
  \E p \in Ps :
    \/ Give(p)
    \/ GiveBatch(p)
    \/ Kick(p)
    \/ PutRing(p)
    \/ Overflow(p)
    \/ PutGlobal(p)
    \/ GivePutGlobal(p)
    \/ GetGlobal(p)
    \/ TakeFirst(p)
    \/ TakeOldest(p)
    \/ \E v \in Ps \ {p} : TakeHalf(p, v) \/ HoldFirst(p, v)
    \/ Return(p)
    \/ DrainFirst(p)
    \/ DrainRing(p)
    \/ Drained(p)

Spec == Init /\ [][Next]_vars

=============================================================================

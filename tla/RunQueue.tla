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
(* Each P has one thread, its owner, of the same name. A thread that has   *)
(* no P (Loners) makes one for each steal, as large as the victim's, and   *)
(* drains it onto the global queue before it returns.                      *)
(*                                                                         *)
(* The indices of the code wrap at 2^32, here at W, a multiple of Cap. An  *)
(* index that comes round to the same value while a thief stands still is  *)
(* what 2^32 rules out, so fewer Gs must be put in one run than W.         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Ps,       \* the Ps, which are the threads as well
  Gs,       \* the units of work
  NoP, NoG, \* none of these
  Loners,   \* the threads that own no P of the set
  Cap,      \* slots of a ring
  W,        \* where indices wrap
  Start,    \* the indices at the start
  Scripts,  \* for each thread the calls that it makes, in order ...
  Free,     \* ... unless this is a set of kinds of calls that it makes at will
  MaxPuts,  \* how many Gs the free calls hand in, together
  Batch,    \* how many Gs a free batch put brings, and a free batch get asks for
  Bugs      \* what is damaged: names, see Bug

VARIABLES
  head, tail, slot, next, \* of each P
  ghead, gtail, link,     \* the global queue is a list, linked through the Gs
  out,                    \* the Gs that are in no queue and in no call's hands
  puts,                   \* Gs that free calls have handed in
  th                      \* of each thread, what its call knows

words == <<head, tail, slot, next>>
global == <<ghead, gtail, link>>
vars == <<head, tail, slot, next, ghead, gtail, link, out, puts, th>>

Bug(b) == b \in Bugs

Kinds == {"put", "putnext", "putbatch", "get", "steal", "stealnext", "drain",
          "empty", "len", "gput", "gget"}

ASSUME
  /\ W % Cap = 0
  /\ W > Cap
  /\ Start \in 0..(W - 1)
  /\ Loners \subseteq Ps
  /\ \A p \in Ps : Free[p] \subseteq Kinds

-----------------------------------------------------------------------------
(* Indices and lists *)

Elems(s) == {s[i] : i \in 1..Len(s)}
At(i) == i % Cap                 \* the place of index i
Plus(i, n) == (i + n) % W
Dist(h, t) == (t - h + W) % W    \* t - h in wrapping arithmetic
Victims == Ps \ Loners
Shares == Cardinality(Victims)   \* gomaxprocs
Min(a, b) == IF a < b THEN a ELSE b

Ring(p) == [i \in 1..Dist(head[p], tail[p]) |-> slot[p][At(head[p] + i - 1)]]
Slots(p, i, n) == [k \in 1..n |-> slot[p][At(i + k - 1)]]

\* The Gs of a list from g on, but no more than there are Gs and one: a list
\* that runs in a circle shows.
RECURSIVE Walk(_, _)
Walk(g, n) == IF g = NoG \/ n = 0 THEN <<>> ELSE <<g>> \o Walk(link[g], n - 1)
GlobalList == Walk(ghead, Cardinality(Gs) + 1)

\* The links after s has been chained and its last G ends a list; before is the
\* G that s is appended to, or NoG.
Chained(before, s) ==
  [g \in Gs |->
    IF \E i \in 1..Len(s) : s[i] = g
    THEN LET i == CHOOSE j \in 1..Len(s) : s[j] = g
         IN IF i < Len(s) THEN s[i + 1] ELSE NoG
    ELSE IF g = before THEN s[1] ELSE link[g]]

Reverse(s) == [i \in 1..Len(s) |-> s[Len(s) + 1 - i]]

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

\* Calls that look for work: a thread that has a P makes them when its own queue
\* is empty, and gets until it is. (findRunnable)
Seeking == {"steal", "stealnext", "gget"}

First(op) ==
  CASE op = "putnext" -> "PutLoadNext"
    [] op = "put" -> "PutLoadHead"
    [] op = "putbatch" -> "PutBatchLoadHead"
    [] op = "get" -> "GetLoadNext"
    [] op \in {"steal", "stealnext"} -> "GrabLoadHead"
    [] op = "drain" -> "DrainLoadNext"
    [] op = "empty" -> "EmptyLoadHead"
    [] op = "len" -> "LenLoadHead"
    [] op = "gput" -> "GlobalPut"
    [] op = "gget" -> "GlobalGetBatch"

Scripted(p) == Free[p] = {}

FirstOf(p, op) ==
  IF op \in Seeking /\ Scripted(p) /\ p \notin Loners /\ ~Bug("steal_full")
  THEN "GetLoadNext"
  ELSE First(op)

\* The call that the script of p has next, if it begins with this step.
FromScript(p, step) ==
  IF th[p].at > Len(Scripts[p]) THEN {}
  ELSE LET c == Scripts[p][th[p].at]
       IN IF FirstOf(p, c.op) # step THEN {}
          ELSE {[Idle(th[p].at + 1) EXCEPT !.op = c.op, !.hand = c.gs, !.v = c.v, !.n = c.n]}

Call(op) == [Idle(1) EXCEPT !.op = op]
Handing(op, n) ==
  IF puts + n > MaxPuts THEN {}
  ELSE IF n = 1 THEN {[Call(op) EXCEPT !.hand = <<g>>] : g \in out}
  ELSE {[Call(op) EXCEPT !.hand = s] :
          s \in {q \in [1..n -> out] : Cardinality(Elems(q)) = n}}
About(op, p) == {[Call(op) EXCEPT !.v = v] : v \in Victims \ {p}}

\* The calls that p may make at will that begin with this step. A thief's own
\* ring is empty: its owner has just seen that, and nobody else fills it.
AtWill(p, step) ==
  UNION {
    IF First(op) # step THEN {}
    ELSE CASE op \in {"put", "putnext", "gput"} -> Handing(op, 1)
           [] op = "putbatch" -> Handing(op, Batch)
           [] op = "gget" -> {[Call(op) EXCEPT !.n = Batch]}
           [] op \in {"steal", "stealnext"} ->
                IF head[p] = tail[p] \/ Bug("steal_full") THEN About(op, p) ELSE {}
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

\* The first step of a put takes the Gs that are handed in.
HandIn(p, c) ==
  /\ out' = IF th[p].pc = "idle" THEN out \ Elems(c.hand) ELSE out
  /\ puts' = IF th[p].pc = "idle" /\ ~Scripted(p) THEN puts + Len(c.hand) ELSE puts

Become(p, r) == [th EXCEPT ![p] = r]
Done(p) == Idle(th[p].at)
Goto(p, step) == [th[p] EXCEPT !.pc = step]

-----------------------------------------------------------------------------
(* runqput *)

\* runqput, "retryNext:": what is in runnext.
PutLoadNext(p) ==
  /\ \E c \in Now(p, "PutLoadNext") :
       /\ HandIn(p, c)
       /\ th' = Become(p, IF next[p] = NoG /\ Bug("put_next_lost") THEN Idle(c.at)
                           ELSE [c EXCEPT !.pc = "PutCASNext", !.old = next[p]])
  /\ UNCHANGED <<words, global>>

\* runqput: the new G takes runnext; what was there is kicked to the ring.
PutCASNext(p) ==
  LET c == th[p]
      won == next[p] = c.old \/ Bug("put_next_noncas") \* mutants G-9a
  IN
  /\ c.pc = "PutCASNext"
  /\ next' = IF won THEN [next EXCEPT ![p] = c.hand[1]] ELSE next
  /\ th' = Become(p,
       IF ~won THEN [c EXCEPT !.pc = "PutLoadNext", !.old = NoG]
       ELSE IF c.old = NoG \/ Bug("kick_dropped") THEN Done(p) \* mutants Q-8
       ELSE [c EXCEPT !.pc = "PutLoadHead", !.hand = <<c.old>>, !.old = NoG])
  /\ UNCHANGED <<head, tail, slot, global, out, puts>>

\* Whether runqput finds room with this head.
Room(p, h) ==
  IF Bug("put_full") THEN Dist(h, tail[p]) <= Cap               \* mutants G-1
  ELSE IF Bug("put_compares") THEN tail[p] < Plus(h, Cap)       \* mutants Q-2
  ELSE Dist(h, tail[p]) < Cap

\* runqput, "retry:": head, for the length.
PutLoadHead(p) ==
  /\ \E c \in Now(p, "PutLoadHead") :
       /\ HandIn(p, c)
       /\ th' = Become(p, [c EXCEPT
            !.pc = IF ~Room(p, head[p]) THEN "PutSlowCopy"
                   ELSE IF Bug("publish_first") THEN "PutStoreTail" \* mutants G-2
                   ELSE "PutWriteSlot",
            !.h = head[p]])
  /\ UNCHANGED <<words, global>>

\* runqput: the slot, which nobody looks at yet.
PutWriteSlot(p) ==
  LET at == IF Bug("publish_first") THEN Plus(tail[p], W - 1) ELSE tail[p]
  IN
  /\ th[p].pc = "PutWriteSlot"
  /\ slot' = [slot EXCEPT ![p][At(at)] = th[p].hand[1]]
  /\ th' = Become(p, IF Bug("publish_first") THEN Done(p) ELSE Goto(p, "PutStoreTail"))
  /\ UNCHANGED <<head, tail, next, global, out, puts>>

\* runqput: publishes.
PutStoreTail(p) ==
  /\ th[p].pc = "PutStoreTail"
  /\ tail' = [tail EXCEPT ![p] = Plus(tail[p], 1)]
  /\ th' = Become(p, IF Bug("publish_first") THEN Goto(p, "PutWriteSlot") ELSE Done(p))
  /\ UNCHANGED <<head, slot, next, global, out, puts>>

\* runqputslow: one slot of the older half.
PutSlowCopy(p) ==
  LET c == th[p]
      from == IF Bug("slow_younger") THEN Cap \div 2 ELSE 0 \* mutants Q-10
      all == c.i + 1 = Cap \div 2
  IN
  /\ c.pc = "PutSlowCopy"
  /\ th' = Become(p, [c EXCEPT
       !.pc = IF all THEN "PutSlowCASHead" ELSE "PutSlowCopy",
       !.copied = Append(c.copied, slot[p][At(c.h + from + c.i)]),
       !.i = IF all THEN 0 ELSE c.i + 1])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqputslow: takes the older half. If a thief took some, the ring has room.
PutSlowCASHead(p) ==
  LET c == th[p]
      half == Cap \div 2
      won == head[p] = c.h
  IN
  /\ c.pc = "PutSlowCASHead"
  /\ head' = IF won THEN [head EXCEPT ![p] = Plus(c.h, half)] ELSE head
  /\ slot' = IF won /\ Bug("slow_younger")
             THEN [slot EXCEPT ![p] = [k \in 0..(Cap - 1) |->
                    IF Dist(At(c.h), k + W) % Cap >= half THEN slot[p][At(k + half)] ELSE slot[p][k]]]
             ELSE slot
  /\ th' = Become(p,
       IF won \/ Bug("slow_noncas") \* mutants G-3
       THEN [c EXCEPT !.pc = "PutSlowGlobal", !.copied = <<>>, !.h = 0,
              !.hand = IF Bug("slow_drops") THEN c.copied                 \* mutants Q-11
                       ELSE IF Bug("slow_backwards") THEN Reverse(c.copied \o c.hand) \* mutants Q-12
                       ELSE c.copied \o c.hand]
       ELSE IF Bug("stale_head") THEN [c EXCEPT !.pc = "PutSlowCopy", !.copied = <<>>] \* mutants Q-13
       ELSE [c EXCEPT !.pc = "PutLoadHead", !.copied = <<>>, !.h = 0])
  /\ UNCHANGED <<tail, next, global, out, puts>>

\* globrunqputbatch: s onto the global queue. The caller holds the lock.
AppendGlobal(s) ==
  IF Bug("join_front") /\ ghead # NoG \* mutants Q-32
  THEN /\ link' = [Chained(NoG, s) EXCEPT ![s[Len(s)]] = ghead]
       /\ ghead' = s[1]
       /\ gtail' = gtail
  ELSE /\ link' = Chained(gtail, s)
       /\ ghead' = IF gtail = NoG THEN s[1] ELSE ghead
       /\ gtail' = s[Len(s)]

\* The same by one who has not taken the lock: the list's tail is read, the batch
\* is linked behind it, the tail is stored.
AppendUnlocked(p, s) ==
  LET c == th[p]
  IN CASE c.i = 0 -> /\ link' = Chained(NoG, s)
                     /\ th' = Become(p, [c EXCEPT !.i = 1, !.old = gtail])
                     /\ UNCHANGED <<ghead, gtail, out>>
       [] c.i = 1 -> /\ link' = IF c.old = NoG THEN link ELSE [link EXCEPT ![c.old] = s[1]]
                     /\ ghead' = IF c.old = NoG THEN s[1] ELSE ghead
                     /\ th' = Become(p, [c EXCEPT !.i = 2, !.old = NoG])
                     /\ UNCHANGED <<gtail, out>>
       [] c.i = 2 -> /\ gtail' = s[Len(s)]
                     /\ out' = out \cup ({c.ret} \ {NoG})
                     /\ th' = Become(p, Done(p))
                     /\ UNCHANGED <<ghead, link>>

\* runqputslow: the batch onto the global queue, under the lock.
PutSlowGlobal(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "PutSlowGlobal"
  /\ IF Bug("no_lock") THEN AppendUnlocked(p, c.hand) \* mutants OV-1
     ELSE /\ AppendGlobal(c.hand)
          /\ th' = Become(p, Done(p))
          /\ out' = out
  /\ UNCHANGED <<words, puts>>

-----------------------------------------------------------------------------
(* runqputbatch; the rest goes to the global queue (injectglist) *)

RoomForOneMore(p, h, n) ==
  IF Bug("batch_full") THEN Dist(h, tail[p]) + n <= Cap \* mutants Q-16
  ELSE Dist(h, tail[p]) + n < Cap

\* runqputbatch: head, for the room.
PutBatchLoadHead(p) ==
  /\ \E c \in Now(p, "PutBatchLoadHead") :
       /\ HandIn(p, c)
       /\ th' = Become(p, [c EXCEPT
            !.pc = IF RoomForOneMore(p, head[p], 0) THEN "PutBatchWriteSlots" ELSE "PutBatchStoreTail",
            !.h = head[p]])
  /\ UNCHANGED <<words, global>>

\* runqputbatch: a slot, which nobody looks at yet.
PutBatchWriteSlots(p) ==
  LET c == th[p]
      more == c.i + 1 < Len(c.hand) /\ RoomForOneMore(p, c.h, c.i + 1)
  IN
  /\ c.pc = "PutBatchWriteSlots"
  /\ slot' = [slot EXCEPT ![p][At(tail[p] + c.i)] = c.hand[c.i + 1]]
  /\ th' = Become(p, [c EXCEPT !.pc = IF more THEN "PutBatchWriteSlots" ELSE "PutBatchStoreTail", !.i = c.i + 1])
  /\ UNCHANGED <<head, tail, next, global, out, puts>>

\* runqputbatch: publishes what was written.
PutBatchStoreTail(p) ==
  LET c == th[p]
      rest == SubSeq(c.hand, c.i + 1, Len(c.hand))
      end == rest = <<>> \/ Bug("batch_drops") \* mutants Q-14
  IN
  /\ c.pc = "PutBatchStoreTail"
  /\ tail' = [tail EXCEPT ![p] = Plus(tail[p], c.i)]
  /\ slot' = IF Bug("batch_backwards") \* mutants Q-15
             THEN [slot EXCEPT ![p] = [k \in 0..(Cap - 1) |->
                    IF \E j \in 0..(c.i - 1) : At(tail[p] + j) = k
                    THEN c.hand[c.i - (CHOOSE j \in 0..(c.i - 1) : At(tail[p] + j) = k)]
                    ELSE slot[p][k]]]
             ELSE slot
  /\ out' = IF end THEN out \cup ({c.ret} \ {NoG}) ELSE out
  /\ th' = Become(p, IF end THEN Done(p) ELSE [c EXCEPT !.pc = "PutRestGlobal", !.hand = rest, !.h = 0, !.i = 0])
  /\ UNCHANGED <<head, next, global, puts>>

\* injectglist: what did not fit goes to the global queue, under the lock. A thief
\* without a P does so with its loot.
PutRestGlobal(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "PutRestGlobal"
  /\ IF Bug("no_lock_rest") THEN AppendUnlocked(p, c.hand) \* golang/go#40457
     ELSE /\ AppendGlobal(c.hand)
          /\ out' = out \cup ({c.ret} \ {NoG})
          /\ th' = Become(p, Done(p))
  /\ UNCHANGED <<words, puts>>

-----------------------------------------------------------------------------
(* The global queue by itself *)

\* globrunqput, under the lock.
GlobalPut(p) ==
  /\ \E c \in Now(p, "GlobalPut") :
       /\ HandIn(p, c)
       /\ AppendGlobal(c.hand)
       /\ th' = Become(p, Idle(c.at))
  /\ UNCHANGED words

\* How many globrunqgetbatch takes of a queue of this size.
Share(asked, size) ==
  LET n == Min(asked, Cap \div 2)
  IN IF Bug("share_zero") \/ Bug("share_no_more") \* mutants OV-3, Q-29
     THEN Min(n, Min(size, size \div Shares))
     ELSE Min(n, Min(size, (size \div Shares) + 1))

\* globrunqgetbatch, under the lock: the first is returned, the others are put in
\* the ring after the unlock.
GlobalGetBatch(p) ==
  /\ \E c \in Now(p, "GlobalGetBatch") :
       LET q == GlobalList
           share == Share(c.n, Len(q))
           none == q = <<>> \/ (Bug("share_zero") /\ share = 0)
           n == IF share = 0 THEN 1 ELSE share
           rest == SubSeq(q, 2, n)
       IN IF none
          THEN /\ th' = Become(p, Idle(c.at))
               /\ UNCHANGED <<global, out>>
          ELSE /\ ghead' = IF n = Len(q) THEN NoG ELSE q[n + 1]
               /\ gtail' = IF n = Len(q) /\ ~Bug("stale_gtail") THEN NoG ELSE gtail \* mutants Q-31
               /\ link' = [g \in Gs |-> IF g \in Elems(SubSeq(q, 1, n)) /\ ~Bug("link_kept") \* mutants E-3
                                        THEN NoG ELSE link[g]]
               /\ out' = IF n = 1 THEN out \cup {q[1]} ELSE out
               /\ th' = Become(p, IF n = 1 THEN Idle(c.at)
                    ELSE [c EXCEPT !.pc = "PutBatchLoadHead", !.n = 0, !.ret = q[1],
                           !.hand = IF Bug("batch_get_backwards") THEN Reverse(rest) ELSE rest]) \* mutants Q-30
  /\ UNCHANGED <<words, puts>>

-----------------------------------------------------------------------------
(* runqget *)

\* Where a get goes that took something, or found nothing: back to its caller, which
\* asks again while it looks for work and its own queue still has some.
Took(c) ==
  IF c.op = "get" THEN Idle(c.at)
  ELSE [c EXCEPT !.pc = "GetLoadNext", !.h = 0, !.old = NoG]
FoundNone(c) ==
  IF c.op = "get" THEN Idle(c.at)
  ELSE [c EXCEPT !.pc = First(c.op), !.h = 0, !.old = NoG]

\* runqget: what is in runnext.
GetLoadNext(p) ==
  /\ \E c \in Now(p, "GetLoadNext") :
       th' = Become(p, [c EXCEPT
         !.pc = IF next[p] = NoG \/ (Bug("get_ring_first") /\ head[p] # tail[p]) \* mutants Q-6
                THEN "GetLoadHead" ELSE "GetCASNext",
         !.old = next[p]])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqget: takes runnext. One try: only the owner fills it, so if the swap fails it
\* is empty.
GetCASNext(p) ==
  LET c == th[p]
      won == next[p] = c.old \/ Bug("get_next_noncas") \* mutants G-9b
  IN
  /\ c.pc = "GetCASNext"
  /\ next' = IF won THEN [next EXCEPT ![p] = NoG] ELSE next
  /\ out' = IF won THEN out \cup {c.old} ELSE out
  /\ th' = Become(p, IF won THEN Took(c) ELSE [c EXCEPT !.pc = "GetLoadHead", !.old = NoG])
  /\ UNCHANGED <<head, tail, slot, global, puts>>

\* runqget: head.
GetLoadHead(p) ==
  LET c == th[p]
      none == IF Bug("get_compares") THEN tail[p] <= head[p] ELSE tail[p] = head[p] \* mutants Q-3
  IN
  /\ c.pc = "GetLoadHead"
  /\ th' = Become(p, IF none THEN FoundNone(c) ELSE [c EXCEPT !.pc = "GetCASHead", !.h = head[p], !.old = NoG])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqget: takes the oldest.
GetCASHead(p) ==
  LET c == th[p]
      won == head[p] = c.h \/ Bug("get_noncas") \* mutants G-4
  IN
  /\ c.pc = "GetCASHead"
  /\ head' = IF won THEN [head EXCEPT ![p] = Plus(c.h, 1)] ELSE head
  /\ out' = IF won THEN out \cup {slot[p][At(c.h)]} ELSE out
  /\ th' = Become(p, IF won THEN Took(c)
                     ELSE IF Bug("get_gives_up") THEN FoundNone(c) \* mutants Q-1
                     ELSE [c EXCEPT !.pc = "GetLoadHead", !.h = 0])
  /\ UNCHANGED <<tail, slot, next, global, puts>>

-----------------------------------------------------------------------------
(* runqdrain *)

\* What a drain leaves behind when it returns. A thief without a P passes its loot on,
\* and its P is forgotten; others hand the list to their caller.
DrainEnds(p, c, s) ==
  IF c.op = "drain"
  THEN /\ th' = Become(p, Idle(c.at))
       /\ out' = out \cup Elems(s)
       /\ link' = [g \in Gs |-> IF g \in Elems(s) THEN NoG ELSE link[g]]
  ELSE /\ th' = Become(p,
            IF s = <<>> THEN Idle(c.at)
            ELSE [Idle(c.at) EXCEPT !.op = c.op, !.pc = "PutRestGlobal", !.hand = s, !.ret = c.ret])
       /\ out' = IF s = <<>> THEN out \cup {c.ret} ELSE out
       /\ link' = link

\* A P that was made for one steal is as new for the next.
Renewed(p, f, x) == IF p \in Loners THEN [f EXCEPT ![p] = x] ELSE f
NoSlots == [k \in 0..(Cap - 1) |-> NoG]

\* runqdrain: what is in runnext.
DrainLoadNext(p) ==
  /\ \E c \in Now(p, "DrainLoadNext") :
       th' = Become(p, [c EXCEPT
         !.pc = IF next[p] = NoG \/ Bug("drain_forgets_next") THEN "DrainLoadHead" ELSE "DrainCASNext", \* mutants Q-4
         !.old = next[p]])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqdrain: takes runnext.
DrainCASNext(p) ==
  LET c == th[p]
      won == next[p] = c.old \/ Bug("drain_next_noncas")
  IN
  /\ c.pc = "DrainCASNext"
  /\ next' = IF won THEN [next EXCEPT ![p] = NoG] ELSE next
  /\ link' = IF won THEN [link EXCEPT ![c.old] = NoG] ELSE link
  /\ th' = Become(p, [c EXCEPT !.pc = "DrainLoadHead", !.old = NoG, !.hand = IF won THEN <<c.old>> ELSE <<>>])
  /\ UNCHANGED <<head, tail, slot, ghead, gtail, out, puts>>

\* runqdrain: head.
DrainLoadHead(p) ==
  LET c == th[p]
      none == head[p] = tail[p]
  IN
  /\ c.pc = "DrainLoadHead"
  /\ IF none
     THEN /\ DrainEnds(p, c, c.hand)
          /\ head' = Renewed(p, head, 0)
          /\ tail' = Renewed(p, tail, 0)
          /\ slot' = Renewed(p, slot, NoSlots)
     ELSE /\ th' = Become(p, [c EXCEPT
               !.pc = IF Bug("drain_links_first") THEN "DrainReadSlots" ELSE "DrainCASHead", !.h = head[p], !.old = NoG])
          /\ UNCHANGED <<head, tail, slot, link, out>>
  /\ UNCHANGED <<next, ghead, gtail, puts>>

\* runqdrain: takes the whole ring.
DrainCASHead(p) ==
  LET c == th[p]
      won == head[p] = c.h
      kept == c.hand # <<>>
  IN
  /\ c.pc = "DrainCASHead"
  /\ head' = IF won THEN [head EXCEPT ![p] = tail[p]] ELSE head
  /\ IF Bug("drain_links_first") \* mutants RQ-2
     THEN IF won THEN DrainEnds(p, c, c.hand \o c.copied)
          ELSE /\ th' = Become(p, [c EXCEPT !.pc = "DrainLoadHead", !.h = 0, !.copied = <<>>])
               /\ link' = IF kept THEN [link EXCEPT ![c.hand[Len(c.hand)]] = NoG] ELSE link
               /\ out' = out
     ELSE /\ th' = Become(p, IF won \/ Bug("drain_noncas") THEN [c EXCEPT !.pc = "DrainReadSlots"] \* mutants Q-5
                             ELSE [c EXCEPT !.pc = "DrainLoadHead", !.h = 0])
          /\ UNCHANGED <<link, out>>
  /\ UNCHANGED <<tail, slot, next, ghead, gtail, puts>>

\* runqdrain: a slot, owned by now, and its G is linked to those before it.
DrainReadSlots(p) ==
  LET c == th[p]
      g == slot[p][At(c.h + c.i)]
      before == c.hand \o c.copied
      linked == IF before = <<>> THEN [link EXCEPT ![g] = NoG]
                ELSE [link EXCEPT ![g] = NoG, ![before[Len(before)]] = g]
      all == c.i + 1 = Dist(c.h, tail[p])
      early == Bug("drain_links_first")
  IN
  /\ c.pc = "DrainReadSlots"
  /\ IF ~all \/ early
     THEN /\ th' = Become(p, [c EXCEPT
               !.pc = IF all THEN "DrainCASHead" ELSE "DrainReadSlots",
               !.i = IF all THEN 0 ELSE c.i + 1,
               !.hand = IF early THEN c.hand ELSE Append(c.hand, g),
               !.copied = IF early THEN Append(c.copied, g) ELSE <<>>])
          /\ link' = linked
          /\ UNCHANGED <<head, tail, slot, out>>
     ELSE /\ IF c.op = "drain"
             THEN DrainEnds(p, c, Append(c.hand, g))
             ELSE /\ th' = Become(p, [Idle(c.at) EXCEPT !.op = c.op, !.pc = "PutRestGlobal",
                                       !.hand = Append(c.hand, g), !.ret = c.ret])
                  /\ link' = linked
                  /\ out' = out
          /\ head' = Renewed(p, head, 0)
          /\ tail' = Renewed(p, tail, 0)
          /\ slot' = Renewed(p, slot, NoSlots)
  /\ UNCHANGED <<next, ghead, gtail, puts>>

-----------------------------------------------------------------------------
(* runqgrab and runqsteal *)

Retry(c) == [c EXCEPT !.pc = "GrabLoadHead", !.h = 0, !.t = 0, !.n = 0, !.i = 0, !.old = NoG, !.copied = <<>>]

\* How many a thief takes of a ring with these indices, rounded up.
Half(h, t) ==
  LET n == Dist(h, t)
  IN IF Bug("steal_down") THEN n \div 2                       \* mutants Q-18
     ELSE IF Bug("steal_compares") /\ t < h THEN 0            \* mutants Q-24
     ELSE n - (n \div 2)

\* What a thief does that knows head h and tail t of v.
Decide(c, h, t) ==
  LET n == Half(h, t)
      r == [c EXCEPT !.h = h, !.t = 0]
      asked == c.op = "stealnext" \/ Bug("steal_next_unasked")           \* mutants Q-21
      early == Bug("steal_next_early") /\ asked /\ next[c.v] # NoG       \* mutants Q-22
  IN IF n = 0 \/ early
     THEN IF asked /\ ~Bug("steal_next_never") THEN [r EXCEPT !.pc = "GrabLoadNext", !.h = 0] \* mutants Q-23
          ELSE Idle(c.at)
     ELSE IF n > Cap \div 2 /\ ~Bug("no_inconsistent_check") THEN Retry(c) \* mutants G-7
     ELSE [r EXCEPT !.n = n, !.pc = IF Bug("copy_after_cas") THEN "GrabCASHead" ELSE "GrabCopySlot"]

\* runqgrab: the victim's head.
GrabLoadHead(p) ==
  /\ \E c \in Now(p, "GrabLoadHead") :
       th' = Become(p, IF Bug("tail_before_head") THEN [c EXCEPT !.pc = "GrabLoadTail", !.t = tail[c.v]]
                       ELSE [c EXCEPT !.pc = "GrabLoadTail", !.h = head[c.v]])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqgrab: the victim's tail; how many to take. With tail_before_head (mutants G-8) the two
\* loads change places.
GrabLoadTail(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "GrabLoadTail"
  /\ th' = Become(p, IF Bug("tail_before_head") THEN Decide(c, head[c.v], c.t) ELSE Decide(c, c.h, tail[c.v]))
  /\ UNCHANGED <<words, global, out, puts>>

\* runqgrab: one slot of the victim into one of the thief's own, above its tail. The owner may
\* have written over it by now; then the swap of head will fail.
GrabCopySlot(p) ==
  LET c == th[p]
      all == c.i + 1 = c.n
  IN
  /\ c.pc = "GrabCopySlot"
  /\ slot' = [slot EXCEPT ![p][At(tail[p] + c.i)] = slot[c.v][At(c.h + c.i)]]
  /\ IF all /\ Bug("copy_after_cas") \* mutants G-5
     THEN LET last == slot[c.v][At(c.h + c.i)]
          IN /\ out' = IF c.n = 1 /\ p \notin Loners THEN out \cup {last} ELSE out
             /\ th' = Become(p,
                  IF c.n > 1 THEN [c EXCEPT !.pc = "StealLoadHead", !.h = 0, !.i = 0, !.n = c.n - 1, !.ret = last]
                  ELSE IF p \in Loners THEN [c EXCEPT !.pc = "DrainLoadNext", !.h = 0, !.i = 0, !.n = 0, !.ret = last]
                  ELSE Idle(c.at))
     ELSE /\ th' = Become(p, [c EXCEPT !.pc = IF all THEN "GrabCASHead" ELSE "GrabCopySlot",
                                       !.i = IF all THEN 0 ELSE c.i + 1])
          /\ out' = out
  /\ UNCHANGED <<head, tail, next, global, puts>>

\* Whether the swap of the victim's head succeeds.
Swaps(now, h) ==
  IF Bug("narrow_cas") THEN (now - h) % (2 * Cap) = 0 \* mutants RQ-4
  ELSE now = h

\* runqgrab: takes the older half. The newest of it will be returned.
GrabCASHead(p) ==
  LET c == th[p]
      won == Swaps(head[c.v], c.h)
      first == Bug("steal_oldest") /\ c.n > 1 \* mutants Q-19
      got == slot[p][At(tail[p] + IF first THEN 0 ELSE c.n - 1)]
  IN
  /\ c.pc = "GrabCASHead"
  /\ head' = IF won THEN [head EXCEPT ![c.v] = Plus(head[c.v], c.n)] ELSE head
  /\ slot' = IF won /\ first
             THEN [slot EXCEPT ![p] = [k \in 0..(Cap - 1) |->
                    IF \E j \in 0..(c.n - 2) : At(tail[p] + j) = k THEN slot[p][At(k + 1)] ELSE slot[p][k]]]
             ELSE slot
  /\ out' = IF won /\ c.n = 1 /\ p \notin Loners /\ ~Bug("copy_after_cas") THEN out \cup {got} ELSE out
  /\ th' = Become(p,
       IF ~won THEN IF Bug("steal_gives_up") THEN Idle(c.at) ELSE Retry(c) \* mutants Q-17
       ELSE IF Bug("copy_after_cas") THEN [c EXCEPT !.pc = "GrabCopySlot"]
       ELSE IF c.n > 1 THEN [c EXCEPT !.pc = "StealLoadHead", !.h = 0, !.n = c.n - 1, !.ret = got]
       ELSE IF p \in Loners THEN [c EXCEPT !.pc = "DrainLoadNext", !.h = 0, !.n = 0, !.ret = got]
       ELSE Idle(c.at))
  /\ UNCHANGED <<tail, next, global, puts>>

\* runqgrab: the ring was empty; the victim's runnext. (The runtime waits 3 us here if the
\* victim is running, which is no step.)
GrabLoadNext(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "GrabLoadNext"
  /\ th' = Become(p, IF next[c.v] = NoG \/ Bug("grab_next_none") THEN Idle(c.at) ELSE [c EXCEPT !.pc = "GrabCASNext", !.old = next[c.v]])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqgrab: takes runnext, which is the whole loot.
GrabCASNext(p) ==
  LET c == th[p]
      won == next[c.v] = c.old \/ Bug("steal_next_noncas") \* mutants G-9c
  IN
  /\ c.pc = "GrabCASNext"
  /\ next' = IF won THEN [next EXCEPT ![c.v] = NoG] ELSE next
  /\ slot' = IF won /\ p \notin Loners THEN [slot EXCEPT ![p][At(tail[p])] = c.old] ELSE slot
  /\ out' = IF won /\ p \notin Loners THEN out \cup {c.old} ELSE out
  /\ th' = Become(p, IF ~won THEN Retry(c)
                     ELSE IF p \in Loners THEN [c EXCEPT !.pc = "DrainLoadNext", !.old = NoG, !.ret = c.old]
                     ELSE Idle(c.at))
  /\ UNCHANGED <<head, tail, global, puts>>

\* runqsteal: the thief's own head, for the room; thieves of the thief may move it.
StealLoadHead(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "StealLoadHead"
  /\ out' = IF Bug("steal_forgets") THEN out \cup {c.ret} ELSE out
  /\ th' = Become(p, IF Bug("steal_forgets") THEN Idle(c.at) \* mutants Q-20
                     ELSE [c EXCEPT !.pc = "StealStoreTail", !.h = head[p]])
  /\ UNCHANGED <<words, global, puts>>

\* runqsteal: publishes the loot but for the G that is returned.
StealStoreTail(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "StealStoreTail"
  /\ tail' = [tail EXCEPT ![p] = IF Bug("steal_no_store") THEN tail[p] ELSE Plus(tail[p], c.n)]
  /\ out' = IF p \in Loners THEN out ELSE out \cup {c.ret}
  /\ th' = Become(p, IF p \in Loners THEN [c EXCEPT !.pc = "DrainLoadNext", !.h = 0, !.n = 0] ELSE Idle(c.at))
  /\ UNCHANGED <<head, slot, next, global, puts>>

-----------------------------------------------------------------------------
(* runqempty, and the length in schedtrace *)

EmptyLoadHead(p) ==
  /\ \E c \in Now(p, "EmptyLoadHead") :
       th' = Become(p, [c EXCEPT !.pc = "EmptyLoadTail", !.h = IF Bug("empty_tail_twice") THEN tail[c.v] ELSE head[c.v]])
  /\ UNCHANGED <<words, global, out, puts>>

EmptyLoadTail(p) ==
  /\ th[p].pc = "EmptyLoadTail"
  /\ th' = Become(p, [th[p] EXCEPT !.pc = IF Bug("empty_skips_next") THEN "EmptyReloadTail" ELSE "EmptyLoadNext", !.t = tail[th[p].v]])
  /\ UNCHANGED <<words, global, out, puts>>

EmptyLoadNext(p) ==
  /\ th[p].pc = "EmptyLoadNext"
  /\ th' = Become(p, [th[p] EXCEPT !.pc = "EmptyReloadTail", !.old = IF Bug("empty_forgets_next") THEN NoG ELSE next[th[p].v]])
  /\ UNCHANGED <<words, global, out, puts>>

\* runqempty: tail again. A kick of runnext into the ring moves it.
Steady(c) ==
  IF Bug("empty_no_reload") THEN TRUE                          \* mutants RQ-1
  ELSE IF Bug("empty_reload_head") THEN c.h = head[c.v]        \* mutants RQ-1b
  ELSE c.t = tail[c.v]

EmptyReloadTail(p) ==
  LET c == th[p]
  IN
  /\ c.pc = "EmptyReloadTail"
  /\ th' = Become(p, IF Steady(c) THEN Idle(c.at)
                     ELSE [c EXCEPT !.pc = "EmptyLoadHead", !.h = 0, !.t = 0, !.old = NoG])
  /\ UNCHANGED <<words, global, out, puts>>

\* What runqempty answers if the last look is steady.
SaysEmpty(c) ==
  IF Bug("empty_no_next") THEN c.h = c.t                                          \* mutants Q-25
  ELSE IF Bug("empty_slot") THEN slot[c.v][At(c.h)] = NoG /\ c.old = NoG          \* mutants Q-26
  ELSE c.h = c.t /\ c.old = NoG

LenLoadHead(p) ==
  /\ \E c \in Now(p, "LenLoadHead") :
       th' = Become(p, [c EXCEPT !.pc = "LenLoadTail", !.h = IF Bug("len_tail_twice") THEN tail[c.v] ELSE head[c.v]])
  /\ UNCHANGED <<words, global, out, puts>>

LenLoadTail(p) ==
  LET c == th[p]
      n == IF Bug("len_wide") THEN tail[c.v] - c.h ELSE Dist(c.h, tail[c.v]) \* mutants Q-28
  IN
  /\ c.pc = "LenLoadTail"
  /\ th' = Become(p, [c EXCEPT !.pc = "LenLoadNext", !.h = 0, !.n = Min(n, Cap)])
  /\ UNCHANGED <<words, global, out, puts>>

LenLoadNext(p) ==
  /\ th[p].pc = "LenLoadNext"
  /\ th' = Become(p, Done(p))
  /\ UNCHANGED <<words, global, out, puts>>

\* What the length is if this is the last look.
SaysLen(c) ==
  IF Bug("len_no_next") THEN c.n \* mutants Q-27
  ELSE c.n + IF next[c.v] = NoG THEN 0 ELSE 1

-----------------------------------------------------------------------------

Init ==
  /\ head = [p \in Ps |-> IF p \in Loners THEN 0 ELSE Start]
  /\ tail = [p \in Ps |-> IF p \in Loners THEN 0 ELSE Start]
  /\ slot = [p \in Ps |-> NoSlots]
  /\ next = [p \in Ps |-> NoG]
  /\ ghead = NoG
  /\ gtail = NoG
  /\ link = [g \in Gs |-> NoG]
  /\ out = Gs
  /\ puts = 0
  /\ th = [p \in Ps |-> Idle(1)]

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
  \/ DrainLoadNext(p)
  \/ DrainCASNext(p)
  \/ DrainLoadHead(p)
  \/ DrainCASHead(p)
  \/ DrainReadSlots(p)
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

Next == \E p \in Ps : Step(p)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Where each G is *)

\* The Gs that p's call holds, besides the one that it will return, in order.
Held(p) ==
  LET c == th[p]
  IN CASE c.pc \in {"PutSlowGlobal", "PutRestGlobal"} /\ c.i = 2 -> <<>> \* linked by one who has no lock
       [] c.pc = "DrainReadSlots" /\ ~Bug("drain_links_first") ->
            c.hand \o Slots(p, c.h + c.i, Dist(c.h, tail[p]) - c.i)
       [] c.pc \in {"StealLoadHead", "StealStoreTail"} -> Slots(p, tail[p], c.n)
       [] c.pc = "GrabCopySlot" /\ Bug("copy_after_cas") ->
            Slots(p, tail[p], c.i) \o Slots(c.v, c.h + c.i, c.n - c.i)
       [] OTHER -> c.hand

One(g) == IF g = NoG THEN <<>> ELSE <<g>>

OfP(p) == Ring(p) \o One(next[p]) \o Held(p) \o One(th[p].ret)

RECURSIVE OfPs(_)
OfPs(S) ==
  IF S = {} THEN <<>>
  ELSE LET p == CHOOSE q \in S : TRUE
       IN OfP(p) \o OfPs(S \ {p})

Queued == OfPs(Ps) \o GlobalList

(* Invariants *)

\* Every G is in exactly one place.
\* RQ-LOST RQ-TWICE RQ-INVENTED
Exact ==
  /\ Cardinality(out) + Len(Queued) = Cardinality(Gs)
  /\ out \cup Elems(Queued) = Gs

\* RQ-CAPACITY RQ-WRAP
Bounded ==
  \A p \in Ps : Dist(head[p], tail[p]) <= Cap

\* What tail has published was written. RQ-INVENTED
NoHole ==
  \A p \in Ps : \A i \in 1..Dist(head[p], tail[p]) : Ring(p)[i] # NoG

\* The throw in runqputslow. RQ-CRASH
QueueIsFull ==
  \A p \in Ps : th[p].pc \in {"PutSlowCopy", "PutSlowCASHead"} => Dist(th[p].h, tail[p]) = Cap

\* The throw in runqsteal. RQ-CRASH
RoomForLoot ==
  \A p \in Ps : th[p].pc = "StealStoreTail" => Dist(th[p].h, tail[p]) + th[p].n < Cap

\* The list ends where its tail is, and both are none together. RQ-GLOBAL-FIFO
Linked ==
  IF \E p \in Ps : th[p].pc \in {"PutSlowGlobal", "PutRestGlobal"} /\ th[p].i > 0 THEN TRUE
  ELSE IF ghead = NoG THEN gtail = NoG
  ELSE LET q == GlobalList
       IN q[Len(q)] = gtail /\ link[gtail] = NoG

\* What a batch get would take: at least one if there is one, and as many as all bounds
\* allow. RQ-GLOBAL-BATCH
GlobalShare ==
  LET size == Len(GlobalList)
  IN ghead # NoG =>
       \A asked \in 1..Cap :
         LET n == Share(asked, size)
         IN /\ n >= 1
            /\ n <= asked /\ n <= Cap \div 2 /\ n <= size /\ n <= (size \div Shares) + 1
            /\ \/ n = asked
               \/ n = Cap \div 2
               \/ n = size
               \/ n = (size \div Shares) + 1

=============================================================================

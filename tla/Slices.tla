------------------------------- MODULE Slices -------------------------------
(***************************************************************************)
(* Two Gs that ready each other, and a third G that waits for its turn.    *)
(*                                                                         *)
(* A G that is readied goes to runnext, and runs before all others.  So    *)
(* two Gs that ready each other for ever could keep a third one waiting    *)
(* for ever.  Three rules of the runtime prevent it:                       *)
(*                                                                         *)
(*  1. A G from runnext inherits the time slice of the G before it.        *)
(*     sysmon sees one slice that lasts for 10 ms, and asks for its end.   *)
(*     The G that runs yields, and so does the next one that would         *)
(*     inherit the slice.  Both go behind the global queue.                *)
(*  2. Every 61st time slice begins with a look at the global queue.  The  *)
(*     count is schedtick; a slice that is inherited is not counted.       *)
(*  3. Without sysmon runnext is not used (haveSysmon).  Then each G       *)
(*     begins a new slice, and rule 2 is enough.                           *)
(*                                                                         *)
(* There is one P and one M.  In module Sched Gs are numbers.  Here they   *)
(* have names, since the question is about one of them.  Tick is 61 in the *)
(* runtime.  Time is not counted: sysmon may see a slice at any moment,    *)
(* and ask for its end at any moment after that.                           *)
(*                                                                         *)
(* A G of the pair readies the other one if that waits, and then parks.    *)
(* With one P globrunqgetbatch takes all of the global queue: the first G  *)
(* runs, and the others go to the ring.  The runtime makes a G yield at    *)
(* its first safe point.  Here a G that would inherit a slice that is over *)
(* yields before it runs, as in impl/sched.  What breaks the rules is an   *)
(* edit of this text: variant/slices.edits.                                *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences

CONSTANTS
   HaveSysmon, \* whether there is a sysmon
   Ways,       \* how the third G becomes runnable: "global", "timer", or both
   Tick,       \* how many time slices there are to one look at the global queue first
   Most,       \* the bound of ReadyBound
   Bugs        \* changes that break it

\* The bugs that spindle edited into this text: none.
ASSUME Bugs = {}

VARIABLE S

vars == S

\* The two Gs that ready each other, and the third.
Pair == {"a", "b"}
Third == "c"
Gs == Pair \cup {Third}
NoG == "none"

Other(g) == IF g = "a" THEN "b" ELSE "a"

Elements(list) == {list[i] : i \in 1..Len(list)}

\* DN-ONE-PLACE: every word holds what it may.
TypeOK ==
   /\ {S.run, S.hand, S.next} \subseteq Gs \cup {NoG}
   /\ Elements(S.ring) \cup Elements(S.global) \cup S.waits \subseteq Gs
   /\ S.tick \in 0..Tick - 1
   /\ {S.inherits, S.seen, S.asked} \subseteq BOOLEAN
   /\ S.late \in 0..Most + 1

\* One G of the pair runs, in the first time slice; the others wait.
Init ==
   S = [run      |-> "a",                \* the G that runs
        hand     |-> NoG,                \* the G that findRunnable returned
        inherits |-> FALSE,              \* whether that one inherits the time slice
        next     |-> NoG,                \* runnext
        ring     |-> <<>>,               \* the ring of the P, the oldest G first
        global   |-> <<>>,               \* the global queue
        waits    |-> Gs \ {"a"},         \* the Gs that are parked
        tick     |-> 1 % Tick,           \* schedtick, modulo Tick
        seen     |-> FALSE,              \* whether sysmon has seen this time slice
        asked    |-> FALSE,              \* whether it has asked for its end
        late     |-> 0]                  \* how many time slices began while the third G was queued

\* g may run, and does not.
Queued(g) == g \in {S.hand, S.next} \cup Elements(S.ring) \cup Elements(S.global)

-----------------------------------------------------------------------------
(* What a G does. *)

\* Whether a readied G goes to runnext.
UsesRunnext == HaveSysmon

\* runqput: runnext, whose old G goes to the ring, or else the ring.
Runqput(g) ==
   IF UsesRunnext
   THEN [S EXCEPT !.next = g, !.ring = IF S.next = NoG THEN @ ELSE Append(@, S.next)]
   ELSE [S EXCEPT !.ring = Append(@, g)]

\* globrunqput: the tail of the global queue.
Globrunqput(g) == [S EXCEPT !.global = Append(@, g)]

\* goschedImpl: where a G goes that yields.
GoschedImpl(g) == Globrunqput(g)

\* ready: a G of the pair readies the other one.
Ready ==
   /\ S.run \in Pair
   /\ Other(S.run) \in S.waits
   /\ S' = [Runqput(Other(S.run)) EXCEPT !.waits = @ \ {Other(S.run)}]

\* gopark: a G of the pair parks when the other one may run; the third G parks at any moment.
Park ==
   /\ S.run # NoG
   /\ S.run \in Pair => Other(S.run) \notin S.waits
   /\ S' = [S EXCEPT !.run = NoG, !.waits = @ \cup {S.run}]

\* gopreempt_m: the G that runs comes to a safe point, and was asked to yield.
Gopreempt ==
   /\ S.run # NoG
   /\ S.asked
   /\ S' = [GoschedImpl(S.run) EXCEPT !.run = NoG]

-----------------------------------------------------------------------------
(* The third G becomes runnable.  Nothing makes it: no fairness. *)

\* Another thread puts it in the global queue, as injectglist does.
WakeGlobal ==
   /\ "global" \in Ways
   /\ Third \in S.waits
   /\ S' = [Globrunqput(Third) EXCEPT !.waits = @ \ {Third}]

\* findRunnable looks at timers first (checkTimers), and one of them readies it.
WakeTimer ==
   /\ "timer" \in Ways
   /\ Third \in S.waits
   /\ S.run = NoG /\ S.hand = NoG
   /\ S' = [Runqput(Third) EXCEPT !.waits = @ \ {Third}]

-----------------------------------------------------------------------------
(* findRunnable, in its order, and execute. *)

Finds == S.run = NoG /\ S.hand = NoG

\* Whether the global queue comes first.
GlobalFirst == S.tick = 0 /\ S.global # <<>>

\* globrunqget, every Tick time slices.
FindTick ==
   /\ Finds
   /\ GlobalFirst
   /\ S' = [S EXCEPT !.hand = Head(S.global), !.global = Tail(@)]

\* runqget: runnext. The G inherits the time slice.
FindNext ==
   /\ Finds
   /\ ~GlobalFirst
   /\ S.next # NoG
   /\ S' = [S EXCEPT !.hand = S.next, !.next = NoG, !.inherits = TRUE]

\* runqget: the oldest of the ring.
FindRing ==
   /\ Finds
   /\ ~GlobalFirst
   /\ S.next = NoG
   /\ S.ring # <<>>
   /\ S' = [S EXCEPT !.hand = Head(S.ring), !.ring = Tail(@)]

\* globrunqgetbatch: the first G of the global queue; all others go to the ring.
FindGlobal ==
   /\ Finds
   /\ ~GlobalFirst
   /\ S.next = NoG
   /\ S.ring = <<>>
   /\ S.global # <<>>
   /\ S' = [S EXCEPT !.hand = Head(S.global), !.ring = Tail(S.global), !.global = <<>>]

Min(x, y) == IF x < y THEN x ELSE y

\* One more time slice began, and the third G was not the one to run.
Later == Min(S.late + 1, Most + 1)

\* execute: in the time slice of the G before, or in a new one. A slice that is over is not
\* inherited: the G yields.
Execute ==
   /\ S.hand # NoG
   /\ S' = IF S.inherits /\ S.asked
           THEN [GoschedImpl(S.hand) EXCEPT !.hand = NoG, !.inherits = FALSE]
           ELSE [S EXCEPT !.run = S.hand, !.hand = NoG, !.inherits = FALSE,
                          !.tick = IF S.inherits THEN @ ELSE (@ + 1) % Tick,
                          !.seen = @ /\ S.inherits,
                          !.asked = @ /\ S.inherits,
                          !.late = IF S.hand = Third THEN 0 ELSE IF Queued(Third) /\ ~S.inherits THEN Later ELSE @]

-----------------------------------------------------------------------------
(* sysmon. *)

\* retake: a time slice that it has not seen before. It notes when.
Retake ==
   /\ HaveSysmon
   /\ ~S.seen
   /\ S' = [S EXCEPT !.seen = TRUE]

\* retake, preemptone: the time slice has lasted for 10 ms, and is to end.
Preemptone ==
   /\ HaveSysmon
   /\ S.seen
   /\ ~S.asked
   /\ S' = [S EXCEPT !.asked = TRUE]

-----------------------------------------------------------------------------
\* What the M does, and the Gs that it runs.
MStep ==
   \/ Ready \/ Park \/ Gopreempt
   \/ FindTick \/ FindNext \/ FindRing \/ FindGlobal \/ Execute

SysmonStep == Retake \/ Preemptone

WorldStep == WakeGlobal \/ WakeTimer

Next == MStep \/ SysmonStep \/ WorldStep

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

Times(g, list) == Cardinality({i \in 1..Len(list) : list[i] = g})

One(yes) == IF yes THEN 1 ELSE 0

\* DN-ONE-PLACE: no G is lost, and none is in two places.
OnePlace ==
   \A g \in Gs :
      One(S.run = g) + One(S.hand = g) + One(S.next = g) + One(g \in S.waits) + Times(g, S.ring) + Times(g, S.global) = 1

\* DN-READY-LIVE: no more than Most time slices begin while the third G may run and does not.
ReadyBound == S.late <= Most

-----------------------------------------------------------------------------
(* Liveness: weak fairness for the M and for sysmon. *)

LiveSpec == Spec /\ WF_vars(MStep) /\ WF_vars(SysmonStep)

\* DN-READY-LIVE: each G that may run does.
ReadyLive == \A g \in Gs : Queued(g) ~> ~Queued(g)
=============================================================================

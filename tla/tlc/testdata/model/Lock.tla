-------------------------------- MODULE Lock --------------------------------
(* Threads that take a lock in turn. It is here to try the runner: it has      *)
(* values of every kind, an action that two never take, known-bad variants.    *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Ms,    \* the threads
  Bugs   \* the known-bad variants that are on

VARIABLES
  pc,     \* where each thread is
  owner,  \* the set of those in the section
  log,    \* who entered last, as a sequence of at most one
  note    \* a record

vars == <<pc, owner, log, note>>

Bug(b) == b \in Bugs

Init ==
  /\ pc = [m \in Ms |-> "idle"]
  /\ owner = {}
  /\ log = <<>>
  /\ note = [at |-> 0, text |-> "a\\b \"c\""]

Ask(m) ==
  /\ pc[m] = "idle"
  /\ pc' = [pc EXCEPT ![m] = "wait"]
  /\ UNCHANGED <<owner, log, note>>

\* The lock is free, and m takes it.
Enter(m) ==
  /\ pc[m] = "wait"
  /\ IF Bug("no_lock") THEN TRUE ELSE owner = {}
  /\ pc' = [pc EXCEPT ![m] = "in"]
  /\ owner' = owner \union {m}
  /\ log' = <<m>>
  /\ UNCHANGED note

Leave(m) ==
  /\ pc[m] = "in"
  /\ ~Bug("no_leave")
  /\ pc' = [pc EXCEPT ![m] = "idle"]
  /\ owner' = owner \ {m}
  /\ note' = [note EXCEPT !.at = IF Bug("overrun") THEN @ + 1 ELSE 1 - @]
  /\ UNCHANGED log

\* Who waits may give up, if there are more than two: two never do.
GiveUp(m) ==
  /\ pc[m] = IF Cardinality(Ms) > 2 THEN "wait" ELSE "nowhere"
  /\ pc' = [pc EXCEPT ![m] = "idle"]
  /\ UNCHANGED <<owner, log, note>>

Step(m) ==
  \/ Ask(m)
  \/ Enter(m)
  \/ Leave(m)
  \/ GiveUp(m)

Next ==
  \E m \in Ms : Step(m)

Spec ==
  Init /\ [][Next]_vars /\ \A m \in Ms : WF_vars(Step(m))

\* RQ-TWICE
Exclusive ==
  Cardinality(owner) <= 1

\* RQ-CAPACITY
Short ==
  note.at < 2

\* RQ-LOST RQ-CRASH: the section is empty, again and again.
Free ==
  []<>(owner = {})

\* RQ-LOST: everybody enters again and again, which is false, for nobody waits in line.
Served ==
  \A m \in Ms : []<>(m \in owner)

\* Nobody joins or leaves others.
OwnerChanges ==
  [][owner # owner' => owner = {} \/ owner' = {}]_vars

\* What evaluates to no value.
Broken ==
  log[2] = 1

Asserted ==
  Assert(owner = {}, "the section is not empty")
=============================================================================

------------------------------ MODULE TwoLevel ------------------------------
(***************************************************************************)
(* The way in which Ms were first meant to look for work: the two levels   *)
(* of spinning in Vyukov's "Scalable Go Scheduler Design" (2012).  It is   *)
(* not what Go ships; module Sched is.                                     *)
(*                                                                         *)
(*  1. An M with a P and without a G spins, looking for Gs.                *)
(*  2. An M without a P spins, waiting for a P.                            *)
(*  - At most GOMAXPROCS Ms spin, of both kinds.                           *)
(*  - An M of kind 1 does not block while there is one of kind 2.          *)
(*  - Who spawns a G, enters a syscall, or goes from idle to busy ensures  *)
(*    that at least one M spins, or that all Ps are busy.                  *)
(*                                                                         *)
(* So a P is free the moment that its M enters a syscall: whoever spins    *)
(* for a P takes it, and no sysmon has to look for Ps that lie about.      *)
(*                                                                         *)
(* The design leaves the order of the accesses open.  Here an M that stops *)
(* spinning counts itself out first and then looks again, at what it was   *)
(* waiting for: kind 1 at the queue, kind 2 at the free Ps.  And the rule  *)
(* on kind 1 is taken at its word for an M with a P that may not spin,     *)
(* because GOMAXPROCS others do: one of those has no P, so this one goes   *)
(* round until it may.  Letting it block loses Gs (one_blocks_at_limit).   *)
(*                                                                         *)
(* One action is at most one access to a word that others may touch at     *)
(* that moment: the queue, the free Ps, and the two counts.  The queue and *)
(* the set of free Ps have locks of their own, or are swapped; taking from *)
(* them is one step.  That an M would look first without the lock adds     *)
(* nothing: a look that finds nothing is a take that finds nothing, and    *)
(* one that finds something is a delay.  Likewise an M that spins looks    *)
(* once here, some time later: the looks before that found nothing.        *)
(*                                                                         *)
(* As in module Sched, Gs are numbers, mget and notewakeup are one step,   *)
(* and who wakes an M waits when none is left (the design makes a new      *)
(* one); with more Ms than Gs there is always one left.  What breaks it is *)
(* an edit of this text: variant/twolevel.edits.                           *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
   Ps,     \* the Ps: GOMAXPROCS is their number
   Ms,     \* the threads
   NoP,    \* no P
   FirstM, \* the Ms of which one runs at the start
   FirstP, \* the Ps of which one is run at the start
   Gs,     \* how many Gs there are
   Bugs    \* changes that break it

\* The bugs that spindle edited into this text: none.
ASSUME Bugs = {}

VARIABLES
   S, \* what all share
   M  \* for each M, where it is, and what it has

vars == <<S, M>>

Gomaxprocs == Cardinality(Ps)

\* DN-ONE-PLACE, DN-P-OWNED, DN-SPIN-COUNT: every word holds what it may.
TypeOK ==
   /\ {S.queue, S.blocked} \subseteq 0..Gs
   /\ S.free \subseteq Ps
   /\ {S.nspin, S.ntwo} \subseteq 0..Cardinality(Ms)
   /\ \A m \in Ms :
         /\ M[m].p \in Ps \cup {NoP}
         /\ M[m].spin \in 0..2
         /\ M[m].num \in 0..Gomaxprocs

\* One M runs the first G; the others sleep, and no P but its own is busy.
Init ==
   \E m \in FirstM, p \in FirstP :
      /\ S = [queue   |-> 0,        \* the one queue of Gs: its length
              free    |-> Ps \ {p}, \* the Ps that nobody holds
              nspin   |-> 0,        \* how many Ms spin, of both kinds
              ntwo    |-> 0,        \* how many of them are of kind 2
              blocked |-> Gs - 1]   \* Gs that wait for a G, or are not born: any running G may spawn them
      /\ M = [n \in Ms |->
             [pc   |-> IF n = m THEN "run" ELSE "parked",
              p    |-> IF n = m THEN p ELSE NoP,
              spin |-> 0,     \* the kind in which it spins: 1 or 2, or 0
              tok  |-> FALSE, \* whether it counted a spinning M that it has still to wake
              num  |-> 0,     \* nspin as it loaded it
              ret  |-> ""]]   \* where it goes on after it has ensured that somebody spins

At(m, place) == M[m].pc = place

\* M m does nothing but go on there.
Goes(m, to) == M' = [M EXCEPT ![m].pc = to] /\ UNCHANGED S

-----------------------------------------------------------------------------
(* To ensure that somebody spins, or that all Ps are busy.  It goes on at ret. *)

Ensure(m, ret) == [M EXCEPT ![m].pc = "EnsureSpin", ![m].ret = ret]

\* Where an M goes that has nothing (more) to ensure.
Ensured(m) == [M EXCEPT ![m].pc = M[m].ret, ![m].ret = ""]

EnsureSpin(m) ==
   /\ At(m, "EnsureSpin")
   /\ M' = IF S.nspin = 0 THEN [M EXCEPT ![m].pc = "EnsureFree"] ELSE Ensured(m)
   /\ UNCHANGED S

EnsureFree(m) ==
   /\ At(m, "EnsureFree")
   /\ M' = IF S.free # {} THEN [M EXCEPT ![m].pc = "EnsureCAS"] ELSE Ensured(m)
   /\ UNCHANGED S

EnsureCAS(m) ==
   /\ At(m, "EnsureCAS")
   /\ IF S.nspin = 0
      THEN /\ S' = [S EXCEPT !.nspin = 1]
           /\ M' = [M EXCEPT ![m].pc = "EnsureWake", ![m].tok = TRUE]
      ELSE M' = Ensured(m) /\ UNCHANGED S

\* An M that sleeps is woken; it has no P, and is of kind 2.
EnsureWake(m) ==
   /\ At(m, "EnsureWake")
   /\ \E n \in Ms :
         /\ At(n, "parked")
         /\ M' = [Ensured(m) EXCEPT ![m].tok = FALSE, ![n].spin = 2, ![n].pc = "TwoAdd"]
   /\ UNCHANGED S

-----------------------------------------------------------------------------
(* What the program does.  Nothing makes it go on: no fairness. *)

\* The running G makes another runnable.
Spawn(m) ==
   /\ At(m, "run")
   /\ S.blocked > 0
   /\ S' = [S EXCEPT !.blocked = @ - 1, !.queue = @ + 1]
   /\ M' = Ensure(m, "run")

\* The running G waits for something, or ends: its M looks for another.
Block(m) ==
   /\ At(m, "run")
   /\ S' = [S EXCEPT !.blocked = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "Get"]

\* The P is free at once, and somebody must be there to use it.
EnterSyscall(m) ==
   /\ At(m, "run")
   /\ S' = [S EXCEPT !.free = @ \cup {M[m].p}]
   /\ M' = [Ensure(m, "syscall") EXCEPT ![m].p = NoP]

ExitSyscall(m) == At(m, "syscall") /\ Goes(m, "ExitTake")

-----------------------------------------------------------------------------
(* An M with a P and without a G. *)

\* The queue, under its lock.
Get(m) ==
   /\ At(m, "Get")
   /\ IF S.queue > 0
      THEN /\ S' = [S EXCEPT !.queue = @ - 1]
           /\ M' = [M EXCEPT ![m].pc = IF M[m].spin = 0 THEN "run" ELSE "Busy"]
      ELSE Goes(m, IF M[m].spin = 0 THEN "JoinLoad" ELSE "TestTwo")

\* From idle to busy: it spins no more, and ensures that another does.
Busy(m) ==
   /\ At(m, "Busy")
   /\ S' = [S EXCEPT !.nspin = @ - 1]
   /\ M' = [Ensure(m, "run") EXCEPT ![m].spin = 0]

\* Kind 1 does not block while there is one of kind 2: it looks again.
TestTwo(m) == At(m, "TestTwo") /\ Goes(m, IF S.ntwo > 0 THEN "Get" ELSE "Drop")

\* The P is free.
Drop(m) ==
   /\ At(m, "Drop")
   /\ S' = [S EXCEPT !.free = @ \cup {M[m].p}]
   /\ M' = [M EXCEPT ![m].p = NoP, ![m].pc = "Decrement"]

-----------------------------------------------------------------------------
(* To spin: as kind 1 with a P, as kind 2 without, if fewer than GOMAXPROCS do. *)

\* At the limit an M without a P goes to sleep: others spin.  One with a P may not,
\* since one of them must be of kind 2; it looks again.
JoinLoad(m) ==
   /\ At(m, "JoinLoad")
   /\ IF S.nspin < Gomaxprocs
      THEN M' = [M EXCEPT ![m].pc = "JoinCAS", ![m].num = S.nspin] /\ UNCHANGED S
      ELSE Goes(m, IF M[m].p = NoP THEN "Park" ELSE "Get")

JoinCAS(m) ==
   /\ At(m, "JoinCAS")
   /\ IF S.nspin = M[m].num
      THEN /\ S' = [S EXCEPT !.nspin = @ + 1]
           /\ M' = IF M[m].p = NoP THEN [M EXCEPT ![m].pc = "TwoAdd", ![m].spin = 2, ![m].num = 0]
                   ELSE [M EXCEPT ![m].pc = "Get", ![m].spin = 1, ![m].num = 0]
      ELSE M' = [M EXCEPT ![m].pc = "JoinLoad", ![m].num = 0] /\ UNCHANGED S

-----------------------------------------------------------------------------
(* An M without a P. *)

\* Takes a free P.
Take(m, to) ==
   \E p \in S.free :
      /\ S' = [S EXCEPT !.free = @ \ {p}]
      /\ M' = [M EXCEPT ![m].p = p, ![m].pc = to]

TwoAdd(m) ==
   /\ At(m, "TwoAdd")
   /\ S' = [S EXCEPT !.ntwo = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "TwoTake"]

TwoTake(m) == At(m, "TwoTake") /\ IF S.free # {} THEN Take(m, "TwoSub") ELSE Goes(m, "TwoSub")

\* With a P it is of kind 1 now; without it gives up.
TwoSub(m) ==
   /\ At(m, "TwoSub")
   /\ S' = [S EXCEPT !.ntwo = @ - 1]
   /\ M' = IF M[m].p = NoP THEN [M EXCEPT ![m].pc = "Decrement"]
           ELSE [M EXCEPT ![m].pc = "Get", ![m].spin = 1]

-----------------------------------------------------------------------------
(* To stop spinning: count down, and look again at what it was waiting for. *)

Decrement(m) ==
   /\ At(m, "Decrement")
   /\ S' = [S EXCEPT !.nspin = @ - 1]
   /\ M' = [M EXCEPT ![m].spin = 0, ![m].pc = IF M[m].spin = 1 THEN "RecheckQueue" ELSE "RecheckFree"]

\* Kind 1: a G came, and who put it may have seen this M spin.
RecheckQueue(m) == At(m, "RecheckQueue") /\ Goes(m, IF S.queue > 0 THEN "JoinLoad" ELSE "Park")

\* Kind 2: a P became free, and who freed it may have seen this M spin.
RecheckFree(m) == At(m, "RecheckFree") /\ Goes(m, IF S.free # {} THEN "JoinLoad" ELSE "Park")

Park(m) == At(m, "Park") /\ Goes(m, "parked")

-----------------------------------------------------------------------------
(* An M that comes back from a syscall: a free P, or its G goes to the queue and it
   waits for a P as others do. *)

ExitTake(m) == At(m, "ExitTake") /\ IF S.free # {} THEN Take(m, "run") ELSE Goes(m, "ExitPut")

ExitPut(m) ==
   /\ At(m, "ExitPut")
   /\ S' = [S EXCEPT !.queue = @ + 1]
   /\ M' = [M EXCEPT ![m].pc = "JoinLoad"]

-----------------------------------------------------------------------------
UserStep(m) == Spawn(m) \/ Block(m) \/ EnterSyscall(m) \/ ExitSyscall(m)

\* What an M does by itself.
SysStep(m) ==
   \/ EnsureSpin(m) \/ EnsureFree(m) \/ EnsureCAS(m) \/ EnsureWake(m)
   \/ Get(m) \/ Busy(m) \/ TestTwo(m) \/ Drop(m)
   \/ JoinLoad(m) \/ JoinCAS(m)
   \/ TwoAdd(m) \/ TwoTake(m) \/ TwoSub(m)
   \/ Decrement(m) \/ RecheckQueue(m) \/ RecheckFree(m) \/ Park(m)
   \/ ExitTake(m) \/ ExitPut(m)

Next == \E m \in Ms : UserStep(m) \/ SysStep(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

Count(set) == Cardinality(set)

\* DN-P-OWNED: each P is in exactly one place.
POwned == \A p \in Ps : Count({m \in Ms : M[m].p = p}) + (IF p \in S.free THEN 1 ELSE 0) = 1

InEnsure(m) == M[m].pc \in {"EnsureSpin", "EnsureFree", "EnsureCAS", "EnsureWake"}

\* The Ms that have a G in their hands, or run it.
Holds(m) == M[m].pc \in {"run", "syscall", "Busy", "ExitTake", "ExitPut"} \/ InEnsure(m)

\* DN-ONE-PLACE: no G is lost, and none is in two places.
OnePlace == S.queue + S.blocked + Count({m \in Ms : Holds(m)}) = Gs

\* DN-SPIN-COUNT: nspin counts the Ms that spin, and the tokens of those to come.
SpinCount == S.nspin = Count({m \in Ms : M[m].spin # 0}) + Count({m \in Ms : M[m].tok})

\* DN-SPIN-COUNT: ntwo counts the Ms that wait for a P.
TwoCount == S.ntwo = Count({m \in Ms : M[m].pc \in {"TwoTake", "TwoSub"}})

\* DN-SPIN-BOUND: at most GOMAXPROCS spin, of both kinds.
SpinBound == S.nspin <= Gomaxprocs

Work == S.queue > 0
Idle == S.free # {}

\* An M that does nothing by itself.
Calm(m) == M[m].pc \in {"run", "syscall", "parked"}

AllCalm == \A m \in Ms : Calm(m)

\* DN-WORK-QUIET: when all is quiet, no G waits beside a free P.
WorkQuiet == AllCalm => ~(Work /\ Idle)

\* SY-HANDOFF: when all is quiet, no G is queued while a P lies with an M in a syscall.
SyscallQuiet == AllCalm => ~(Work /\ \E m \in Ms : At(m, "syscall") /\ M[m].p # NoP)

\* Why an M is somebody who will see to it.
Rescuer(m) ==
   \/ M[m].spin # 0
   \/ M[m].tok
   \/ M[m].pc \in {"Get", "JoinLoad", "JoinCAS", "RecheckQueue", "RecheckFree"}
   \/ InEnsure(m)

\* DN-WORK-RESCUER: while a G waits beside a free P, somebody is about to see to it.
WorkRescuer == (Work /\ Idle) => \E m \in Ms : Rescuer(m)

-----------------------------------------------------------------------------
(* Liveness: strong fairness for each M, none for what the program does. *)

EnvStep == \E m \in Ms : UserStep(m)

LiveSpec == Spec /\ \A m \in Ms : SF_vars(SysStep(m))

\* A P is put to use when its M has a G.
Used(p) == \E m \in Ms : M[m].p = p /\ Holds(m)

Starved == Work /\ \E p \in Ps : ~Used(p)

\* DN-WORK-LIVE: no G waits for ever beside a P that does nothing for it, while the program does nothing.
WorkLive == []<>~Starved \/ []<><<EnvStep>>_vars

\* DN-QUIET: the search for work ends, while the program does nothing.
QuietLive == []<>AllCalm \/ []<><<EnvStep>>_vars
=============================================================================

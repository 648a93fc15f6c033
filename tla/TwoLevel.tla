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
(* one); with more Ms than Gs there is always one left.                    *)
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

Bug(b) == b \in Bugs

VARIABLES
   queue,   \* the one queue of Gs: its length
   free,    \* the Ps that nobody holds
   nspin,   \* how many Ms spin, of both kinds
   ntwo,    \* how many of them are of kind 2
   blocked, \* Gs that wait for a G, or are not born: any running G may spawn them
   pc,      \* for each M, what it does next
   myp,     \* for each M, the P that it holds
   spin,    \* for each M, the kind in which it spins: 1 or 2, or 0
   tok,     \* for each M, whether it counted a spinning M that it has still to wake
   num,     \* for each M, nspin as it loaded it
   ret      \* for each M, where it goes on after it has ensured that somebody spins

words == <<queue, free, nspin, ntwo>>
own   == <<myp, spin, tok, num, ret>>
vars  == <<words, blocked, pc, own>>

Gomaxprocs == Cardinality(Ps)

\* DN-ONE-PLACE, DN-P-OWNED, DN-SPIN-COUNT: every word holds what it may.
TypeOK ==
   /\ queue \in 0..Gs
   /\ free \subseteq Ps
   /\ nspin \in 0..Cardinality(Ms)
   /\ ntwo \in 0..Cardinality(Ms)
   /\ blocked \in 0..Gs
   /\ \A m \in Ms :
         /\ myp[m] \in Ps \cup {NoP}
         /\ spin[m] \in 0..2
         /\ num[m] \in 0..Gomaxprocs

\* One M runs the first G; the others sleep, and no P but its own is busy.
Init ==
   /\ queue = 0
   /\ nspin = 0
   /\ ntwo = 0
   /\ blocked = Gs - 1
   /\ \E m \in FirstM, p \in FirstP :
         /\ free = Ps \ {p}
         /\ pc = [n \in Ms |-> IF n = m THEN "run" ELSE "parked"]
         /\ myp = [n \in Ms |-> IF n = m THEN p ELSE NoP]
   /\ spin = [m \in Ms |-> 0]
   /\ tok = [m \in Ms |-> FALSE]
   /\ num = [m \in Ms |-> 0]
   /\ ret = [m \in Ms |-> ""]

-----------------------------------------------------------------------------
(* What the program does.  Nothing makes it go on: no fairness. *)

\* The running G makes another runnable.
Spawn(m) ==
   /\ pc[m] = "run"
   /\ blocked > 0
   /\ blocked' = blocked - 1
   /\ queue' = queue + 1
   /\ IF Bug("spawn_no_ensure")
      THEN UNCHANGED <<pc, ret>>
      ELSE pc' = [pc EXCEPT ![m] = "ensurespin"] /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<free, nspin, ntwo, myp, spin, tok, num>>

\* The running G waits for something, or ends: its M looks for another.
Block(m) ==
   /\ pc[m] = "run"
   /\ blocked' = IF Bug("block_forgets") THEN blocked ELSE blocked + 1
   /\ pc' = [pc EXCEPT ![m] = "get"]
   /\ UNCHANGED <<words, own>>

\* The P is free at once, and somebody must be there to use it.
EnterSyscall(m) ==
   /\ pc[m] = "run"
   /\ free' = IF Bug("syscall_keeps") THEN free ELSE free \cup {myp[m]}
   /\ myp' = [myp EXCEPT ![m] = IF Bug("syscall_keeps") \/ Bug("syscall_shares") THEN @ ELSE NoP]
   /\ IF Bug("syscall_no_ensure")
      THEN pc' = [pc EXCEPT ![m] = "syscall"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = "ensurespin"] /\ ret' = [ret EXCEPT ![m] = "syscall"]
   /\ UNCHANGED <<queue, nspin, ntwo, blocked, spin, tok, num>>

ExitSyscall(m) ==
   /\ pc[m] = "syscall"
   /\ pc' = [pc EXCEPT ![m] = IF myp[m] # NoP THEN "run" ELSE IF Bug("exit_drops") THEN "joinload"
                              ELSE "exittake"]
   /\ UNCHANGED <<words, blocked, own>>

-----------------------------------------------------------------------------
(* To ensure that somebody spins, or that all Ps are busy.  It goes on at ret. *)

\* Where an M goes that has nothing (more) to ensure.
Ensured(m) ==
   /\ pc' = [pc EXCEPT ![m] = ret[m]]
   /\ ret' = [ret EXCEPT ![m] = ""]

EnsureSpin(m) ==
   /\ pc[m] = "ensurespin"
   /\ IF (nspin = 0) # Bug("ensure_if_spins")
      THEN pc' = [pc EXCEPT ![m] = "ensurefree"] /\ UNCHANGED ret
      ELSE Ensured(m)
   /\ UNCHANGED <<words, blocked, myp, spin, tok, num>>

EnsureFree(m) ==
   /\ pc[m] = "ensurefree"
   /\ IF (free # {}) # Bug("ensure_if_busy")
      THEN pc' = [pc EXCEPT ![m] = "ensurecas"] /\ UNCHANGED ret
      ELSE Ensured(m)
   /\ UNCHANGED <<words, blocked, myp, spin, tok, num>>

EnsureCAS(m) ==
   /\ pc[m] = "ensurecas"
   /\ IF nspin = 0
      THEN /\ nspin' = IF Bug("ensure_uncounted") THEN nspin ELSE 1
           /\ tok' = [tok EXCEPT ![m] = TRUE]
           /\ pc' = [pc EXCEPT ![m] = "ensurewake"]
           /\ UNCHANGED ret
      ELSE /\ Ensured(m)
           /\ UNCHANGED <<nspin, tok>>
   /\ UNCHANGED <<queue, free, ntwo, blocked, myp, spin, num>>

\* An M that sleeps is woken; it has no P, and is of kind 2.
EnsureWake(m) ==
   /\ pc[m] = "ensurewake"
   /\ \E n \in Ms :
         /\ pc[n] = "parked"
         /\ spin' = [spin EXCEPT ![n] = 2]
         /\ pc' = [pc EXCEPT ![n] = "twoadd", ![m] = ret[m]]
   /\ tok' = [tok EXCEPT ![m] = Bug("ensure_keeps")]
   /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<words, blocked, myp, num>>

-----------------------------------------------------------------------------
(* An M with a P and without a G. *)

\* The queue, under its lock.
Get(m) ==
   /\ pc[m] = "get"
   /\ IF queue > 0
      THEN /\ queue' = IF Bug("get_keeps") THEN queue ELSE queue - 1
           /\ pc' = [pc EXCEPT ![m] = IF spin[m] = 0 THEN "run" ELSE "busy"]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF spin[m] = 0 THEN "joinload"
                                      ELSE IF Bug("one_blocks_early") THEN "drop"
                                      ELSE "testtwo"]
           /\ UNCHANGED queue
   /\ UNCHANGED <<free, nspin, ntwo, blocked, own>>

\* From idle to busy: it spins no more, and ensures that another does.
Busy(m) ==
   /\ pc[m] = "busy"
   /\ nspin' = IF Bug("leak_spin") THEN nspin ELSE nspin - 1
   /\ spin' = [spin EXCEPT ![m] = 0]
   /\ IF Bug("busy_no_ensure")
      THEN pc' = [pc EXCEPT ![m] = "run"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = "ensurespin"] /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<queue, free, ntwo, blocked, myp, tok, num>>

\* Kind 1 does not block while there is one of kind 2: it looks again.
TestTwo(m) ==
   /\ pc[m] = "testtwo"
   /\ pc' = [pc EXCEPT ![m] = IF ntwo > 0 THEN "get" ELSE IF Bug("two_busy") THEN "busy" ELSE "drop"]
   /\ UNCHANGED <<words, blocked, own>>

\* The P is free; under the mutant recheck_first the queue is looked at now.
Drop(m) ==
   /\ pc[m] = "drop"
   /\ free' = free \cup {myp[m]}
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = IF spin[m] = 0 THEN "park"
                              ELSE IF Bug("recheck_first") THEN "requeue"
                              ELSE "decr"]
   /\ UNCHANGED <<queue, nspin, ntwo, blocked, spin, tok, num, ret>>

-----------------------------------------------------------------------------
(* To spin: as kind 1 with a P, as kind 2 without, if fewer than GOMAXPROCS do. *)

\* At the limit an M without a P goes to sleep: others spin.  One with a P may not,
\* since one of them must be of kind 2; it looks again.
JoinLoad(m) ==
   /\ pc[m] = "joinload"
   /\ IF nspin < Gomaxprocs \/ Bug("join_no_limit")
      THEN /\ num' = [num EXCEPT ![m] = nspin]
           /\ pc' = [pc EXCEPT ![m] = "joincas"]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF myp[m] = NoP THEN "park"
                                      ELSE IF Bug("one_blocks_at_limit") THEN "drop"
                                      ELSE "get"]
           /\ UNCHANGED num
   /\ UNCHANGED <<words, blocked, myp, spin, tok, ret>>

JoinCAS(m) ==
   /\ pc[m] = "joincas"
   /\ num' = [num EXCEPT ![m] = 0]
   /\ IF nspin = num[m]
      THEN /\ nspin' = IF Bug("join_uncounted") THEN nspin ELSE nspin + 1
           /\ spin' = [spin EXCEPT ![m] = IF myp[m] = NoP THEN 2 ELSE 1]
           /\ pc' = [pc EXCEPT ![m] = IF myp[m] = NoP THEN "twoadd" ELSE "get"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "joinload"]
           /\ UNCHANGED <<nspin, spin>>
   /\ UNCHANGED <<queue, free, ntwo, blocked, myp, tok, ret>>

-----------------------------------------------------------------------------
(* An M without a P. *)

TwoAdd(m) ==
   /\ pc[m] = "twoadd"
   /\ ntwo' = IF Bug("two_uncounted") THEN ntwo ELSE ntwo + 1
   /\ pc' = [pc EXCEPT ![m] = "twotake"]
   /\ UNCHANGED <<queue, free, nspin, blocked, own>>

\* Takes a free P, or gives up.
TwoTake(m) ==
   /\ pc[m] = "twotake"
   /\ IF free # {}
      THEN \E p \in free :
              /\ free' = IF Bug("take_keeps") THEN free ELSE free \ {p}
              /\ myp' = [myp EXCEPT ![m] = p]
      ELSE UNCHANGED <<free, myp>>
   /\ pc' = [pc EXCEPT ![m] = "twosub"]
   /\ UNCHANGED <<queue, nspin, ntwo, blocked, spin, tok, num, ret>>

\* With a P it is of kind 1 now.
TwoSub(m) ==
   /\ pc[m] = "twosub"
   /\ ntwo' = IF Bug("leak_two") THEN ntwo ELSE ntwo - 1
   /\ IF myp[m] # NoP
      THEN /\ spin' = [spin EXCEPT ![m] = 1]
           /\ pc' = [pc EXCEPT ![m] = "get"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "decr"]
           /\ UNCHANGED spin
   /\ UNCHANGED <<queue, free, nspin, blocked, myp, tok, num, ret>>

-----------------------------------------------------------------------------
(* To stop spinning: count down, and look again at what it was waiting for. *)

Decrement(m) ==
   /\ pc[m] = "decr"
   /\ nspin' = IF Bug("decrement_twice") THEN nspin - 2 ELSE nspin - 1
   /\ spin' = [spin EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] =
                IF spin[m] = 1
                THEN IF Bug("no_recheck_queue") \/ Bug("recheck_first") THEN "park" ELSE "requeue"
                ELSE IF Bug("no_recheck_free") THEN "park" ELSE "refree"]
   /\ UNCHANGED <<queue, free, ntwo, blocked, myp, tok, num, ret>>

\* Kind 1: a G came, and who put it may have seen this M spin.
RecheckQueue(m) ==
   /\ pc[m] = "requeue"
   /\ IF Bug("recheck_first")
      THEN /\ pc' = [pc EXCEPT ![m] = IF queue > 0 THEN "twoadd" ELSE "decr"]
           /\ spin' = [spin EXCEPT ![m] = IF queue > 0 THEN 2 ELSE @]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF queue > 0 THEN "joinload"
                                      ELSE IF Bug("recheck_both") THEN "refree"
                                      ELSE "park"]
           /\ UNCHANGED spin
   /\ UNCHANGED <<words, blocked, myp, tok, num, ret>>

\* Kind 2: a P became free, and who freed it may have seen this M spin.
RecheckFree(m) ==
   /\ pc[m] = "refree"
   /\ pc' = [pc EXCEPT ![m] = IF free # {} /\ ~Bug("refree_never") THEN "joinload" ELSE "park"]
   /\ UNCHANGED <<words, blocked, own>>

Park(m) ==
   /\ pc[m] = "park"
   /\ pc' = [pc EXCEPT ![m] = "parked"]
   /\ nspin' = IF Bug("park_counts") THEN nspin - 1 ELSE nspin
   /\ UNCHANGED <<queue, free, ntwo, blocked, own>>

-----------------------------------------------------------------------------
(* An M that comes back from a syscall: a free P, or its G goes to the queue and it
   waits for a P as others do. *)

ExitTake(m) ==
   /\ pc[m] = "exittake"
   /\ IF free # {}
      THEN \E p \in free :
              /\ free' = IF Bug("exit_keeps") THEN free ELSE free \ {p}
              /\ myp' = [myp EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "run"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "exitput"]
           /\ UNCHANGED <<free, myp>>
   /\ UNCHANGED <<queue, nspin, ntwo, blocked, spin, tok, num, ret>>

ExitPut(m) ==
   /\ pc[m] = "exitput"
   /\ queue' = IF Bug("exit_forgets") THEN queue ELSE queue + 1
   /\ pc' = [pc EXCEPT ![m] = IF Bug("exit_no_spin") THEN "park" ELSE "joinload"]
   /\ UNCHANGED <<free, nspin, ntwo, blocked, own>>

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

Count(S) == Cardinality(S)

\* DN-P-OWNED: each P is in exactly one place.
POwned == \A p \in Ps : Count({m \in Ms : myp[m] = p}) + (IF p \in free THEN 1 ELSE 0) = 1

InEnsure == {"ensurespin", "ensurefree", "ensurecas", "ensurewake"}

\* The Ms that have a G in their hands, or run it.
Holds(m) ==
   \/ pc[m] \in {"run", "syscall", "busy", "exittake", "exitput"}
   \/ pc[m] \in InEnsure

\* DN-ONE-PLACE: no G is lost, and none is in two places.
OnePlace == queue + blocked + Count({m \in Ms : Holds(m)}) = Gs

\* DN-SPIN-COUNT: nspin counts the Ms that spin, and the tokens of those to come.
SpinCount == nspin = Count({m \in Ms : spin[m] # 0}) + Count({m \in Ms : tok[m]})

\* DN-SPIN-COUNT: ntwo counts the Ms that wait for a P.
TwoCount == ntwo = Count({m \in Ms : pc[m] \in {"twotake", "twosub"}})

\* DN-SPIN-BOUND: at most GOMAXPROCS spin, of both kinds.
SpinBound == nspin <= Gomaxprocs

Work == queue > 0
Idle == free # {}

\* An M that does nothing by itself.
Calm(m) == pc[m] \in {"run", "syscall", "parked"}

AllCalm == \A m \in Ms : Calm(m)

\* DN-WORK-QUIET: when all is quiet, no G waits beside a free P.
WorkQuiet == AllCalm => ~(Work /\ Idle)

\* SY-HANDOFF: when all is quiet, no G is queued while a P lies with an M in a syscall.
SyscallQuiet == AllCalm => ~(Work /\ \E m \in Ms : pc[m] = "syscall" /\ myp[m] # NoP)

\* Why an M is somebody who will see to it.
Rescuer(m) ==
   \/ spin[m] # 0
   \/ tok[m]
   \/ pc[m] \in {"get", "joinload", "joincas", "requeue", "refree"}
   \/ pc[m] \in InEnsure

\* DN-WORK-RESCUER: while a G waits beside a free P, somebody is about to see to it.
WorkRescuer == (Work /\ Idle) => \E m \in Ms : Rescuer(m)

-----------------------------------------------------------------------------
(* Liveness: strong fairness for each M, none for what the program does. *)

EnvStep == \E m \in Ms : UserStep(m)

LiveSpec == Spec /\ \A m \in Ms : SF_vars(SysStep(m))

\* A P is put to use when its M has a G.
Used(p) == \E m \in Ms : myp[m] = p /\ Holds(m)

Starved == Work /\ \E p \in Ps : ~Used(p)

\* DN-WORK-LIVE: no G waits for ever beside a P that does nothing for it, while the program does nothing.
WorkLive == []<>~Starved \/ []<><<EnvStep>>_vars

\* DN-QUIET: the search for work ends, while the program does nothing.
QuietLive == []<>AllCalm \/ []<><<EnvStep>>_vars
=============================================================================

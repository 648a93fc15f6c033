------------------------------ MODULE SchedAbs ------------------------------
(***************************************************************************)
(* What the author of a program may assume of the scheduler: Gs wait, may  *)
(* run, run, or are away in a syscall; at most GOMAXPROCS run at a time;   *)
(* any P that is free may run any G that may run; and a G that runs goes   *)
(* on until it waits, yields, is preempted or goes away.  There are no     *)
(* queues here, and no order.                                              *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
   Gs,     \* how many Gs there are
   Procs   \* how many may run at a time

VARIABLES
   waiting,  \* Gs that wait for something, or are not born
   runnable, \* Gs that may run
   running,  \* Gs that do
   away      \* Gs in syscalls

vars == <<waiting, runnable, running, away>>

TypeOK ==
   /\ waiting \in 0..Gs
   /\ runnable \in 0..Gs
   /\ running \in 0..Procs
   /\ away \in 0..Gs
   /\ waiting + runnable + running + away = Gs

Init ==
   /\ waiting = Gs - 1
   /\ runnable = 0
   /\ running = 1
   /\ away = 0

\* Some Gs have what they waited for.
Ready ==
   /\ \E k \in 1..waiting : waiting' = waiting - k /\ runnable' = runnable + k
   /\ UNCHANGED <<running, away>>

\* The same, and one of them runs at once.
Resume ==
   /\ running < Procs
   /\ \E k \in 1..waiting : waiting' = waiting - k /\ runnable' = runnable + k - 1
   /\ running' = running + 1
   /\ UNCHANGED away

Run ==
   /\ runnable > 0
   /\ running < Procs
   /\ runnable' = runnable - 1
   /\ running' = running + 1
   /\ UNCHANGED <<waiting, away>>

Wait ==
   /\ running > 0
   /\ running' = running - 1
   /\ waiting' = waiting + 1
   /\ UNCHANGED <<runnable, away>>

Yield ==
   /\ running > 0
   /\ running' = running - 1
   /\ runnable' = runnable + 1
   /\ UNCHANGED <<waiting, away>>

Leave ==
   /\ running > 0
   /\ running' = running - 1
   /\ away' = away + 1
   /\ UNCHANGED <<waiting, runnable>>

\* Back from a syscall: it runs at once, or may run.
Return ==
   /\ away > 0
   /\ away' = away - 1
   /\ IF running < Procs
      THEN \/ running' = running + 1 /\ UNCHANGED runnable
           \/ runnable' = runnable + 1 /\ UNCHANGED running
      ELSE runnable' = runnable + 1 /\ UNCHANGED running
   /\ UNCHANGED waiting

Next == Ready \/ Resume \/ Run \/ Wait \/ Yield \/ Leave \/ Return

Spec == Init /\ [][Next]_vars
=============================================================================

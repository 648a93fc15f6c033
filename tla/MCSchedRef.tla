----------------------------- MODULE MCSchedRef -----------------------------
(* Sched implements SchedAbs.  A G runs from the step that takes it off a queue,
   and may run from the step that puts it there, or that gives it to an M that
   will. *)
EXTENDS MCSched

Away(m) == In(m, InSyscall \cup InExit) \/ (In(m, Called) /\ M[m].ret = "syscall")
Own(m)  == (HasG(m) /\ ~Away(m)) \/ m \in LockedGiven

Waiting == S.blocked + S.netgs + Sleeping
Running == Cardinality({m \in Ms : Own(m)})
Gone    == Cardinality({m \in Ms : Away(m)})

Abs == INSTANCE SchedAbs WITH
   Procs <- Cardinality(Ps), waiting <- Waiting, running <- Running, away <- Gone, runnable <- Gs - Waiting - Running - Gone

\* DN-USER: what a user may assume.
UserView == Abs!Spec
=============================================================================

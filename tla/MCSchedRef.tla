----------------------------- MODULE MCSchedRef -----------------------------
(* Sched implements SchedAbs.  A G runs from the step that takes it off a queue,
   and may run from the step that puts it there, or that gives it to an M that
   will. *)
EXTENDS MCSched

\* Does an M run a G of its own?
Own(m) ==
   \/ pc[m] \in {"run", "preempted", "again", "late", "exec", "batchput", "stealput", "reglobput", "injload", "injsome", "injput"} \cup InStop
   \/ pc[m] \in {"kick", "overflow"} /\ ret[m] = "run"
   \/ pc[m] \in InInject /\ ret[m] = "injput"
   \/ pc[m] = "netadj" /\ myp[m] # NoP
   \/ pc[m] = "reset" /\ ret[m] # "runextra"
   \/ pc[m] \in InWakep \cup {"start", "timewake", "timeread"} /\ ret[m] \in {"run", "exec", "late", "netadj"}
   \/ pc[m] \in {"spinadd", "spinclear"} /\ ret[m] = "reset"
   \/ m \in LockedGiven
   \/ InLimbo(m)

Away(m) == pc[m] \in InSyscall \cup InExit \/ (pc[m] \in InHandoff \cup InWakep \cup {"start", "timewake", "timeread"} /\ ret[m] = "syscall")

Waiting == blocked + netgs + Cardinality({p \in Ps : tim[p] # 0})
Running == Cardinality({m \in Ms : Own(m)})
Gone    == Cardinality({m \in Ms : Away(m)})

Abs == INSTANCE SchedAbs WITH
   Procs <- Cardinality(Ps), waiting <- Waiting, running <- Running, away <- Gone, runnable <- Gs - Waiting - Running - Gone

\* DN-USER: what a user may assume.
UserView == Abs!Spec
=============================================================================

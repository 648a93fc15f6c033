------------------------------ MODULE MCSched ------------------------------
(* Module Sched for TLC: symmetry, and probes that must be violated. *)
EXTENDS Sched, TLC

\* Ms but sysmon are alike, and so are the Ps that there are from the start,
\* and the others.  For safety alone.
Symmetry == Permutations(Ms \ {Sysmon}) \cup Permutations(FirstProcs) \cup Permutations(Ps \ FirstProcs)

\* Probes: what must be reachable, lest the model prove nothing.
NeverNeedspinning  == S.needspinning = 0
NeverReglob        == \A m \in Ms : ~At(m, "RecheckGlobGet")
NeverOverflow      == \A m \in Ms : ~At(m, "Overflow")
NeverSecondSpinner == Cardinality({m \in Ms : M[m].spinning}) < 2
=============================================================================

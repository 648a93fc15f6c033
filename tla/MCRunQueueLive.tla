-------------------------- MODULE MCRunQueueLive --------------------------
(* Calls of owners end. A steal is lock-free only: it ends, or somebody else's call does. *)
EXTENDS MCRunQueueScripts

Fair == \A p \in Ps : WF_vars(Step(p))

LiveSpec == Spec /\ Fair

Owned == {"put", "putnext", "putbatch", "get", "drain"}

\* RQ-CRASH: every call returns.
OpEnds ==
  \A p \in Ps : (th[p].op \in Owned) ~> (th[p].op \notin Owned)

=============================================================================

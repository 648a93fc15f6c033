----------------------------- MODULE MCRunQueue -----------------------------
(* What TLC's configurations of RunQueue are made of. *)
EXTENDS RunQueue, TLC

Nobody == {}
NoScripts == [p \in Ps |-> <<>>]

\* Who makes which calls at will.
Owners == [p \in Ps |-> {"put", "putnext", "get", "steal", "stealnext"}]
Rings == [p \in Ps |-> {"put", "get", "steal"}]
PutsSteals == [p \in Ps |-> {"put", "steal"}]
Batches == [p \in Ps |-> {"putbatch", "get", "gput", "steal"}]
Globals == [p \in Ps |-> {"gput", "gget", "get", "steal"}]
Drains == [p \in Ps |-> {"put", "putnext", "drain", "steal", "gput"}]
Empties == [p \in Ps |-> {"put", "putnext", "get", "steal", "empty"}]
Nexts == [p \in Ps |-> {"put", "putnext", "get", "stealnext", "len"}]

\* An owner, and thieves that own no P: what they take goes to the global queue.
TheOwner == CHOOSE p \in Ps : TRUE
Others == Ps \ {TheOwner}
OwnerAndLoners == [p \in Ps |-> IF p = TheOwner THEN {"put", "putnext", "drain"} ELSE {"steal", "stealnext", "gput"}]

Names == Permutations(Ps) \cup Permutations(Gs)

=============================================================================

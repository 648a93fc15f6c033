------------------------------ MODULE MCSlices ------------------------------
(* Module Slices for TLC: probes that must be violated. *)
EXTENDS Slices

\* Probes: what must be reachable, lest the model prove nothing.  The global queue comes
\* first while the P has Gs of its own.
NeverTick == ~(Finds /\ GlobalFirst /\ (S.next # NoG \/ S.ring # <<>>))

\* A G of the pair that runs is asked to yield, and the next one would inherit the slice.
NeverAsked == ~(S.run \in Pair /\ S.asked /\ S.next \in Pair)

\* A G would inherit a time slice that is over.
NeverOver == ~(S.hand # NoG /\ S.inherits /\ S.asked)

\* The third G waits in the ring while a G of the pair inherits a time slice.
NeverBehind == ~(S.inherits /\ S.hand \in Pair /\ Third \in Elements(S.ring))
=============================================================================

----------------------------- MODULE MCTwoLevel -----------------------------
(* Module TwoLevel for TLC: symmetry, and probes that must be violated. *)
EXTENDS TwoLevel, TLC

\* For safety alone.
Symmetry == Permutations(Ms) \cup Permutations(Ps)

\* Probes: what must be reachable, lest the model prove nothing.  An M that has a P is
\* kept from spinning by others; and both kinds spin at a time.
NeverAtLimit == \A m \in Ms : ~(At(m, "JoinLoad") /\ M[m].p # NoP /\ S.nspin = Gomaxprocs)
NeverBoth    == ~(\E m \in Ms : M[m].spin = 1) \/ ~(\E m \in Ms : M[m].spin = 2)
=============================================================================

------------------------- MODULE MCRunQueueScripts -------------------------
(***************************************************************************)
(* Scenarios that the explorer runs on impl/runq as well, thread by thread *)
(* and call by call (conformance/interleavings.go). Thread 1 owns P 1; Gs  *)
(* are numbered as they are handed in, thread by thread.                   *)
(***************************************************************************)
EXTENDS MCRunQueue

Instr(op, gs, v, n) == [op |-> op, gs |-> gs, v |-> v, n |-> n]

put(g) == Instr("put", <<g>>, NoP, 0)
putnext(g) == Instr("putnext", <<g>>, NoP, 0)
putbatch(gs) == Instr("putbatch", gs, NoP, 0)
get == Instr("get", <<>>, NoP, 0)
steal(v) == Instr("steal", <<>>, v, 0)
stealnext(v) == Instr("stealnext", <<>>, v, 0)
drain == Instr("drain", <<>>, NoP, 0)
empty(v) == Instr("empty", <<>>, v, 0)
gput(g) == Instr("gput", <<g>>, NoP, 0)
gget(most) == Instr("gget", <<>>, NoP, most)

OnlyScripts == [x \in Ps |-> {}]

\* interleave/steal: {2, "ppgpg", {"ss"}}
Steal == <<<<put(1), put(2), get, put(3), get>>, <<steal(1), steal(1)>>>>
\* interleave/empty-runnext: {4, "nng", {"e"}}
EmptyRunnext == <<<<putnext(1), putnext(2), get>>, <<empty(1)>>>>
\* interleave/overflow: {2, "ppp", {"s"}}
FullRing == <<<<put(1), put(2), put(3)>>, <<steal(1)>>>>
\* interleave/overflow: {2, "ppp", {"ppp"}}
TwoOverflows == <<<<put(1), put(2), put(3)>>, <<put(4), put(5), put(6)>>>>
\* interleave/overflow: {2, "ppnn", {"r"}}
KickOverflows == <<<<put(1), put(2), putnext(3), putnext(4)>>, <<stealnext(1)>>>>
\* interleave/batches: {4, "npd", {"r"}}
DrainNext == <<<<putnext(1), put(2), drain>>, <<stealnext(1)>>>>
\* interleave/batches: {4, "qqm2g", {"m1"}}
GlobalBatch == <<<<gput(1), gput(2), gget(2), get>>, <<gget(1)>>>>
\* interleave/batches: {8, "qqqqm4gg", {"s"}}
Share8 == <<<<gput(1), gput(2), gput(3), gput(4), gget(4), get, get>>, <<steal(1)>>>>
\* interleave/batches: {2, "b3", {"s"}}
BatchOverflows == <<<<putbatch(<<1, 2, 3>>)>>, <<steal(1)>>>>
\* A thief that has to make room first: {4, "ppp", {"ppps"}}
FullThief == <<<<put(1), put(2), put(3)>>, <<put(4), put(5), put(6), steal(1)>>>>
\* interleave/loot: {4, "ppp", {"sg", "s1"}}
Loot == <<<<put(1), put(2), put(3)>>, <<steal(1), get>>, <<steal(2)>>>>

=============================================================================

--------------------------- MODULE TraceRunQueue ---------------------------
(***************************************************************************)
(* Whether a trace of threads that ran freely is one of the model's. Of    *)
(* each call it is known what it was given, what it returned, and at which *)
(* ticks it was called (lo) and had returned (hi); nobody saw its steps.   *)
(* TLC looks for an order of steps in which each thread makes its calls,   *)
(* each call returns what it did return, no call begins before all those   *)
(* have returned that did so before it was called, and in the end the      *)
(* same is left.                                                           *)
(*                                                                         *)
(* The trace is accepted if NotAccepted is violated: then there is an      *)
(* order, and TLC shows it. If nothing is violated, it is rejected.        *)
(*                                                                         *)
(* Module TraceData is generated; the one in this folder is an example.    *)
(***************************************************************************)
EXTENDS RunQueue, TraceData

TraceLoners == {p \in Ps : ~Trace[p].owner}
TraceFree == [p \in Ps |-> {}]

\* The calls without what they returned.
TraceScripts ==
  [p \in Ps |-> [k \in 1..Len(Trace[p].calls) |->
    [op |-> Trace[p].calls[k].op,
     gs |-> Trace[p].calls[k].gs,
     v |-> Trace[p].calls[k].v,
     n |-> Trace[p].calls[k].n]]]

\* How many calls of each thread had returned when call k of p was called.
Earlier ==
  [p \in Ps |-> [k \in 1..Len(Trace[p].calls) |-> [q \in Ps |->
    Cardinality({j \in 1..Len(Trace[q].calls) : Trace[q].calls[j].hi < Trace[p].calls[k].lo})]]]

Returned(p) == IF th[p].pc = "idle" THEN th[p].at - 1 ELSE th[p].at - 2

\* If p's step begins a call, others have come as far as they had.
InTime(p) ==
  IF th'[p].at = th[p].at THEN TRUE
  ELSE \A q \in Ps : Returned(q) >= Earlier[p][th[p].at][q]

\* If p's step ends a call, it returns what it did return; and else nothing.
AsRecorded(p) ==
  IF th'[p].pc # "idle" THEN S'.out \subseteq S.out
  ELSE LET c == Trace[p].calls[th'[p].at - 1]
       IN /\ (S'.out \ S.out) = Elems(c.out)
          /\ CASE c.op = "empty" -> SaysEmpty(th[p]) = c.ok
               [] c.op = "len" -> SaysLen(th[p]) = c.n
               [] c.op = "get" -> (th[p].pc = "GetCASNext") = c.ok
               [] OTHER -> TRUE

TraceNext ==
  \E p \in Ps :
    /\ Step(p)
    /\ InTime(p)
    /\ AsRecorded(p)

TraceSpec == Init /\ [][TraceNext]_vars

\* RQ-LOST RQ-TWICE RQ-INVENTED
NotAccepted ==
  ~(/\ \A p \in Ps : Returned(p) = Len(Trace[p].calls) /\ Ring(p) = Trace[p].ring /\ Q.next[p] = Trace[p].next
    /\ GlobalList = TraceGlobal)

=============================================================================

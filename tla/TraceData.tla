----------------------------- MODULE TraceData -----------------------------
\* Calls of each thread, and what was left: see TraceRunQueue.
EXTENDS Integers, Sequences

Trace ==
  <<
    [owner |-> TRUE, ring |-> <<>>, next |-> 0, calls |-> <<
      [op |-> "put", gs |-> <<1>>, v |-> 0, n |-> 1, out |-> <<>>, ok |-> TRUE, lo |-> 1, hi |-> 3],
      [op |-> "put", gs |-> <<2>>, v |-> 0, n |-> 1, out |-> <<>>, ok |-> TRUE, lo |-> 4, hi |-> 6],
      [op |-> "get", gs |-> <<>>, v |-> 0, n |-> 1, out |-> <<2>>, ok |-> FALSE, lo |-> 8, hi |-> 11]
    >>],
    [owner |-> TRUE, ring |-> <<>>, next |-> 0, calls |-> <<
      [op |-> "get", gs |-> <<>>, v |-> 0, n |-> 1, out |-> <<>>, ok |-> FALSE, lo |-> 2, hi |-> 5],
      [op |-> "steal", gs |-> <<>>, v |-> 1, n |-> 1, out |-> <<1>>, ok |-> TRUE, lo |-> 7, hi |-> 10],
      [op |-> "empty", gs |-> <<>>, v |-> 1, n |-> 1, out |-> <<>>, ok |-> TRUE, lo |-> 12, hi |-> 13]
    >>]
  >>

TraceGlobal == <<>>

=============================================================================

----------------------------- MODULE SchedPlace -----------------------------
(* Module Sched: where Ms are, and what follows from it: whether one runs a G, whose
   locked G is where, and whether checkdead would report a deadlock. *)
EXTENDS SchedState

(* Where an M is on its way through wakep and startm, through handoffp, and others. *)

InWakep == {"wakeload", "wakecas", "wakeget", "wakeneed", "wakenp", "wakeundo", "wakeagain"}
InHandoff == {"hempty", "hglob", "hextra", "hspin", "hidle", "hcas", "hclear", "hlock", "hadd", "hput", "hputnp"}
InSyscall == {"syscall", "sysgc"}
InExit == {"exitold", "exittry", "exitget", "exitnp", "exitnop", "exitput"}
InStop == {"stwtake", "stwnp", "stwwait", "stwidle", "stwgo", "stwstart"}
InPoll == {"pollclear", "polllast", "pollget", "pollnp"}
InInject == {"injidle", "injnp", "injstart"}

\* Is anything queued?
Work == runq > 0 \/ extra = 1 \/ \E p \in procs : ring[p] + next[p] > 0

\* Under the mutant decrement_buffered: an M that looks again holds its token still, so
\* to say, until its decrement of nmspinning is visible.
Buffered(m) ==
   /\ Bug("decrement_buffered")
   /\ tok[m]
   /\ pc[m] \in {"reglob", "recheck", "rescan", "recheckget", "reextra", "reextraget", "retimers", "retimer", "polltest", "pollswap", "stop"}

\* Under the mutant net_adjust_first the poller's Gs are counted off
\* when they are taken from it, and not when they can be seen.
AtOnce == IF Bug("net_adjust_first") THEN netready ELSE 0

-----------------------------------------------------------------------------
(* Locked Ms.  A G that is locked has no place of its own among those that are
   queued: which of them it is, is found out when one is taken. *)

Locked(m) == lk[m] # ""

\* Under the mutant start_preempted: an M whose G was preempted in startm.
InLimbo(m) == pc[m] = "limbo" /\ cand[m] # NoP

\* Does an M run a G of its own, which is in no queue?
Executes(m) ==
   \/ InLimbo(m)
   \/ pc[m] \in {"run", "preempted", "late"} \cup InSyscall \cup InExit \cup InStop
   \/ pc[m] \in {"kick", "overflow"} /\ ret[m] = "run"
   \/ pc[m] \in InWakep \cup InHandoff \cup {"start", "timewake", "timeread"} /\ ret[m] \in {"run", "syscall", "late"}

\* The Ms whose locked Gs wait for something, may run, and were found: their M has the P for it.
LockedWaits == {m \in Ms : lk[m] = "wait"}
LockedReady == {m \in Ms : lk[m] = "ready" /\ nextp[m] = NoP}
LockedGiven == {m \in Ms : lk[m] = "ready" /\ nextp[m] # NoP}

\* How many Gs are in queues, or in hands between two.
Queued ==
   Gs - blocked - netgs - Cardinality({p \in Ps : tim[p] # 0})
   - Cardinality({m \in Ms : Executes(m)}) - Cardinality(LockedGiven)

\* Of k Gs that are ready now some may be locked: whose, and what becomes of lk.
ReadyOf(k) == {S \in SUBSET LockedWaits : Cardinality(S) <= k /\ k - Cardinality(S) <= blocked - Cardinality(LockedWaits)}
MadeReady(S) == [m \in Ms |-> IF m \in S THEN "ready" ELSE lk[m]]

\* What becomes of lk when the G that m runs is queued, or waits.
Leaves(m, state) == [lk EXCEPT ![m] = IF Locked(m) THEN state ELSE ""]

\* Where an M goes that has a G in hand: it runs it, if it is not locked to another.
Exec == IF Has("lock") THEN "exec" ELSE "run"

\* May an M look for work?  schedule asks first whether it is locked.
MayFind(m) == ~Locked(m) \/ Bug("locked_schedules")

-----------------------------------------------------------------------------
(* checkdead, which counts the Ms that are not asleep, when one more goes to sleep. *)

\* While sysmon hands a P off that it took from a syscall, or starts Ms for Gs that
\* it injected, it counts itself (incidlelocked(-1)).
Pretends ==
   \E s \in Ms \cap {Sysmon} :
      \/ pc[s] \in InHandoff \cup {"start"} /\ ~Bug("retake_uncounted")
      \/ pc[s] \in InInject /\ ~Bug("inject_uncounted")

Asleep(m) ==
   \/ pc[m] \in {"parked", "lockpark"} /\ nextp[m] = NoP
   \/ pc[m] = "unborn" \* under the mutant newm_uncounted also one that has its P

\* Nobody is awake but m, who is about to sleep, and sysmon; and no timer is set.
Dead(m) == (\A n \in Ms \ {m, Sysmon} : Asleep(n)) /\ ~Pretends /\ \A p \in procs : tim[p] = 0

\* It reports a deadlock though a G may run, or waits in the poller, or sysmon has it from there.
FalseAlarm(m) == Dead(m) /\ (Work \/ netgs > 0 \/ \E s \in Ms \cap {Sysmon} : delta[s] > 0 /\ num[s] > 0)

\* Where m goes that goes to sleep at this place.
Sleep(m, place) == IF FalseAlarm(m) THEN "threw" ELSE place
=============================================================================

---------------------------- MODULE MCSchedTicks ----------------------------
(* Module Sched with the feature sysmon, and a clock: for how many of sysmon's ticks has a
   G waited while no M found one? *)
EXTENDS MCSched

VARIABLE late \* how many ticks, up to 3

\* A G waits in a queue, or in the poller and may run, or is on its way from there.
AnyWaits == Work \/ S.netready > 0 \/ \E m \in Ms : M[m].num > 0 /\ In(m, {"InjectGlob"} \cup InPoll)

\* An M with a P has a G.
Serves(m) == M[m].p # NoP /\ InHands(m) > 0

\* An M that had none has found one, and not by coming back with it from a syscall.
Finds == \E m \in Ms : ~Serves(m) /\ ~In(m, InExit) /\ Serves(m)'

\* 10 ms are longer than the steps of Ms that are about to do something, so that a tick
\* counts when all is quiet, and nobody waits for another M: the code would make one.
Quiet == AllCalm /\ \A m \in Ms : ~NeedsM(m)

Ticks == Quiet /\ At(Sysmon, "sysmon") /\ M'[Sysmon].pc = "SysLook"

TicksInit == Init /\ late = 0

TicksStep == Next /\ late' = IF ~AnyWaits' \/ Finds THEN 0 ELSE IF Ticks THEN Min(late + 1, 3) ELSE late

\* Time passes while sysmon is in its deep sleep, too.
TickAsleep == Quiet /\ At(Sysmon, "deep") /\ AnyWaits /\ late < 3 /\ late' = late + 1 /\ UNCHANGED vars

TicksSpec == TicksInit /\ [][TicksStep \/ TickAsleep]_<<vars, late>>

\* SY-TICKS: when a G waits, an M has found one after two ticks.
TwoTicks == late <= 2
=============================================================================

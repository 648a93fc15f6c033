----------------------------- MODULE SchedState -----------------------------
(* Module Sched: its constants, its variables, and the state it begins in. *)
EXTENDS Integers, FiniteSets

CONSTANTS
   Ps,         \* the Ps that there may be
   Ms,         \* the threads
   NoP,        \* no P
   NoM,        \* no M
   FirstM,     \* the Ms of which one runs at the start
   FirstP,     \* the Ps of which one is run at the start
   FirstProcs, \* the Ps that there are at the start: GOMAXPROCS is their number
   Sysmon,     \* the M that is sysmon, or NoM
   Gs,         \* how many Gs there are
   RingCap,    \* how many a ring holds
   Features,
   Fixes,      \* changes to the shipped code that are said to mend it
   Bugs        \* changes that break it

Has(f) == f \in Features
Fix(f) == f \in Fixes
Bug(b) == b \in Bugs

\* Is there anything that an M waits for in the poller?
Polls == Has("net") \/ Has("timer")

VARIABLES
   lock,         \* who holds sched.lock
   nmspinning,   \* sched.nmspinning
   needspinning, \* sched.needspinning
   npidle,       \* sched.npidle
   pidle,        \* sched.pidle and idlepMask: the Ps on the idle list
   procs,        \* allp: the Ps that there are
   runq,         \* sched.runq: its length
   ring,         \* for each P, how many Gs its ring holds
   next,         \* for each P, whether its runnext is filled: 0 or 1
   blocked,      \* Gs that wait for a G, or are not born: any running G may ready them
   extra,        \* the further source of work: 0 nothing, 1 waits to be done, 2 is being done
   netgs,        \* Gs that wait in the poller
   netready,     \* how many of them may run
   netwaiters,   \* netpollWaiters
   poller,       \* who polls and may block: sched.lastpoll is 0 then
   polluntil,    \* sched.pollUntil: 1 if the poller will wake for a timer
   brk,          \* a netpollBreak that the poller has not seen yet
   tim,          \* for each P, the timer in its heap: 0 none, 1 for later, 2 due
   stopping,     \* who stops the world, or NoM: sched.gcwaiting
   stopped,      \* the Ps that have stopped for it (_Pgcstop)
   pc,           \* for each M, what it does next
   myp,          \* for each M, the P that it holds (m.p)
   spin,         \* for each M, m.spinning
   tok,          \* for each M, whether it counted a spinning M that is not there yet
   nextp,        \* for each M, m.nextp: set by who wakes it
   cand,         \* for each M, a P in its hands, for startm
   todo,         \* for each M, Ps that it has still to look at; in a syscall, the P that it had
   num,          \* for each M, a number in its hands
   ret,          \* for each M, where it goes on after wakep, startm, becomeSpinning
   sb,           \* for each M, Gs in its store buffer: stored in its ring, not visible yet
   cnt,          \* for each M, how many Ms it has still to start, in injectglist
   delta,        \* for each M, by how much it will change netpollWaiters
   pu,           \* for each M, whether it knows of a timer: pollUntil
   was,          \* for each M, whether it spun before it dropped its P: wasSpinning
   lk            \* for each M, the G that is locked to it: none, "on" it, "wait"ing, "ready" to run

shared == <<nmspinning, needspinning, npidle, pidle>>
queues == <<runq, ring, next, blocked>>
net    == <<netgs, netready, netwaiters, poller, polluntil, brk, tim>>
poll   == <<cnt, delta, pu, was>>
stw    == <<stopping, stopped>>
more   == <<net, poll, stw>>
rest   == <<procs, extra, sb, more>>
world  == <<rest, lk>>
hands  == <<tok, cand, num>>
vars   == <<lock, shared, queues, world, pc, myp, spin, nextp, hands, todo, ret>>

\* Timers of a P that goes are not moved to another here: one timer for each P is all that there is.
ASSUME ~(Has("shrink") /\ Has("timer"))

Gomaxprocs == Cardinality(procs)
Min(a, b)  == IF a < b THEN a ELSE b

\* How many globrunqgetbatch takes: a fair share, at least one, at most what a ring can take.
Batch ==
   LET room  == IF Bug("batch_whole") THEN runq ELSE Min(RingCap \div 2, runq)
       share == Min(room, runq \div Gomaxprocs + 1) IN
   IF share < 1 THEN 1 ELSE share

-----------------------------------------------------------------------------
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

-----------------------------------------------------------------------------
\* DN-SPIN-COUNT: what each variable may be; no count is ever negative.
TypeOK ==
   /\ lock \in Ms \cup {NoM}
   /\ nmspinning \in 0..(2 * Cardinality(Ms))
   /\ needspinning \in 0..1
   /\ npidle \in 0..Cardinality(Ps)
   /\ pidle \subseteq procs
   /\ procs \subseteq Ps
   /\ runq \in 0..Gs
   /\ \A p \in Ps : next[p] \in 0..1
   /\ blocked \in 0..Gs
   /\ extra \in 0..2
   /\ netgs \in 0..Gs /\ netready \in 0..netgs /\ netwaiters \in -Cardinality(Ms)..(3 * Gs)
   /\ poller \in Ms \cup {NoM} /\ polluntil \in 0..1 /\ brk \in 0..1
   /\ \A p \in Ps : tim[p] \in 0..2
   /\ stopping \in Ms \cup {NoM} /\ stopped \subseteq procs
   /\ \A m \in Ms :
         /\ myp[m] \in Ps \cup {NoP}
         /\ nextp[m] \in Ps \cup {NoP}
         /\ cand[m] \in Ps \cup {NoP}
         /\ todo[m] \subseteq Ps
         /\ num[m] \in 0..(2 * Cardinality(Ms) + Gs)
         /\ sb[m] \in 0..1 /\ cnt[m] \in 0..Gs /\ delta[m] \in 0..Gs
         /\ lk[m] \in {"", "on", "wait", "ready"}

-----------------------------------------------------------------------------
(* One M runs the first G; the others are not made yet, and no P but its own is busy. *)

Init ==
   /\ lock = NoM
   /\ nmspinning = 0
   /\ needspinning = 0
   /\ npidle = Cardinality(FirstProcs) - 1
   /\ procs = FirstProcs
   /\ runq = 0
   /\ ring = [p \in Ps |-> 0]
   /\ next = [p \in Ps |-> 0]
   /\ blocked = Gs - 1
   /\ extra = 0
   /\ netgs = 0
   /\ netready = 0
   /\ netwaiters = 0
   /\ poller = NoM
   /\ polluntil = 0
   /\ brk = 0
   /\ tim = [p \in Ps |-> 0]
   /\ stopping = NoM
   /\ stopped = {}
   /\ \E m \in FirstM, p \in FirstP :
         /\ pidle = FirstProcs \ {p}
         /\ pc = [n \in Ms |-> IF n = m THEN "run" ELSE IF n = Sysmon THEN "sysmon" ELSE "unborn"]
         /\ myp = [n \in Ms |-> IF n = m THEN p ELSE NoP]
   /\ spin = [m \in Ms |-> FALSE]
   /\ tok = [m \in Ms |-> FALSE]
   /\ nextp = [m \in Ms |-> NoP]
   /\ cand = [m \in Ms |-> NoP]
   /\ todo = [m \in Ms |-> {}]
   /\ num = [m \in Ms |-> 0]
   /\ ret = [m \in Ms |-> ""]
   /\ sb = [m \in Ms |-> 0]
   /\ cnt = [m \in Ms |-> 0]
   /\ delta = [m \in Ms |-> 0]
   /\ pu = [m \in Ms |-> FALSE]
   /\ was = [m \in Ms |-> FALSE]
   /\ lk = [m \in Ms |-> ""]
=============================================================================

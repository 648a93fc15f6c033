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

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
   Features,   \* what there is beside the core
   Fixes,      \* changes that are said to mend the shipped code; and assumptions about the world, which mend nothing (variant/sched.edits)
   Bugs        \* changes that break it

Has(f) == f \in Features

ASSUME Features \subseteq {"yield", "tick", "syscall", "block", "idlework", "inject", "preempt", "net", "timer", "stw", "shrink",
                           "safepoint", "lock", "sysmon", "deadlines"}

\* The fixes and bugs that spindle edited into this text: none.
ASSUME Fixes = {} /\ Bugs = {}

ASSUME Has("deadlines") => Has("timer")

\* When a timer may be due: 1 near, 2 far.
Deadlines == IF Has("deadlines") THEN {1, 2} ELSE {1}

\* Is there anything that an M waits for in the poller?
Polls == Has("net") \/ Has("timer")

VARIABLES
   S, \* what all share
   M  \* for each M, where it is, and what it has

vars == <<S, M>>

Min(a, b) == IF a < b THEN a ELSE b

Gomaxprocs == Cardinality(S.procs)

\* How many globrunqgetbatch takes: a fair share, at least one, at most what a ring can take.
Batch ==
   LET room  == Min(RingCap \div 2, S.runq)
       share == Min(room, S.runq \div Gomaxprocs + 1) IN
   IF share < 1 THEN 1 ELSE share

\* One M runs the first G; the others are not made yet, and no P but its own is busy.
Init ==
   \E m \in FirstM, p \in FirstP :
      /\ S =
           [lock         |-> NoM, \* who holds sched.lock
            nmspinning   |-> 0,
            needspinning |-> 0,
            npidle       |-> Cardinality(FirstProcs) - 1,
            pidle        |-> FirstProcs \ {p}, \* the idle list, and idlepMask
            procs        |-> FirstProcs,       \* allp: the Ps that there are
            ring         |-> [q \in Ps |-> 0], \* for each P, how many Gs its ring holds
            next         |-> [q \in Ps |-> 0], \* whether its runnext is filled
            timer        |-> [q \in Ps |-> 0], \* the timer in its heap: 0 none, 1 for later, 2 due
            far          |-> {},     \* the Ps whose timer is for the later of the two deadlines
            runq         |-> 0,      \* how many Gs are on the global queue
            blocked      |-> Gs - 1, \* Gs that wait for a G, or are not born: any running G may ready them
            extra        |-> 0,      \* the further source of work: 0 nothing, 1 waits to be done, 2 is being done
            netgs        |-> 0,      \* Gs that wait in the poller
            netready     |-> 0,      \* how many of them may run
            netwaiters   |-> 0,      \* netpollWaiters
            poller       |-> NoM,    \* who polls and may block: sched.lastpoll is 0 then
            pollUntil    |-> 0,      \* the deadline of the timer for which the poller will wake; 0 none
            polled       |-> FALSE,  \* whether somebody polled since sysmon looked last
            brk          |-> 0,      \* a netpollBreak that the poller has not seen yet
            stopping     |-> NoM,    \* who stops the world: sched.gcwaiting
            stopped      |-> {},     \* the Ps that have stopped for it (_Pgcstop)
            foreach      |-> NoM,    \* who is in forEachP
            safefn       |-> {},     \* the Ps whose runSafePointFn is set
            seen         |-> {},     \* the Ps whose schedtick sysmon has seen
            sysmonwait   |-> FALSE]  \* whether sysmon is in its deep sleep
      /\ M = [n \in Ms |->
           [pc          |-> IF n = m THEN "run" ELSE IF n = Sysmon THEN "sysmon" ELSE "unborn",
            ret         |-> "",    \* where it goes on after wakep, startm, becomeSpinning
            p           |-> IF n = m THEN p ELSE NoP,
            spinning    |-> FALSE,
            token       |-> FALSE, \* whether it counted a spinning M that is not there yet
            nextp       |-> NoP,   \* set by who wakes it
            cand        |-> NoP,   \* a P in its hands, for startm
            todo        |-> {},    \* Ps that it has still to look at; in a syscall, oldp
            num         |-> 0,     \* a number in its hands
            cnt         |-> 0,     \* how many Ms it has still to start, in injectglist
            delta       |-> 0,     \* by how much it will change netpollWaiters
            pollUntil   |-> 0,     \* the first deadline that it knows of; 0 none
            wasSpinning |-> FALSE, \* whether it spun before it dropped its P
            lk          |-> ""]]   \* the G that is locked to it: none, "on" it, "wait"ing, "ready" to run

\* DN-SPIN-COUNT: what each variable may be; no count is ever negative.
TypeOK ==
   /\ {S.lock, S.poller, S.stopping, S.foreach} \subseteq Ms \cup {NoM}
   /\ S.nmspinning \in 0..(2 * Cardinality(Ms))
   /\ {S.needspinning, S.brk} \subseteq 0..1
   /\ S.npidle \in 0..Cardinality(Ps)
   /\ S.procs \subseteq Ps
   /\ S.pidle \cup S.stopped \cup S.safefn \subseteq S.procs
   /\ S.seen \subseteq Ps
   /\ {S.polled, S.sysmonwait} \subseteq BOOLEAN
   /\ {S.runq, S.blocked, S.netgs} \subseteq 0..Gs
   /\ S.extra \in 0..2
   /\ S.netready \in 0..S.netgs
   /\ S.netwaiters \in -Cardinality(Ms)..((Cardinality(Ms) + 1) * Gs)
   /\ \A p \in Ps : S.next[p] \in 0..1 /\ S.timer[p] \in 0..2 /\ (p \in S.far => S.timer[p] # 0)
   /\ {S.pollUntil} \cup {M[m].pollUntil : m \in Ms} \subseteq Deadlines \cup {0}
   /\ \A m \in Ms :
         /\ {M[m].p, M[m].nextp, M[m].cand} \subseteq Ps \cup {NoP}
         /\ M[m].todo \subseteq Ps
         /\ M[m].num \in 0..(2 * Cardinality(Ms) + Gs)
         /\ {M[m].cnt, M[m].delta} \subseteq 0..Gs
         /\ M[m].lk \in {"", "on", "wait", "ready"}

-----------------------------------------------------------------------------
(* What steps are made of. *)

\* The deadline of the timer of P p, 0 if there is none; and the earlier of two.
When(p) == IF S.timer[p] = 0 THEN 0 ELSE IF p \in S.far THEN 2 ELSE 1
Sooner(a, b) == IF a = 0 \/ (b # 0 /\ b < a) THEN b ELSE a

At(m, place) == M[m].pc = place

\* A step that changes nothing that others share.
Private(new) == M' = new /\ UNCHANGED S

\* M m does nothing but go on there.
Goes(m, to) == Private([M EXCEPT ![m].pc = to])

\* wakep and others are called; they go on at ret.
Call(m, to, ret) == [M EXCEPT ![m].pc = to, ![m].ret = ret]
Return(m) == Call(m, M[m].ret, "")

\* pidleget under the lock: m has the P in hand, and the lock; npidle comes next.
Pidleget(m, to) ==
   \E p \in S.pidle :
      /\ S' = [S EXCEPT !.lock = m, !.pidle = @ \ {p}]
      /\ M' = [M EXCEPT ![m].pc = to, ![m].cand = p]

\* acquirep of the P in hand.
Acquirep(m, to, ret) == [M EXCEPT ![m].p = M[m].cand, ![m].cand = NoP, ![m].pc = to, ![m].ret = ret]

\* runqput of a G that goes to runnext: what was there is in the M's hands now.
Next1(m) == [S EXCEPT !.next[M[m].p] = 1]
AfterNext(m) == IF S.next[M[m].p] = 1 THEN "Kick" ELSE "WakepLoad"
=============================================================================

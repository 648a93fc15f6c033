------------------------------- MODULE Sched -------------------------------
(***************************************************************************)
(* How Ms look for work, go to sleep and are woken: the "delicate dance"   *)
(* of the Go scheduler, as src/runtime/proc.go of Go 1.26 has it.          *)
(*                                                                         *)
(* One action is at most one access to a word that somebody else may       *)
(* touch at that moment: nmspinning, needspinning, npidle, the length of   *)
(* the global queue, a ring, a runnext.  A section under sched.lock is one *)
(* action if it holds one such access, else the lock is a variable and     *)
(* each access a step of its own.  Merging two accesses hides the very     *)
(* bugs that this module is for: the lost wake-up of wakep needs the gap   *)
(* between two lines that hold the same lock.                              *)
(*                                                                         *)
(* Gs have no identity here, only numbers: a ring is how many it holds.    *)
(* That each G is in one place, and in which order they come, is the       *)
(* question of module RunQueue; that a ring's operations are single steps  *)
(* is what its refinement of RunQueueAbs is for.                           *)
(*                                                                         *)
(* Where the model departs from the code, and which way:                   *)
(*  - The idle lists are sets: any idle P or M may come first, not only    *)
(*    the last that was put (more behaviours than the code has).           *)
(*  - There are as many Ms as the constant says; startm waits when none is *)
(*    left, where the code makes a new one (fewer behaviours).             *)
(*  - Thieves and re-checks visit the Ps in any order (more), and a thief  *)
(*    makes one round with runnext instead of four of which the last has   *)
(*    it: the other three are delay (the same behaviours).                 *)
(*  - Thieves and re-checks do not look at idlepMask: an idle P's queue is *)
(*    empty (IdleEmpty), so that looking at the queue sees the same.  (The *)
(*    "snapshot" of the mask is a slice: its bits are the present ones.)   *)
(*  - mget and notewakeup are one step: between the two the M is asleep    *)
(*    and on no list, and nobody can tell that from an M that was woken    *)
(*    and is slow.                                                         *)
(*                                                                         *)
(* Every source of work and every rescuer beside the core is a member of   *)
(* the constant Features, so that a question costs what it needs:          *)
(*   yield     Gosched and goyield                                         *)
(*   tick      every 61st look at the global queue first                   *)
(*   syscall   entersyscall, exitsyscall, and retaking the P               *)
(*   block     entersyscallblock, which hands its P off at once            *)
(*   idlework  a further source of work, looked at last (GC workers)       *)
(*   inject    Gs that come from a thread without a P, sysmon here         *)
(*   preempt   sysmon makes a running G yield                              *)
(*   resize    GOMAXPROCS is raised, by stopping the world, in one step    *)
(*             that waits until no other M holds a P                       *)
(*   frozen    and the masks are allocated anew (every 32 Ps)              *)
(***************************************************************************)
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
   pc,           \* for each M, what it does next
   myp,          \* for each M, the P that it holds (m.p)
   spin,         \* for each M, m.spinning
   tok,          \* for each M, whether it counted a spinning M that is not there yet
   nextp,        \* for each M, m.nextp: set by who wakes it
   cand,         \* for each M, a P in its hands, for startm
   todo,         \* for each M, Ps that it has still to look at; in a syscall, the P that it had
   num,          \* for each M, a number in its hands
   ret,          \* for each M, where it goes on after wakep, startm, becomeSpinning
   sb            \* for each M, Gs in its store buffer: stored in its ring, not visible yet

shared == <<nmspinning, needspinning, npidle, pidle>>
queues == <<runq, ring, next, blocked>>
world  == <<procs, extra, sb>>
hands  == <<tok, cand, num>>
vars   == <<lock, shared, queues, world, pc, myp, spin, nextp, hands, todo, ret>>

Gomaxprocs == Cardinality(procs)
Min(a, b)  == IF a < b THEN a ELSE b

\* How many globrunqgetbatch takes: a fair share, at least one, at most what a ring can take.
Batch ==
   LET share == Min(Min(RingCap \div 2, runq), runq \div Gomaxprocs + 1) IN
   IF share < 1 THEN 1 ELSE share

TypeOK ==
   /\ lock \in Ms \cup {NoM}
   /\ nmspinning \in 0..(2 * Cardinality(Ms))
   /\ needspinning \in 0..1
   /\ npidle \in 0..Cardinality(Ps)
   /\ pidle \subseteq procs
   /\ procs \subseteq Ps
   /\ runq \in 0..Gs
   /\ \A p \in Ps : ring[p] \in 0..RingCap /\ next[p] \in 0..1
   /\ blocked \in 0..Gs
   /\ extra \in 0..2
   /\ \A m \in Ms :
         /\ myp[m] \in Ps \cup {NoP}
         /\ nextp[m] \in Ps \cup {NoP}
         /\ cand[m] \in Ps \cup {NoP}
         /\ todo[m] \subseteq Ps
         /\ num[m] \in 0..(2 * Cardinality(Ms) + Gs)
         /\ sb[m] \in 0..1

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

-----------------------------------------------------------------------------
(* What the program does.  Nothing makes it go on: no fairness. *)

\* ready, newproc: the running G makes another runnable.  runqput swaps it into
\* runnext, and what was there is in the M's hands now.
Ready(m) ==
   /\ pc[m] = "run"
   /\ blocked > 0
   /\ blocked' = blocked - 1
   /\ IF Bug("wakep_first")
      THEN /\ pc' = [pc EXCEPT ![m] = "wakeload"]
           /\ ret' = [ret EXCEPT ![m] = "late"]
           /\ UNCHANGED next
      ELSE /\ next' = [next EXCEPT ![myp[m]] = 1]
           /\ IF next[myp[m]] = 1
              THEN pc' = [pc EXCEPT ![m] = "kick"] /\ ret' = [ret EXCEPT ![m] = "run"]
              ELSE IF Bug("ready_no_wakep")
              THEN UNCHANGED <<pc, ret>>
              ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<lock, shared, runq, ring, world, myp, spin, nextp, hands, todo>>

\* Under the mutant wakep_first: runqput after wakep.
LatePut(m) ==
   /\ pc[m] = "late"
   /\ next' = [next EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF next[myp[m]] = 1 THEN "kick" ELSE "run"]
   /\ ret' = [ret EXCEPT ![m] = IF next[myp[m]] = 1 THEN "run" ELSE ""]
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, hands, todo>>

\* runqput: what runnext held goes to the tail of the ring, if there is room.
Kick(m) ==
   /\ pc[m] = "kick"
   /\ LET p == myp[m] IN
      IF ring[p] < RingCap
      THEN /\ IF Bug("no_storeload")
              THEN sb' = [sb EXCEPT ![m] = 1] /\ UNCHANGED ring
              ELSE ring' = [ring EXCEPT ![p] = @ + 1] /\ UNCHANGED sb
           /\ pc' = [pc EXCEPT ![m] = "wakeload"]
           /\ UNCHANGED num
      ELSE /\ ring' = [ring EXCEPT ![p] = @ - RingCap \div 2]
           /\ num' = [num EXCEPT ![m] = RingCap \div 2 + 1]
           /\ pc' = [pc EXCEPT ![m] = "overflow"]
           /\ UNCHANGED sb
   /\ UNCHANGED <<lock, shared, runq, next, blocked, procs, extra, myp, spin, tok, nextp, cand, todo, ret>>

\* Under the mutant no_storeload, which has no barrier between the store of tail
\* and what follows: the store becomes visible some time later.
Flush(m) ==
   /\ sb[m] = 1
   /\ sb' = [sb EXCEPT ![m] = 0]
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + 1]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, procs, extra, pc, myp, spin, nextp, hands, todo, ret>>

\* runqputslow: half of the ring and the new G go to the global queue.
Overflow(m) ==
   /\ pc[m] = "overflow"
   /\ lock = NoM
   /\ runq' = runq + num[m]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = "wakeload"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, tok, nextp, cand, todo, ret>>

\* gopark, goexit: the running G is gone, and the M calls schedule.
Block(m) ==
   /\ pc[m] = "run"
   /\ sb[m] = 0
   /\ blocked' = blocked + 1
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, runq, ring, next, world, myp, spin, nextp, hands, todo, ret>>

\* goschedImpl: the running G goes to the global queue; wakep; schedule.
PutGlobal(m) ==
   /\ lock = NoM
   /\ runq' = runq + 1
   /\ IF Bug("gosched_no_wakep")
      THEN pc' = [pc EXCEPT ![m] = "top"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, nextp, hands, todo>>

Gosched(m) ==
   /\ Has("yield")
   /\ pc[m] = "run"
   /\ PutGlobal(m)

\* goyield_m: the running G goes to the tail of its own ring, and nobody is woken.
Goyield(m) ==
   /\ Has("yield")
   /\ pc[m] = "run"
   /\ ring[myp[m]] < RingCap
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + 1]
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* entersyscall: the P stays, but may be taken.
EnterSyscall(m) ==
   /\ Has("syscall")
   /\ pc[m] = "run"
   /\ pc' = [pc EXCEPT ![m] = "syscall"]
   /\ todo' = [todo EXCEPT ![m] = {myp[m]}]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* entersyscallblock: the M hands its P off at once.
EnterSyscallBlock(m) ==
   /\ Has("block")
   /\ pc[m] = "run"
   /\ pc' = [pc EXCEPT ![m] = "hempty"]
   /\ ret' = [ret EXCEPT ![m] = "syscall"]
   /\ cand' = [cand EXCEPT ![m] = myp[m]]
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ todo' = [todo EXCEPT ![m] = {myp[m]}]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, tok, num>>

\* exitsyscall: the P is still there, or another is to be found.
ExitSyscall(m) ==
   /\ pc[m] = "syscall"
   /\ IF myp[m] # NoP
      THEN pc' = [pc EXCEPT ![m] = "run"] /\ todo' = [todo EXCEPT ![m] = {}]
      ELSE pc' = [pc EXCEPT ![m] = "exitold"] /\ UNCHANGED todo
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* The further source of work: somebody puts something there.
SubmitExtra(m) ==
   /\ Has("idlework")
   /\ pc[m] = "run"
   /\ extra = 0
   /\ extra' = 1
   /\ IF Bug("extra_no_wakep")
      THEN UNCHANGED <<pc, ret>>
      ELSE pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<lock, shared, queues, procs, sb, myp, spin, nextp, hands, todo>>

ExtraDone(m) ==
   /\ pc[m] = "runextra"
   /\ extra' = 0
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, queues, procs, sb, myp, spin, nextp, hands, todo, ret>>

\* GOMAXPROCS is raised to what there is.  The world is stopped: no M but this
\* one holds a P, or is about to.  An M that has dropped its P is not waited
\* for.  The new Ps are idle, and startTheWorld ends in wakep.  With the feature
\* frozen the masks are allocated anew, as at each multiple of 32 Ps, and who is
\* between dropping its P and its re-check goes on reading the old ones: what was
\* idle then is idle for ever.
Resize(m) ==
   /\ Has("resize")
   /\ pc[m] = "run"
   /\ procs # Ps
   /\ lock = NoM
   /\ \A p \in procs : p \in pidle \/ p = myp[m]
   /\ procs' = Ps
   /\ pidle' = Ps \ {myp[m]}
   /\ npidle' = Cardinality(Ps) - 1
   /\ pc' = [pc EXCEPT ![m] = "wakeload"]
   /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ todo' = IF Has("frozen")
              THEN [n \in Ms |-> IF pc[n] \in {"syscall", "exitold"} THEN todo[n] ELSE todo[n] \ pidle]
              ELSE todo
   /\ UNCHANGED <<lock, nmspinning, needspinning, queues, extra, sb, myp, spin, nextp, hands>>

UserStep(m) ==
   \/ Ready(m) \/ Block(m) \/ Gosched(m) \/ Goyield(m)
   \/ EnterSyscall(m) \/ EnterSyscallBlock(m) \/ ExitSyscall(m)
   \/ SubmitExtra(m) \/ ExtraDone(m) \/ Resize(m)

-----------------------------------------------------------------------------
(* wakep: called when a G became runnable.  It goes on at ret. *)

WakepLoad(m) ==
   /\ pc[m] = "wakeload"
   /\ IF nmspinning = 0
      THEN pc' = [pc EXCEPT ![m] = "wakecas"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo>>

WakepCAS(m) ==
   /\ pc[m] = "wakecas"
   /\ sb[m] = 0
   /\ IF nmspinning = 0
      THEN /\ nmspinning' = 1
           /\ tok' = [tok EXCEPT ![m] = TRUE]
           /\ pc' = [pc EXCEPT ![m] = "wakeget"]
           /\ UNCHANGED ret
      ELSE /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED <<nmspinning, tok>>
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo>>

\* Takes the lock; pidlegetSpinning: an idle P, or needspinning is set.
WakepGet(m) ==
   /\ pc[m] = "wakeget"
   /\ lock = NoM
   /\ IF pidle # {}
      THEN \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "wakenp"]
              /\ UNCHANGED <<needspinning, nmspinning, tok>>
      ELSE IF Bug("need_unlocked")
      THEN /\ pc' = [pc EXCEPT ![m] = "wakeneed"]
           /\ UNCHANGED <<lock, needspinning, nmspinning, tok, pidle, cand>>
      ELSE /\ lock' = m
           /\ IF Fix("undo_first")
              THEN /\ nmspinning' = nmspinning - 1
                   /\ tok' = [tok EXCEPT ![m] = FALSE]
                   /\ UNCHANGED needspinning
              ELSE /\ needspinning' = IF Bug("wakep_pidleget") THEN needspinning ELSE 1
                   /\ UNCHANGED <<nmspinning, tok>>
           /\ pc' = [pc EXCEPT ![m] = "wakeundo"]
           /\ UNCHANGED <<pidle, cand>>
   /\ UNCHANGED <<npidle, queues, world, myp, spin, nextp, num, todo, ret>>

\* Under the mutant need_unlocked: needspinning is set after the lock was released.
WakepNeed(m) ==
   /\ pc[m] = "wakeneed"
   /\ needspinning' = 1
   /\ pc' = [pc EXCEPT ![m] = "wakeundo"]
   /\ UNCHANGED <<lock, nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* pidleget: npidle, and the lock is released.
WakepIdle(m) ==
   /\ pc[m] = "wakenp"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = "start"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* No idle P: nmspinning goes down again, and the lock is released.
WakepUndo(m) ==
   /\ pc[m] = "wakeundo"
   /\ IF Fix("undo_first")
      THEN /\ needspinning' = 1
           /\ UNCHANGED <<nmspinning, tok>>
      ELSE /\ nmspinning' = IF Bug("leak_nmspinning") THEN nmspinning ELSE nmspinning - 1
           /\ tok' = [tok EXCEPT ![m] = FALSE]
           /\ UNCHANGED needspinning
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ IF Fix("reload") \/ Fix("retest")
      THEN pc' = [pc EXCEPT ![m] = "wakeagain"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo>>

\* With the fix reload: if somebody cleared needspinning meanwhile, from the start.
\* With retest, if there is an idle P now.
WakepAgain(m) ==
   /\ pc[m] = "wakeagain"
   /\ IF (Fix("reload") /\ needspinning = 0) \/ (Fix("retest") /\ npidle # 0)
      THEN pc' = [pc EXCEPT ![m] = "wakeload"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = ret[m]] /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo>>

-----------------------------------------------------------------------------
(* startm: an M for the P in cand; it spins if there is a token for it. *)

IdleMs == {m \in Ms : pc[m] = "parked" /\ nextp[m] = NoP}
NewMs  == {m \in Ms : pc[m] = "unborn"}

StartM(m) ==
   /\ pc[m] = "start"
   /\ lock = NoM
   /\ \E n \in IF IdleMs # {} THEN IdleMs ELSE NewMs :
         /\ nextp' = [nextp EXCEPT ![n] = cand[m]]
         /\ spin' = [spin EXCEPT ![n] = tok[m]]
         /\ pc' = [pc EXCEPT ![n] = "parked", ![m] = ret[m]]
   /\ tok' = [tok EXCEPT ![m] = FALSE]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, world, myp, num, todo>>

\* The M wakes: stopm returns, or mstart begins; acquirep(nextp).
Wake(m) ==
   /\ pc[m] = "parked"
   /\ nextp[m] # NoP
   /\ myp' = [myp EXCEPT ![m] = nextp[m]]
   /\ nextp' = [nextp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, queues, world, spin, hands, todo, ret>>

-----------------------------------------------------------------------------
(* schedule and the first half of findRunnable: sources that any M may take from. *)

\* Where an M goes that has found a G: schedule calls resetspinning if it spins.
Found(m) ==
   IF spin[m] THEN "reset"
   ELSE IF Bug("wake_nonspinning") THEN "again"
   ELSE "run"

\* resetspinning: it spins no more; wakep.
ResetSpinning(m) ==
   /\ pc[m] = "reset"
   /\ nmspinning' = nmspinning - 1
   /\ spin' = [spin EXCEPT ![m] = FALSE]
   /\ IF Bug("reset_no_wakep")
      THEN /\ pc' = [pc EXCEPT ![m] = IF ret[m] = "" THEN "run" ELSE ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
      ELSE /\ pc' = [pc EXCEPT ![m] = "wakeload"]
           /\ ret' = [ret EXCEPT ![m] = IF ret[m] = "" THEN "run" ELSE ret[m]]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, nextp, hands, todo>>

\* Under the mutant wake_nonspinning (Go 1.5): an M that did not spin calls wakep, too.
WakeAnyway(m) ==
   /\ pc[m] = "again"
   /\ pc' = [pc EXCEPT ![m] = "wakeload"]
   /\ ret' = [ret EXCEPT ![m] = "run"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo>>

\* findRunnable: every 61st time the global queue is looked at first.
Tick(m) ==
   /\ Has("tick")
   /\ pc[m] = "top"
   /\ runq > 0
   /\ pc' = [pc EXCEPT ![m] = "tickget"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

TickGet(m) ==
   /\ pc[m] = "tickget"
   /\ lock = NoM
   /\ IF runq > 0
      THEN /\ runq' = runq - 1
           /\ pc' = [pc EXCEPT ![m] = IF Bug("tick_no_reset") THEN "run" ELSE Found(m)]
      ELSE /\ pc' = [pc EXCEPT ![m] = "getnext"]
           /\ UNCHANGED runq
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* runqget: runnext.
GetNext(m) ==
   /\ pc[m] \in {"top", "getnext"}
   /\ LET p == myp[m] IN
      IF next[p] = 1
      THEN /\ next' = [next EXCEPT ![p] = 0]
           /\ pc' = [pc EXCEPT ![m] = Found(m)]
      ELSE /\ pc' = [pc EXCEPT ![m] = "getring"]
           /\ UNCHANGED next
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* runqget: the ring.
GetRing(m) ==
   /\ pc[m] = "getring"
   /\ LET p == myp[m] IN
      IF ring[p] > 0
      THEN /\ ring' = [ring EXCEPT ![p] = @ - 1]
           /\ pc' = [pc EXCEPT ![m] = Found(m)]
      ELSE /\ pc' = [pc EXCEPT ![m] = "globtest"]
           /\ UNCHANGED ring
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* Where an M goes that stole nothing, or may not steal.
Victims(p) == procs \ {p}
Unspun     == IF Bug("clear_after_scan") THEN "clearlate" ELSE IF Bug("recheck_first") THEN "recheck" ELSE "drop"
Idlework   == IF Has("idlework") THEN "extra" ELSE Unspun
Steal(p)   == IF Victims(p) = {} THEN Idlework ELSE "steal"

\* What is left to look at after the last victim: under the mutant recheck_first
\* the Ps' queues are looked at again now.
Left == IF Bug("recheck_first") /\ ~Has("idlework") THEN procs ELSE {}

\* The global queue, without the lock.
GlobTest(m) ==
   /\ pc[m] = "globtest"
   /\ IF runq > 0
      THEN pc' = [pc EXCEPT ![m] = "globget"] /\ UNCHANGED todo
      ELSE IF spin[m]
      THEN /\ pc' = [pc EXCEPT ![m] = Steal(myp[m])]
           /\ todo' = [todo EXCEPT ![m] = Victims(myp[m])]
      ELSE pc' = [pc EXCEPT ![m] = "spinload"] /\ UNCHANGED todo
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* What GlobGet and DropLock do when they hold the lock and runq > 0: one G is
\* run, the others of the batch are put in the ring after the lock was released.
\* The fix batch_locked keeps the lock until then, as Go 1.24 did.
TakeBatch(m) ==
   /\ runq' = runq - Batch
   /\ lock' = IF Fix("batch_locked") /\ Batch > 1 THEN m ELSE NoM
   /\ num' = [num EXCEPT ![m] = Batch - 1]
   /\ pc' = [pc EXCEPT ![m] = IF Batch > 1 THEN "batchput" ELSE Found(m)]

\* globrunqgetbatch, under the lock.
GlobGet(m) ==
   /\ pc[m] = "globget"
   /\ lock = NoM
   /\ IF runq > 0
      THEN TakeBatch(m) /\ UNCHANGED todo
      ELSE /\ IF spin[m]
              THEN /\ pc' = [pc EXCEPT ![m] = Steal(myp[m])]
                   /\ todo' = [todo EXCEPT ![m] = Victims(myp[m])]
              ELSE pc' = [pc EXCEPT ![m] = "spinload"] /\ UNCHANGED todo
           /\ UNCHANGED <<lock, runq, num>>
   /\ UNCHANGED <<shared, ring, next, blocked, world, myp, spin, nextp, tok, cand, ret>>

\* runqputbatch: the rest of the batch, after the lock was released.  With the fix
\* batch_wakep an M that does not spin calls wakep then, as it does for any other G
\* that it puts in its ring.
BatchPut(m) ==
   /\ pc[m] = "batchput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ IF Fix("batch_wakep") /\ ~spin[m]
      THEN pc' = [pc EXCEPT ![m] = "wakeload"] /\ ret' = [ret EXCEPT ![m] = "run"]
      ELSE pc' = [pc EXCEPT ![m] = Found(m)] /\ UNCHANGED ret
   /\ UNCHANGED <<shared, runq, next, blocked, world, myp, spin, nextp, tok, cand, todo>>

-----------------------------------------------------------------------------
(* findRunnable: may it spin?  The throttle is 2*nmspinning < gomaxprocs-npidle. *)

SpinLoad(m) ==
   /\ pc[m] = "spinload"
   /\ num' = [num EXCEPT ![m] = nmspinning]
   /\ pc' = [pc EXCEPT ![m] = "idleload"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo, ret>>

IdleLoad(m) ==
   /\ pc[m] = "idleload"
   /\ num' = [num EXCEPT ![m] = 0]
   /\ IF 2 * num[m] < Gomaxprocs - npidle
      THEN /\ pc' = [pc EXCEPT ![m] = IF Fix("clear_first") THEN "clearfirst" ELSE "spinadd"]
           /\ ret' = [ret EXCEPT ![m] = "steal"]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF Has("idlework") THEN "extra" ELSE "drop"]
           /\ UNCHANGED ret
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo>>

\* becomeSpinning: nmspinning.
SpinAdd(m) ==
   /\ pc[m] = "spinadd"
   /\ nmspinning' = nmspinning + 1
   /\ spin' = [spin EXCEPT ![m] = TRUE]
   /\ pc' = [pc EXCEPT ![m] = "spinclear"]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, nextp, hands, todo, ret>>

\* becomeSpinning: needspinning.  It goes on at ret, and releases the lock if it has it.
SpinClear(m) ==
   /\ pc[m] = "spinclear"
   /\ IF Fix("clear_locked") THEN lock \in {NoM, m} ELSE TRUE
   /\ IF Fix("throttle_locked") /\ ret[m] = "steal" THEN lock \in {NoM, m} ELSE TRUE
   /\ needspinning' =
         IF Bug("clear_after_scan") /\ ret[m] = "steal" THEN needspinning
         ELSE IF Fix("drop_clears") /\ lock # m THEN needspinning
         ELSE IF Fix("throttle_keeps") /\ ret[m] = "steal" THEN needspinning
         ELSE IF Fix("clear_first") /\ ret[m] = "steal" THEN needspinning
         ELSE 0
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ IF ret[m] = "steal"
      THEN /\ pc' = [pc EXCEPT ![m] = Steal(myp[m])]
           /\ todo' = [todo EXCEPT ![m] = Victims(myp[m])]
           /\ ret' = [ret EXCEPT ![m] = ""]
      ELSE IF ret[m] \in {"reset", "resetextra"}
      THEN /\ pc' = [pc EXCEPT ![m] = "reset"]
           /\ ret' = [ret EXCEPT ![m] = IF ret[m] = "resetextra" THEN "runextra" ELSE ""]
           /\ UNCHANGED todo
      ELSE /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED todo
   /\ UNCHANGED <<nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands>>

\* With the fix clear_first: needspinning is cleared before nmspinning is raised.
ClearFirst(m) ==
   /\ pc[m] = "clearfirst"
   /\ needspinning' = 0
   /\ pc' = [pc EXCEPT ![m] = "spinadd"]
   /\ UNCHANGED <<lock, nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* stealWork: from any P that it has not looked at yet. *)

\* runqsteal: half of the ring, rounded up; the last is run, the rest is put in
\* the thief's ring by a store of its own.
StealRing(m) ==
   /\ pc[m] = "steal"
   /\ \E p \in todo[m] :
         IF ring[p] > 0
         THEN LET k == ring[p] - ring[p] \div 2 IN
              /\ ring' = [ring EXCEPT ![p] = @ - k]
              /\ num' = [num EXCEPT ![m] = k - 1]
              /\ todo' = [todo EXCEPT ![m] = {}]
              /\ pc' = [pc EXCEPT ![m] = IF k > 1 THEN "stealput" ELSE Found(m)]
              /\ UNCHANGED cand
         ELSE IF Bug("no_runnext_steal")
         THEN /\ todo' = [todo EXCEPT ![m] = IF todo[m] = {p} THEN Left ELSE @ \ {p}]
              /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {p} THEN Idlework ELSE "steal"]
              /\ UNCHANGED <<ring, num, cand>>
         ELSE /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "stealnext"]
              /\ UNCHANGED <<ring, num, todo>>
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, tok, ret>>

StealPut(m) ==
   /\ pc[m] = "stealput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = Found(m)]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, tok, cand, todo, ret>>

\* The ring was empty: runnext.
StealNext(m) ==
   /\ pc[m] = "stealnext"
   /\ LET p == cand[m] IN
      IF next[p] = 1
      THEN /\ next' = [next EXCEPT ![p] = 0]
           /\ todo' = [todo EXCEPT ![m] = {}]
           /\ pc' = [pc EXCEPT ![m] = Found(m)]
      ELSE /\ todo' = [todo EXCEPT ![m] = IF todo[m] = {p} THEN Left ELSE @ \ {p}]
           /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {p} THEN Idlework ELSE "steal"]
           /\ UNCHANGED next
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, tok, num, ret>>

\* findRunnable: the further source of work.
Extra(m) ==
   /\ pc[m] = "extra"
   /\ IF extra = 1
      THEN /\ extra' = 2
           /\ pc' = [pc EXCEPT ![m] = IF spin[m] THEN "reset" ELSE "runextra"]
           /\ ret' = [ret EXCEPT ![m] = IF spin[m] THEN "runextra" ELSE ""]
      ELSE /\ pc' = [pc EXCEPT ![m] = IF spin[m] THEN Unspun ELSE "drop"]
           /\ UNCHANGED <<extra, ret>>
   /\ UNCHANGED <<lock, shared, queues, procs, sb, myp, spin, nextp, hands, todo>>

-----------------------------------------------------------------------------
(* findRunnable: nothing found.  Drop the P, stop spinning, look again. *)

\* Under the mutant clear_after_scan: needspinning is cleared when the scan is over.
ClearLate(m) ==
   /\ pc[m] = "clearlate"
   /\ needspinning' = 0
   /\ pc' = [pc EXCEPT ![m] = "drop"]
   /\ UNCHANGED <<lock, nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* Takes the lock: the global queue, and needspinning if it does not spin.
DropLock(m) ==
   /\ pc[m] = "drop"
   /\ lock = NoM
   /\ IF runq > 0 /\ ~Bug("drop_no_globcheck")
      THEN /\ TakeBatch(m)
           /\ todo' = [todo EXCEPT ![m] = {}]
           /\ UNCHANGED ret
      ELSE IF ~spin[m] /\ needspinning = 1 /\ ~Bug("no_needspinning")
      THEN /\ lock' = m
           /\ pc' = [pc EXCEPT ![m] = "spinadd"]
           /\ ret' = [ret EXCEPT ![m] = "top"]
           /\ UNCHANGED <<runq, num, todo>>
      ELSE /\ lock' = m
           /\ pc' = [pc EXCEPT ![m] = "dropput"]
           /\ UNCHANGED <<runq, num, todo, ret>>
   /\ UNCHANGED <<shared, ring, next, blocked, world, myp, spin, nextp, tok, cand>>

\* releasep, pidleput: the list and the mask.  An M that spins will look at the Ps
\* again that there are now (snapshotAllp; without a P it does not keep them from
\* changing), and must not rely on those that there will be.
DropPut(m) ==
   /\ pc[m] = "dropput"
   /\ pidle' = pidle \cup {myp[m]}
   /\ myp' = [myp EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "dropnp"]
   /\ todo' = [todo EXCEPT ![m] = IF spin[m] \/ Bug("recheck_everybody") THEN procs ELSE {}]
   /\ UNCHANGED <<lock, nmspinning, needspinning, npidle, queues, world, spin, nextp, hands, ret>>

\* Where an M goes that has dropped its P.
AfterDrop(m) ==
   IF spin[m] THEN "decr"
   ELSE IF Bug("recheck_everybody") THEN "reglob"
   ELSE "stop"

\* pidleput: npidle, and the lock is released.
DropIdle(m) ==
   /\ pc[m] = "dropnp"
   /\ npidle' = npidle + 1
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = AfterDrop(m)]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* It spins no more, and must look at every source again.
Decrement(m) ==
   /\ pc[m] = "decr"
   /\ nmspinning' = nmspinning - 1
   /\ spin' = [spin EXCEPT ![m] = FALSE]
   /\ pc' = [pc EXCEPT ![m] =
                 IF Bug("recheck_first") THEN "stop"
                 ELSE IF Bug("no_recheck_glob") THEN IF Bug("no_recheck") THEN "stop" ELSE "recheck"
                 ELSE "reglob"]
   /\ todo' = [todo EXCEPT ![m] = IF Bug("no_recheck") \/ Bug("recheck_first") THEN {} ELSE @]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, nextp, hands, ret>>

\* Where an M goes after the Ps' queues.
AfterRecheck ==
   IF Has("idlework") /\ ~Bug("extra_no_recheck") THEN "reextra" ELSE "stop"

AfterReglob ==
   IF Bug("no_recheck") THEN AfterRecheck
   ELSE IF Fix("rescan") THEN "rescan"
   ELSE "recheck"

\* The global queue, under the lock; if it holds something, pidlegetSpinning.
RecheckGlob(m) ==
   /\ pc[m] = "reglob"
   /\ lock = NoM
   /\ IF runq = 0
      THEN /\ pc' = [pc EXCEPT ![m] = AfterReglob]
           /\ UNCHANGED <<lock, pidle, needspinning, cand, todo>>
      ELSE IF pidle = {}
      THEN /\ needspinning' = IF Bug("glob_pidleget") THEN needspinning ELSE 1
           /\ pc' = [pc EXCEPT ![m] = AfterReglob]
           /\ UNCHANGED <<lock, pidle, cand, todo>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "reglobnp"]
              /\ todo' = [todo EXCEPT ![m] = {}]
              /\ UNCHANGED needspinning
   /\ UNCHANGED <<nmspinning, npidle, queues, world, myp, spin, nextp, tok, num, ret>>

RecheckGlobIdle(m) ==
   /\ pc[m] = "reglobnp"
   /\ npidle' = npidle - 1
   /\ pc' = [pc EXCEPT ![m] = "reglobget"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* globrunqgetbatch, and the lock is released; the P is this M's.
RecheckGlobGet(m) ==
   /\ pc[m] = "reglobget"
   /\ runq' = runq - Batch
   /\ num' = [num EXCEPT ![m] = Batch - 1]
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = IF Batch > 1 THEN "reglobput" ELSE IF Bug("rc_not_spinning") THEN "run" ELSE "spinadd"]
   /\ ret' = [ret EXCEPT ![m] = IF Bug("rc_not_spinning") THEN "" ELSE "reset"]
   /\ UNCHANGED <<shared, ring, next, blocked, world, spin, nextp, tok, todo>>

RecheckGlobPut(m) ==
   /\ pc[m] = "reglobput"
   /\ ring' = [ring EXCEPT ![myp[m]] = @ + num[m]]
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = IF Bug("rc_not_spinning") THEN "run" ELSE "spinadd"]
   /\ UNCHANGED <<lock, shared, runq, next, blocked, world, myp, spin, nextp, tok, cand, todo, ret>>

\* checkRunqsNoP: runqempty of a P that it has not looked at yet.
Recheck(m) ==
   /\ pc[m] = "recheck"
   /\ \E p \in todo[m] :
         IF ring[p] + next[p] = 0
         THEN /\ todo' = [todo EXCEPT ![m] = @ \ {p}]
              /\ pc' = [pc EXCEPT ![m] =
                            IF todo[m] # {p} THEN "recheck"
                            ELSE IF Bug("recheck_first") THEN "drop"
                            ELSE AfterRecheck]
         ELSE /\ todo' = [todo EXCEPT ![m] = {}]
              /\ pc' = [pc EXCEPT ![m] = IF Bug("recheck_first") THEN "top" ELSE "recheckget"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* With the fix rescan: the Ps that there are now, once nmspinning has gone down.
Rescan(m) ==
   /\ pc[m] = "rescan"
   /\ todo' = [todo EXCEPT ![m] = procs]
   /\ pc' = [pc EXCEPT ![m] = "recheck"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* checkRunqsNoP: a queue that is not empty was seen; pidlegetSpinning.
RecheckGet(m) ==
   /\ pc[m] = "recheckget"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ needspinning' = IF Bug("recheck_pidleget") THEN needspinning ELSE 1
           /\ pc' = [pc EXCEPT ![m] = AfterRecheck]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "reacquire"]
              /\ UNCHANGED needspinning
   /\ UNCHANGED <<nmspinning, npidle, queues, world, myp, spin, nextp, tok, num, todo, ret>>

\* pidleget: npidle, and the lock is released; acquirep.
Reacquire(m) ==
   /\ pc[m] = "reacquire"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ IF Bug("rc_not_spinning") \/ Bug("recheck_everybody")
      THEN pc' = [pc EXCEPT ![m] = "top"] /\ UNCHANGED ret
      ELSE pc' = [pc EXCEPT ![m] = "spinadd"] /\ ret' = [ret EXCEPT ![m] = "top"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, num, todo>>

\* checkIdleGCNoP: is there anything?
RecheckExtra(m) ==
   /\ pc[m] = "reextra"
   /\ pc' = [pc EXCEPT ![m] = IF extra = 1 THEN "reextraget" ELSE "stop"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* checkIdleGCNoP: pidlegetSpinning; the work itself is taken under the same lock.
RecheckExtraGet(m) ==
   /\ pc[m] = "reextraget"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ needspinning' = 1
           /\ pc' = [pc EXCEPT ![m] = "stop"]
           /\ UNCHANGED <<lock, pidle, cand, extra>>
      ELSE IF extra # 1
      THEN /\ pc' = [pc EXCEPT ![m] = "stop"]
           /\ UNCHANGED <<lock, pidle, cand, extra, needspinning>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ extra' = 2
              /\ pc' = [pc EXCEPT ![m] = "reextranp"]
              /\ UNCHANGED needspinning
   /\ UNCHANGED <<nmspinning, npidle, queues, procs, sb, myp, spin, nextp, tok, num, todo, ret>>

RecheckExtraIdle(m) ==
   /\ pc[m] = "reextranp"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "spinadd"]
   /\ ret' = [ret EXCEPT ![m] = "resetextra"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, num, todo>>

\* stopm: onto the list of idle Ms, asleep.
Stop(m) ==
   /\ pc[m] = "stop"
   /\ lock = NoM
   /\ pc' = [pc EXCEPT ![m] = "parked"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* handoffp: the P in cand belongs to an M that is blocked.  It goes on at ret. *)

\* runqempty.
HandoffEmpty(m) ==
   /\ pc[m] = "hempty"
   /\ pc' = [pc EXCEPT ![m] =
                 IF ring[cand[m]] + next[cand[m]] > 0 /\ ~Bug("handoff_no_ring") THEN "start" ELSE "hglob"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

HandoffGlob(m) ==
   /\ pc[m] = "hglob"
   /\ pc' = [pc EXCEPT ![m] =
                 IF runq > 0 /\ ~Bug("handoff_no_glob") THEN "start"
                 ELSE IF Has("idlework") /\ ~Bug("handoff_no_extra") THEN "hextra"
                 ELSE "hspin"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

HandoffExtra(m) ==
   /\ pc[m] = "hextra"
   /\ pc' = [pc EXCEPT ![m] = IF extra = 1 THEN "start" ELSE "hspin"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* Nobody spins and no P is idle: somebody must look for work.
HandoffSpin(m) ==
   /\ pc[m] = "hspin"
   /\ num' = [num EXCEPT ![m] = nmspinning]
   /\ pc' = [pc EXCEPT ![m] = "hidle"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo, ret>>

HandoffIdle(m) ==
   /\ pc[m] = "hidle"
   /\ num' = [num EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = IF num[m] + npidle = 0 /\ ~Bug("handoff_no_spin") THEN "hcas" ELSE "hlock"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, tok, cand, todo, ret>>

HandoffCAS(m) ==
   /\ pc[m] = "hcas"
   /\ IF nmspinning = 0
      THEN /\ nmspinning' = 1
           /\ tok' = [tok EXCEPT ![m] = TRUE]
           /\ pc' = [pc EXCEPT ![m] = "hclear"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "hlock"]
           /\ UNCHANGED <<nmspinning, tok>>
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo, ret>>

\* needspinning; the lock is released if it is held (with the fix handoff_need).
HandoffClear(m) ==
   /\ pc[m] = "hclear"
   /\ IF Fix("clear_locked") THEN lock \in {NoM, m} ELSE TRUE
   /\ needspinning' = IF Fix("drop_clears") /\ lock # m THEN needspinning ELSE 0
   /\ lock' = IF lock = m THEN NoM ELSE lock
   /\ pc' = [pc EXCEPT ![m] = "start"]
   /\ UNCHANGED <<nmspinning, npidle, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* Takes the lock: the global queue again, else the P becomes idle.
HandoffLock(m) ==
   /\ pc[m] = "hlock"
   /\ lock = NoM
   /\ IF runq > 0 /\ ~Bug("handoff_no_globcheck")
      THEN /\ pc' = [pc EXCEPT ![m] = "start"]
           /\ UNCHANGED lock
      ELSE IF Fix("handoff_need") /\ needspinning = 1
      THEN /\ pc' = [pc EXCEPT ![m] = "hadd"]
           /\ lock' = m
      ELSE /\ pc' = [pc EXCEPT ![m] = "hput"]
           /\ lock' = m
   /\ UNCHANGED <<shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* With the fix handoff_need: the M that gets the P spins, as one that drops its
\* P would.
HandoffAdd(m) ==
   /\ pc[m] = "hadd"
   /\ nmspinning' = nmspinning + 1
   /\ tok' = [tok EXCEPT ![m] = TRUE]
   /\ pc' = [pc EXCEPT ![m] = "hclear"]
   /\ UNCHANGED <<lock, needspinning, npidle, pidle, queues, world, myp, spin, nextp, cand, num, todo, ret>>

HandoffPut(m) ==
   /\ pc[m] = "hput"
   /\ pidle' = pidle \cup {cand[m]}
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "hputnp"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, npidle, queues, world, myp, spin, nextp, tok, num, todo, ret>>

HandoffPutIdle(m) ==
   /\ pc[m] = "hputnp"
   /\ npidle' = npidle + 1
   /\ lock' = NoM
   /\ pc' = [pc EXCEPT ![m] = ret[m]]
   /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo>>

-----------------------------------------------------------------------------
(* exitsyscall without a P. *)

\* exitsyscallTryGetP: the P that it had, if another M is in a syscall with it.
ExitOld(m) ==
   /\ pc[m] = "exitold"
   /\ LET holders == {n \in Ms : pc[n] = "syscall" /\ myp[n] \in todo[m]} IN
      IF holders # {}
      THEN \E n \in holders :
              /\ myp' = [myp EXCEPT ![m] = myp[n], ![n] = NoP]
              /\ pc' = [pc EXCEPT ![m] = "run"]
      ELSE /\ pc' = [pc EXCEPT ![m] = "exittry"]
           /\ UNCHANGED myp
   /\ todo' = [todo EXCEPT ![m] = {}]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, hands, ret>>

\* exitsyscallTryGetP: is any P idle?  Without the lock.
ExitTry(m) ==
   /\ pc[m] = "exittry"
   /\ pc' = [pc EXCEPT ![m] = IF pidle # {} THEN "exitget" ELSE "exitnop"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* exitsyscallTryGetP: pidleget.
ExitGet(m) ==
   /\ pc[m] = "exitget"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ pc' = [pc EXCEPT ![m] = "exitnop"]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "exitnp"]
   /\ UNCHANGED <<nmspinning, needspinning, npidle, queues, world, myp, spin, nextp, tok, num, todo, ret>>

ExitIdle(m) ==
   /\ pc[m] = "exitnp"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ pc' = [pc EXCEPT ![m] = "run"]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, num, todo, ret>>

\* exitsyscallNoP: an idle P, or the G goes to the global queue, under one lock.
ExitNoP(m) ==
   /\ pc[m] = "exitnop"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN IF Bug("exit_unlocked")
           THEN /\ pc' = [pc EXCEPT ![m] = "exitput"]
                /\ UNCHANGED <<lock, pidle, cand, runq>>
           ELSE /\ runq' = runq + 1
                /\ pc' = [pc EXCEPT ![m] = "stop"]
                /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "exitnp"]
              /\ UNCHANGED runq
   /\ UNCHANGED <<nmspinning, needspinning, npidle, ring, next, blocked, world, myp, spin, nextp, tok, num, todo, ret>>

\* Under the mutant exit_unlocked: the put is a section of its own.
ExitPut(m) ==
   /\ pc[m] = "exitput"
   /\ lock = NoM
   /\ runq' = runq + 1
   /\ pc' = [pc EXCEPT ![m] = "stop"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* sysmon, and others without a P. *)

\* retake: the P of an M that is in a syscall; handoffp.
Retake(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("syscall")
   /\ \E m \in Ms :
         /\ pc[m] = "syscall"
         /\ myp[m] # NoP
         /\ cand' = [cand EXCEPT ![s] = myp[m]]
         /\ myp' = [myp EXCEPT ![m] = IF Bug("retake_keeps") THEN @ ELSE NoP]
   /\ pc' = [pc EXCEPT ![s] = "hempty"]
   /\ ret' = [ret EXCEPT ![s] = "sysmon"]
   /\ UNCHANGED <<lock, shared, queues, world, spin, nextp, tok, num, todo>>

\* preemptone: the G that an M runs is to yield, and does.
Preempt(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("preempt")
   /\ \E m \in Ms :
         /\ pc[m] = "run"
         /\ pc' = [pc EXCEPT ![m] = "preempted"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

Preempted(m) ==
   /\ pc[m] = "preempted"
   /\ PutGlobal(m)

\* injectglist without a P: some Gs became runnable.
Inject(s) ==
   /\ pc[s] = "sysmon"
   /\ Has("inject")
   /\ \E k \in 1..blocked :
         /\ blocked' = blocked - k
         /\ num' = [num EXCEPT ![s] = k]
   /\ pc' = [pc EXCEPT ![s] = "injglob"]
   /\ ret' = [ret EXCEPT ![s] = "sysmon"]
   /\ UNCHANGED <<lock, shared, runq, ring, next, world, myp, spin, nextp, tok, cand, todo>>

\* globrunqputbatch.
InjectGlob(m) ==
   /\ pc[m] = "injglob"
   /\ lock = NoM
   /\ runq' = runq + num[m]
   /\ pc' = [pc EXCEPT ![m] = "injidle"]
   /\ UNCHANGED <<lock, shared, ring, next, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* startIdle: pidlegetSpinning, as often as there are Gs.
InjectIdle(m) ==
   /\ pc[m] = "injidle"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ needspinning' = IF Bug("inject_pidleget") THEN needspinning ELSE 1
           /\ num' = [num EXCEPT ![m] = 0]
           /\ pc' = [pc EXCEPT ![m] = ret[m]]
           /\ ret' = [ret EXCEPT ![m] = ""]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "injnp"]
              /\ UNCHANGED <<needspinning, num, ret>>
   /\ UNCHANGED <<nmspinning, npidle, queues, world, myp, spin, nextp, tok, todo>>

InjectNpidle(m) ==
   /\ pc[m] = "injnp"
   /\ npidle' = npidle - 1
   /\ pc' = [pc EXCEPT ![m] = "injstart"]
   /\ UNCHANGED <<lock, nmspinning, needspinning, pidle, queues, world, myp, spin, nextp, hands, todo, ret>>

\* startm with the lock held, which is then released; the M does not spin.
InjectStart(m) ==
   /\ pc[m] = "injstart"
   /\ \E n \in IF IdleMs # {} THEN IdleMs ELSE NewMs :
         /\ nextp' = [nextp EXCEPT ![n] = cand[m]]
         /\ pc' = [pc EXCEPT ![n] = "parked", ![m] = IF num[m] = 1 THEN ret[m] ELSE "injidle"]
   /\ lock' = NoM
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ num' = [num EXCEPT ![m] = @ - 1]
   /\ ret' = [ret EXCEPT ![m] = IF num[m] = 1 THEN "" ELSE @]
   /\ UNCHANGED <<shared, queues, world, myp, spin, tok, todo>>

-----------------------------------------------------------------------------

SysStep(m) ==
   \/ LatePut(m) \/ Kick(m) \/ Flush(m) \/ Overflow(m)
   \/ WakepLoad(m) \/ WakepCAS(m) \/ WakepGet(m) \/ WakepNeed(m) \/ WakepIdle(m) \/ WakepUndo(m) \/ WakepAgain(m)
   \/ StartM(m) \/ Wake(m)
   \/ ResetSpinning(m) \/ WakeAnyway(m) \/ Tick(m) \/ TickGet(m) \/ GetNext(m) \/ GetRing(m)
   \/ GlobTest(m) \/ GlobGet(m) \/ BatchPut(m)
   \/ SpinLoad(m) \/ IdleLoad(m) \/ SpinAdd(m) \/ SpinClear(m) \/ ClearFirst(m)
   \/ StealRing(m) \/ StealPut(m) \/ StealNext(m) \/ Extra(m)
   \/ ClearLate(m) \/ DropLock(m) \/ DropPut(m) \/ DropIdle(m) \/ Decrement(m)
   \/ RecheckGlob(m) \/ RecheckGlobIdle(m) \/ RecheckGlobGet(m) \/ RecheckGlobPut(m)
   \/ Recheck(m) \/ Rescan(m) \/ RecheckGet(m) \/ Reacquire(m)
   \/ RecheckExtra(m) \/ RecheckExtraGet(m) \/ RecheckExtraIdle(m) \/ Stop(m)
   \/ HandoffEmpty(m) \/ HandoffGlob(m) \/ HandoffExtra(m) \/ HandoffSpin(m) \/ HandoffIdle(m)
   \/ HandoffCAS(m) \/ HandoffClear(m) \/ HandoffLock(m) \/ HandoffAdd(m) \/ HandoffPut(m) \/ HandoffPutIdle(m)
   \/ ExitOld(m) \/ ExitTry(m) \/ ExitGet(m) \/ ExitIdle(m) \/ ExitNoP(m) \/ ExitPut(m)
   \/ Preempted(m) \/ InjectGlob(m) \/ InjectIdle(m) \/ InjectNpidle(m) \/ InjectStart(m)

SysmonStep(s) == Retake(s) \/ Preempt(s) \/ Inject(s)

Next == \E m \in Ms : UserStep(m) \/ SysStep(m) \/ SysmonStep(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

Held(p)   == {m \in Ms : myp[m] = p}
Coming(p) == {m \in Ms : nextp[m] = p}
InHand(p) == {m \in Ms : cand[m] = p /\ pc[m] # "stealnext"}

\* DN-P-OWNED: each P is in exactly one place.
POwned ==
   \A p \in procs :
      Cardinality(Held(p)) + Cardinality(Coming(p)) + Cardinality(InHand(p)) + (IF p \in pidle THEN 1 ELSE 0) = 1

\* DN-SPIN-COUNT: nmspinning counts the Ms that spin, and the tokens of those to come.
SpinCount == nmspinning = Cardinality({m \in Ms : spin[m]}) + Cardinality({m \in Ms : tok[m]})

\* DN-IDLE-EMPTY: an idle P has no work.
IdleEmpty == \A p \in pidle : ring[p] + next[p] = 0

\* DN-IDLE-COUNT: npidle is the number of idle Ps while nobody is changing it.
IdleCount == lock = NoM => npidle = Cardinality(pidle)

\* DN-LOCAL-SPIN: an M that is to spin gets a P without work.
NoLocalSpin == \A m \in Ms : (pc[m] = "start" /\ tok[m]) => ring[cand[m]] + next[cand[m]] = 0

RECURSIVE Total(_, _)
Total(f, S) ==
   IF S = {} THEN 0
   ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Total(f, S \ {x})

\* Where an M is on its way through wakep and startm, or through handoffp.
InWakep == {"wakeload", "wakecas", "wakeget", "wakeneed", "wakenp", "wakeundo", "wakeagain"}
InHandoff == {"hempty", "hglob", "hextra", "hspin", "hidle", "hcas", "hclear", "hlock", "hadd", "hput", "hputnp"}
InExit == {"exitold", "exittry", "exitget", "exitnp", "exitnop", "exitput"}

\* How many Gs an M has in its hands, the one that it runs among them.
InHands(m) ==
   IF pc[m] \in {"run", "syscall", "preempted", "again"} \cup InExit THEN 1
   ELSE IF pc[m] \in {"late", "kick"} THEN 2
   ELSE IF pc[m] \in {"overflow", "batchput", "stealput", "reglobput"} THEN num[m] + 1
   ELSE IF pc[m] = "injglob" THEN num[m]
   ELSE IF pc[m] = "reset" THEN IF ret[m] = "runextra" THEN 0 ELSE 1
   ELSE IF pc[m] \in InWakep \cup InHandoff \cup {"start"}
   THEN IF ret[m] = "late" THEN 2 ELSE IF ret[m] \in {"run", "syscall"} THEN 1 ELSE 0
   ELSE IF pc[m] \in {"spinadd", "spinclear"} /\ ret[m] = "reset" THEN 1
   ELSE 0

\* DN-ONE-PLACE: no G is lost, and none is in two places.
OnePlace ==
   runq + Total(ring, Ps) + Total(next, Ps) + blocked + Total(sb, Ms) + Total([m \in Ms |-> InHands(m)], Ms) = Gs

\* DN-RING: no ring holds more than it can, and less than nothing is not.
RingBounds == \A p \in Ps : ring[p] \in 0..RingCap

\* DN-LOCK: the lock is held just where a section has more than one step.
LockHeld ==
   \A m \in Ms :
      (lock = m) <=>
         \/ pc[m] \in {"wakenp", "dropput", "dropnp", "reglobnp", "reglobget", "reacquire", "reextranp", "hput", "hadd", "hputnp", "exitnp",
                        "injnp", "injstart"}
         \/ pc[m] = "wakeundo" /\ ~Bug("need_unlocked")
         \/ pc[m] \in {"spinadd", "spinclear"} /\ myp[m] # NoP /\ lock = m
         \/ pc[m] \in {"hclear", "batchput"} /\ lock = m

-----------------------------------------------------------------------------
(* Work conservation, in three strengths. *)

Work == runq > 0 \/ extra = 1 \/ \E p \in procs : ring[p] + next[p] > 0
Idle == pidle # {}

\* An M that does nothing by itself: it runs a program, which may never end, or is asleep.
Calm(m) ==
   \/ pc[m] \in {"run", "runextra", "syscall", "sysmon", "unborn"}
   \/ pc[m] = "parked" /\ nextp[m] = NoP

AllCalm == \A m \in Ms : Calm(m) /\ sb[m] = 0

\* DN-WORK-QUIET: when all is quiet, no G waits beside an idle P.
WorkQuiet == AllCalm => ~(Work /\ Idle)

\* A search that has still to come where the work is: this M's P, the global queue.
WillFind(m) ==
   /\ myp[m] # NoP
   /\ \/ pc[m] \in {"top", "getnext"} /\ ring[myp[m]] + next[myp[m]] > 0
      \/ pc[m] = "getring" /\ ring[myp[m]] > 0
      \/ pc[m] \in {"top", "tickget", "getnext", "getring", "globtest", "globget", "spinload", "idleload", "extra", "drop"} /\ runq > 0
      \/ pc[m] \in {"top", "tickget", "getnext", "getring", "globtest", "globget", "spinload", "idleload", "extra"} /\ extra = 1

\* Why an M is somebody who will see to it.
Rescuer(m) ==
   \/ WillFind(m)
   \/ spin[m]
   \/ tok[m]
   \/ nextp[m] # NoP
   \/ pc[m] \in {"late", "kick", "overflow", "start", "again"} \cup InWakep \cup InHandoff
   \/ pc[m] \in {"reglob", "reglobnp", "reglobget", "reglobput", "recheck", "rescan", "recheckget", "reacquire",
                  "reextra", "reextraget", "reextranp", "spinadd", "spinclear"}
   \/ pc[m] \in {"injglob", "injidle", "injnp", "injstart"}
   \/ sb[m] = 1

\* DN-WORK-RESCUER: while a G waits beside an idle P, somebody is about to see to it.
WorkRescuer == (Work /\ Idle) => \E m \in Ms : Rescuer(m)

\* DN-DEADLOCK: when every M is asleep (checkdead would report), no G can run.
DeadTrue == (\A m \in Ms \ {Sysmon} : pc[m] \in {"parked", "unborn"} /\ nextp[m] = NoP)
            => (Work => \E s \in Ms \cap {Sysmon} : pc[s] # "sysmon")

-----------------------------------------------------------------------------
(* Liveness: strong fairness for each M, none for what the program does. *)

EnvStep == \E m \in Ms : UserStep(m) \/ SysmonStep(m)

Fairness == \A m \in Ms : SF_vars(SysStep(m))

LiveSpec == Spec /\ Fairness

\* A P is put to use when its M has a G.
Used(p) == \E m \in Ms : myp[m] = p /\ (InHands(m) > 0 \/ pc[m] = "runextra")

Starved == Work /\ \E p \in procs : ~Used(p)

\* DN-WORK-LIVE: no G waits for ever beside a P that does nothing for it, while the program does nothing.
WorkLive == []<>~Starved \/ []<><<EnvStep>>_vars

\* DN-QUIET: the search for work ends, while the program does nothing.
QuietLive == []<>AllCalm \/ []<><<EnvStep>>_vars
=============================================================================

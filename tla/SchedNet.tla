------------------------------ MODULE SchedNet ------------------------------
(* Module Sched: the network poller and the timers.  A last M without a P waits
   there. *)
EXTENDS SchedFind, SchedWake

\* netpollblock: the running G waits in the poller,
NetBlock(m) ==
   /\ Has("net")
   /\ pc[m] = "run"
   /\ ~Locked(m)
   /\ netgs' = netgs + 1
   /\ pc' = [pc EXCEPT ![m] = "netwait"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netready, netwaiters, poller, polluntil, brk, tim, poll, stw, lk, myp, spin, nextp, hands, todo, ret>>

\* and is counted (netpollblockcommit).
NetWait(m) ==
   /\ pc[m] = "netwait"
   /\ netwaiters' = netwaiters + 1
   /\ pc' = [pc EXCEPT ![m] = "top"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, poller, polluntil, brk, tim, poll, stw, lk, myp, spin, nextp, hands, todo, ret>>

\* The world: a G that waits in the poller may run now.
NetReady ==
   /\ netready < netgs
   /\ netready' = netready + 1
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netwaiters, poller, polluntil, brk, tim, poll, stw, lk, pc, myp, spin, nextp, hands, todo, ret>>

\* timeSleep: the running G sleeps; its timer is in the heap of this P,
TimerSet(m) ==
   /\ Has("timer")
   /\ pc[m] = "run"
   /\ ~Locked(m)
   /\ tim[myp[m]] = 0
   /\ tim' = [tim EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF Bug("timer_no_wake") THEN "top" ELSE "timewake"]
   /\ ret' = [ret EXCEPT ![m] = IF Bug("timer_no_wake") THEN "" ELSE "top"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, polluntil, brk, poll, stw, lk, myp, spin, nextp, hands, todo>>

\* time.AfterFunc: the running G goes on, and another is made runnable later,
TimerAfter(m) ==
   /\ Has("timer")
   /\ pc[m] = "run"
   /\ blocked > Cardinality(LockedWaits)
   /\ tim[myp[m]] = 0
   /\ blocked' = blocked - 1
   /\ tim' = [tim EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF Bug("timer_no_wake") THEN "run" ELSE "timewake"]
   /\ ret' = [ret EXCEPT ![m] = IF Bug("timer_no_wake") THEN "" ELSE "run"]
   /\ UNCHANGED <<lock, shared, runq, ring, next, procs, extra, sb, netgs, netready, netwaiters, poller, polluntil, brk, poll, stw, lk, myp, spin, nextp, hands, todo>>

\* and who polls must know (wakeNetPoller): or somebody is to be woken who will.
TimerWake(m) ==
   /\ pc[m] = "timewake"
   /\ pc' = [pc EXCEPT ![m] = IF poller = NoM THEN "wakeload" ELSE "timeread"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* wakeNetPoller: netpollBreak, unless it wakes in time by itself.
TimerBreak(m) ==
   /\ pc[m] = "timeread"
   /\ brk' = IF polluntil = 0 THEN 1 ELSE brk
   /\ pc' = [pc EXCEPT ![m] = ret[m]]
   /\ ret' = [ret EXCEPT ![m] = ""]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, polluntil, tim, poll, stw, lk, myp, spin, nextp, hands, todo>>

\* The world: time passes.
TimerDue(p) ==
   /\ tim[p] = 1
   /\ tim' = [tim EXCEPT ![p] = 2]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, polluntil, brk, poll, stw, lk, pc, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* On the way through findRunnable. *)

\* timers.check of its own P: what is due is run, and it knows of what is not.
TimersCheck(m) ==
   /\ pc[m] = "timers"
   /\ LET p == myp[m] IN
      IF tim[p] = 2
      THEN /\ tim' = [tim EXCEPT ![p] = 0]
           /\ pc' = [pc EXCEPT ![m] = "timerput"]
           /\ ret' = [ret EXCEPT ![m] = "getnext"]
           /\ UNCHANGED pu
      ELSE /\ pc' = [pc EXCEPT ![m] = "getnext"]
           /\ pu' = [pu EXCEPT ![m] = tim[p] = 1]
           /\ UNCHANGED <<tim, ret>>
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, polluntil, brk, cnt, delta, was, stw, lk, myp, spin, nextp, hands, todo>>

\* goready of the G that slept: runqput, and then wakep.
TimerPut(m) ==
   /\ pc[m] = "timerput"
   /\ next' = [next EXCEPT ![myp[m]] = 1]
   /\ pc' = [pc EXCEPT ![m] = IF next[myp[m]] = 1 THEN "kick" ELSE "wakeload"]
   /\ UNCHANGED <<lock, shared, runq, ring, blocked, world, myp, spin, nextp, hands, todo, ret>>

\* stealWork: a victim's timers, before its queue.
StealTimer(m) ==
   /\ pc[m] = "steal"
   /\ Has("timer")
   /\ \E p \in todo[m] :
         IF tim[p] = 2
         THEN /\ tim' = [tim EXCEPT ![p] = 0]
              /\ todo' = [todo EXCEPT ![m] = {}]
              /\ pc' = [pc EXCEPT ![m] = "timerput"]
              /\ ret' = [ret EXCEPT ![m] = "top"]
              /\ UNCHANGED <<cand, pu>>
         ELSE /\ cand' = [cand EXCEPT ![m] = p]
              /\ pu' = [pu EXCEPT ![m] = @ \/ tim[p] = 1]
              /\ pc' = [pc EXCEPT ![m] = "stealring"]
              /\ UNCHANGED <<tim, todo, ret>>
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, polluntil, brk, cnt, delta, was, stw, lk, myp, spin, nextp, tok, num>>

\* The poller, without waiting, unless somebody waits there.
NetTest(m) ==
   /\ pc[m] = "nettest"
   /\ pc' = [pc EXCEPT ![m] = IF poller = NoM /\ netwaiters > 0 /\ ~Bug("search_no_net") THEN "netget" ELSE Throttle(m)]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* netpoll(0): one G is run, the others are injected.
NetGet(m) ==
   /\ pc[m] = "netget"
   /\ netgs' = netgs - netready
   /\ netready' = 0
   /\ delta' = [delta EXCEPT ![m] = netready]
   /\ netwaiters' = netwaiters - AtOnce
   /\ num' = [num EXCEPT ![m] = IF netready = 0 THEN 0 ELSE netready - 1]
   /\ pc' = [pc EXCEPT ![m] = IF netready = 0 THEN Throttle(m) ELSE IF netready = 1 THEN "netadj" ELSE "injload"]
   /\ todo' = [todo EXCEPT ![m] = IF netready = 0 THEN @ ELSE {}]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, poller, polluntil, brk, tim, cnt, pu, was, stw, lk, myp, spin, nextp, tok, cand, ret>>

\* netpollAdjustWaiters: only now, when the Gs are where they can be seen.
NetAdjust(m) ==
   /\ pc[m] = "netadj"
   /\ netwaiters' = netwaiters - (IF Bug("net_adjust_first") THEN 0 ELSE delta[m])
   /\ delta' = [delta EXCEPT ![m] = 0]
   /\ pc' = [pc EXCEPT ![m] = IF m = Sysmon THEN "sysmon" ELSE IF myp[m] = NoP THEN "stop" ELSE Found(m)]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, poller, polluntil, brk, tim, cnt, pu, was, stw, lk, myp, spin, nextp, hands, todo, ret>>

-----------------------------------------------------------------------------
(* After the re-check, without a P: somebody must wait in the poller. *)

\* checkTimersNoP: at the Ps that there are,
RecheckTimers(m) ==
   /\ pc[m] = "retimers"
   /\ todo' = [todo EXCEPT ![m] = procs]
   /\ pc' = [pc EXCEPT ![m] = "retimer"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, ret>>

\* one after the other.
RecheckTimer(m) ==
   /\ pc[m] = "retimer"
   /\ \E p \in todo[m] :
         /\ todo' = [todo EXCEPT ![m] = @ \ {p}]
         /\ pu' = [pu EXCEPT ![m] = @ \/ (tim[p] # 0 /\ ~Bug("no_recheck_timers"))]
         /\ pc' = [pc EXCEPT ![m] = IF todo[m] = {p} THEN "polltest" ELSE "retimer"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, net, cnt, delta, was, stw, lk, myp, spin, nextp, hands, ret>>

\* Is there anything to wait for?
PollTest(m) ==
   /\ pc[m] = "polltest"
   /\ pc' = [pc EXCEPT ![m] = IF (netwaiters > 0 \/ pu[m]) /\ ~Bug("no_last_poll") THEN "pollswap" ELSE "stop"]
   /\ UNCHANGED <<lock, shared, queues, world, myp, spin, nextp, hands, todo, ret>>

\* lastpoll.Swap(0): one M alone.  Another's wait may be too long.
PollSwap(m) ==
   /\ pc[m] = "pollswap"
   /\ ~Buffered(m)
   /\ IF poller = NoM
      THEN poller' = m /\ pc' = [pc EXCEPT ![m] = "pollset"]
      ELSE pc' = [pc EXCEPT ![m] = IF pu[m] THEN "timeread" ELSE "stop"] /\ UNCHANGED poller
   /\ ret' = [ret EXCEPT ![m] = IF poller # NoM /\ pu[m] THEN "stop" ELSE ""]
   /\ polluntil' = IF Bug("pollset_first") /\ pu[m] THEN 1 ELSE polluntil
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, brk, tim, poll, stw, lk, myp, spin, nextp, hands, todo>>

\* pollUntil.Store: until when it waits.
PollSet(m) ==
   /\ pc[m] = "pollset"
   /\ polluntil' = IF pu[m] THEN 1 ELSE 0
   /\ pc' = [pc EXCEPT ![m] = "polling"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, brk, tim, poll, stw, lk, myp, spin, nextp, hands, todo, ret>>

\* What it waits for: a G that may run, a break, a timer that it knows of.
PollOver(m) == netready > 0 \/ brk = 1 \/ (pu[m] /\ \E p \in procs : tim[p] = 2)

\* netpoll(delay) returns.
Poll(m) ==
   /\ pc[m] = "polling"
   /\ IF PollOver(m) THEN TRUE ELSE FALSE
   /\ netgs' = netgs - netready
   /\ netready' = 0
   /\ num' = [num EXCEPT ![m] = netready]
   /\ delta' = [delta EXCEPT ![m] = netready]
   /\ netwaiters' = netwaiters - AtOnce
   /\ brk' = 0
   /\ pc' = [pc EXCEPT ![m] = "pollclear"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, poller, polluntil, tim, cnt, pu, was, stw, lk, myp, spin, nextp, tok, cand, todo, ret>>

PollClear(m) ==
   /\ pc[m] = "pollclear"
   /\ polluntil' = 0
   /\ pc' = [pc EXCEPT ![m] = "polllast"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, poller, brk, tim, poll, stw, lk, myp, spin, nextp, hands, todo, ret>>

\* lastpoll.Store(now).
PollLast(m) ==
   /\ pc[m] = "polllast"
   /\ poller' = NoM
   /\ pc' = [pc EXCEPT ![m] = "pollget"]
   /\ UNCHANGED <<lock, shared, queues, procs, extra, sb, netgs, netready, netwaiters, polluntil, brk, tim, poll, stw, lk, myp, spin, nextp, hands, todo, ret>>

\* pidleget: without a P it injects what it got, and stops.
PollGet(m) ==
   /\ pc[m] = "pollget"
   /\ lock = NoM
   /\ IF pidle = {}
      THEN /\ pc' = [pc EXCEPT ![m] = IF num[m] > 0 THEN "injglob" ELSE "stop"]
           /\ ret' = [ret EXCEPT ![m] = IF num[m] > 0 THEN "netadj" ELSE ""]
           /\ UNCHANGED <<lock, pidle, cand>>
      ELSE \E p \in pidle :
              /\ lock' = m
              /\ pidle' = pidle \ {p}
              /\ cand' = [cand EXCEPT ![m] = p]
              /\ pc' = [pc EXCEPT ![m] = "pollnp"]
              /\ UNCHANGED ret
   /\ UNCHANGED <<nmspinning, needspinning, npidle, queues, world, myp, spin, nextp, tok, num, todo>>

\* With a P: it runs a G if it got one, and injects the others.  If it got none it
\* searches again, and spins if it did before.
PollIdle(m) ==
   /\ pc[m] = "pollnp"
   /\ npidle' = npidle - 1
   /\ lock' = NoM
   /\ myp' = [myp EXCEPT ![m] = cand[m]]
   /\ cand' = [cand EXCEPT ![m] = NoP]
   /\ num' = [num EXCEPT ![m] = IF @ = 0 THEN 0 ELSE @ - 1]
   /\ pc' = [pc EXCEPT ![m] =
                IF num[m] > 1 THEN "injload"
                ELSE IF num[m] = 1 THEN "netadj"
                ELSE IF was[m] THEN "spinadd"
                ELSE "top"]
   /\ ret' = [ret EXCEPT ![m] = IF num[m] = 0 /\ was[m] THEN "top" ELSE ""]
   /\ UNCHANGED <<nmspinning, needspinning, pidle, queues, world, spin, nextp, tok, todo>>
=============================================================================

-------------------------- MODULE MCTwoLevelCount --------------------------
(* Module TwoLevel with a program that spawns and enters syscalls a bounded number
   of times, and how many Ms it costs to be woken.  MCSchedCount is the same of the
   shipped protocol. *)
EXTENDS MCTwoLevel

CONSTANTS
   MaxSpawns, MaxSyscalls,
   PerSpawn, PerSyscall \* how many wake-ups each may cost

VARIABLES
   spawns,   \* how many Gs were spawned
   syscalls, \* how many syscalls were entered
   wakes     \* how many Ms were woken

counts == <<spawns, syscalls, wakes>>

CountInit == Init /\ spawns = 0 /\ syscalls = 0 /\ wakes = 0

CountSpawn(m) ==
   /\ spawns < MaxSpawns
   /\ Spawn(m)
   /\ spawns' = spawns + 1
   /\ UNCHANGED <<syscalls, wakes>>

CountSyscall(m) ==
   /\ syscalls < MaxSyscalls
   /\ EnterSyscall(m)
   /\ syscalls' = syscalls + 1
   /\ UNCHANGED <<spawns, wakes>>

CountWake(m) ==
   /\ EnsureWake(m)
   /\ wakes' = wakes + 1
   /\ UNCHANGED <<spawns, syscalls>>

CountOther(m) ==
   /\ ~At(m, "EnsureWake")
   /\ Block(m) \/ ExitSyscall(m) \/ SysStep(m)
   /\ UNCHANGED counts

CountNext == \E m \in Ms : CountSpawn(m) \/ CountSyscall(m) \/ CountWake(m) \/ CountOther(m)

CountSpec == CountInit /\ [][CountNext]_<<vars, counts>>

\* DN-WAKES: the wake-ups are bounded by the spawns and the syscalls.
WakesBound == wakes <= PerSpawn * spawns + PerSyscall * syscalls
=============================================================================

package drift

var schedPlaces = []Place{
	{"wakep", "if nmspinning CompareAndSwap", "nmspinning is raised from 0 to 1, or somebody spins already", "Sched!WakepLoad Sched!WakepCAS"},
}

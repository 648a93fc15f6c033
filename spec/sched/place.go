package sched

// A place is where an M is (pc), or where it goes on after wakep, startm or
// becomeSpinning (ret): the action that it takes next, or a word for where it rests or
// has a choice. The values have the same names in the module.
type place uint8

// Where an M rests or has a choice.
const (
	nowhere  place = iota
	unborn         // not made yet
	parked         // asleep on the list of idle Ms
	lockpark       // asleep, waiting for the G that is locked to it
	top            // findRunnable's label top
	steal          // about to choose a victim
	run            // it runs a G
	runextra       // it does the further work
	syscall        // its G is in a syscall
	sysmon         // it is sysmon, and has nothing to do
	deep           // it is sysmon, in its deep sleep
	limbo          // nobody has it: mutants alone lead here
	threw          // it reported a deadlock
	world          // no M's: what the world does
	words          // how many there are
)

var wordNames = [words]string{
	unborn: "unborn", parked: "parked", lockpark: "lockpark", top: "top", steal: "steal", run: "run",
	runextra: "runextra", syscall: "syscall", sysmon: "sysmon", deep: "deep", limbo: "limbo", threw: "threw",
}

// String returns the place's name in the module.
func (p place) String() string {
	if p < words {
		return wordNames[p]
	}
	return actionNames[p-words]
}

// A placeSet is a set of places at which an M can be: those before chosen.
type placeSet [(int(chosen) + 63) / 64]uint64

func placesOf(list ...place) (s placeSet) {
	for _, p := range list {
		s[p>>6] |= 1 << (p & 63)
	}
	return s
}

func (s placeSet) and(t placeSet) placeSet {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s *placeSet) has(p place) bool { return s[int(p>>6)%len(s)]>>(p&63)&1 != 0 }

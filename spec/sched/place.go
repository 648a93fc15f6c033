package sched

// A place is where an M is (pc), or where it goes on after wakep, startm or
// becomeSpinning (ret).
type place uint8

const (
	nowhere place = iota
	again
	batchput
	clearfirst
	clearlate
	decr
	drop
	dropnp
	dropput
	exec
	exitget
	exitlate
	exitnop
	exitnp
	exitold
	exitput
	exittry
	extra
	gcspin
	gcstop
	getnext
	getring
	globget
	globtest
	hadd
	hcas
	hclear
	hempty
	hextra
	hglob
	hidle
	hlock
	hput
	hputnp
	hspin
	idleload
	injglob
	injidle
	injload
	injnp
	injput
	injsome
	injstart
	kick
	late
	limbo
	lockpark
	lockstop
	netadj
	netget
	nettest
	netwait
	overflow
	parked
	pollclear
	pollget
	polling
	polllast
	pollnp
	pollset
	pollswap
	polltest
	preempted
	reacquire
	recheck
	recheckget
	reextra
	reextraget
	reextranp
	reextratry
	reglob
	reglobget
	reglobnp
	reglobput
	rescan
	reset
	resetextra // of ret alone: reset, and then runextra
	retimer
	retimers
	run
	runextra
	seek
	spinadd
	spinclear
	spinload
	start
	steal
	stealnext
	stealput
	stealring
	stop
	stwgo
	stwidle
	stwnp
	stwstart
	stwtake
	stwwait
	syscall
	sysgc
	sysmon
	threw
	tickget
	timeread
	timerput
	timers
	timewake
	top
	unborn
	wakeagain
	wakecas
	wakeget
	wakeload
	wakeneed
	wakenp
	wakeundo
	places // how many there are
)

var placeNames = [places]string{
	nowhere: "",
	again:   "again", batchput: "batchput", clearfirst: "clearfirst", clearlate: "clearlate", decr: "decr", drop: "drop",
	dropnp: "dropnp", dropput: "dropput", exec: "exec", exitget: "exitget", exitlate: "exitlate",
	exitnop: "exitnop", exitnp: "exitnp", exitold: "exitold", exitput: "exitput", exittry: "exittry",
	extra: "extra", gcspin: "gcspin", gcstop: "gcstop", getnext: "getnext", getring: "getring",
	globget: "globget", globtest: "globtest", hadd: "hadd", hcas: "hcas", hclear: "hclear", hempty: "hempty",
	hextra: "hextra", hglob: "hglob", hidle: "hidle", hlock: "hlock", hput: "hput", hputnp: "hputnp",
	hspin: "hspin", idleload: "idleload", injglob: "injglob", injidle: "injidle", injload: "injload",
	injnp: "injnp", injput: "injput", injsome: "injsome", injstart: "injstart", kick: "kick", late: "late",
	limbo: "limbo", lockpark: "lockpark", lockstop: "lockstop", netadj: "netadj", netget: "netget",
	nettest: "nettest", netwait: "netwait", overflow: "overflow", parked: "parked", pollclear: "pollclear",
	pollget: "pollget", polling: "polling", polllast: "polllast", pollnp: "pollnp", pollset: "pollset",
	pollswap: "pollswap", polltest: "polltest", preempted: "preempted", reacquire: "reacquire",
	recheck: "recheck", recheckget: "recheckget", reextra: "reextra", reextraget: "reextraget",
	reextranp: "reextranp", reextratry: "reextratry", reglob: "reglob", reglobget: "reglobget",
	reglobnp: "reglobnp", reglobput: "reglobput", rescan: "rescan", reset: "reset", resetextra: "resetextra",
	retimer: "retimer", retimers: "retimers", run: "run", runextra: "runextra", seek: "seek",
	spinadd: "spinadd", spinclear: "spinclear", spinload: "spinload", start: "start", steal: "steal",
	stealnext: "stealnext", stealput: "stealput", stealring: "stealring", stop: "stop", stwgo: "stwgo",
	stwidle: "stwidle", stwnp: "stwnp", stwstart: "stwstart", stwtake: "stwtake", stwwait: "stwwait",
	syscall: "syscall", sysgc: "sysgc", sysmon: "sysmon", threw: "threw", tickget: "tickget",
	timeread: "timeread", timerput: "timerput", timers: "timers", timewake: "timewake", top: "top",
	unborn: "unborn", wakeagain: "wakeagain", wakecas: "wakecas", wakeget: "wakeget", wakeload: "wakeload",
	wakeneed: "wakeneed", wakenp: "wakenp", wakeundo: "wakeundo",
}

// String returns the place's name in the module.
func (p place) String() string { return placeNames[p] }

// A placeSet is a set of places.
type placeSet [2]uint64

func placesOf(list ...place) (s placeSet) {
	for _, p := range list {
		s[p>>6] |= 1 << (p & 63)
	}
	return s
}

func (s placeSet) and(t placeSet) placeSet { return placeSet{s[0] | t[0], s[1] | t[1]} }

func (s *placeSet) has(p place) bool { return s[p>>6&1]>>(p&63)&1 != 0 }

package engine

import (
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/dpor"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/race"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// current is the exploration that is going on. Only one does at a time: see
// Explore.
var current *scheduler

// scheduler runs executions, one after another, and keeps what is used again.
type scheduler struct {
	order.Execution
	strategy  strategy.Chooser
	search    dpor.Search // the reduction, if it is asked for
	body      func(*Exec)
	execution uint64      // number of the execution, from 1
	goesOn    func() bool // called after each execution
	ended     bool        // it has said no
	house     house
	x         Exec
	stage
	underWay
	heldBack
	wishes
	limits
	turnedOut
	besideThreads
	sameness
	totals
	races     race.Detector
	doubts    certificate.Doubts
	failure   *Failure
	sorry     error // what makes the exploration itself fail
	unwinding bool
	abandoned bool      // the strategy broke this execution off
	carriesOn bool      // a failure of one thread does not keep the others from going on
	pcs       []uintptr // where operations of unknown sites were made, if asked for
	told      []string  // what came of operations on channels, by event, if asked for
	frozen    *Freeze
	blocked   []Blocked
	longestOf map[string]int
	alive     atomic.Uint64 // executions and some of their steps, for the watchdog
}

// A stage has the threads of an execution, and whose turn it is.
type stage struct {
	byID      [order.MaxThreads]*thread // as long as they live
	threads   []*thread                 // of this execution, in the order of their making
	live      order.ThreadSet           // those that have not ended
	daemons   order.ThreadSet
	waits     order.ThreadSet // those that may have to wait
	exhausted order.ThreadSet // those that have made as many steps as a thread may
	started   int             // threads of the body
	starting  Site            // the go statement of the thread that is about to start
	entering  any             // the newThread.stray of the one that is starting
	running   *thread
	turn      *thread // who goes on, nil if the execution is over
}

// underWay is what is known of the operation that is carried out.
type underWay struct {
	op         object.Op
	with       given // of the one that is announced next
	muted      bool  // it is invisible
	mutedEvent order.Event
}

// heldBack is what is known of threads that are held back: see waiting.go and wait.go.
type heldBack struct {
	rounds  rounds.Log
	coda    coda
	shadow  shadow
	forGood bool // who is held back has ended
	idle    int  // releases since something changed
	changed bool
	cut     int  // repeated iterations at which a thread was held back
	repeats bool // a search that leaves nothing out has held a thread back since it did the same again
}

// wishes are what the body has asked for, of Exec.
type wishes struct {
	finally []func()
	leaks   bool     // NoLeaks
	late    bool     // LateClock
	any     bool     // AnyChoice
	strict  bool     // Strict
	oneStep []string // packages: OneStep
}

// limits are the Options of the exploration.
type limits struct {
	maxSteps int
	bound    int // maxSteps, and more where threads look many times
	patience int
	looks    int // how often a thread may look in vain
	tso      bool
	each     func(*View) bool
}

// turnedOut is what an exploration has learned of the program, and begins anew for.
type turnedOut struct {
	unseen    bool // threads have waited at something that is the runtime's
	counted   bool // the threads are counted: see counted.go
	channels  bool // threads use channels: these are one object, which is there from the beginning
	recount   bool // and the exploration begins anew, since they were not
	differed  bool // two runs of one schedule
	anew      int  // how often the exploration began anew for that
	unordered bool // code that is not explored has started some: what orders plain accesses is not known
}

// besideThreads is what runs outside of any thread: see outside.go.
type besideThreads struct {
	outside bool         // the body runs, or a function given to Finally
	leaving bool         // and comes to its end
	left    *thread      // called t.FailNow
	aside   atomic.Int32 // within, breaking, broken; or 0
}

// sameness is what executions have in common with the one before.
type sameness struct {
	again  bool // that was of the same strategy
	first  int  // steps that the first execution must have: see steady.go
	known  int  // steps of this execution that must be as in the one before
	before int  // steps of the one before, if it was of the same strategy
}

// totals are of all executions.
type totals struct {
	steps      int // carried out
	longest    int
	lost       int      // threads that could not be ended
	unfinished int      // executions that a bound of steps has ended
	mostLeft   int      // see Certificate.Left
	hidden     []Site   // of invisible operations that were reached
	rules      []string // that have decided something
}

// schedulers are those that have done their work, for the sake of their slices:
// the exploration of a small test takes less time than to make them.
var schedulers = sync.Pool{New: func() any { return &scheduler{Execution: order.New()} }}

func newScheduler() *scheduler {
	s := schedulers.Get().(*scheduler)
	search := s.search
	search.Reset()
	*s = scheduler{
		Execution: s.Kept(), search: search,
		heldBack: heldBack{rounds: s.rounds.Kept()},
		races:    s.races.Kept(),
	}
	return s
}

// Execution returns the number of the execution that is under way, counted
// through all explorations of the process, or 0.
func Execution() uint64 {
	if current == nil {
		return 0
	}
	return current.execution
}

var executions uint64

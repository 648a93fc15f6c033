// Package linearizability judges what real threads did to a run queue: is
// there a moment inside each call at which it took effect, such that the
// effects, in the order of those moments, are what the contract allows?
//
// # Object by object
//
// A P is not one object. It is a ring and a slot (runnext), and behind all Ps
// there is the global queue. A call that moves Gs between them does so in two
// steps with the Gs in somebody's hands in between: a kick takes from runnext
// and then puts on the ring; a steal takes from the victim's ring and later
// publishes in the thief's; an overflow takes half a ring and later takes the
// lock of the global queue. No single moment explains such a call: between the
// two steps other threads see both places without the Gs. A checker that
// demands one moment accuses a correct scheduler.
//
// So each call is split into its effects, one for each object that it touches,
// and each effect has the interval of the whole call. Linearizability is a local
// property (Herlihy and Wing 1990, theorem 1): a history is linearizable if and
// only if each object's is. What a call result does not say, which Gs a kick or
// an overflow moved, the target reports in record.Op.Moved; project.go has the
// conventions.
//
// Three promises interval ring and runnext of one P: Empty, a failed steal that
// also asks for runnext (the ring seen empty, and then, later, runnext seen
// empty: never the two at once), and a steal from runnext (only after the ring
// was seen empty). For these the two are judged together once more, as the
// composite object "P0", by the same machinery with two lanes.
//
// # Three judges
//
// The monitor (monitor.go) is exact and nearly linear where the producer's
// program order fixes the place of each G: one producer, each G put once, first
// in, first out. The state is then two counters, how many puts and how many
// takes have taken effect. It is just-in-time linearization (Lowe 2017): keep
// the set of reachable states, and move on only when a call returns that has
// not taken effect in some of them. What it decides is decided again by
// porcupine on tens of thousands of small histories in the tests.
//
// porcupine (model.go) judges everything else, within a time limit: several
// occurrences of one G, calls that did not return, deques. When the time is
// over the verdict is Unknown, never Ok.
//
// Bounds (bounds.go, cover.go) give the evidence. From the intervals follow the
// earliest and the latest moment of each put and take; a G is surely in the
// queue between the latest moment of its put and the earliest of its take. A
// violation is then two or three calls whose bounds contradict each other, and
// a sentence. The bounds alone do not decide: two answers of Empty may each be
// possible and not both. Only where the order is not judged they nearly always
// do (lives.go).
//
// The global queue has several producers, so the places of its Gs are not known
// beforehand. A likely order is guessed from the intervals (arrange.go) and
// given to the monitor: what it finds good is good. What it does not, bounds and
// porcupine decide.
//
// # Stamps
//
// A call precedes another if it returned before the other was called, by stamps
// that differ. Equal stamps order nothing, so a clock with coarse ticks makes the
// judges more lenient and never unjust.
//
// # Designs that were not taken
//
// One model of all Ps, each call one step: it is what one writes first, and it
// is wrong, for the reason above. A model of all Ps with each call split in
// steps: right, but its states multiply, and the local property says that it
// finds nothing more, except for the promises that interval two objects, and those
// interval the two of one P.
//
// A general polynomial monitor for queues (Abdulla et al., PLDI 2025; Lee and
// Mathur, OOPSLA 2025) has no notion of capacity, of batches, or of "half of
// the length that was read during the call". The ring has only one producer,
// which makes all of these easy.
//
// Vector clocks or instrumented linearization points would make the order known
// and the check trivial, but they need the target's source, and they order what
// they observe.
//
//interleave:off
package linearizability

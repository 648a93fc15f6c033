// Package linearizability checks what real threads did to a run queue: is
// there a moment inside each call at which it took effect, such that the
// effects, in the order of those moments, are what the contract allows?
//
// # Object by object
//
// A P is not one object. It is a ring and a slot (runnext), and behind all Ps
// there is the global queue. A call that moves Gs between them does so in two
// steps, and in between it holds the Gs itself: a displacement takes from runnext
// and then puts on the ring; a steal takes from the victim's ring and later
// publishes in the thief's; an overflow takes half a ring and later takes the
// lock of the global queue. No single moment explains such a call: between the
// two steps other threads see both places without the Gs. A checker that
// demands one moment accuses a correct scheduler.
//
// So each call is split into its effects, one for each object that it touches,
// and each effect has the interval of the whole call. Linearizability is a local
// property (Herlihy and Wing 1990, theorem 1): a history is linearizable if and
// only if each object's is. What a call result does not say, which Gs a
// displacement or an overflow moved, the target reports in record.Op.Moved; project.go has the
// conventions.
//
// Three promises span ring and runnext of one P: Empty, a failed steal that
// also asks for runnext (the ring seen empty, and then, later, runnext seen
// empty: never the two at once), and a steal from runnext (only after the ring
// was seen empty). For these the two are checked together once more, as the
// composite object "P0", by the same machinery with two lanes.
//
// # Three methods
//
// The monitor (monitor.go) is exact and nearly linear where the producer's
// program order fixes the place of each G: one producer, each G put once, first
// in, first out. The state is then two counters, how many puts and how many
// takes have taken effect. It is just-in-time linearization (Lowe 2017): keep
// the set of reachable states, and move on only when a call returns that has
// not taken effect in some of them. Several producers, such as those of the
// global queue, do not fix the places. A likely order is guessed from the
// intervals (producers.go): if the monitor finds it good, the history is good.
//
// Bad patterns (patterns.go) check what has no order: from the intervals of its
// own put and take follows when a G was surely there. They are necessary, not
// sufficient, for queues with an order: two Empty answers can each be possible
// but not both. For queues without an order they almost always suffice.
//
// porcupine (model.go) checks everything else, within a time limit: several
// occurrences of one G, calls that did not return, deques. When the time is
// over the verdict is Unknown, never Ok. The tests hold the monitor against
// porcupine on tens of thousands of small histories.
//
// # Evidence
//
// The monitor fails at the return of a call that has taken effect in none of its
// states. These states say why (explain.go): what blocks a put or a take in all
// of them, or what was there throughout a call that saw nothing. An explanation
// is that sentence and the two to five calls that suffice for it.
//
// # Stamps
//
// A call precedes another if it returned before the other was called, by stamps
// that differ. Equal stamps order nothing, so a clock with coarse ticks makes the
// verdict more lenient and never unjust.
//
// # Designs that were not taken
//
// One model of all Ps, each call one step: it is what one writes first, and it
// is wrong, for the reason above. A model of all Ps with each call split in
// steps: right, but its states multiply, and the local property says that it
// finds nothing more, except for the promises that span two objects, and those
// span the two of one P.
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
// Evidence by rules of its own, from the earliest and latest moment of each put
// and take: it needs a rule for each kind of fault, and was 1,100 lines that said
// what the monitor's states say.
//
//interleave:off
package linearizability

package spec

// Actions lists the steps of the run queue's model, in the order of the
// operations that they belong to. A line of impl that touches shared memory
// ends in a comment with one of these names; the model's modules use the same.
//
// A step is one atomic operation, or one section under a lock. Reads of words
// that no other thread writes at that moment ride along with another step
// ("with"), and accesses outside the protocol are "//interleave:invisible", with the reason.
var Actions = []string{
	"RunQueue!PutLoadNext",        // runqput: runnext, before the swap
	"RunQueue!PutCASNext",         // runqput: runnext from what it was to the new G
	"RunQueue!PutLoadHead",        // runqput: head, for the length
	"RunQueue!PutWriteSlot",       // runqput: the slot, not published yet
	"RunQueue!PutStoreTail",       // runqput: publishes
	"RunQueue!PutSlowCopy",        // runqputslow: one slot of the older half
	"RunQueue!PutSlowCASHead",     // runqputslow: takes the older half
	"RunQueue!PutSlowGlobal",      // runqputslow: the batch onto the global queue, under the lock
	"RunQueue!PutBatchLoadHead",   // runqputbatch
	"RunQueue!PutBatchWriteSlots", // runqputbatch: a slot, not published yet
	"RunQueue!PutBatchStoreTail",  // runqputbatch: publishes
	"RunQueue!PutRestGlobal",      // injectglist: what a batch put had no room for onto the global queue, under the lock
	"RunQueue!GlobalPut",          // globrunqput, under the lock
	"RunQueue!GlobalGetBatch",     // globrunqgetbatch, under the lock
	"RunQueue!GetLoadNext",        // runqget
	"RunQueue!GetCASNext",         // runqget: takes runnext
	"RunQueue!GetLoadHead",        // runqget
	"RunQueue!GetCASHead",         // runqget: takes the oldest
	"RunQueue!DrainLoadNext",      // runqdrain
	"RunQueue!DrainCASNext",       // runqdrain: takes runnext
	"RunQueue!DrainLoadHead",      // runqdrain
	"RunQueue!DrainCASHead",       // runqdrain: takes the whole ring
	"RunQueue!DrainReadSlots",     // runqdrain: a slot, owned by now
	"RunQueue!GrabLoadHead",       // runqgrab
	"RunQueue!GrabLoadTail",       // runqgrab
	"RunQueue!GrabCopySlot",       // runqgrab: one slot, perhaps overrun
	"RunQueue!GrabCASHead",        // runqgrab: takes the older half
	"RunQueue!GrabLoadNext",       // runqgrab: runnext, the ring being empty
	"RunQueue!GrabCASNext",        // runqgrab: takes runnext
	"RunQueue!StealLoadHead",      // runqsteal: the thief's own head, for the room
	"RunQueue!StealStoreTail",     // runqsteal: publishes the loot in the thief's ring
	"RunQueue!EmptyLoadHead",      // runqempty
	"RunQueue!EmptyLoadTail",      // runqempty
	"RunQueue!EmptyLoadNext",      // runqempty
	"RunQueue!EmptyReloadTail",    // runqempty: decides
	"RunQueue!LenLoadHead",        // length
	"RunQueue!LenLoadTail",        // length
	"RunQueue!LenLoadNext",        // length
}

package order

// Class returns a number that is the same for all executions of a class, and
// different, but for a chance of 2^-64, for others. Threads are those that were
// started, parents first.
func (x *Execution) Class(threads []*Thread) uint64 {
	// Threads by who made them: their numbers are of one exploration alone.
	var name [MaxThreads]uint64
	for _, t := range threads {
		name[t.ID] = Mix(uint64(t.Nth + 2))
		if t.Parent >= 0 {
			name[t.ID] = Mix(name[t.ID] ^ Mix(name[t.Parent]))
		}
	}
	var sum uint64
	for i := range x.Events {
		e := &x.Events[i]
		var past uint64
		for t, n := range x.Clocks[i][:x.Width] {
			if n != 0 {
				past += Mix(name[t]*31 + Mix(uint64(n)))
			}
		}
		sum += Mix(past + Mix(name[e.Thread]+uint64(e.Kind)+uint64(e.Pick)<<8))
	}
	return sum
}

// Mix mixes the bits of h.
func Mix(h uint64) uint64 {
	h ^= h >> 31
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

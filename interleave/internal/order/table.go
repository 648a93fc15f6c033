package order

// Table is a hash table from addresses to the indices of objects, with
// open addressing. It is emptied between executions, at no cost: an entry counts
// only if it bears the number of the present one.
type Table struct {
	entries []entry
	epoch   uint32
	used    int
}

type entry struct {
	addr  uintptr
	epoch uint32
	index int32
}

func (t *Table) Clear() {
	t.epoch++
	t.used = 0
	if t.epoch == 0 || t.entries == nil {
		t.entries = make([]entry, max(256, len(t.entries)))
		t.epoch = 1
	}
}

func (t *Table) slot(addr uintptr) *entry {
	mask := uintptr(len(t.entries) - 1)
	for h := uintptr(uint64(addr) * 0x9e3779b97f4a7c15 >> 32); ; h++ {
		e := &t.entries[h&mask]
		if e.epoch != t.epoch || e.addr == addr {
			return e
		}
	}
}

func (t *Table) Find(addr uintptr) (int32, bool) {
	e := t.slot(addr)
	return e.index, e.epoch == t.epoch
}

func (t *Table) Put(addr uintptr, index int32) {
	if t.used++; 2*t.used > len(t.entries) {
		old := t.entries
		t.entries = make([]entry, 2*len(old))
		for _, e := range old {
			if e.epoch == t.epoch {
				*t.slot(e.addr) = e
			}
		}
	}
	*t.slot(addr) = entry{addr, t.epoch, index}
}

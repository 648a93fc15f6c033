package goroot

import (
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// What is put into packages sync and sync/atomic: each operation of their types asks at its begin whether it is a thread's, which then carries it out.

// An operation is a method, and what is called in its place.
type operation struct {
	method string
	call   string // begins with = if it returns something
}

func (o operation) insertion(receiver string) overlay.Insertion {
	call, results := strings.CutPrefix(o.call, "=")
	_, object, _ := strings.Cut(call, "(")
	object = object[:strings.IndexAny(object, ",)")]
	text := "if spindleStepOf(" + object + ") { spindleAsk." + call + "; return }"
	if results {
		text = "if spindleStepOf(" + object + ") { return spindleAsk." + call + " }"
	}
	return overlay.Insertion{At: overlay.Place{Func: "(*" + receiver + ")." + o.method}, Before: text}
}

func ofSync() (all []edit) {
	for _, of := range []struct {
		file, receiver string
		operations     []operation
	}{
		{"mutex", "Mutex", []operation{{"Lock", "lock(m)"}, {"TryLock", "=tryLock(m)"}, {"Unlock", "unlock(m)"}}},
		{"rwmutex", "RWMutex", []operation{
			{"Lock", "rwLock(rw)"}, {"TryLock", "=rwTryLock(rw)"}, {"Unlock", "rwUnlock(rw)"},
			{"RLock", "rLock(rw)"}, {"TryRLock", "=tryRLock(rw)"}, {"RUnlock", "rUnlock(rw)"},
		}},
		{"waitgroup", "WaitGroup", []operation{{"Add", "add(wg, delta)"}, {"Wait", "groupWait(wg)"}}},
		{"once", "Once", []operation{{"Do", "do(o, f)"}}},
		{"cond", "Cond", []operation{{"Wait", "wait(c)"}, {"Signal", "signal(c)"}, {"Broadcast", "broadcast(c)"}}},
		{"pool", "Pool", []operation{{"Get", "=get(p)"}, {"Put", "put(p, x)"}}},
		{"map", "Map", []operation{
			{"Load", "=load(m, key)"}, {"Store", "store(m, key, value)"}, {"Clear", "clear(m)"}, {"LoadOrStore", "=loadOrStore(m, key, value)"},
			{"LoadAndDelete", "=loadAndDelete(m, key)"}, {"Delete", "remove(m, key)"}, {"Swap", "=swap(m, key, value)"},
			{"CompareAndSwap", "=compareAndSwap(m, key, old, new)"}, {"CompareAndDelete", "=compareAndDelete(m, key, old)"}, {"Range", "all(m, f)"},
		}},
	} {
		e := edit{file: "sync/" + of.file + ".go"}
		for _, o := range of.operations {
			i := o.insertion(of.receiver)
			if of.receiver == "Pool" { // what a pool gives depends on the processor, and on the collector
				i.Before = strings.Replace(i.Before, "spindleStepOf(p)", "spindleStep(nil)", 1) + "; if spindleThread() { " + map[string]string{"Get": "if p.New != nil { return p.New() }; return nil", "Put": "return"}[o.method] + " }"
			}
			e.insertions = append(e.insertions, i)
		}
		all = append(all, e)
	}
	return all
}

func ofAtomic() []edit {
	types := edit{file: "sync/atomic/type.go"}
	for _, name := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"} {
		of := strings.ToLower(name) + "."
		for _, o := range []operation{
			{"Load", "=" + of + "load(&x.v)"}, {"Store", of + "store(&x.v, val)"}, {"Swap", "=" + of + "swap(&x.v, new)"},
			{"CompareAndSwap", "=" + of + "compareAndSwap(&x.v, old, new)"}, {"Add", "=" + of + "add(&x.v, delta)"},
			{"And", "=" + of + "and(&x.v, mask)"}, {"Or", "=" + of + "or(&x.v, mask)"},
		} {
			types.insertions = append(types.insertions, o.insertion(name))
		}
	}
	for _, o := range []operation{
		{"Load", "=uint32.load(&x.v) != 0"}, {"Store", "uint32.store(&x.v, b32(val))"}, {"Swap", "=uint32.swap(&x.v, b32(new)) != 0"},
		{"CompareAndSwap", "=uint32.compareAndSwap(&x.v, b32(old), b32(new))"},
	} {
		types.insertions = append(types.insertions, o.insertion("Bool"))
	}
	for _, o := range []operation{
		{"Load", "=pointer.load(&x.v)"}, {"Store", "pointer.store(&x.v, unsafe.Pointer(val))"}, {"Swap", "=pointer.swap(&x.v, unsafe.Pointer(new))"},
		{"CompareAndSwap", "=pointer.compareAndSwap(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))"},
	} {
		i := o.insertion("Pointer")
		if o.method == "Load" || o.method == "Swap" {
			i.Before = strings.Replace(i.Before, "return spindleAsk."+strings.TrimPrefix(o.call, "="), "return (*T)(spindleAsk."+strings.TrimPrefix(o.call, "=")+")", 1)
		}
		types.insertions = append(types.insertions, i)
	}
	values := edit{file: "sync/atomic/value.go"}
	for _, o := range []operation{
		{"Load", "=load(v)"}, {"Store", "store(v, val)"}, {"Swap", "=swap(v, new)"}, {"CompareAndSwap", "=compareAndSwap(v, old, new)"},
	} {
		values.insertions = append(values.insertions, o.insertion("Value"))
	}
	return []edit{types, values}
}

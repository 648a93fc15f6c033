package sync

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

// Four types rely on how those of package sync are laid out. It has been so for
// many years; if a new version of Go does it otherwise, this says so, and
// nothing goes wrong in silence.
func init() {
	for _, t := range []struct{ ours, original any }{
		{(*rwWords)(nil), (*sync.RWMutex)(nil)},
		{(*wgWords)(nil), (*sync.WaitGroup)(nil)},
		{(*Cond)(nil), (*sync.Cond)(nil)},
		{(*Pool)(nil), (*sync.Pool)(nil)},
	} {
		ours, original := reflect.TypeOf(t.ours).Elem(), reflect.TypeOf(t.original).Elem()
		if !alike(ours, original) {
			panic(otherwise(original.String()))
		}
	}

	var rw RWMutex
	rw.rw.RLock()
	reading := rw.words().readerCount == 1
	rw.rw.RUnlock()
	rw.rw.Lock()
	writing := rw.words().readerCount == -maxReaders && !free(&rw.words().w)
	rw.rw.Unlock()
	if !reading || !writing || rw.words().readerCount != 0 {
		panic(otherwise("sync.RWMutex"))
	}

	var wg WaitGroup
	wg.wg.Add(3)
	three := wg.counter() == 3
	wg.wg.Add(-3)
	if !three || wg.counter() != 0 {
		panic(otherwise("sync.WaitGroup"))
	}
}

func otherwise(name string) string {
	return fmt.Sprintf("interleave: %s of %s is not laid out as in the versions of Go that this version of interleave knows", name, runtime.Version())
}

// alike reports whether struct a is laid out as b: with fields of the same names
// at the same places, and with the same basic types at the same places, fields
// in fields included. B may be padded at its end, as 8-byte words inside make it
// on 32-bit machines.
func alike(a, b reflect.Type) bool {
	fields := func(t reflect.Type) (names []string) {
		for i := range t.NumField() {
			if f := t.Field(i); f.Type.Size() > 0 {
				names = append(names, fmt.Sprintf("%s %d", f.Name, f.Offset))
			}
		}
		return names
	}
	return a.Size() <= b.Size() && reflect.DeepEqual(fields(a), fields(b)) && reflect.DeepEqual(leaves(a, 0), leaves(b, 0))
}

// leaves lists what a type consists of.
func leaves(t reflect.Type, at uintptr) []string {
	if t.Kind() != reflect.Struct {
		return []string{fmt.Sprintf("%s %d", t.Kind(), at)}
	}
	var all []string
	for i := range t.NumField() {
		f := t.Field(i)
		all = append(all, leaves(f.Type, at+f.Offset)...)
	}
	return all
}

// The others need no more than their size.
var (
	_ [unsafe.Sizeof(sync.Mutex{}) - unsafe.Sizeof(mutexBytes{})]struct{}
	_ [unsafe.Sizeof(sync.Once{}) - unsafe.Sizeof(Once{})]struct{}
	_ [unsafe.Sizeof(Once{}) - unsafe.Sizeof(sync.Once{})]struct{}
)

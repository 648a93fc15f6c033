// Package fuzz turns bytes into programs for run queues and runs them against
// the machine of package sequential, call by call.
//
// Every string of bytes is a program, and a small change of the bytes is a
// small change of the program, so that Go's fuzzer (go test -fuzz) wastes
// nothing. The first two bytes set the scene, each other byte is a call:
//
//	byte 0   ring of 2, 4, 8, 16 or 256; one to three Ps
//	byte 1   how far below 2^32 the indices start; 0: at 0
//	byte n   kind of call, P, and an argument picked from a short table
//
// A call that the P may not make at that point (a steal or a batch get for
// whose loot its ring has no room, a steal with nobody to steal from) becomes a
// get, which makes room: that is what a scheduler does then.
package fuzz

import (
	"slices"

	"github.com/spindle-go/spindle/conformance/property"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

const (
	maxCalls = 64   // of one program; further bytes are ignored
	maxPuts  = 1024 // a put beyond becomes a get
)

var (
	capacities = []int{2, 4, 8, 16, 256}
	kinds      = slices.DeleteFunc(record.Kinds(), record.Kind.Waits)
)

// scene decodes the first two bytes; missing bytes are 0.
func scene(data []byte) queue.Options {
	var b [2]byte
	copy(b[:], data)
	n := int(b[0])
	return queue.Options{
		Capacity: capacities[n%len(capacities)],
		Ps:       1 + n/len(capacities)%3,
		Start:    -uint32(b[1]),
	}
}

// call decodes one byte: which P calls what.
func call(b byte, o queue.Options) (p int, in record.Instr) {
	n := int(b)
	in = record.Instr{Kind: kinds[n%len(kinds)], Arg: -1}
	n /= len(kinds)
	p, n = n%o.Ps, n/o.Ps
	switch in.Kind {
	case record.PutBatch:
		sizes := []int{1, 2, 3, o.Capacity / 2, o.Capacity/2 + 1, o.Capacity, o.Capacity + 1, 2 * o.Capacity}
		in.Arg = sizes[n%len(sizes)]
	case record.GlobalGet:
		most := []int{1, 2, 3, o.Capacity / 2, o.Capacity, 1 << 16}
		in.Arg = most[n%len(most)]
	case record.Steal, record.StealNext:
		in.Arg = (p + 1 + n%max(1, o.Ps-1)) % o.Ps
	case record.Empty, record.Len:
		in.Arg = (p + n) % o.Ps
	}
	return p, in
}

// Run runs the program that data encodes on a fresh set of f, which must offer
// what property.New asks for. The error is a *property.Failure, or one of
// property.New.
func Run(f queue.Factory, data []byte) (*property.Sequence, error) {
	o := scene(data)
	s, err := property.New(f, o)
	if err != nil {
		return nil, err
	}
	for _, b := range data[min(2, len(data)):min(2+maxCalls, len(data))] {
		p, in := call(b, o)
		if !s.Legal(p, in) || s.Put()+puts(in) > maxPuts {
			in = record.Instr{Kind: record.Get, Arg: -1}
		}
		if err := s.Do(p, in); err != nil {
			return s, err
		}
	}
	return s, s.Finish()
}

func puts(in record.Instr) int {
	switch in.Kind {
	case record.Put, record.PutNext, record.GlobalPut:
		return 1
	case record.PutBatch:
		return in.Arg
	}
	return 0
}

// Package record holds the words that flow between the rooms of the project,
// one Go type each: what was asked of a target (Scenario), what was called and
// returned (Op, History), what happened on shared memory (Step, Execution),
// and what a witness concluded (Finding).
//
// Everything here is plain data that survives a trip through JSON, so that a
// target can be a Go value, a child process or a file. The package imports
// nothing of the project.
//
//interleave:off
package record

import (
	"errors"
	"fmt"
)

// An ID names one G. IDs are opaque, distinct within a run, and never 0.
type ID = uint64

// A Kind says what an operation on a run queue does. Its text form is the
// letter that scripts use.
type Kind byte

// The kinds. Those marked "owner" may be called only by the P's owner.
const (
	Put        Kind = 'p' // owner: put one G at the tail of the ring (runqput, next=false)
	PutNext    Kind = 'n' // owner: put one G in runnext, kick the old one (runqput, next=true)
	PutBatch   Kind = 'b' // owner: append a batch; what does not fit goes to the global queue (runqputbatch)
	Get        Kind = 'g' // owner: take runnext, else the head of the ring (runqget)
	Steal      Kind = 's' // take half of a victim's ring (runqsteal, stealRunNextG=false)
	StealNext  Kind = 'r' // the same, and runnext if the ring is empty (runqsteal, stealRunNextG=true)
	Drain      Kind = 'd' // owner: take everything (runqdrain)
	Empty      Kind = 'e' // is this P's queue empty? (runqempty)
	Len        Kind = 'l' // how many Gs are in the ring and in runnext?
	GlobalPut  Kind = 'q' // put one G on the global queue (globrunqput)
	GlobalGet  Kind = 'm' // owner: take a batch from the global queue, keep all but the first in the ring (globrunqgetbatch)
	Take       Kind = 't' // owner: take what get takes, and wait until there is a G or the queue is closed
	CloseQueue Kind = 'c' // from now on no take waits
)

var kindNames = map[Kind]string{
	Put: "put", PutNext: "put next", PutBatch: "put batch", Get: "get",
	Steal: "steal", StealNext: "steal next", Drain: "drain", Empty: "empty",
	Len: "len", GlobalPut: "global put", GlobalGet: "global get",
	Take: "take", CloseQueue: "close",
}

// Kinds lists every kind, in the order of their constants.
func Kinds() []Kind {
	return []Kind{Put, PutNext, PutBatch, Get, Steal, StealNext, Drain, Empty, Len, GlobalPut, GlobalGet, Take, CloseQueue}
}

// String returns the kind's name in words, such as "put next".
func (k Kind) String() string {
	if s, ok := kindNames[k]; ok {
		return s
	}
	return fmt.Sprintf("kind(%d)", byte(k))
}

// MarshalText returns the kind's script letter.
func (k Kind) MarshalText() ([]byte, error) {
	if kindNames[k] == "" {
		return nil, fmt.Errorf("record: unknown kind %d: %w", byte(k), ErrFormat)
	}
	return []byte{byte(k)}, nil
}

// UnmarshalText reads a script letter.
func (k *Kind) UnmarshalText(text []byte) error {
	if len(text) != 1 || kindNames[Kind(text[0])] == "" {
		return fmt.Errorf("record: unknown kind: expected one of the letters pnbgsrdelqmtc, saw %.20q: %w", text, ErrFormat)
	}
	*k = Kind(text[0])
	return nil
}

// Owner reports whether only the owner of the P may call k.
func (k Kind) Owner() bool {
	switch k {
	case Put, PutNext, PutBatch, Get, Drain, GlobalGet, Take:
		return true
	}
	return false
}

// Takes reports whether k hands Gs out.
func (k Kind) Takes() bool {
	switch k {
	case Get, Steal, StealNext, Drain, GlobalGet, Take:
		return true
	}
	return false
}

// Puts reports whether k takes Gs in.
func (k Kind) Puts() bool {
	switch k {
	case Put, PutNext, PutBatch, GlobalPut:
		return true
	}
	return false
}

// Steals reports whether k takes from the P of another.
func (k Kind) Steals() bool { return k == Steal || k == StealNext }

// Waits reports whether k is a take that waits, or the call that lets it go. The model has
// neither.
func (k Kind) Waits() bool { return k == Take || k == CloseQueue }

// None stands for "no P": the Thief of a steal whose loot is handed out whole.
const None = -1

// An Op is one call and its result.
//
// Call and Return are stamps of one clock for all threads (see
// History.Clock). A call that had not returned when the run ended has
// Return == 0; its results are then unknown.
type Op struct {
	Thread      int   `json:"t"`
	Kind        Kind  `json:"k"`
	P           int   `json:"p"`              // whose queue: the owner's own, or the victim's
	Thief       int   `json:"to,omitempty"`   // steals: the thief's P, or None
	Want        int   `json:"arg,omitempty"`  // GlobalGet: the most that was asked for
	In          []ID  `json:"in,omitempty"`   // handed in by the caller, in order
	Out         []ID  `json:"out,omitempty"`  // handed to the caller, in order
	Count       int   `json:"n,omitempty"`    // puts: how many of In were accepted; Len: the answer
	FromRunnext bool  `json:"next,omitempty"` // takes: the G came from runnext
	OK          bool  `json:"ok,omitempty"`   // puts: all accepted; takes: something came; Empty: the answer
	Call        int64 `json:"c"`
	Return      int64 `json:"ret,omitempty"`

	// Moved lists what the call moved between places besides In and Out: a
	// kick from runnext, the half ring of an overflow, the Gs that a steal
	// or a batch get published in the caller's ring. It is complete where
	// History.Moves says so, else empty.
	Moved []Move `json:"mv,omitempty"`
	// After is what was where once the call had returned, when the scenario
	// ran in a fixed order and asked for it.
	After *Contents `json:"after,omitempty"`
	// Made is the number of the call in History.Made, from 1; 0: there is none.
	Made int `json:"-"`
}

// An Object is one of the three kinds of places where Gs wait.
type Object byte

// The objects. Linearizability is judged object by object.
const (
	Ring    Object = 'r'
	Runnext Object = 'n'
	Global  Object = 'g'
)

// A Place is one object: the ring or the runnext of a P, or the global queue
// (whose P is None).
type Place struct {
	Object Object `json:"o"`
	P      int    `json:"p"`
}

// String shows the place as "P0.ring", "P0.runnext" or "global".
func (p Place) String() string {
	switch p.Object {
	case Ring:
		return fmt.Sprintf("P%d.ring", p.P)
	case Runnext:
		return fmt.Sprintf("P%d.runnext", p.P)
	case Global:
		return "global"
	}
	return fmt.Sprintf("place(%d,%d)", p.Object, p.P)
}

// A Move is a take from one place and a put on another inside one call.
type Move struct {
	From Place `json:"from"`
	To   Place `json:"to"`
	IDs  []ID  `json:"ids"`
}

// Contents says what waits where at a quiet moment.
type Contents struct {
	Ps     []PContents `json:"ps"`
	Global []ID        `json:"global,omitempty"`
}

// PContents is what one P holds. Runnext is 0 when the slot is empty.
type PContents struct {
	Runnext ID   `json:"next,omitempty"`
	Ring    []ID `json:"ring,omitempty"` // oldest first
}

// ErrFormat is wrapped by every error about a malformed script, scenario or
// history.
var ErrFormat = errors.New("malformed")

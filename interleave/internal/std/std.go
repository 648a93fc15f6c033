// Package std says what functions and methods of the standard library do, which is
// not rewritten.
//
// One rule comes from the types: what a function is given that can reach memory it may
// read and write, all that can be reached, and may go on doing so through what it
// returns. A function for which that says too much is listed by itself, by its name.
package std

import (
	"fmt"
	"iter"
	"strings"
)

// An Effect says what a call does with an operand. Its text is the name of the function
// of package hook that tells it.
type Effect string

// The effects. What "may" is done makes a doubt, not a failure. Reads, Writes,
// ReadsAll, WritesAll and Consumes surely touch the object itself that the operand
// points to, and may do to what is behind it what their names say.
const (
	Nothing     Effect = "Nothing" // at most it is kept by what is returned
	Reads       Effect = "Reads"
	Writes      Effect = "Writes"
	ReadsAll    Effect = "ReadsAll"
	WritesAll   Effect = "WritesAll"
	Consumes    Effect = "Consumes"  // writes the object, and may read what is behind it
	MayRead     Effect = "MayRead"   // the object, or the elements of a slice
	MayWrite    Effect = "MayWrite"  // likewise
	MayAppend   Effect = "MayAppend" // may read the elements, and write behind them up to the capacity
	MayExtend   Effect = "MayExtend" // may write all up to the capacity
	MayReadAll  Effect = "MayReadAll"
	MayWriteAll Effect = "MayWriteAll" // all that can be reached, up to the capacities
	Formats     Effect = "Formats"     // reads it, or calls its methods that put it into words
	Calls       Effect = "Calls"       // calls its methods: which, its own type decides
)

// Changes reports whether a call with this effect may change what the operand reaches.
func (e Effect) Changes() bool {
	switch e {
	case Nothing, Reads, ReadsAll, MayRead, MayReadAll, Formats:
		return false
	}
	return true
}

// Parts are what a call with this effect surely does with the object itself, Nothing if
// it is not sure of anything, and what it may do besides.
func (e Effect) Parts() (surely, may Effect) {
	switch e {
	case Reads, Writes:
		return e, Nothing
	case ReadsAll:
		return Reads, MayReadAll
	case WritesAll:
		return Writes, MayWriteAll
	case Consumes:
		return Writes, MayReadAll
	}
	return Nothing, e
}

// Part is the effect on what has an operand as a part, or may be what has it.
func (e Effect) Part() Effect {
	switch {
	case e == Nothing:
		return Nothing
	case e.Changes():
		return MayWriteAll
	}
	return MayReadAll
}

// An Entry is what is known of a function.
type Entry struct {
	// Effects are those on the operands that can reach memory, the receiver first. The
	// last is that of all that follow.
	Effects []Effect

	Chance bool // what it returns goes by chance, or time
	Quiet  bool // it does not come to what its package has inside
}

// unlisted is the rule.
var unlisted = Entry{Effects: []Effect{MayWriteAll}}

// On is the effect on the n-th of the operands that can reach memory.
func (e Entry) On(n int) Effect { return e.Effects[min(n, len(e.Effects)-1)] }

// Of returns what is known of a function, "Sort", or of a method, "Buffer.Len".
func Of(pkg, name string) Entry {
	if e, ok := list[pkg+"."+name]; ok {
		return e
	}
	return unlisted
}

// list has the functions that are listed, by package and name.
var list = make(map[string]Entry)

// These stand among the effects.
const (
	chance = "chance"
	quiet  = "quiet"
)

// add adds lines to the list: the effects, a colon, the names.
func add(pkg, lines string) struct{} {
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		words, names, ok := strings.Cut(line, ":")
		if !ok {
			panic("std: " + pkg + ": expected effects, a colon and names, saw " + line)
		}
		var e Entry
		for _, word := range strings.Fields(words) {
			switch word {
			case chance:
				e.Chance = true
			case quiet:
				e.Quiet = true
			default:
				e.Effects = append(e.Effects, Effect(word))
			}
		}
		if len(e.Effects) == 0 {
			e.Effects = unlisted.Effects
		}
		for _, name := range strings.Fields(names) {
			if _, twice := list[pkg+"."+name]; twice {
				panic(fmt.Sprintf("std: %s.%s is listed twice", pkg, name))
			}
			list[pkg+"."+name] = e
		}
	}
	return struct{}{}
}

// Immutable reports whether what values of a type point to never changes, or says
// itself what is done to it.
func Immutable(pkg, name string) bool {
	return Variable(pkg, name) || pkg == "testing" || pkg == "time" && name == "Location" || pkg == "reflect" && name == "Type"
}

// Variable reports whether a variable of such a type is one like any other all the same:
// a pointer to it can reach it, and nothing more.
func Variable(pkg, name string) bool {
	switch pkg + "." + name {
	case "time.Time", "net/netip.Addr", "net/netip.AddrPort", "net/netip.Prefix", "unique.Handle":
		return true
	}
	return false
}

// Listed yields the functions that are listed, each by its package and its bare name.
func Listed() iter.Seq2[[2]string, Entry] {
	return func(yield func([2]string, Entry) bool) {
		for key, e := range list {
			slash := strings.LastIndexByte(key, '/') + 1
			pkg, name, _ := strings.Cut(key[slash:], ".")
			if !yield([2]string{key[:slash] + pkg, name}, e) {
				return
			}
		}
	}
}

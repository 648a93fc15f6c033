package record

import (
	"fmt"
	"strconv"
)

// The text forms of what is a number in Go. In JSON they are strings, so that no
// language has to know our constants, or to hold 64 bits in a number: many hold
// 53.

var objectNames = map[Object]string{Ring: "ring", Runnext: "runnext", Global: "global"}

// String returns the object's name: "ring", "runnext" or "global".
func (o Object) String() string {
	if s, ok := objectNames[o]; ok {
		return s
	}
	return fmt.Sprintf("object(%d)", byte(o))
}

// MarshalText returns the object's name.
func (o Object) MarshalText() ([]byte, error) {
	if objectNames[o] == "" {
		return nil, fmt.Errorf("record: %w: expected an object, saw %d", ErrFormat, byte(o))
	}
	return []byte(objectNames[o]), nil
}

// UnmarshalText reads an object's name.
func (o *Object) UnmarshalText(text []byte) error {
	for object, name := range objectNames {
		if string(text) == name {
			*o = object
			return nil
		}
	}
	return fmt.Errorf("record: %w: expected the object ring, runnext or global, saw %.40q", ErrFormat, text)
}

// A Seed begins a sequence of random numbers. Its text form is "0x2a".
type Seed uint64

// String returns the seed as "0x2a".
func (s Seed) String() string { return "0x" + strconv.FormatUint(uint64(s), 16) }

// MarshalText returns the seed as "0x2a".
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a seed as "0x2a", with capitals or without.
func (s *Seed) UnmarshalText(text []byte) error {
	if len(text) > 2 && text[0] == '0' && text[1] == 'x' {
		if n, err := strconv.ParseUint(string(text[2:]), 16, 64); err == nil {
			*s = Seed(n)
			return nil
		}
	}
	return fmt.Errorf("record: %w: expected a seed as 0x2a, at most 64 bits, saw %.40q", ErrFormat, text)
}

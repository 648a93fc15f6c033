// Package strictjson reads JSON that somebody else wrote: one value, within
// limits, and without the leniency of encoding/json.
//
// encoding/json takes a key twice (the last counts), takes a key in any case,
// replaces what is no UTF-8, and allocates as much as the text asks for. A
// reader that believes such a text can be made to see another one than a second
// reader sees. Here each of these is an error with its offset.
//
// # Fields that are not known
//
// A reader ignores fields that it does not know, at any place; a writer that
// changes the meaning of a known field raises the number of the protocol or
// schema. So a writer may add fields at any time. What is ignored must still be
// JSON within the limits, and no key may differ from a known one by its case
// alone.
//
// # Why not a library
//
// github.com/go-json-experiment/json is as strict and as fast, but has no
// release and no limit on what a text makes it allocate: three bytes, "{},",
// become a struct of 200.
//
// The tags are those of encoding/json, and so are Unmarshaler and
// TextUnmarshaler. Structs, pointers, slices, maps by string, strings, booleans
// and numbers are read; another type, a map by other keys or a tag's option
// "string" is the programmer's error, and panics.
//
//interleave:off
package strictjson

import (
	"errors"
	"fmt"
	"io"
	"reflect"
)

// Limits bound what a text may ask for. The zero value is good for a small one.
type Limits struct {
	Depth  int // of arrays and objects within each other; 32 if zero
	Memory int // bytes that the value may take; 64 MiB if zero
}

// ErrLimit is wrapped by errors about a text that is right as far as it was
// read, but beyond its limits.
var ErrLimit = errors.New("beyond the limit")

// An Error says where a text is wrong. It wraps ErrLimit, io.ErrUnexpectedEOF
// where the text ends too early, or what an Unmarshaler said.
type Error struct {
	Offset int // in bytes
	Text   string
	Err    error
}

func (e *Error) Error() string {
	if e.Err != nil && e.Text != "" {
		return fmt.Sprintf("JSON, offset %d: %s: %v", e.Offset, e.Text, e.Err)
	} else if e.Err != nil {
		return fmt.Sprintf("JSON, offset %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("JSON, offset %d: %s", e.Offset, e.Text)
}

func (e *Error) Unwrap() error { return e.Err }

// Decode reads the one value in text into what v points to, which should be
// zero. Errors are *Error; v then holds a part of the value.
func Decode(text []byte, v any, l Limits) error {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		panic(fmt.Sprintf("strictjson: Decode into %T, want a pointer", v))
	}
	if l.Depth == 0 {
		l.Depth = 32
	}
	if l.Memory == 0 {
		l.Memory = 64 << 20
	}
	d := &decoder{text: text, depth: l.Depth, memory: l.Memory}
	if err := readerOf(to.Type().Elem())(d, to.Elem()); err != nil {
		return err
	}
	if d.blanks(); d.at < len(text) {
		return d.expected("the end after the value")
	}
	return nil
}

// decoder is one text on its way.
type decoder struct {
	text   []byte
	at     int
	depth  int // how much deeper it may go
	memory int // how much more it may take
}

// expected is the error of a text that goes on otherwise.
func (d *decoder) expected(what string) error {
	if d.at >= len(d.text) {
		return &Error{d.at, fmt.Sprintf("expected %s, saw the end", what), io.ErrUnexpectedEOF}
	}
	saw := d.text[d.at:]
	return &Error{Offset: d.at, Text: fmt.Sprintf("expected %s, saw %q", what, saw[:min(len(saw), 20)])}
}

// take counts n bytes that are about to be allocated.
func (d *decoder) take(n int) error {
	if n < 0 || n > d.memory {
		return &Error{d.at, "expected a smaller value", ErrLimit}
	}
	d.memory -= n
	return nil
}

func (d *decoder) blanks() {
	for d.at < len(d.text) && blank[d.text[d.at]] {
		d.at++
	}
}

var blank = [256]bool{' ': true, '\t': true, '\n': true, '\r': true}

// next returns the first byte that is no blank, 0 at the end.
func (d *decoder) next() byte {
	d.blanks()
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

// is skips c if it comes next.
func (d *decoder) is(c byte) bool {
	if d.at < len(d.text) && d.text[d.at] != c {
		d.blanks() // seldom: most writers leave none
	}
	if d.at == len(d.text) || d.text[d.at] != c {
		return false
	}
	d.at++
	return true
}

// word skips a literal if it comes next.
func (d *decoder) word(w string) bool {
	d.blanks()
	if len(d.text)-d.at < len(w) || string(d.text[d.at:d.at+len(w)]) != w {
		return false
	}
	d.at += len(w)
	return true
}

// elements calls f for each part of an array or object, which ends with last.
func (d *decoder) elements(first, last byte, what string, f func() error) error {
	if !d.is(first) {
		return d.expected(what)
	}
	if d.depth == 0 {
		return &Error{d.at, "expected a value that is less deep", ErrLimit}
	}
	d.depth--
	defer func() { d.depth++ }()
	if d.is(last) {
		return nil
	}
	for {
		if err := f(); err != nil {
			return err
		}
		if d.is(',') {
			continue
		}
		if d.is(last) {
			return nil
		}
		return d.expected(fmt.Sprintf("',' or %q", last))
	}
}

func (d *decoder) array(f func() error) error { return d.elements('[', ']', "an array", f) }

// object calls f for each key of an object, at its value.
func (d *decoder) object(f func(key []byte) error) error {
	return d.elements('{', '}', "an object", func() error {
		key, err := d.str("a key")
		if err != nil {
			return err
		}
		if !d.is(':') {
			return d.expected("':'")
		}
		return f(key)
	})
}

package strictjson

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string and returns its bytes, a part of the text where there is
// nothing to unescape.
func (d *decoder) str(what string) ([]byte, error) {
	if !d.is('"') {
		return nil, d.expected(what)
	}
	begin := d.at
	for ; d.at < len(d.text); d.at++ {
		switch c := d.text[d.at]; {
		case c == '"':
			s := d.text[begin:d.at]
			d.at++
			return s, nil
		case c == '\\' || c >= utf8.RuneSelf || c < ' ':
			return d.strange(begin)
		}
	}
	return nil, d.expected("the end of a string")
}

// strange reads the rest of a string that is not plain ASCII.
func (d *decoder) strange(begin int) ([]byte, error) {
	// As long as there are no escapes, the text is the string.
	s, copied := []byte(nil), false
	for d.at < len(d.text) {
		c := d.text[d.at]
		switch {
		case c == '"':
			if !copied {
				s = d.text[begin:d.at]
			}
			d.at++
			return s, nil
		case c == '\\':
			if !copied {
				s, copied = bytes.Clone(d.text[begin:d.at]), true
			}
			r, err := d.escape()
			if err != nil {
				return nil, err
			}
			s = utf8.AppendRune(s, r)
			continue
		case c < ' ':
			return nil, d.expected("a string without control characters")
		}
		n := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRune(d.text[d.at:]); r == utf8.RuneError && n == 1 {
				return nil, d.expected("UTF-8")
			}
		}
		if copied {
			s = append(s, d.text[d.at:d.at+n]...)
		}
		d.at += n
	}
	return nil, d.expected("the end of a string")
}

var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what begins with a backslash. Half of a surrogate pair is no
// character.
func (d *decoder) escape() (rune, error) {
	if d.at+1 < len(d.text) {
		if r, ok := escapes[d.text[d.at+1]]; ok {
			d.at += 2
			return r, nil
		}
	}
	r, ok := d.unit(d.at)
	if ok && utf16.IsSurrogate(r) {
		low, _ := d.unit(d.at + 6)
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			ok = false
		} else {
			d.at += 6
		}
	}
	if !ok {
		return 0, d.expected("an escape")
	}
	d.at += 6
	return r, nil
}

// unit reads \uXXXX at i and moves nothing.
func (d *decoder) unit(i int) (rune, bool) {
	if i+6 > len(d.text) || d.text[i] != '\\' || d.text[i+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(d.text[i+2:i+6]), 16, 16)
	return rune(n), err == nil && d.text[i+2] != '+'
}

// number reads a number; whole says that it has neither fraction nor exponent.
func (d *decoder) number(what string) (digits []byte, whole bool, err error) {
	d.blanks()
	begin := d.at
	some := func() bool {
		from := d.at
		for d.at < len(d.text) && '0' <= d.text[d.at] && d.text[d.at] <= '9' {
			d.at++
		}
		return d.at > from
	}
	at := func(set string) bool {
		if d.at < len(d.text) && bytes.IndexByte([]byte(set), d.text[d.at]) >= 0 {
			d.at++
			return true
		}
		return false
	}
	fail := func() ([]byte, bool, error) {
		d.at = begin
		return nil, false, d.expected(what)
	}
	at("-")
	if !at("0") && !some() {
		return fail()
	}
	whole = true
	if at(".") {
		if whole = false; !some() {
			return fail()
		}
	}
	if at("eE") {
		whole = false
		if at("+-"); !some() {
			return fail()
		}
	}
	return d.text[begin:d.at], whole, nil
}

// unsigned reads a whole number of at most 64 bits.
func (d *decoder) unsigned(bits int) (uint64, error) {
	d.blanks()
	begin := d.at
	var n uint64
	for ; d.at < len(d.text); d.at++ {
		c := d.text[d.at] - '0'
		if c > 9 {
			break
		}
		if n > (1<<64-1-uint64(c))/10 {
			d.at = begin
			return 0, d.expected(fmt.Sprintf("a number of at most %d bits", bits))
		}
		n = 10*n + uint64(c)
	}
	if d.at == begin || d.text[begin] == '0' && d.at > begin+1 || d.at < len(d.text) && (d.text[d.at] == '.' || d.text[d.at]|0x20 == 'e') {
		d.at = begin
		return 0, d.expected("a whole number that is not negative")
	}
	if bits < 64 && n >= 1<<bits {
		d.at = begin
		return 0, d.expected(fmt.Sprintf("a number of at most %d bits", bits))
	}
	return n, nil
}

// maxUnknown bounds the keys of an object that the reader does not know: each is
// compared with the others.
const maxUnknown = 64

// keys are the keys of one object that were seen and are not known.
type keys [][]byte

// add takes note of a key. Each is seen once.
func (k *keys) add(d *decoder, key []byte) error {
	for _, other := range *k {
		if bytes.Equal(other, key) {
			return d.twice(key)
		}
	}
	if len(*k) == maxUnknown {
		return &Error{d.at, fmt.Sprintf("expected at most %d unknown keys in an object", maxUnknown), ErrLimit}
	}
	*k = append(*k, key)
	return nil
}

func (d *decoder) twice(key []byte) error {
	return &Error{Offset: d.at, Text: fmt.Sprintf("expected each key once, saw %.40q again", key)}
}

// skip reads a value and forgets it.
func (d *decoder) skip() error {
	switch c := d.next(); {
	case c == '{':
		var seen keys
		return d.object(func(key []byte) error {
			if err := seen.add(d, key); err != nil {
				return err
			}
			return d.skip()
		})
	case c == '[':
		return d.array(d.skip)
	case c == '"':
		_, err := d.str("a string")
		return err
	case d.word("null"), d.word("true"), d.word("false"):
		return nil
	}
	_, _, err := d.number("a value")
	return err
}

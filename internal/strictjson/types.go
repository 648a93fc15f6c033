package strictjson

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// A reader reads a value of one type into v, which can be set.
type reader func(d *decoder, v reflect.Value) error

var readers sync.Map // reflect.Type → reader

// readerOf returns the reader of a type. It is made once.
func readerOf(t reflect.Type) reader {
	if r, ok := readers.Load(t); ok {
		return r.(reader)
	}
	// For a type that contains itself.
	var made reader
	var once sync.Once
	readers.LoadOrStore(t, reader(func(d *decoder, v reflect.Value) error {
		once.Do(func() { made = newReader(t) })
		return made(d, v)
	}))
	r := newReader(t)
	readers.Store(t, r)
	return r
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func newReader(t reflect.Type) reader {
	switch p := reflect.PointerTo(t); {
	case p.Implements(unmarshaler):
		return readItself
	case p.Implements(textUnmarshaler):
		return readText
	}
	switch t.Kind() {
	case reflect.Bool:
		return readBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return readInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return readUint
	case reflect.Float32, reflect.Float64:
		return readFloat
	case reflect.String:
		return readString
	case reflect.Pointer:
		return pointerReader(t)
	case reflect.Slice:
		switch {
		case t == reflect.TypeFor[[]uint64]():
			return readIDs
		case t.Elem().Kind() != reflect.Uint8: // encoding/json has those in base64
			return sliceReader(t)
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !reflect.PointerTo(t.Key()).Implements(textUnmarshaler) {
			return mapReader(t)
		}
	case reflect.Struct:
		return structReader(t)
	}
	panic(fmt.Sprintf("strictjson: cannot read a %v", t))
}

func readItself(d *decoder, v reflect.Value) error {
	d.blanks()
	begin := d.at
	if err := d.skip(); err != nil {
		return err
	}
	if err := d.take(d.at - begin); err != nil {
		return err
	}
	if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(d.text[begin:d.at]); err != nil {
		return &Error{Offset: begin, Err: err}
	}
	return nil
}

func readText(d *decoder, v reflect.Value) error {
	begin := d.at
	s, err := d.str("a string")
	if err != nil {
		return err
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(s); err != nil {
		return &Error{Offset: begin, Err: err}
	}
	return nil
}

func readBool(d *decoder, v reflect.Value) error {
	switch {
	case d.word("true"):
		v.SetBool(true)
	case d.word("false"):
		v.SetBool(false)
	default:
		return d.expected("true or false")
	}
	return nil
}

func readInt(d *decoder, v reflect.Value) error {
	d.blanks()
	begin := d.at
	negative := d.is('-')
	if negative && (d.at == len(d.text) || d.text[d.at] < '0' || d.text[d.at] > '9') {
		return d.expected("a digit")
	}
	n, err := d.unsigned(64)
	if err != nil {
		return err
	}
	limit := uint64(1) << (v.Type().Bits() - 1)
	if n > limit || n == limit && !negative {
		d.at = begin
		return d.expected(fmt.Sprintf("a number of at most %d bits and a sign", v.Type().Bits()-1))
	}
	if negative {
		n = -n
	}
	v.SetInt(int64(n))
	return nil
}

func readUint(d *decoder, v reflect.Value) error {
	n, err := d.unsigned(v.Type().Bits())
	v.SetUint(n)
	return err
}

func readFloat(d *decoder, v reflect.Value) error {
	begin := d.at
	digits, _, err := d.number("a number")
	if err != nil {
		return err
	}
	x, err := strconv.ParseFloat(string(digits), v.Type().Bits())
	if err != nil {
		return &Error{Offset: begin, Err: err}
	}
	v.SetFloat(x)
	return nil
}

func readString(d *decoder, v reflect.Value) error {
	s, err := d.str("a string")
	if err == nil {
		err = d.take(len(s))
	}
	if err == nil {
		v.SetString(string(s))
	}
	return err
}

func pointerReader(t reflect.Type) reader {
	elem := readerOf(t.Elem())
	return func(d *decoder, v reflect.Value) error {
		if d.word("null") {
			v.SetZero()
			return nil
		}
		if err := d.take(int(t.Elem().Size())); err != nil {
			return err
		}
		v.Set(reflect.New(t.Elem()))
		return elem(d, v.Elem())
	}
}

func sliceReader(t reflect.Type) reader {
	elem, size := readerOf(t.Elem()), int(t.Elem().Size())
	return func(d *decoder, v reflect.Value) error {
		v.SetZero()
		if d.word("null") {
			return nil
		}
		n := 0
		err := d.array(func() error {
			if n == v.Cap() {
				more := max(4, n)
				if err := d.take(more * size); err != nil {
					return err
				}
				v.Grow(more)
			}
			n++
			v.SetLen(n)
			return elem(d, v.Index(n-1))
		})
		if n == 0 {
			v.Set(reflect.MakeSlice(t, 0, 0))
		}
		return err
	}
}

// readIDs reads a list of numbers, of which histories consist.
func readIDs(d *decoder, v reflect.Value) error {
	list := v.Addr().Interface().(*[]uint64)
	if *list = nil; d.word("null") {
		return nil
	}
	n := 1
	for _, c := range d.text[d.at:] {
		if c == ',' {
			n++
		} else if c == ']' {
			break
		}
	}
	if err := d.take(8 * n); err != nil {
		return err
	}
	ids := make([]uint64, 0, n)
	err := d.array(func() error {
		id, err := d.unsigned(64)
		ids = append(ids, id)
		return err
	})
	*list = ids
	return err
}

func mapReader(t reflect.Type) reader {
	elem, size := readerOf(t.Elem()), int(t.Elem().Size())
	return func(d *decoder, v reflect.Value) error {
		v.SetZero()
		if d.word("null") {
			return nil
		}
		v.Set(reflect.MakeMap(t))
		return d.object(func(key []byte) error {
			if err := d.take(64 + len(key) + 2*size); err != nil {
				return err
			}
			k := reflect.ValueOf(string(key)).Convert(t.Key())
			if v.MapIndex(k).IsValid() {
				return d.twice(key)
			}
			x := reflect.New(t.Elem()).Elem()
			if err := elem(d, x); err != nil {
				return err
			}
			v.SetMapIndex(k, x)
			return nil
		})
	}
}

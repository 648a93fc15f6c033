package strictjson

import (
	"fmt"
	"reflect"
	"strings"
)

// field is a field of a struct that has a key.
type field struct {
	key   string
	index []int
	read  reader
}

// fieldsOf returns the fields of t, those of embedded structs among them, as
// encoding/json has them.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		embedded := f.Anonymous && key == "" && f.Type.Kind() == reflect.Struct
		if !f.IsExported() || key == "-" || embedded {
			continue
		}
		if key == "" {
			key = f.Name
		}
		if strings.Contains(options, "string") {
			panic(fmt.Sprintf("strictjson: %v.%s: cannot read a number in a string", t, f.Name))
		}
		fields = append(fields, field{key, f.Index, readerOf(f.Type)})
	}
	for i, f := range fields {
		for _, g := range fields[:i] {
			if strings.EqualFold(f.key, g.key) {
				panic(fmt.Sprintf("strictjson: %v has the key %q twice", t, f.key))
			}
		}
	}
	if len(fields) > 64 {
		panic(fmt.Sprintf("strictjson: %v has more than 64 fields", t))
	}
	return fields
}

func structReader(t reflect.Type) reader {
	fields := fieldsOf(t)
	return func(d *decoder, v reflect.Value) error {
		var seen uint64 // by index in fields
		var unknown keys
		at := 0 // writers keep to an order, most of them
		return d.object(func(key []byte) error {
			for range fields {
				f := &fields[at]
				bit := uint64(1) << at
				if at++; at == len(fields) {
					at = 0
				}
				if string(key) != f.key {
					continue
				}
				if seen&bit != 0 {
					return d.twice(key)
				}
				seen |= bit
				return f.read(d, v.FieldByIndex(f.index))
			}
			for _, f := range fields {
				if strings.EqualFold(f.key, string(key)) {
					return &Error{Offset: d.at, Text: fmt.Sprintf("expected the key %q, saw %q", f.key, key)}
				}
			}
			if err := unknown.add(d, key); err != nil {
				return err
			}
			return d.skip()
		})
	}
}

package explore

import (
	"fmt"
	"reflect"
)

// checkState panics where S is no value whose bytes are its identity.
func checkState[S comparable]() {
	t := reflect.TypeFor[S]()
	if why := unfit(t); why != "" {
		panic(fmt.Sprintf("explore: state %v: %s", t, why))
	}
	if t.Size() == 0 {
		panic(fmt.Sprintf("explore: state %v: it has no bytes", t))
	}
}

// unfit says why values of t may be equal with different bytes, or different
// with equal ones, or cannot be compared by bytes at all.
func unfit(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return ""
	case reflect.Array:
		return unfit(t.Elem())
	case reflect.Struct:
		at := uintptr(0)
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				return "field _ is not compared by ==: give it a name"
			}
			if why := unfit(f.Type); why != "" {
				return f.Name + ": " + why
			}
			if f.Offset != at {
				return fmt.Sprintf("%d bytes of padding before field %s", f.Offset-at, f.Name)
			}
			at += f.Type.Size()
		}
		if at != t.Size() {
			return fmt.Sprintf("%d bytes of padding at the end of %v", t.Size()-at, t)
		}
		return ""
	}
	return fmt.Sprintf("expected booleans, integers, and arrays and structs of them, whose bytes are their identity, saw %v", t)
}

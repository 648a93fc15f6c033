package child

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// A history read by the quick reader is the history, in every field.
func TestWire(t *testing.T) {
	var h record.History
	fill(reflect.ValueOf(&h).Elem(), new(int64))
	for i := range h.Ops {
		h.Ops[i].Kind = record.StealNext
	}
	line, err := json.Marshal(Answer{Seq: 3, Error: "x", History: &h})
	if err != nil {
		t.Fatal(err)
	}
	a, err := parseAnswer(line)
	if err != nil {
		t.Fatal(err)
	}
	if a.Seq != 3 || a.Error != "x" || !reflect.DeepEqual(*a.History, h) {
		t.Errorf("got\n%+v, want\n%+v", a.History, h)
	}
}

// fill sets every field to something that is not zero.
func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.String:
		v.SetString("s")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n % 200))
	default:
		v.SetInt(*n)
	}
}

func TestParseIDs(t *testing.T) {
	for text, want := range map[string][]record.ID{
		`[1]`: {1}, `[1,22,333]`: {1, 22, 333}, `[]`: {}, `null`: nil, `[ 1 , 2 ]`: {1, 2},
		`[18446744073709551615]`: {1<<64 - 1},
	} {
		var got idList
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual([]record.ID(got), want) {
			t.Errorf("%s: got %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{`[-1]`, `["1"]`, `[1.5]`, `{}`, `[18446744073709551616]`, `[1e3]`} {
		var got idList
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s: got %v, want an error", text, got)
		}
	}
}

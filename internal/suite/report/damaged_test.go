package report

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// values collects every value in v that can be set.
func values(v reflect.Value, list []reflect.Value) []reflect.Value {
	if v.CanSet() {
		list = append(list, v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			list = values(v.Elem(), list)
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = values(v.Index(i), list)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				list = values(v.Field(i), list)
			}
		}
	}
	return list
}

// A stream whose values were lost or exchanged is refused by who reads it, or reported
// as far as it goes: no report falls over, and none is green when the gate is not. The
// digest and the counts are right, and half of the streams are of another contract,
// whose requirements nobody can hold against the catalogue.
func TestReportsOfDamagedStreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := [][]suite.Event{events(t), clean(t)}
	read := 0
	for n := range 300 {
		stream := copied(t, all[n%2])
		if n%4 < 2 {
			stream[0].Header.Contract = "another"
		}
		var list []reflect.Value
		for i := range stream {
			list = values(reflect.ValueOf(&stream[i]).Elem(), list)
		}
		for range 1 + n%3 {
			v, other := list[rng.IntN(len(list))], list[rng.IntN(len(list))]
			if v.Type() == other.Type() {
				v.Set(other)
			} else {
				v.SetZero()
			}
		}
		back, err := suitetest.Decode(suitetest.Encode(stream))
		if err != nil {
			continue
		}
		read++
		r := judged(back)
		var xml bytes.Buffer
		for _, err := range []error{JUnit(&xml, r), Markdown(io.Discard, r), Annotations(io.Discard, r)} {
			if err != nil {
				t.Errorf("stream %d: %v", n, err)
			}
		}
		root := parse(t, xml.String())
		if red := len(root.all("failure"))+len(root.all("error")) > 0; red != (r.Exit != 0) {
			t.Errorf("stream %d: exit %d, red %v", n, r.Exit, red)
		}
		for _, verbose := range []bool{false, true} {
			if last := lastLine(render(t, back, false, verbose)); !strings.HasPrefix(last, ended(r)+": exit ") {
				t.Errorf("stream %d: expected the verdict in the last line, saw %q", n, last)
			}
		}
	}
	if read < 100 {
		t.Errorf("expected to read at least 100 damaged streams, saw %d", read)
	}
	t.Logf("%d of 300 damaged streams could be read", read)
}

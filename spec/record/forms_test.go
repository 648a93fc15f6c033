package record

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestTextForms(t *testing.T) {
	for text, v := range map[string]any{
		`{"o":"ring","p":3}`:    Place{Ring, 3},
		`{"o":"runnext","p":0}`: Place{Runnext, 0},
		`{"o":"global","p":-1}`: Place{Global, None},
		`"0x0"`:                 Seed(0),
		`"0xffffffffffffffff"`:  Seed(1<<64 - 1),
		`{"p":0,"script":"p"}`:  Thread{Script: "p"},
		`{"name":"","seed":"0x2a","ps":0,"threads":null}`: Scenario{Seed: 42},
	} {
		if got, err := json.Marshal(v); err != nil || string(got) != text {
			t.Errorf("%+v: got %s, %v; want %s", v, got, err, text)
		}
	}
	var p Place
	if err := json.Unmarshal([]byte(`{"o":"runnext","p":2}`), &p); err != nil || p != (Place{Runnext, 2}) {
		t.Errorf("got %v, %v", p, err)
	}
	var s Seed
	if err := json.Unmarshal([]byte(`"0x2A"`), &s); err != nil || s != 42 {
		t.Errorf("got %v, %v", s, err)
	}
	for _, text := range []string{`"42"`, `"0x"`, `"0x10000000000000000"`, `"0x-1"`, `"0X2a"`, `"x"`, `""`} {
		if err := json.Unmarshal([]byte(text), &s); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", text, err)
		}
	}
	for _, text := range []string{`"r"`, `"Ring"`, `""`} {
		if err := json.Unmarshal([]byte(text), &p.Object); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", text, err)
		}
	}
	if _, err := json.Marshal(Place{}); err == nil {
		t.Error("a place of no object was written")
	}
}

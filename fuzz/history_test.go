package fuzz

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// FuzzHistoryJSON reads histories as a file gives them. One that can be read is
// judged without a panic, whatever it says.
func FuzzHistoryJSON(f *testing.F) {
	for _, s := range seeds {
		run, err := Run(ref.New, encode(f, s))
		if err != nil {
			f.Fatal(err)
		}
		if run.Cap() > 16 {
			continue
		}
		text, err := json.Marshal(run.History())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, hostile := range []string{
		`{}`,
		`{"scenario":{"ps":-1,"threads":[{"script":"p"}]}}`,
		`{"scenario":{"ps":1,"threads":[{"script":"g"}]},"ops":[{"k":"g","ok":true,"c":1,"ret":2}]}`,
		`{"scenario":{"ps":1,"threads":[{"script":"g"}]},"ops":[{"k":"g","p":7,"ok":true,"out":[1],"c":1,"ret":2}]}`,
		`{"scenario":{"ps":1,"threads":[{"script":"n"}]},"ops":[{"k":"n","n":-1,"ok":true,"c":1,"ret":2}]}`,
		`{"scenario":{"ps":2,"threads":[{"script":"s"}]},"ops":[{"k":"s","to":9,"ok":true,"out":[18446744073709551615],"c":1,"ret":2}]}`,
		`{"scenario":{"ps":1,"threads":[{"script":"b65536","repeat":60000000}]},"ops":[{"p":0}]}`,
		`{"scenario":{"ps":1,"threads":[{"script":"m"}]},"ops":[{"k":"q","p":-1,"in":[1],"n":1,"ok":true,"c":1,"ret":2},{"k":"m","arg":-5,"ok":true,"out":[1],"c":3,"ret":4}]}`,
	} {
		f.Add([]byte(hostile))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		h := new(record.History)
		if json.Unmarshal(text, h) != nil {
			return
		}
		if err := h.Check(); err != nil {
			if !errors.Is(err, record.ErrFormat) {
				t.Fatalf("Check: %v, want ErrFormat", err)
			}
			return
		}
		if h.Scenario.FirstID(len(h.Scenario.Threads)) > 1<<16 {
			return // right, but slow to count
		}
		sequential.Conserve(h)
		for _, profile := range spec.Profiles() {
			rules := sequential.RulesOf(profile, h.Capacity)
			sequential.Replay(h, rules)
			linearizability.Check(h, linearizability.Options{Rules: rules, Timeout: time.Millisecond})
		}
	})
}

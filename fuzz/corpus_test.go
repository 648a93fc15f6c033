package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// A seed is a program of the corpus in words, and what it must reach.
type seed struct {
	name         string
	capacity, ps int
	start        uint32
	calls        string // fields "P:script": the next calls of that P
	reaches      []feature
}

// end is the last value of an index.
const end = 1<<32 - 1

// seeds are the corpus: the file of each is testdata/fuzz/FuzzSequence/name.
// For a new one, add it here and run SPINDLE_UPDATE=1 go test ./fuzz.
var seeds = []seed{
	{"put-get", 4, 1, 0, "0:pppglegggge", []feature{ringGet, emptyGet, emptyYes, emptyNo}},
	{"overflow", 4, 2, 0, "0:ppppplppp 1:m2gm2m2m2", []feature{overflow, globalBatch}},
	{"overflow-of-2", 2, 1, 0, "0:pppppm1m1m1ggg", []feature{overflow, globalGet}},
	{"overflow-of-256", 256, 2, 0, "0:b256pl 1:s0l", []feature{overflow, batchFits, stealHalf}},
	{"wrap-of-the-ring", 4, 2, 0, "0:pppggppp 1:s0g 0:ppplgggg", []feature{ringWrap, stealHalf}},
	{"wrap-of-the-indices", 8, 2, end - 2, "0:pppppple 1:s0le 0:ggppppd", []feature{indexWrap, drainRing, stealHalf}},
	{"overflow-across-the-end", 8, 2, end - 3, "0:pppppppppl 1:r0 0:d", []feature{overflow, indexWrap, drainRing}},
	{"kick", 4, 1, 0, "0:nnnlgeggg", []feature{kick, nextGet}},
	{"kick-that-overflows", 4, 2, 0, "0:nppppnlgg 1:m1m3g", []feature{kickOverflow, nextGet, globalGet}},
	{"steal-one", 4, 2, 0, "0:p 1:s0s0r0", []feature{stealOne, stealNone}},
	{"steal-half-of-odd", 8, 3, 0, "0:b5 1:s0ll0 2:s0ll0s1", []feature{stealHalf, batchFits}},
	{"steal-runnext", 4, 2, 0, "0:n 1:s0r0r0e0", []feature{stealNext, stealLeavesNext, emptyYes}},
	{"steal-before-runnext", 4, 2, 0, "0:pnppe 1:r0r0r0ggr0", []feature{stealHalf, stealNext, ringBeforeNext}},
	{"empty-by-runnext", 4, 2, 0, "0:ene 1:e0 0:gel", []feature{emptyYes, emptyNoByNext}},
	{"empty-of-a-full-ring", 4, 1, 0, "0:ppppelggeggle", []feature{emptyNoFull, emptyYes}},
	{"drain", 4, 1, 0, "0:ppnddp", []feature{drainNext, drainRing, drainNone}},
	{"drain-across-the-end", 4, 1, end - 1, "0:pppgpndl", []feature{drainNext, drainRing, indexWrap}},
	{"batch-fits", 8, 1, 0, "0:b3b2lggggg", []feature{batchFits}},
	{"batch-overflows", 4, 2, 0, "0:pb8l 1:m3lggm65536", []feature{batchOverflow, globalBatch}},
	{"batch-on-a-full-ring", 4, 2, 0, "0:b4b2 1:m1m1", []feature{batchOverflow, globalGet}},
	{"batch-across-the-end", 8, 1, end - 3, "0:b5b8d", []feature{batchOverflow, indexWrap, drainRing}},
	{"global-none", 4, 1, 0, "0:m1qm1m1", []feature{globalNone, globalGet}},
	{"global-fair-share", 16, 3, 0, "0:qqqqqq 1:m65536l 2:m65536", []feature{globalBatch, globalFair}},
	{"global-half-a-ring", 4, 1, 0, "0:qqqqqqqq 0:m65536lgg", []feature{globalBatch, globalHalf}},
	{"global-as-asked", 8, 1, 0, "0:qqqqqqm2lg", []feature{globalBatch, globalAsked}},
}

// encode finds the bytes of a seed by asking for each byte what it decodes to.
func encode(t testing.TB, s seed) []byte {
	t.Helper()
	want := queue.Options{Capacity: s.capacity, Ps: s.ps, Start: s.start}
	first := slices.IndexFunc(everyByte(), func(b byte) bool { o := scene([]byte{b}); return o.Capacity == s.capacity && o.Ps == s.ps })
	data := []byte{byte(first), byte(-s.start)}
	if got := scene(data); first < 0 || got != want {
		t.Fatalf("%s: no bytes for %+v", s.name, want)
	}
	for _, field := range strings.Fields(s.calls) {
		who, script, _ := strings.Cut(field, ":")
		ins, err := record.ParseScript(script)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		for _, in := range ins {
			b := slices.IndexFunc(everyByte(), func(b byte) bool {
				p, got := call(b, want)
				return fmt.Sprint(p) == who && got.Kind == in.Kind && (in.Arg < 0 || got.Arg == in.Arg)
			})
			if b < 0 {
				t.Fatalf("%s: no byte for %q of P%s with argument %d", s.name, byte(in.Kind), who, in.Arg)
			}
			data = append(data, byte(b))
		}
	}
	return data
}

func everyByte() []byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return all
}

// TestCorpus holds the committed files against the table, and runs them: each
// reaches what it is there for.
func TestCorpus(t *testing.T) {
	reached := make(map[feature]bool)
	for _, s := range seeds {
		data := encode(t, s)
		file := filepath.Join("testdata", "fuzz", "FuzzSequence", s.name)
		text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
		if tier.Update() {
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if old, err := os.ReadFile(file); err != nil || string(old) != text {
			t.Errorf("%s is not what the table says (%v): to write it, run SPINDLE_UPDATE=1 go test ./fuzz -run TestCorpus", file, err)
		}
		run, err := Run(ref.New, data)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		got := features(run)
		for _, f := range s.reaches {
			if !got[f] {
				t.Errorf("%s does not reach: %s\n%v", s.name, f, run.Ops())
			}
			reached[f] = true
		}
	}
	for _, f := range allFeatures {
		if !reached[f] {
			t.Errorf("no seed is there for: %s", f)
		}
	}
}

package fuzz

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/spindle-go/spindle/conformance/property"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/witnessed"
	"github.com/spindle-go/spindle/spec"
)

// TestMain lets garbage pile up: a run allocates much and keeps nothing.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// FuzzSequence holds the reference against the machine, call by call, for the
// program that the bytes are. Its corpus lies in testdata; corpus_test.go says
// what each file is there for.
func FuzzSequence(f *testing.F) {
	f.Attr("req", "RQ-LOST")
	f.Attr("req", "RQ-TWICE")
	f.Attr("req", "RQ-INVENTED")
	f.Attr("req", "RQ-GET-NONE")
	f.Attr("req", "RQ-STEAL-NONE")
	f.Attr("req", "RQ-EMPTY-TRUE")
	f.Attr("req", "RQ-EMPTY-FALSE")
	f.Attr("req", "RQ-LEN")
	f.Attr("req", "RQ-FIFO")
	f.Attr("req", "RQ-CAPACITY")
	f.Attr("req", "RQ-WRAP")
	f.Attr("req", "RQ-OVERFLOW")
	f.Attr("req", "RQ-RUNNEXT-FIRST")
	f.Attr("req", "RQ-RUNNEXT-KICK")
	f.Attr("req", "RQ-RUNNEXT-OWNER")
	f.Attr("req", "RQ-STEAL-HALF")
	f.Attr("req", "RQ-STEAL-ORDER")
	f.Attr("req", "RQ-STEAL-RUNNEXT")
	f.Attr("req", "RQ-DRAIN")
	f.Attr("req", "RQ-PUT-BATCH")
	f.Attr("req", "RQ-GLOBAL-FIFO")
	f.Attr("req", "RQ-GLOBAL-BATCH")
	events := witnessed.Begin(f, spec.Fuzz, spec.GoRT)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Run(ref.New, data); err != nil {
			events.Also(property.Findings(err)...)
			t.Fatal(err)
		}
	})
	events.Ended(suite.Outcome{Ended: suite.Completed})
}

func BenchmarkSequence(b *testing.B) {
	for _, seed := range seeds {
		b.Run(seed.name, func(b *testing.B) {
			data := encode(b, seed)
			for b.Loop() {
				if _, err := Run(ref.New, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

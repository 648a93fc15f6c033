package drive

import (
	"context"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// BenchmarkRun runs an owner and a thief, 4000 calls each, and reports the time and
// the allocations of a call.
func BenchmarkRun(b *testing.B) {
	s := record.Scenario{Name: "bench", Ps: 1, Threads: []record.Thread{{P: 0, Script: "ppgg", Repeat: 1000}, {P: record.None, Script: "s0", Repeat: 4000}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(context.Background(), plain(), s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8000, "ns/call")
}

package fuzz

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// letters makes a script of bytes: so many calls of kinds, and no more.
func letters(b []byte, kinds string, most int) string {
	var s []byte
	for _, c := range b[:min(len(b), most)] {
		s = append(s, kinds[int(c)%len(kinds)])
	}
	if len(s) == 0 {
		return kinds[:1]
	}
	return string(s)
}

// FuzzInterleavings judges the reference in one interleaving of one scenario: the
// owner's script, the two thieves', and the schedule are bytes. With -fuzz the
// whole run goes on in a binary that is instrumented, and the fuzzer's coverage
// is that of the queue.
func FuzzInterleavings(f *testing.F) {
	tier.NotShort(f)
	// Owners: p put, n put next, g get. Schedules: how many steps, who is next.
	f.Add([]byte("\x00\x00\x02\x00\x02"), []byte("\x00\x00"), []byte("\x00"), []byte("\x08\x00\x03\x00\x05\x00"))
	f.Add([]byte("\x01\x01\x02\x01\x02"), []byte("\x01\x01"), []byte("\x01"), []byte("\x0b\x01\x02\x00\x02\x01\x05\x00"))
	f.Add([]byte("\x00\x00\x00\x00\x00"), []byte("\x00"), []byte("\x00"), []byte("\x0f\x00\x02\x01\x04\x00"))
	f.Add([]byte("\x01\x00\x01\x00\x00\x02"), []byte("\x01\x00"), []byte("\x02"), []byte("\x04\x00\x04\x00\x04\x00\x04\x00\x04\x00"))
	f.Fuzz(func(t *testing.T, owner, thief, other, schedule []byte) {
		t.Attr("req", "RQ-LOST")
		t.Attr("req", "RQ-TWICE")
		conformance.Interleave(t, spec.GoRT, ref.New, record.Scenario{
			Name: "fuzz", Ps: 3, Capacity: 2,
			Threads: []record.Thread{
				{P: 0, Script: letters(owner, "png", 12)},
				{P: 1, Script: victim(letters(thief, "sr", 3))},
				{P: 2, Script: victim(letters(other, "sre", 2))},
			},
		}, interleave.Bytes(schedule))
	})
}

// victim has every call of a script be about P 0.
func victim(script string) string {
	out := ""
	for _, c := range script {
		out += string(c) + "0"
	}
	return out
}

package suite

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec"
)

// plainTarget is a target in this process, of a profile.
type plainTarget struct {
	kind    string
	profile spec.Profile
}

func (t plainTarget) Describe() Description {
	return Description{Name: "mine", Kind: t.kind, Profile: t.profile}
}
func (plainTarget) Close() error { return nil }

var taken [][]byte

// takesForEver takes memory until it is told to stop.
func takesForEver(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			taken = append(taken, make([]byte, 1<<20))
			if len(taken) > 128 { // the bound was passed long ago: nothing more is needed
				taken = taken[:128]
			}
		}
	}
}

// TestMemory: a call that takes memory without end ends the process, by words that name it.
func TestMemory(t *testing.T) {
	defer func(most uint64, end func(string)) { mostMemory, exhausted, taken = most, end, nil }(mostMemory, exhausted)
	mostMemory = 32 << 20
	for profile, id := range map[spec.Profile]string{spec.FIFO: "RQ-CRASH", spec.Pool: "SC-CALLS"} {
		told := make(chan string, 1)
		exhausted = func(text string) { told <- text }
		stop := make(chan struct{})
		c := Check{Name: "sequence/x", Witness: spec.Sequence, Run: func(context.Context, Target, *Task) Outcome {
			ended := make(chan struct{})
			go func() { defer close(ended); takesForEver(stop) }()
			text := ""
			select {
			case text = <-told:
			case <-time.After(time.Minute): // so that this test ends
			}
			close(stop)
			<-ended
			for _, want := range []string{id, "sequence/x of mine", "32 MiB", "takesForEver"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: expected %q in %s", profile, want, text)
				}
			}
			return Outcome{Ended: Completed}
		}}
		carry(t.Context(), &c, plainTarget{InProcess, profile}, &Task{Check: &c}, Plan{})
		taken = nil
	}
}

// TestMemoryOfAnother: what a check leaves to be collected is no reason, nor is what a child takes.
func TestMemoryOfAnother(t *testing.T) {
	defer func(most uint64, end func(string)) { mostMemory, exhausted, taken = most, end, nil }(mostMemory, exhausted)
	mostMemory = 32 << 20
	exhausted = func(text string) { t.Error(text) }
	for kind, keeps := range map[string]bool{InProcess: false, Child: true} {
		looked := 0
		c := Check{Name: "sequence/x", Witness: spec.Sequence, Run: func(context.Context, Target, *Task) Outcome {
			w := startWatch("sequence/x", plainTarget{kind, spec.FIFO}, nil)
			defer w.stop()
			for range 100 {
				b := make([]byte, 1<<20)
				if keeps {
					taken = append(taken, b)
				}
			}
			w.look()
			looked++
			return Outcome{Ended: Completed}
		}}
		carry(t.Context(), &c, plainTarget{kind, spec.FIFO}, &Task{Check: &c}, Plan{})
		if taken = nil; looked != 1 {
			t.Errorf("%s: the check did not run", kind)
		}
	}
}

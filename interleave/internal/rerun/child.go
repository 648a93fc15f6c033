package rerun

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What the folder of a call has.
const (
	callFile    = "call.json"
	payloadFile = "payload"
)

// A call is what a child is asked to do.
type call struct {
	Name    string // of the test
	Ordinal int
	Args    []byte
}

// A ChildCall is a call in an instrumented binary.
type ChildCall struct {
	// Args is what the parent's Request had.
	Args []byte
	// Whole says that the whole run is re-executed, for -fuzz: nobody waits for
	// a payload, and what is found is to be reported to t.
	Whole bool

	// Ordinal counts the calls within the test, from 0.
	Ordinal int

	asked bool
}

// Asked reports whether this is the call that the parent asked for. If not, it
// must return at once, as one that passed.
func (c *ChildCall) Asked() bool { return c.asked }

// Child returns what this call is in an instrumented binary. It must be made
// once for each call of Run in the parent. An instrumented binary that was
// started by hand behaves as one under -fuzz.
func Child(t testing.TB) (*ChildCall, error) {
	n := ordinal(t)
	if at.call == "" || at.call == whole {
		return &ChildCall{Whole: true, Ordinal: n, asked: true}, nil
	}
	text, err := os.ReadFile(filepath.Join(at.call, callFile))
	if err != nil {
		return nil, fmt.Errorf("rerun: %w", err)
	}
	var c call
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("rerun: %s: %w", callFile, err)
	}
	if c.Name != t.Name() || c.Ordinal != n {
		return &ChildCall{}, nil
	}
	return &ChildCall{Args: c.Args, Ordinal: n, asked: true}, nil
}

// Send gives the parent the result of the call. Without it the parent takes the
// child for one that crashed. The file appears whole or not at all.
func (c *ChildCall) Send(payload []byte) error {
	if !c.asked || c.Whole {
		return fmt.Errorf("rerun: nobody waits for the result of this call")
	}
	temp := filepath.Join(at.call, payloadFile+".part")
	if err := os.WriteFile(temp, payload, 0o600); err != nil {
		return fmt.Errorf("rerun: %w", err)
	}
	if err := os.Rename(temp, filepath.Join(at.call, payloadFile)); err != nil {
		return fmt.Errorf("rerun: %w", err)
	}
	return nil
}

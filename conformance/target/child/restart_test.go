package child

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
)

// TestAnotherProgram: a child that has died is started again, and must be what it was.
// A verdict names one program; what another one does must not count for it.
func TestAnotherProgram(t *testing.T) {
	for what, second := range map[string]string{
		"name":         `{"hello":{"protocol":2,"name":"y","capabilities":{}}}`,
		"version":      `{"hello":{"protocol":2,"name":"x","version":"2","capabilities":{}}}`,
		"profile":      `{"hello":{"protocol":2,"name":"x","profile":"core","capabilities":{}}}`,
		"capabilities": `{"hello":{"protocol":2,"name":"x","capabilities":{"len":true}}}`,
		"contract":     `{"hello":{"protocol":2,"name":"x","contract":{"order":"none"},"capabilities":{}}}`,
		"":             `{"hello":{"protocol":2,"name":"x","capabilities":{},"notes":["process 2"]}}`,
	} {
		first := true
		c, err := Start(t.Context(), func() *exec.Cmd {
			if first {
				first = false
				return command("end:1 {")()
			}
			return command("first:" + second + "\n")()
		}, Options{Timeout: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Run(t.Context(), ordered); !errors.As(err, new(*queue.CrashError)) {
			t.Fatalf("%s: expected a crash, saw %v", what, err)
		}
		_, err = c.Run(t.Context(), ordered)
		if what == "" {
			if errors.Is(err, ErrStart) {
				t.Errorf("another note: %v", err)
			}
			continue
		}
		if !errors.Is(err, ErrStart) || !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), "as before") {
			t.Errorf("another %s: expected ErrStart and ErrProtocol, saw %v", what, err)
		}
		if h := c.Hello(); h.Name != "x" || h.Version != "" || h.Profile != "" || h.Capabilities.Len {
			t.Errorf("another %s: the first hello is gone: %+v", what, h)
		}
	}
}

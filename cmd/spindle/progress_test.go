//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// In a pipe, whoever waits for a target that does nothing hears of it within 2 s, and
// again every 10 s. The lines name the target, or the check that it is in.
func TestProgressOfASlowTarget(t *testing.T) {
	t.Parallel()
	const hello = `echo '{"hello": {"protocol": 2, "name": "slow", "profile": "fifo", "capabilities": {}}}'
`
	for name, test := range map[string]struct{ script, line string }{
		"opening": {"exec sleep 60\n", `^spindle, after \d+ s: begins$`},
		"judging": {hello + "exec sleep 60\n", `^spindle, after \d+ s: slow: sequence/order, `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			cmd := exec.Command("spindle", "check", "-seed", "1", "-run", "^sequence/order$", "exec:sh slow.sh")
			cmd.Dir = t.TempDir()
			if err := os.WriteFile(filepath.Join(cmd.Dir, "slow.sh"), []byte(test.script), 0o666); err != nil {
				t.Fatal(err)
			}
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = cmd.Process.Signal(os.Interrupt)
				_ = cmd.Wait()
			}()
			lines := bufio.NewScanner(stderr)
			// The first line comes within 2 s, another every 10 s.
			for _, within := range []time.Duration{2 * time.Second, 12 * time.Second}[:tier.N(t, 1, 2)] {
				if !lines.Scan() {
					t.Fatalf("expected a line, saw none: %v", lines.Err())
				}
				if took := time.Since(begin); took > within || !regexp.MustCompile(test.line).MatchString(lines.Text()) {
					t.Errorf("expected %s within %v, saw %q after %v", test.line, within, lines.Text(), took)
				}
			}
		})
	}
}

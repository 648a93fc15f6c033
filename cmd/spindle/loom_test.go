package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/cachedir"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
)

// loomChild builds children/rust-loom. The test is skipped without cargo and a way to fetch
// loom.
func loomChild(t *testing.T) (program string) {
	t.Helper()
	missing := t.Skipf
	if tier.Required("cargo") {
		missing = t.Fatalf
	}
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		missing("the child under loom was not tried: %v", err)
	}
	cache, err := cachedir.Open("spindle-loom")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Close() })
	call := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), cargo, append(args, "--locked", "--quiet", "--manifest-path", "../../children/rust-loom/Cargo.toml")...)
		cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+filepath.Join(cache.Path, "target"))
		return cmd.CombinedOutput()
	}
	if out, err := call("fetch"); err != nil {
		missing("the child under loom was not tried: its crates cannot be had: %v\n%s", err, out)
	}
	if out, err := call("build", "--release"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(cache.Path, "target", "release", "spindle-loom")
}

// TestLoom: the deque of children/rust-loom is right, and complete by loom; each of its six
// faults is found, those of memory order too, which no run on x86 shows.
func TestLoom(t *testing.T) {
	tier.OnlyFull(t)
	tier.Long(t)
	program := loomChild(t)
	for _, c := range []struct {
		which string
		falls []string // by one of these
	}{
		{"right", nil},
		{"get-stores", []string{"RQ-TWICE"}},
		{"steal-stores", []string{"RQ-TWICE"}},
		{"reads-late", []string{"RQ-TWICE", "RQ-LOST"}},
		{"put-relaxed", []string{"RQ-INVENTED", "RQ-TWICE", "RQ-LOST"}},
		{"get-unfenced", []string{"RQ-TWICE"}},
		{"steal-unfenced", []string{"RQ-TWICE"}},
	} {
		t.Run(c.which, func(t *testing.T) {
			events := filepath.Join(t.TempDir(), "events")
			run := "^interleave/explored$"
			if c.falls == nil {
				run = "^(interleave|sequence)/"
			}
			code, out := checked(t, "-budget", "20m", "-json", events, "-run", run, "exec:"+program+" "+c.which)
			var note string
			var found []string
			text, err := os.ReadFile(events)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				var e suite.Event
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				switch {
				case e.Finding != nil:
					found = append(found, e.Finding.Requirement)
				case e.Result != nil && e.Check == "interleave/explored":
					note = e.Result.Note
				}
			}
			t.Logf("exit %d; %v; %s", code, found, note)
			if c.falls == nil {
				// As many histories as our own explorer has of the same deque in Go: TestToldRight.
				if code != 0 || !regexp.MustCompile(`^complete by loom as the target says; 647 histories of [0-9]+ executions$`).MatchString(note) {
					t.Errorf("expected exit 0 and a pass that is complete, saw exit %d, %q\n%s", code, note, out)
				}
				return
			}
			if code != 1 || !slices.ContainsFunc(c.falls, func(id string) bool { return slices.Contains(found, id) }) || strings.HasPrefix(note, "complete") {
				t.Errorf("expected exit 1 by one of %v, saw exit %d, %v, %q\n%s", c.falls, code, found, note, out)
			}
		})
	}
}

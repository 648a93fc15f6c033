package command

import (
	"os"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

const modelsHead = "# The models\n\n" +
	"What `spindle tlc -list -markdown` prints of `cfg/`; `SPINDLE_UPDATE=1 go test ./tla/command -run TestModelsTable` writes it. `-set full` has the\n" +
	"gate's, too, and `-set night` all. Seconds are about TLC's, with one worker on a small machine. \"Go machine alone\" is what is too large for\n" +
	"TLC; `spindle model` explores it. \"holds with 3 Ms\": in some state of it an M waits for ever for another one, which the runtime would make, so\n" +
	"that runs with more Ms are not among those that were explored; where no number stands there is no such state (`EnoughMs`).\n" +
	"There, too, an M may wait for a while, in which the runtime would make one: `TestOneMMore` explores such models with one M more.\n\n"

// TestModelsTable holds tla/MODELS.md against the configurations.
func TestModelsTable(t *testing.T) {
	const file = "../MODELS.md"
	code, out, errs := run(t.Context(), "tlc", "-list", "-markdown")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	want := modelsHead + out
	if tier.Update() {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s does not show what spindle tlc -list -markdown prints (%v); SPINDLE_UPDATE=1 go test ./tla/command -run TestModelsTable writes it", file, err)
	}
}

package goroot

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestSelfTest: the self-test passes with our file as it is, and fails with each damage in it. Behind a damage stands what is said.
func TestSelfTest(t *testing.T) {
	tier.OnlyFull(t)
	for name, d := range map[string]struct{ old, new, says string }{
		"as it is":                       {"\n", "\n", ""},
		"a fiber is not marked":          {"newg.racectx = spindleRuns", "newg.racectx = 0", "to be marked"},
		"readied, it runs":               {"return atomic.Casuintptr(&gp.racectx, spindleWaits, spindleReadied)", "return false", "to wait for its turn"},
		"nobody is handed over to":       {"spindleBase == nil || spindleBase.gp == nil {", "true {", "deadlock"},
		"it stays in the channel":        {"\t\t\t\tspindleDequeue(sg)\n", "\t\t\t\t_ = sg\n", "not to receive"},
		"fatal errors are not seen":      {"\t\task.end(message)\n", "", "fatal error: sync: unlock of unlocked mutex"},
		"go statements are not asked":    {"if ask == nil {\n\t\treturn false", "if ask != nil {\n\t\treturn false", "to be asked for"},
		"goroutines are not counted":     {"return ask.threads()", "return 0", "to see how many there are in the test"},
		"it goes on, and is still ready": {"gp := getg(); gp.racectx == spindleWaits || gp.racectx == spindleReadied {", "gp := getg(); gp == nil {", "not to go on before somebody sends"},
		"timers are not asked for":       {"if ask == nil || getg().bubble != nil {\n\t\treturn nil", "if ask == nil || ask != nil {\n\t\treturn nil", "to be asked for a timer"},
		"waits are not asked for":        {"return spindleAsk.waits(what)", "return false", "signal: killed"},
		"it is told twice":               {"\tspindleParked = nil\n\treturn gp", "\treturn gp", "to be told once"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(string(runtimeText), d.old) == 0 {
				t.Fatalf("expected %q in our file", d.old)
			}
			o, err := makes(root(t), map[string][]byte{added: []byte(strings.Replace(string(runtimeText), d.old, d.new, 1))})
			if err != nil {
				t.Fatal(err)
			}
			err = o.selfTest(t.Context(), "go", os.Environ())
			if d.old == d.new {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrSelfTest) || !strings.Contains(err.Error(), "selftest.exe") || !strings.Contains(err.Error(), d.says) {
				t.Errorf("expected a failure with %q, saw %v", d.says, err)
			}
		})
	}
}

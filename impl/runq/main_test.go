package runq_test

import (
	"flag"
	"os"
	"testing"

	"github.com/spindle-go/spindle/internal/sample"
)

// TestMain asks rapid for more than its 100 checks, which take no time here:
// for 300, and for 10000 with SPINDLE_LONG=1. -rapid.checks overrides both.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		checks := "300"
		if sample.Long() {
			checks = "10000"
		}
		if err := flag.Set("rapid.checks", checks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

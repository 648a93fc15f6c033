package runq_test

import (
	"flag"
	"os"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// asked is set if -rapid.checks says how many checks rapid makes.
var asked bool

// TestMain asks rapid for more than its 100 checks, which take no time here: for 300.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	checks("300")
	os.Exit(m.Run())
}

// many asks rapid for 10,000 checks of t in the full tier.
func many(t *testing.T) {
	if tier.Full(t) {
		checks("10000")
		t.Cleanup(func() { checks("300") })
	}
}

func checks(n string) {
	if asked {
		return
	}
	if err := flag.Set("rapid.checks", n); err != nil {
		panic(err)
	}
}

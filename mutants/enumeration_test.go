package mutants

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// TestCatalogueByEnumeration: what is enumerated, without any scenario that was written
// for these mutants or for the ring, kills each mutant of the catalogue that the explorer
// kills, but one, and no equivalent one.
func TestCatalogueByEnumeration(t *testing.T) {
	tier.OnlyFull(t)
	root := checkoutRoot(t)
	r := &runner{Options: Options{Root: root}, dir: t.TempDir()}
	for _, m := range Catalogue() {
		if m.Witness != spec.Interleave && m.Witness != spec.Sequence || m.ID == "G-7" { // no scenario of two calls shows it: interleave/loot does
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			s, err := r.subject(m.ID)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			out, err := s.goTest(t.Context(), 10*time.Minute, t.TempDir(), "-run", "^TestEnumerated$", "./conformance/target/ref")
			if err != nil {
				t.Fatal(err)
			}
			fell := slices.DeleteFunc(slices.Clone(m.Requirements), func(id string) bool { return !strings.Contains(out.text, id+", seen by ") })
			t.Logf("%s: %v, %s", time.Since(begin).Round(time.Second), fell, m.Title)
			if (m.Equivalent == "") != out.failed {
				t.Errorf("expected it killed: %v; saw that: %v", m.Equivalent == "", out.failed)
			}
			if m.Equivalent == "" && len(fell) == 0 {
				t.Errorf("expected one of %v to fall, saw %s", m.Requirements, lastLines(out.text))
			}
		})
	}
}

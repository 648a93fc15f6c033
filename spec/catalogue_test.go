package spec

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestCatalogueGolden makes each change of a promise a visible change of a file.
func TestCatalogueGolden(t *testing.T) {
	var b strings.Builder
	for _, r := range Requirements {
		fmt.Fprintf(&b, "%s %s %v %v\n\t%s\n", r.ID, r.Level, r.Profiles(), r.Witnesses, r.Sentence)
	}
	const golden = "testdata/requirements.golden"
	if tier.Update() {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the catalogue is not %s; if the contract was meant to change, run: SPINDLE_UPDATE=1 go test ./spec -run Golden", golden)
	}
}

func TestLookup(t *testing.T) {
	if r, err := Lookup("RQ-FIFO"); err != nil || r.ID != "RQ-FIFO" {
		t.Errorf("%v, %v", r, err)
	}
	for id, near := range map[string]string{"RQ-STEALHALF": "RQ-STEAL-HALF", "fifo": "RQ-FIFO", "RQ-EMPTY": "RQ-EMPTY-TRUE", "": "unknown", "x": "unknown"} {
		if _, err := Lookup(id); err == nil || !strings.Contains(err.Error(), near) {
			t.Errorf("Lookup(%q): %v, want an error that names %s", id, err, near)
		}
	}
}

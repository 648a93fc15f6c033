package operators

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestOver makes mutants of a file that an overlay adds, whose number is an expression of the package's own; and compares their code.
func TestOver(t *testing.T) {
	tier.NotShort(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	base, err := overlay.New(root)
	if err != nil {
		t.Fatal(err)
	}
	const dir = "mutants/operators/testdata/fixture"
	const text = "package fixture\n\nvar number int\n\n// Less may be damaged.\nfunc Less(p *uint, b uint) bool {\n\ta := *p\n\treturn a < b\n}\n"
	if err := base.Put(dir+"/over.go", []byte(text)); err != nil {
		t.Fatal(err)
	}
	d, err := GenerateOver(base, dir, []string{"over.go"})
	if err != nil {
		t.Fatal(err)
	}
	ms := d.Mutants()
	if len(ms) < 4 {
		t.Fatalf("expected some mutants, saw %v", ms)
	}
	for _, m := range ms {
		if m.File != dir+"/over.go" || m.Func != "Less" {
			t.Errorf("expected mutants of Less alone, saw %+v", m)
		}
	}
	source := d.SourceBy("number")
	if s := string(source[dir+"/over.go"]); len(source) != 1 || !strings.Contains(s, "switch number { case 1: return zzLess_1(p, b);") || strings.Contains(s, "import") {
		t.Errorf("expected a switch over number and no import, saw %s", s)
	}
	same, err := d.Same(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range ms {
		if n, ok := same[m.Number]; ok != (m.Operator == "reread") || n != 0 {
			t.Errorf("%s: expected that a plain variable is read once, and that other mutants differ; saw %d, %v", m.ID, n, ok)
		}
	}
	if _, err := GenerateOver(base, dir, []string{"other.go"}); err == nil {
		t.Error("expected an error for a file that is not there, saw none")
	}
}

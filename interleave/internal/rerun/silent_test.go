package rerun

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// harmless are generic functions that touch no memory which a program could share, or that are the same wherever they come from.
var harmless = regexp.MustCompile(`^(cmp|errors|reflect|internal/abi|internal/sync|hash/maphash)\.|^sync/atomic\.\(\*Pointer`)

// TestParts: each package of the explorer that an instrumented binary has is silent, and known as the explorer's. If one were not, its accesses would count as the program's, or its
// frames would be taken for the program's where rounds of loops are compared.
func TestParts(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags="+goroot.Tags, place.Explorer+"internal/engine", place.Explorer+"hook", place.Explorer+"sync", place.Explorer+"atomic").Output()
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for path := range strings.FieldsSeq(string(out)) {
		part, ok := strings.CutPrefix(path, goroot.Project)
		if !ok {
			continue
		}
		parts++
		if !slices.Contains(goroot.Silent, part) {
			t.Errorf("%s: expected a package that goroot.Silent has, saw one that it lacks", part)
		}
		if strings.HasPrefix(path, place.Explorer) && !place.Ours(path+".F") {
			t.Errorf("%s: expected a package that place.Ours knows, saw one that it does not", part)
		}
	}
	if parts < 15 {
		t.Errorf("expected 15 packages at least, saw %d", parts)
	}
}

// TestSilent: packages of which nothing is reported have no instance of a generic function of the standard library. The linker might take it for a program's.
func TestSilent(t *testing.T) {
	for _, path := range goroot.Silent {
		out, err := exec.Command("go", "list", "-export", "-tags="+goroot.Tags, "-f", "{{.Export}}", goroot.Project+path).Output()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		symbols, err := exec.Command("go", "tool", "nm", strings.TrimSpace(string(out))).Output()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		functions := 0
		for line := range strings.Lines(string(symbols)) {
			_, name, ok := strings.Cut(strings.TrimSpace(line), " T ")
			if !ok {
				continue
			}
			functions++
			if of, _, generic := strings.Cut(name, "["); generic && !strings.Contains(of, goroot.Project) && !strings.HasPrefix(of, "go.shape") && !strings.HasPrefix(of, "go:") && !strings.HasPrefix(of, "type:") && !harmless.MatchString(of) {
				t.Errorf("%s: expected no instance of a generic function of another package, saw %s: see package list", path, name)
			}
		}
		if functions == 0 && path != "interleave/internal/list" && path != "interleave/internal/settings" { // all of their functions are generic
			t.Errorf("%s: expected functions, saw none", path)
		}
	}
}

package lint

import (
	"bufio"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPartsGuard holds that a part of .ci/parts that may be left out names all folders whose code
// its command runs: those of the packages it names, and of all that these import.
func TestPartsGuard(t *testing.T) {
	const module = "github.com/spindle-go/spindle/"
	f, err := os.Open("../../.ci/parts")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	named := regexp.MustCompile(`\./[a-z][a-z/]*(\.\.\.)?`)
	guarded := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		row := strings.Split(lines.Text(), "|")
		if strings.HasPrefix(lines.Text(), "#") || len(row) != 4 || strings.TrimSpace(row[2]) == "." {
			continue
		}
		guarded++
		name, folders := strings.TrimSpace(row[0]), strings.Fields(row[2])
		packages := named.FindAllString(row[3], -1)
		if len(packages) == 0 {
			packages = []string{"./cmd/spindle"} // a function of .ci/run, which runs the command
		}
		list := exec.Command("go", append([]string{"list", "-deps", "-test"}, packages...)...)
		list.Dir = "../.."
		out, err := list.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var missing []string
		for pkg := range strings.FieldsSeq(string(out)) {
			if rest, ours := strings.CutPrefix(pkg, module); ours {
				folder, _, _ := strings.Cut(rest, "/")
				if !slices.Contains(folders, folder) && !slices.Contains(missing, folder) {
					missing = append(missing, folder)
				}
			}
		}
		if len(missing) > 0 {
			t.Errorf("part %q runs code of %v, expected them in its folders, saw %v", name, missing, folders)
		}
	}
	if guarded == 0 {
		t.Error("expected a part that may be left out, saw none")
	}
}

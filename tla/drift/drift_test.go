package drift

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write digests.txt anew, from Go 1.23 to 1.26")

// modelled is the version that the model was written from.
const modelled = "go1.26.8"

// readVersions are the versions that were read: those that CI pins, and the last patch of each
// series.
var readVersions = []string{"go1.23.5", "go1.23.12", "go1.24.13", "go1.25.3", "go1.25.14", modelled, "go1.26.11"}

// gorootOf asks the go command for another version, which it may have to fetch.
func gorootOf(t *testing.T, v string) string {
	t.Helper()
	if v == runtime.Version() {
		return gorootHere(t)
	}
	cmd := exec.CommandContext(t.Context(), "go", "env", "GOROOT")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOROOT=", "GOTOOLCHAIN="+v)
	out, err := cmd.CombinedOutput()
	if err != nil {
		if strings.Contains(","+os.Getenv("SPINDLE_REQUIRE")+",", ",toolchains,") {
			t.Fatalf("SPINDLE_REQUIRE asks for toolchains, and %s cannot be had: %v\n%s", v, err, out)
		}
		t.Skipf("%s cannot be had here: %v: %.200s", v, err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

func gorootHere(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// The table is what the sources give: each pattern is found once, each digest is right.
func TestDigests(t *testing.T) {
	var sources []*runtimeSource
	for _, v := range readVersions {
		s, err := read(gorootOf(t, v))
		if err != nil {
			t.Fatal(err)
		}
		if s.version != v {
			t.Fatalf("expected %s, saw %s", v, s.version)
		}
		sources = append(sources, s)
	}
	want, err := sums(modelled, sources)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("digests.txt", want.text(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want.text(), embedded) {
		t.Errorf("digests.txt is not what the sources give; to write it anew: go test ./tla/drift -run TestDigests -update")
	}
}

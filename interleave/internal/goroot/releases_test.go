package goroot

import (
	"cmp"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestReleases: each release from Go 1.26.0 on that the go command can fetch, and each candidate, has all places of the edits. It fetches them.
func TestReleases(t *testing.T) {
	tier.OnlyFull(t)
	tried, newest := 0, ""
	for _, release := range releases(t) {
		cmd := exec.Command("go", "env", "GOROOT")
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+release)
		out, err := cmd.Output()
		if err != nil {
			t.Logf("%s cannot be fetched", release)
			continue
		}
		root := strings.TrimSpace(string(out))
		here, all, missing := places(filepath.Join(root, "src"))
		pinned := ""
		if o, err := Make(root); err == nil {
			pinned = Pinned[o.Digest]
		}
		t.Logf("%s: %d of %d places%s", release, here, all, map[bool]string{true: ", pinned"}[pinned == release])
		for _, err := range missing {
			t.Errorf("%s: %v", release, err)
		}
		tried, newest = tried+1, release
	}
	if tried < 10 {
		t.Errorf("expected ten releases at least, tried %d, the newest %s", tried, newest)
	}
}

// places says how many places of the edits are in a toolchain's source, of how many that are expected there.
func places(src string) (here, all int, missing []error) {
	for _, e := range edits {
		text, err := os.ReadFile(filepath.Join(src, e.file))
		if errors.Is(err, fs.ErrNotExist) && e.early() {
			continue
		}
		try := func(made error) {
			if all++; err == nil && made == nil {
				here++
			} else {
				missing = append(missing, cmp.Or(err, made))
			}
		}
		for _, i := range e.insertions {
			_, made := overlay.Insert(e.file, text, i)
			try(made)
		}
		for _, r := range replaced[e.file] {
			_, made := r.in(e.file, text)
			try(made)
		}
	}
	return here, all, missing
}

// releases returns those that the go command knows, and the candidates that there may be, in order.
func releases(t *testing.T) (all []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-versions", "golang.org/toolchain").Output()
	if err != nil {
		if tier.Required("toolchains") {
			t.Fatalf("SPINDLE_REQUIRE asks for toolchains, and the go command lists none: %v", err)
		}
		t.Skipf("the go command lists no toolchains: %v", err)
	}
	form := regexp.MustCompile(`-(go1\.\S+)\.` + runtime.GOOS + "-" + runtime.GOARCH + `(\s|$)`)
	for _, m := range form.FindAllStringSubmatch(string(out), -1) {
		all = append(all, m[1])
	}
	slices.SortFunc(all, version.Compare)
	all = slices.DeleteFunc(all, func(v string) bool { return version.Compare(v, "go1.26.0") < 0 })
	if len(all) == 0 {
		t.Fatalf("expected toolchains from Go 1.26.0 on, saw %q", out)
	}
	minor := 0
	fmt.Sscanf(all[len(all)-1], "go1.%d", &minor)
	for m := 27; m <= minor+1; m++ {
		for n := 1; n <= 3; n++ {
			if rc := fmt.Sprintf("go1.%drc%d", m, n); !slices.Contains(all, rc) {
				all = append(all, rc)
			}
		}
	}
	slices.SortFunc(all, version.Compare)
	return all
}

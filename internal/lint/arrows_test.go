package lint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/spindle-go/spindle"

// root is the repository's root.
const root = "../.."

// arrows says which folders of the project a folder's ordinary files may
// import; a folder stands for itself and, with /..., for all below it. The
// longest match counts.
var arrows = map[string][]string{
	"spec/record":                    {},
	"spec":                           {},
	"spec/sequential":                {"spec", "spec/record"},
	"spec/mechanisms":                {},
	"spec/explore":                   {"spec/record", "spec/explore", "internal/cputime"},
	"spec/constants":                 {},
	"spec/runqueue":                  {"spec/record", "spec/explore", "spec/constants"},
	"spec/sched":                     {"spec/record", "spec/explore", "spec/constants"},
	"spec/slices":                    {"spec/explore", "spec/constants"},
	"spec/twolevel":                  {"spec/explore", "spec/constants"},
	"spec/wakes":                     {"spec/explore", "spec/constants"},
	"tla":                            {"spec", "tla", "internal/cachedir"},
	"tla/command":                    {"spec", "tla", "internal/cli", "internal/cputime", "internal/exit", "internal/suite/show", "conformance/target/goruntime"},
	"tla/findings":                   {"tla/drift", "conformance/target/goruntime", "internal/overlay", "internal/procgroup", "internal/exit"},
	"tla/features":                   {"tla/variant", "spec", "internal/cli"},
	"tla/tlc":                        {"spec", "tla/tlc", "internal/cachedir", "internal/procgroup"},
	"tla/tlc/tlctest":                {"spec/explore", "tla/tlc", "internal/tier"},
	"impl":                           {"impl", "internal/valve"},
	"impl/runq/orders":               {"internal/cachedir", "internal/exit"},
	"interleave":                     {"spec/record", "interleave", "internal/awake"},
	"interleave/internal/instrument": {"internal/overlay", "interleave"},
	"interleave/internal/goroot":     {"internal/cachedir", "internal/overlay"},
	"interleave/internal/rerun":      {"internal/cachedir", "internal/overlay", "internal/awake", "interleave"},
	"interleave/peers":               {"interleave"},
	"interleave/table":               {"spec/record"},
	"linearizability":                {"spec", "linearizability"},

	// The engine knows no subject: no queue, no model, no witness.
	"internal/suite":           {"spec", "spec/record", "internal/wholefile", "internal/awake"},
	"internal/suite/show":      {"spec", "spec/record", "interleave/table", "internal/printable"},
	"internal/suite/suitetest": {"spec", "spec/record", "internal/suite"},
	"internal/suite/witnessed": {"spec", "spec/record", "internal/suite"},
	"internal/suite/merge":     {"spec", "internal/suite", "internal/suite/gate"},
	"internal/suite/gate":      {"spec", "spec/record", "internal/suite", "internal/exit", "internal/printable", "internal/wholefile"},
	"internal/suite/gate/cli":  {"internal/suite", "internal/cli", "internal/exit", "internal/printable", "internal/wholefile"},
	"internal/childpage":       {"spec", "spec/record", "internal/suite", "internal/suite/gate", "internal/printable"},
	"internal/suite/report":    {"spec", "spec/record", "internal/suite", "internal/suite/gate", "internal/suite/show", "internal/printable"},

	// The subjects, and what a user of go test needs of them.
	"conformance":                  {"internal/printable", "conformance/queue", "conformance/scheduler", "internal/suite", "internal/awake", "interleave", "spec"},
	"conformance/queue":            {"spec/record", "internal/frames"},
	"conformance/queue/drive":      {"conformance/queue", "internal/frames", "spec/record", "linearizability/recorder"},
	"conformance/queue/checks":     {"conformance/queue", "internal/suite", "interleave", "linearizability", "spec", "internal/awake", "internal/frames"},
	"conformance/scheduler":        {},
	"conformance/scheduler/drive":  {"conformance/scheduler", "interleave", "spec/record", "internal/awake", "internal/frames"},
	"conformance/scheduler/checks": {"conformance/scheduler", "interleave", "internal/suite", "spec", "internal/awake", "internal/cputime", "internal/frames", "internal/valve"},
	"conformance/model":            {"internal/suite", "spec", "tla"},
	"conformance/trace":            {"conformance/queue", "conformance/trace/recording", "interleave", "spec"},
	"conformance/trace/recording":  {},
	"conformance/property":         {"conformance/queue", "linearizability", "spec"},
	"conformance/designs":          {"conformance/queue", "spec", "spec/record"},
	"conformance/target":           {"conformance/queue", "conformance/target", "linearizability", "spec", "impl", "internal/overlay", "internal/strictjson", "internal/awake", "internal/cachedir", "internal/frames"},
	"conformance/target/child":     {"conformance/queue", "conformance/scheduler", "conformance/scheduler/drive", "conformance/target/child", "spec/record", "internal/awake", "internal/printable", "internal/procgroup", "internal/strictjson"},
	"conformance/target/ref":       {"conformance/queue", "spec/record", "impl/runq"},
	"conformance/target/sched":     {"internal/valve", "conformance/scheduler", "spec", "impl/sched"},
	"conformance/target/gosched":   {"conformance/scheduler", "spec"},

	// Right schedulers of other designs.
	"conformance/scheduler/designs": {"conformance/scheduler", "spec"},

	// Many mutants of the designs and of the reference, in one process.
	"conformance/hunt": {"conformance/designs", "conformance/queue", "conformance/scheduler", "conformance/target/ref", "interleave/harness", "internal/suite", "mutants/operators/chosen", "spec"},

	// For tests alone: between its lies a child has a right queue.
	"conformance/target/child/hostile": {"conformance/queue", "conformance/scheduler", "conformance/designs", "conformance/target/child", "spec/record"},

	"mutants":             {"conformance/queue", "conformance/target/ref", "conformance/hunt", "internal/suite", "internal/exit", "spec", "internal/overlay", "internal/procgroup", "mutants"},
	"fuzz":                {"conformance", "spec", "linearizability", "impl"},
	"ci":                  {"internal/suite", "spec", "ci"},
	"cmd":                 {"conformance", "internal", "mutants", "linearizability", "spec", "interleave/harness", "interleave/table", "tla"},
	"internal/awake":      {"internal/cputime"},
	"internal/cputime":    {},
	"internal/frames":     {},
	"internal/printable":  {},
	"internal/strictjson": {},
	"internal/cachedir":   {},
	"internal/cli":        {"internal/cli", "internal/exit"},
	"internal/tier":       {"spec/record"},
	"internal/wholefile":  {},
	"internal/exit":       {},
	"internal/schedtrace": {},
	"internal/valve":      {},
	"internal/procgroup":  {},
	"internal/overlay":    {},
	"internal/lint":       {},
	"internal/benchmark":  {"conformance", "impl", "spec"},
}

// standardOnly are the folders whose ordinary files import no other module.
var standardOnly = []string{"impl", "spec", "interleave", "tla", "linearizability/recorder", "conformance/queue", "conformance/scheduler", "conformance/target", "conformance/designs"}

// decoders is the one exception: what decodes machine code is the Go project's own, and no matter of this one.
const decoders = "golang.org/x/arch/"

func TestArrows(t *testing.T) {
	files := 0
	walk(t, func(rel string) {
		if strings.HasSuffix(rel, "_test.go") {
			return
		}
		files++
		dir := path.Dir(rel)
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, rel), nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			to, own := strings.CutPrefix(p, module+"/")
			switch {
			case own && !allowed(dir, to):
				t.Errorf("%s imports %s: no such arrow", rel, to)
			case dir == "interleave/internal/slots" && strings.HasPrefix(p, decoders):
			case !own && strings.Contains(strings.Split(p, "/")[0], ".") && below(dir, standardOnly):
				t.Errorf("%s imports %s: this room uses the standard library alone", rel, p)
			}
		}
	})
	if files < 20 {
		t.Fatalf("saw %d files, want the whole repository", files)
	}
}

func allowed(from, to string) bool {
	for dir := from; dir != "."; dir = path.Dir(dir) {
		if list, ok := arrows[dir]; ok {
			return below(to, list)
		}
	}
	return false
}

func below(dir string, list []string) bool {
	for _, l := range list {
		if dir == l || strings.HasPrefix(dir, l+"/") {
			return true
		}
	}
	return false
}

// walk calls f for every Go file of the module, by its slash path from the root.
func walk(t *testing.T, f func(rel string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if p != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
				return fs.SkipDir
			}
			if _, err := fs.Stat(os.DirFS(root), p+"/go.mod"); p != "." && err == nil {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		if strings.HasSuffix(p, ".go") {
			f(p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestArrowsCanFail(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"spec", "impl/runq", false},
		{"impl/runq", "spec", false},
		{"linearizability", "conformance", false},
		{"conformance", "impl/runq", false},
		{"conformance/target/ref", "impl/runq", true},
		{"cmd/spindle", "impl/runq", false},
		{"spec/sequential", "spec/record", true},
		{"spec", "spec/record", false},
		{"unheard/of", "spec", false},
	} {
		if got := allowed(c.from, c.to); got != c.want {
			t.Errorf("%s -> %s: allowed %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

package sample

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// byChance has the tests that no part of .ci/run is sure to run. A test that is new here weakens the gate: give it to a
// part of .ci/run instead.
var byChance = map[string][]string{
	"conformance":                  {"TestKeptInterleavings", "TestWrittenTest", "TestWrongQueueOfAnotherModule"},
	"conformance/target/goruntime": {"TestRace"},
	"conformance/target/sched":     {"TestWakes"},
	"conformance/trace":            {"TestCounterexamples", "TestDamagedSteps", "TestTracesByTLC"},
	"interleave/examples/outside":  {"TestScheduleOfAnother", "TestDependency", "TestCached", "TestQuiet", "TestReadme", "TestUnseen"},
	"mutants":                      {"TestRunOperators"},
	"spec/sched":                   {"TestWakeUps", "TestEachActionIsCompared", "TestSameOrbitsAsTLC"},
	"tla/command":                  {"TestModelFindsWhatTLCFinds", "TestTLCDistributed", "TestUpdateByTLC"},
	"tla/findings":                 {"TestBuildAndRun"},
	"tla/tlc":                      {"TestServerListensOnTheLoopback", "TestRunOfWhatDoesNotParse", "TestRunInterrupted", "TestRunOnAFullDisk", "TestDistributed"},
}

// named finds the tests that a part of .ci/run asks for by their names.
var named = regexp.MustCompile(`-run '\^\(([A-Za-z|]+)\)\$'`)

// TestSkippedTestsRunInCI holds that .ci/run names each test that OneIn may skip, but for those of byChance. A test that is
// not named there may miss a fault in most runs of CI, and CI passes.
func TestSkippedTestsRunInCI(t *testing.T) {
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	runs := make(map[string]bool) // "folder test"
	for line := range strings.Lines(string(ci)) {
		m := named.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, word := range strings.Fields(line) {
			if dir, ok := strings.CutPrefix(word, "./"); ok {
				for _, test := range strings.Split(m[1], "|") {
					runs[dir+" "+test] = true
				}
			}
		}
	}
	chance, seen := make(map[string]bool), make(map[string]bool)
	for dir, tests := range byChance {
		for _, test := range tests {
			chance[dir+" "+test] = true
		}
	}
	for _, test := range skipped(t, "../..") {
		seen[test] = true
		switch {
		case runs[test] && chance[test]:
			t.Errorf("%s: .ci/run names it, so it is no test of byChance", test)
		case !runs[test] && !chance[test]:
			t.Errorf("%s: OneIn may skip it, and no part of .ci/run names its folder and the test", test)
		}
	}
	for test := range chance {
		if !seen[test] {
			t.Errorf("%s: byChance has it, and no such test calls OneIn", test)
		}
	}
	if len(seen) < 40 {
		t.Errorf("expected at least 40 tests that call OneIn, saw %d", len(seen))
	}
}

// skipped returns the tests below root that call sample.OneIn, each as its folder and its name.
func skipped(t *testing.T, root string) (tests []string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "OneIn" {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "sample" {
						tests = append(tests, filepath.ToSlash(dir)+" "+f.Name.Name)
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

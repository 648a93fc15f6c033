package conformance

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
)

// A scenario that a test has failed is kept among the test's own files, so that the
// next run finds the fault at once, whatever its seed. rapid does the same.

// mostKept bounds the files of one test.
const mostKept = 32

// keptFolder is where the scenarios of a test lie.
func keptFolder(test string) string {
	return filepath.Join("testdata", "spindle", suite.FileName(strings.ReplaceAll(test, "/", "__")))
}

// readKept reads the scenarios of dir. What is in its files is tried, or is an error
// that names the file.
func readKept(dir string) ([]checks.Kept, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("conformance: saved scenarios: %w", err)
	}
	var list []checks.Kept
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".txt" {
			continue
		}
		if len(list) == mostKept {
			return nil, fmt.Errorf("conformance: saved scenarios: %s: expected at most %d files, saw more", dir, mostKept)
		}
		file := filepath.Join(dir, e.Name())
		text, err := readFile(file)
		if err != nil {
			return nil, fmt.Errorf("conformance: saved scenario: %w", err)
		}
		k, err := checks.ParseKept(file, text)
		if err != nil {
			return nil, fmt.Errorf("conformance: saved scenario: %w", err)
		}
		list = append(list, k)
	}
	return list, nil
}

// readFile reads a regular file, and not much more than may be in it.
func readFile(name string) (string, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: expected a file, saw %v", name, info.Mode())
	}
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, checks.MaxKept+1))
	return string(text), err
}

// keep keeps the scenarios of what was found, of each way the smallest: what the report shows. What cannot be kept changes no verdict.
func keep(t *testing.T, dir string, p spec.Profile, r *gate.Result) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	n := len(files)
	for _, target := range r.Targets {
		for _, e := range smallestFirst(target.Findings) {
			k, err := checks.KeptOf(e.Finding, p)
			if err != nil || strings.HasSuffix(e.Check, checks.KeptName) {
				continue
			}
			name := suite.FileName(e.Finding.Fingerprint) + ".txt"
			text := k.Text()
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil || len(text) > checks.MaxKept || n >= mostKept {
				continue
			}
			path, err := suite.KeepIn(dir, name, []byte(text))
			if err != nil {
				t.Logf("the scenario is not saved: %v", err)
				return
			}
			n++
			t.Logf("the scenario is saved in %s, and will be tried first", path)
		}
	}
}

// unchosen says which kept scenarios the selection leaves out.
func unchosen(t *testing.T, s *suite.Subject, o *options) {
	t.Helper()
	chosen, err := suite.Select(o.suite.Select, s.Checks)
	if err != nil {
		return // which is told by whoever runs them
	}
	selected := make(map[string]bool)
	for _, c := range chosen {
		selected[c.Name] = true
	}
	for _, c := range s.Checks {
		if strings.HasSuffix(c.Name, checks.KeptName) && !selected[c.Name] {
			t.Logf("%s is not selected: its scenarios are not tried", c.Name)
		}
	}
}

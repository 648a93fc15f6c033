package rerun

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// A subject is the package under test, and how to build it.
type subject struct {
	path    string // import path
	dir     string // where to run the go command
	command string // go
	flags   []string
	env     []string
	info    *debug.BuildInfo
	fuzz    string   // the pattern of -fuzz
	again   []string // what runs the test by hand
}

// find says what the package under test is, by the build information. File is
// one that this binary was built from, and test the flag that names the test.
func find(file, test string) (*subject, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, &Error{Problem: NotTest, Detail: "it has no build information", Do: "Run the test by the go command."}
	}
	if !testing.Testing() {
		return nil, &Error{Problem: NotTest, Detail: fmt.Sprintf("it is the program %s, and testing.Testing reports that it has no tests", info.Path), Do: "Run the test by the go command."}
	}
	path := strings.TrimSuffix(info.Path, ".test") // the path of a package main has no such end
	s := &subject{path: path, dir: at.dir, info: info, again: []string{"go", "test", test, path}}
	if path == "command-line-arguments" {
		s.again[3] = "."
		return nil, &Error{Problem: FilesOnly, Detail: "go test was given files", Do: "Name the package instead:", Command: s.byHand(at.dir)}
	}
	if setting(info, "-trimpath") == "true" || !filepath.IsAbs(file) {
		return nil, &Error{Problem: TrimPath, Detail: fmt.Sprintf("it does not say where its source is (%s)", file), Do: "Build without -trimpath (see also GOFLAGS):",
			Command: s.byHand(at.dir) + " -trimpath=false"}
	}
	if !hasTests(s.dir) {
		s.dir = filepath.Dir(file)
	}
	if _, err := os.Stat(file); err != nil || !hasTests(s.dir) {
		return nil, &Error{Problem: Moved, Detail: fmt.Sprintf("it was built from %s, and the source of %s is neither there nor in %s", file, path, at.dir), Do: "Run it where its source is:",
			Command: "cd <the checkout> && " + shell(s.again...)}
	}
	var err error
	if s.command, err = exec.LookPath("go"); err != nil {
		return nil, &Error{Problem: NoGo, Err: err, Do: "An exploration builds the package once more. Put the go command on PATH, then:", Command: s.byHand(s.dir)}
	}
	s.flags, s.env = buildFlags(info)
	s.env = append(os.Environ(), s.env...)
	return s, nil
}

// byHand returns the command that runs the test, in a folder.
func (s *subject) byHand(dir string) string { return "cd " + shell(dir) + " && " + shell(s.again...) }

// hasTests reports whether dir has tests, and so may be where a test binary was
// started by go test.
func hasTests(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return len(names) > 0
}

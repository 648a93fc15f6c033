// Package gotest reads the output of go test -json, as far as a gate must know it:
// which tests failed.
//
//interleave:off
package gotest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
)

// The bounds of what is read.
const (
	maxLine = 1 << 20
	maxSize = 256 << 20
)

// A Failure is a test that failed, or a package that did so with no test to blame:
// it does not build, or its tests were ended.
type Failure struct {
	Package, Test string
	// Build has what the compiler, or vet, says of the package or of what it imports:
	// the first lines.
	Build string
}

// String returns it for people.
func (f Failure) String() string {
	switch {
	case f.Test != "":
		return f.Test + " of " + f.Package
	case f.Build != "":
		return "package " + f.Package + ": " + f.Build
	}
	return "package " + f.Package
}

// Read returns what failed. Each package that was begun must have come to its end,
// and there must be one. Errors wrap suite.ErrTruncated, suite.ErrDamaged or the
// reader's.
func Read(r io.Reader) ([]Failure, error) {
	limited := &io.LimitedReader{R: r, N: maxSize}
	in := bufio.NewReaderSize(limited, maxLine)
	open := make(map[string]bool) // packages; false: it came to its end
	blamed := make(map[string]bool)
	builds := make(map[string]*build) // that said something
	var failed, packages []Failure
	for n := 1; ; n++ {
		bad := func(why error, format string, args ...any) ([]Failure, error) {
			return nil, fmt.Errorf("go test -json, line %d: %w: %w", n, why, fmt.Errorf(format, args...))
		}
		line, err := in.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		switch {
		case err == bufio.ErrBufferFull || limited.N == 0:
			return bad(suite.ErrDamaged, "expected lines of at most %d bytes and %d bytes in all, saw more", maxLine, maxSize)
		case err == io.EOF:
			return bad(suite.ErrTruncated, "expected a newline at its end, saw the end of the file")
		case err != nil:
			return nil, fmt.Errorf("go test -json, line %d: %w", n, err)
		}
		var e struct{ Action, Package, Test, ImportPath, Output, FailedBuild string }
		if err := json.Unmarshal(line, &e); err != nil {
			return bad(suite.ErrDamaged, "expected an event in JSON: %w", err)
		}
		f := Failure{Package: e.Package, Test: e.Test}
		switch {
		case e.Package == "":
			if e.Action == "build-output" {
				if builds[e.ImportPath] == nil {
					builds[e.ImportPath] = new(build)
				}
				builds[e.ImportPath].say(e.Output)
			}
		case e.Test != "":
			if e.Action == "fail" {
				failed, blamed[e.Package] = append(failed, f), true
			}
		case e.Action == "start":
			open[e.Package] = true
		case e.Action == "fail":
			if b := builds[e.FailedBuild]; b != nil {
				f.Build = b.String()
			}
			open[e.Package], packages = false, append(packages, f)
		case e.Action == "pass", e.Action == "skip":
			open[e.Package] = false
		}
	}
	if len(open) == 0 {
		return nil, fmt.Errorf("go test -json: %w: expected packages, saw none", suite.ErrTruncated)
	}
	for _, p := range slices.Sorted(maps.Keys(open)) {
		if open[p] {
			return nil, fmt.Errorf("go test -json: %w: expected an end of package %s, saw none", suite.ErrTruncated, p)
		}
	}
	for _, f := range packages {
		if !blamed[f.Package] {
			failed = append(failed, f)
		}
	}
	return failed, nil
}

// build is what was said of one build.
type build struct {
	first []string
	more  int // lines
}

// The bounds of what is shown of a build.
const (
	shownLines = 5
	shownBytes = 500 // of a line
)

// say adds a line. What begins with # is a heading, the name of a package.
func (b *build) say(line string) {
	switch line = strings.TrimSpace(line); {
	case line == "" || strings.HasPrefix(line, "#"):
	case len(b.first) == shownLines:
		b.more++
	case len(line) > shownBytes:
		b.first = append(b.first, strings.ToValidUTF8(line[:shownBytes], "")+"...")
	default:
		b.first = append(b.first, line)
	}
}

func (b *build) String() string {
	text := strings.Join(b.first, "; ")
	if b.more > 0 {
		text += fmt.Sprintf("; and %d lines more", b.more)
	}
	return text
}

// Unexplained returns those of the failures that no target explains. The tests of
// conformance have the names of their targets; each stands for a test of one
// package.
func Unexplained(failed []Failure, broken []string) (list []Failure) {
	owner := make(map[string]string) // of a target
	for _, f := range failed {
		i := slices.IndexFunc(broken, func(target string) bool {
			return f.Test != "" && (f.Test == target || strings.HasPrefix(f.Test, target+"/") || strings.HasPrefix(target, f.Test+"/"))
		})
		if i >= 0 && owner[broken[i]] == "" {
			owner[broken[i]] = f.Package
		}
		if i < 0 || owner[broken[i]] != f.Package {
			list = append(list, f)
		}
	}
	return list
}

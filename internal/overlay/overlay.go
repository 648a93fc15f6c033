// Package overlay edits source files without touching them: the go command's
// flag -overlay makes a build see other text in a file's place.
//
// A [Set] holds the text of files by their path in a module. What changes a
// file takes its text from the set and puts it back, so that changes compose:
// edits that plant a bug first, instrumentation of the result second. [Set.Write]
// writes all of it to a folder, for go build -overlay or go test -overlay; the
// compiler then names the original files, and lines keep their numbers as long
// as each change has as many lines as what it replaces.
package overlay

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Set is the text of some files of one module, as a build is to see them.
type Set struct {
	root  string
	files map[string][]byte
}

// New returns an empty set for the module whose checkout is at root.
func New(root string) (*Set, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return &Set{root: root, files: make(map[string][]byte)}, nil
}

// Root returns the absolute path of the checkout.
func (s *Set) Root() string { return s.root }

// Files returns the slash paths of the files in the set, relative to the root,
// in order.
func (s *Set) Files() []string { return slices.Sorted(maps.Keys(s.files)) }

// Text returns a file's text: the set's, or the checkout's if the set has none.
func (s *Set) Text(file string) ([]byte, error) {
	if err := local(file); err != nil {
		return nil, err
	}
	if text, ok := s.files[file]; ok {
		return slices.Clone(text), nil
	}
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return text, nil
}

// Put gives a file another text, or adds a file that the checkout lacks. The
// text of a Go file must parse.
func (s *Set) Put(file string, text []byte) error {
	if err := local(file); err != nil {
		return err
	}
	if strings.HasSuffix(file, ".go") {
		if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
			return fmt.Errorf("overlay: the new text of %s does not parse: %w", file, err)
		}
	}
	s.files[file] = slices.Clone(text)
	return nil
}

// Write writes the set's files below dir and returns the path of the file to
// give to the flag -overlay.
func (s *Set) Write(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	replace := make(map[string]string, len(s.files))
	for file, text := range s.files {
		at := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
		if err := os.WriteFile(at, text, 0o644); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
		replace[filepath.Join(s.root, filepath.FromSlash(file))] = at
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	at := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(at, text, 0o644); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	return at, nil
}

// local refuses paths that leave the module.
func local(file string) error {
	if !filepath.IsLocal(filepath.FromSlash(file)) || strings.Contains(file, `\`) {
		return fmt.Errorf("overlay: file %q, want a slash path inside the module", file)
	}
	return nil
}

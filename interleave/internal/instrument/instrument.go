// Package instrument tells what a build for an exploration is made of: which packages are explored, of which the compiler does not report
// all that they do, and what the lines of the explored ones say.
//
// Nothing is written to the checkout, and hardly anything is rewritten: see edit.go. The result is an overlay for the go
// command, with one more file in one package, which has these tables.
//
// Packages are type-checked one by one against the export data that the go
// command has of everything they import, which for a test that has just been
// built is in its cache.
package instrument

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// Paths of the explorer's packages.
const (
	interleavePath = "github.com/spindle-go/spindle/interleave"
	hookPath       = interleavePath + "/hook"
	slotsPath      = interleavePath + "/internal/slots"
)

// dropIns are the packages that stand in for others.
var dropIns = map[string]string{
	"sync":        interleavePath + "/sync",
	"sync/atomic": interleavePath + "/atomic",
}

// A Request says what to instrument.
type Request struct {
	Go      string   // the go command; empty means "go"
	Dir     string   // where to run it, inside a main module
	Env     []string // for it; nil means that of this process
	Flags   []string // build flags, such as "-tags=slow"
	Package string   // import path of the package under test
	Temp    string   // an empty folder for the overlay's files

	// Base has edits that were made before, such as a mutant's. The result is
	// put on top of them, into the same sets.
	Base []*overlay.Set
}

// A Result is what was found.
type Result struct {
	Overlay string   // the file for the flag -overlay
	Kept    []string // import paths of the packages whose state is put back: all but those of the standard library and of the explorer
	Skipped []Skip   // packages of the main modules that are not explored
	GoMods  []string // the go.mod files that the choice of packages depends on
}

// A Skip is a package of a main module that is not explored.
type Skip struct {
	Package string
	Why     string
}

// A build is what an exploration's binary is built of.
type build struct {
	all      map[string]*pkg
	list     []*pkg
	sets     *sources
	explored map[string]bool   // import paths
	own      map[string]bool   // packages of interleave
	built    map[string]bool   // see builders
	blind    map[string]string // why not all is reported of those of which that is so
	noRace   []string          // functions that say so
}

// Run makes the overlay for the package under test and those packages of the main modules
// that it imports.
func Run(ctx context.Context, r Request) (*Result, error) {
	sets, err := newSources(r)
	if err != nil {
		return nil, err
	}
	before, err := sets.write(filepath.Join(r.Temp, "before"))
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, r, before)
	if err != nil {
		return nil, err
	}
	if err := sets.modules(all); err != nil {
		return nil, err
	}
	chosen, skipped, err := choose(all, r.Package, sets)
	if err != nil {
		return nil, err
	}
	b := &build{all: byPath(all), list: all, sets: sets, explored: make(map[string]bool), own: make(map[string]bool), blind: make(map[string]string)}
	for _, p := range chosen {
		b.explored[p.path()] = true
	}
	for _, s := range skipped {
		b.own[s.Package] = s.Why == partOf
	}
	b.findBlind()
	if err := b.tables(chosen, r.Package); err != nil {
		return nil, err
	}
	result := &Result{Skipped: skipped}
	ours := onlyFor(all, slotsPath)
	for _, p := range all {
		if p.Module != nil && p.Module.GoMod != "" && !slices.Contains(result.GoMods, p.Module.GoMod) {
			result.GoMods = append(result.GoMods, p.Module.GoMod)
		}
		if path := p.path(); !p.Standard && (b.explored[path] || !strings.HasPrefix(path, project)) && !ours[path] && !slices.Contains(result.Kept, path) {
			result.Kept = append(result.Kept, path)
		}
	}
	result.Overlay, err = sets.write(filepath.Join(r.Temp, "after"))
	return result, err
}

// onlyFor returns the packages that are there for one package alone: nothing else imports them.
func onlyFor(all []*pkg, one string) map[string]bool {
	others := make(map[string]bool)
	for k := len(all) - 1; k >= 0; k-- { // what imports a package comes behind it
		p := all[k]
		if path := p.path(); path == one || !p.Standard && !others[path] && !p.main() {
			continue
		}
		for _, path := range p.Imports {
			others[path] = true
		}
	}
	only := make(map[string]bool)
	for _, p := range all {
		if path := p.path(); !p.Standard && !p.main() && !others[path] {
			only[path] = true
		}
	}
	return only
}

// sources are the texts of the main modules' files, one set for each module.
type sources struct {
	sets  []*overlay.Set
	other map[string]string // what an overlay of the environment has besides
}

// newSources begins with the caller's sets, and with the overlay that GOFLAGS
// has: a second flag would hide it.
func newSources(r Request) (*sources, error) {
	s := &sources{sets: r.Base, other: make(map[string]string)}
	env := r.Env
	if env == nil {
		env = os.Environ()
	}
	file := ""
	for _, kv := range env {
		if flags, ok := strings.CutPrefix(kv, "GOFLAGS="); ok {
			file = ""
			for _, f := range strings.Fields(flags) {
				if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "overlay="); ok {
					file = v
				}
			}
		}
	}
	if file == "" {
		return s, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("instrument: the overlay in GOFLAGS: %w", err)
	}
	var content struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, fmt.Errorf("instrument: the overlay in GOFLAGS: %s: %w", file, err)
	}
	for from, to := range content.Replace {
		if !filepath.IsAbs(from) {
			from = filepath.Join(r.Dir, from)
		}
		if to != "" && !filepath.IsAbs(to) {
			to = filepath.Join(r.Dir, to)
		}
		s.other[filepath.Clean(from)] = to
	}
	return s, nil
}

// modules makes a set for each main module that has none.
func (s *sources) modules(all []*pkg) error {
	for _, p := range all {
		if !p.main() {
			continue
		}
		if set, _ := s.find(filepath.Join(p.Dir, "x.go")); set == nil {
			set, err := overlay.New(p.Module.Dir)
			if err != nil {
				return err
			}
			s.sets = append(slices.Clip(s.sets), set)
		}
	}
	return nil
}

// find returns the set of a file and its name there.
func (s *sources) find(file string) (*overlay.Set, string) {
	for _, set := range s.sets {
		if rel, err := filepath.Rel(set.Root(), file); err == nil && filepath.IsLocal(rel) {
			return set, filepath.ToSlash(rel)
		}
	}
	return nil, ""
}

func (s *sources) text(file string) ([]byte, error) {
	set, name := s.find(file)
	if set == nil {
		return os.ReadFile(file)
	}
	if to, ok := s.other[file]; ok && !slices.Contains(set.Files(), name) {
		return os.ReadFile(to)
	}
	return set.Text(name)
}

func (s *sources) put(file string, text []byte) error {
	set, name := s.find(file)
	if set == nil {
		return fmt.Errorf("instrument: %s is in no main module", file)
	}
	return set.Put(name, text)
}

// write writes all sets as one overlay.
func (s *sources) write(dir string) (string, error) {
	replace := maps.Clone(s.other)
	for i, set := range s.sets {
		file, err := set.Write(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			return "", err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("instrument: %w", err)
		}
		var content struct{ Replace map[string]string }
		if err := json.Unmarshal(text, &content); err != nil {
			return "", fmt.Errorf("instrument: %w", err)
		}
		maps.Copy(replace, content.Replace)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	return file, nil
}

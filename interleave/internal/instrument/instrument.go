// Package instrument rewrites the packages that a test is about so that an
// exploration can control them: sync and sync/atomic become the drop-ins of
// interleave, go statements become calls, and what cannot be controlled says so
// when a thread reaches it.
//
// Nothing is written to the checkout. The result is an overlay for the go
// command. Edits are spliced into the text inside of lines, so that lines keep
// their numbers and the compiler, a stack trace and the reader agree on them; a
// package gets one more file, with the table of its sites.
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

// What rewritten code imports.
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

// seeingVar, if it is "source", has the main module's packages be rewritten, as on platforms where the compiler does not report what code does. It is for comparison.
const seeingVar = "SPINDLE_INTERNAL_SEEING"

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

	// Seen says that the compiler has packages report what they do that are not
	// rewritten: nothing need be told of calls of them.
	Seen bool

	// Plain also rewrites reads and writes of variables that threads may share,
	// for races by the happens-before relation.
	Plain bool
}

// A Result is what was instrumented.
type Result struct {
	Overlay  string   // the file for the flag -overlay
	Packages []string // import paths of the packages that were rewritten, in order
	Others   []string // import paths of packages that are not rewritten, but those of the standard library and of the explorer
	Skipped  []Skip   // packages of the main modules that were not
	GoMods   []string // the go.mod files that the choice of packages depends on
	Sites    int      // how many sites there are; they are 1, 2, ...
}

// A Skip is a package of a main module that is not rewritten.
type Skip struct {
	Package string
	Why     string
}

// Run instruments the package under test and those packages of the main modules
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
	b := &build{all: byPath(all), list: all, own: make(map[string]bool), sets: sets, plain: r.Plain, compiled: r.Seen, next: 1, rewritten: make(map[string]bool), blind: make(map[string]string), explored: make(map[string]bool)}
	b.seeing = r.Seen && os.Getenv(seeingVar) != "source"
	for _, p := range chosen {
		b.rewritten[p.path()] = !b.seeing
		b.explored[p.path()] = b.seeing
	}
	for _, s := range skipped {
		b.own[s.Package] = s.Why == partOf
	}
	b.findBlind()
	result := &Result{Skipped: skipped}
	for _, p := range all {
		if p.Module != nil && p.Module.GoMod != "" && !slices.Contains(result.GoMods, p.Module.GoMod) {
			result.GoMods = append(result.GoMods, p.Module.GoMod)
		}
	}
	if b.seeing {
		if err := b.unseenOnly(chosen, r.Package); err != nil {
			return nil, err
		}
		chosen = nil
	}
	for _, p := range chosen {
		if err := b.rewrite(p); err != nil {
			return nil, err
		}
		result.Packages = append(result.Packages, p.path())
	}
	result.Sites = b.next - 1
	ours := onlyFor(all, slotsPath)
	for _, p := range all {
		if path := p.path(); !p.Standard && !b.rewritten[path] && !strings.HasPrefix(path, project) && !ours[path] && !slices.Contains(result.Others, path) {
			result.Others = append(result.Others, path)
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

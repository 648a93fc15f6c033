// Package variant edits the modules: the text of a module is what is shipped, and a fix or
// a bug is an edit of it. A configuration says in its constants Fixes and Bugs which edits
// it wants; the module's ASSUME holds that they were made.
package variant

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing/fstest"
)

// A Variant is a fix, a bug, or an assumption about the world, which is named among the
// fixes and mends nothing.
type Variant struct {
	Name, About  string
	Bug, Assumed bool
	Alternatives [][]Edit // the first that applies is meant
}

// An Edit takes Old, which is there exactly once in the text of a definition, and puts New
// in its place; or, if Before, puts New in front of the definition and its comment.
type Edit struct {
	Definition string
	Before     bool
	Old, New   string
}

//go:embed *.edits
var files embed.FS

// A Family is a module and those that it extends, by the name of that module: Sched, RunQueue,
// TwoLevel, Slices. Its edits are in the file of that name, in small letters.
type Family string

// Sched is the one family that has fixes.
const Sched Family = "Sched"

func (f Family) file() string { return strings.ToLower(string(f)) + ".edits" }

// Variants returns the variants of a family, in the order of their file: none of one that has
// no file.
func (f Family) Variants() ([]Variant, error) {
	all, err := parsed()
	return all[f.file()], err
}

// parsed are the variants of each file.
var parsed = sync.OnceValues(func() (map[string][]Variant, error) {
	names, err := fs.Glob(files, "*.edits")
	if err != nil {
		return nil, err
	}
	all := make(map[string][]Variant)
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if all[name], err = parse(string(text)); err != nil {
			return nil, fmt.Errorf("tla/variant/%s: %w", name, err)
		}
	}
	return all, nil
})

// Mended are the fixes that together mend what the shipped code breaks.
func Mended() []string {
	return []string{"undo_first", "handoff_need", "batch_wakep", "rescan", "stop_again", "safe_again", "poll_need", "enlist_always", "goyield_wakep"}
}

// Apply returns files with the edits of these fixes and bugs made in the modules of the
// family: the fixes first, each in the order of the list. A family that has no file of edits
// stays as it is: what it does with the constant is in its steps.
func (f Family) Apply(files fs.FS, fixes, bugs []string) (fs.FS, error) {
	all, err := f.Variants()
	if err != nil || len(all) == 0 || len(fixes)+len(bugs) == 0 {
		return files, err
	}
	t, err := f.read(files)
	if err != nil {
		return nil, err
	}
	for _, kind := range []struct {
		names []string
		bug   bool
		what  string
	}{{fixes, false, "fix"}, {bugs, true, "bug"}} {
		// In the order of the file, so that the same set is the same text.
		for _, name := range kind.names {
			if !slices.ContainsFunc(all, func(v Variant) bool { return v.Name == name && v.Bug == kind.bug }) {
				return nil, fmt.Errorf("tla: unknown %s %q of %s", kind.what, name, f)
			}
		}
		for i := range all {
			if v := &all[i]; v.Bug == kind.bug && slices.Contains(kind.names, v.Name) {
				if t, err = t.with(v); err != nil {
					return nil, fmt.Errorf("tla: %s %s: %w", kind.what, v.Name, err)
				}
			}
		}
	}
	if t, err = t.assuming(fixes, bugs); err != nil {
		return nil, fmt.Errorf("tla: %w", err)
	}
	return t.files(files)
}

// Check says which variants do not apply to the modules of files, each by itself.
func (f Family) Check(files fs.FS) []error {
	all, err := f.Variants()
	if err != nil {
		return []error{err}
	}
	t, err := f.read(files)
	if err != nil {
		return []error{err}
	}
	var list []error
	for i := range all {
		if _, err := t.with(&all[i]); err != nil {
			list = append(list, fmt.Errorf("tla/variant/%s: %s: the text is not there any more, adapt the edit: %w", f.file(), all[i].Name, err))
		}
	}
	return list
}

// disjunct is an action in a next-state relation.
var disjunct = regexp.MustCompile(`\\/ ([A-Za-z]\w*)\(`)

// Adds are the names of the actions that v adds to the module's next-state relation. One
// that it takes out elsewhere has only moved.
func (v *Variant) Adds() (list []string) {
	was := make(map[string]bool)
	edits := slices.Concat(v.Alternatives...)
	for _, e := range edits {
		for _, found := range disjunct.FindAllStringSubmatch(e.Old, -1) {
			was[found[1]] = true
		}
	}
	for _, e := range edits {
		if e.Definition != "SysStep" {
			continue
		}
		for _, found := range disjunct.FindAllStringSubmatch(e.New, -1) {
			if name := found[1]; !was[name] && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

func set(names []string) string {
	if len(names) == 0 {
		return "{}"
	}
	return `{"` + strings.Join(names, `", "`) + `"}`
}

// with makes the first alternative of v that applies.
func (t texts) with(v *Variant) (texts, error) {
	var problems []error
	for _, edits := range v.Alternatives {
		n, err := t, error(nil)
		for _, e := range edits {
			if n, err = n.edited(e); err != nil {
				break
			}
		}
		if err == nil {
			return n, nil
		}
		problems = append(problems, err)
	}
	return nil, errors.Join(problems...)
}

// files are all with the edited modules in place of theirs.
func (t texts) files(all fs.FS) (fs.FS, error) {
	merged := make(fstest.MapFS)
	names, err := fs.Glob(all, "*.tla")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, ok := t[name]
		if !ok {
			b, err := fs.ReadFile(all, name)
			if err != nil {
				return nil, err
			}
			text = string(b)
		}
		merged[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return merged, nil
}

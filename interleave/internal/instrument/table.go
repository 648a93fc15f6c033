package instrument

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// tables puts what the engine must know into one file of the package under test, or of its external tests, and edits what is explored.
func (b *build) tables(chosen []*pkg, under string) error {
	in := chosen[0]
	if i := slices.IndexFunc(chosen, func(p *pkg) bool { return p.path() == under || p.external() }); i >= 0 {
		in = chosen[i]
	}
	var t bytes.Buffer
	for _, p := range chosen {
		u, err := b.check(p)
		if err != nil {
			return err
		}
		for _, f := range u.files {
			if text, ok := u.edited(f); ok {
				if err := b.sets.put(f.name, text); err != nil {
					return err
				}
			}
		}
		fmt.Fprintf(&t, "\tzzhook.Explored(%q)\n", p.path())
		u.writeNames(&t)
	}
	for _, o := range b.unseen() {
		fmt.Fprintf(&t, "\tzzhook.Unseen(%q, %q)\n", o, b.blind[o])
	}
	for _, path := range b.hiding() {
		fmt.Fprintf(&t, "\tzzhook.Hiding(%q)\n", path)
	}
	for _, name := range b.noRace {
		fmt.Fprintf(&t, "\tzzhook.NoRace(%q)\n", name)
	}
	name, file := in.Name, "zz_interleave.go"
	if in.external() {
		file = "zz_interleave_test.go"
	}
	text := fmt.Appendf(nil, "package %s\n\nimport zzhook %q\n\nfunc init() {\n\tzzhook.Register()\n%s}\n", name, hookPath, t.Bytes())
	return b.sets.put(filepath.Join(in.Dir, file), text)
}

// unseen returns the packages of which not all is reported, but those of the explorer.
func (b *build) unseen() (all []string) {
	for _, p := range b.list {
		path := p.path()
		if b.blind[path] != "" && !b.partOf(path) && !strings.HasSuffix(p.ImportPath, ".test") && !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

package instrument

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// A place is what a site is; see engine.Place.
type place struct {
	file   string
	line   int
	fn     string
	expr   string
	action string
	unseen string
}

// A build rewrites the packages of one build, whose sites are numbered through.
type build struct {
	all       map[string]*pkg
	list      []*pkg
	built     map[string]bool // see builders
	own       map[string]bool // packages of interleave that are not rewritten
	sets      *sources
	plain     bool
	compiled  bool // see Request.Seen
	seeing    bool // see seeingVar
	explored  map[string]bool
	rewritten map[string]bool   // import paths
	noRace    []string          // functions that say so
	blind     map[string]string // why not all is reported of those of which that is so
	next      int               // the next site
}

// A unit is a package that is being rewritten.
type unit struct {
	*build
	pkg               *pkg
	fset              *token.FileSet
	files             []*file
	info              *types.Info
	types             *types.Package
	dropIns           map[string]*types.Package // by the path of the original
	places            []place
	shared            map[*types.Var]bool // locals that threads may share
	tallies, unmarked []int               // sites: see package hook
}

// A file is one of its files.
type file struct {
	name     string // absolute
	text     []byte
	ast      *ast.File
	comments map[int]string // at the end of lines
	edits
	hooked bool               // calls package hook
	left   map[token.Pos]bool // names of operations on objects of packages that report what they do: these are no other's
}

// rewrite puts the new text of p's files into the sets.
func (b *build) rewrite(p *pkg) error {
	u, err := b.check(p)
	if err != nil {
		return err
	}
	first := b.next
	u.findShared()
	for _, f := range u.files {
		w := &walker{unit: u, file: f}
		w.imports()
		for _, d := range f.ast.Decls {
			w.decl(d)
		}
		if f.hooked {
			f.open(w.offset(f.ast.Name.End()), "; import zzhook "+strconv.Quote(hookPath))
		}
		text := f.apply(f.text)
		if err := w.secondLook(text); err != nil {
			return err
		}
		if len(f.edits) == 0 {
			continue
		}
		if err := b.sets.put(f.name, text); err != nil {
			return fmt.Errorf("instrument: %s, which is a mistake of the rewriting: %w", p.path(), err)
		}
	}
	name := p.tableFile()
	if first == 1 { // once in a binary
		if err := b.sets.put(filepath.Join(p.Dir, strings.Replace(name, "interleave", "interleave_unseen", 1)), u.unseenTable()); err != nil {
			return err
		}
	}
	return b.sets.put(filepath.Join(p.Dir, name), u.table(first))
}

// check parses and type-checks p.
func (b *build) check(p *pkg) (*unit, error) {
	u := &unit{build: b, pkg: p, fset: token.NewFileSet(), dropIns: make(map[string]*types.Package)}
	var syntax []*ast.File
	for _, name := range p.GoFiles {
		name = filepath.Join(p.Dir, name)
		text, err := b.sets.text(name)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(u.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("instrument: %w", err)
		}
		f := &file{name: name, text: text, ast: parsed, comments: make(map[int]string)}
		for _, g := range parsed.Comments {
			for _, c := range g.List {
				if c.Text == "//interleave:invisible" {
					at := u.fset.Position(c.Pos())
					return nil, fmt.Errorf("instrument: %s:%d: //interleave:invisible takes operations out of the schedule, and wants a reason behind it", at.Filename, at.Line)
				}
				f.comments[u.fset.PositionFor(c.Pos(), false).Line] = comment(c.Text)
			}
		}
		u.files = append(u.files, f)
		syntax = append(syntax, parsed)
	}
	imports := importer.ForCompiler(u.fset, "gc", func(path string) (io.ReadCloser, error) {
		if to, ok := p.ImportMap[path]; ok {
			path = to
		}
		dep := b.all[path]
		if dep == nil || dep.Export == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(dep.Export)
	})
	u.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Instances:    make(map[*ast.Ident]types.Instance),
		FileVersions: make(map[*ast.File]string),
		Implicits:    make(map[ast.Node]types.Object),
	}
	conf := types.Config{Importer: imports, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	var err error
	if u.types, err = conf.Check(p.path(), u.fset, syntax, u.info); err != nil {
		return nil, fmt.Errorf("instrument: %s does not type-check: %w", p.path(), err)
	}
	for original, path := range dropIns {
		if b.all[path] == nil {
			return nil, fmt.Errorf("instrument: no export data of %s", path)
		}
		if u.dropIns[original], err = imports.Import(path); err != nil {
			return nil, fmt.Errorf("instrument: %w", err)
		}
	}
	return u, nil
}

// comment returns the text of a comment without its slashes.
func comment(text string) string {
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		return strings.TrimSpace(rest)
	}
	if strings.Contains(text, "\n") {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/"))
}

// A walker goes through a file and notes the edits.
type walker struct {
	*unit
	*file
	frame    frame
	fn       string                 // the function it is in, "(*P).Get"
	ordered  map[*ast.CallExpr]bool // iterators over maps whose order is of no account
	deferred bool                   // the call that comes next is of a defer statement
	inside
}

func (w *walker) offset(p token.Pos) int { return w.fset.PositionFor(p, false).Offset }

// source returns the text of a node.
func (w *walker) source(n ast.Node) string {
	return string(w.text[w.offset(n.Pos()):w.offset(n.End())])
}

// site returns the number of a new site, as text, for an operation at pos on
// the object that expr names.
func (w *walker) site(pos token.Pos, expr ast.Expr) string {
	at := w.fset.Position(pos)
	if !filepath.IsAbs(at.Filename) {
		at.Filename = filepath.Join(w.pkg.Dir, at.Filename) // a //line comment
	}
	p := place{file: at.Filename, line: at.Line, fn: w.fn, action: w.comments[w.fset.PositionFor(pos, false).Line]}
	if expr != nil {
		p.expr = strings.Join(strings.Fields(w.source(expr)), " ")
	}
	w.places = append(w.places, p)
	if w.gotos {
		w.unmarked = append(w.unmarked, w.next)
	}
	w.next++
	return strconv.Itoa(w.next - 1)
}

// around puts "zzhook.<call>(<site>, " in front of a node and ")" behind it.
// It must come before the edits of what is inside of the node.
func (w *walker) around(n ast.Node, before, after string) {
	w.hooked = true
	w.open(w.offset(n.Pos()), before)
	w.close(w.offset(n.End()), after)
}

// imports changes the paths of what has a drop-in.
func (w *walker) imports() {
	for _, i := range w.ast.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		to, ok := dropIns[path]
		if !ok {
			continue
		}
		text := strconv.Quote(to)
		if name := w.dropIns[path].Name(); i.Name == nil && name != path[strings.LastIndex(path, "/")+1:] {
			text = path[strings.LastIndex(path, "/")+1:] + " " + text
		}
		w.replace(w.offset(i.Path.Pos()), len(i.Path.Value), text)
	}
}

func (w *walker) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body != nil {
			w.fn = overlay.FuncName(d)
			w.function(d.Type, d.Body)
			w.fn = ""
		}
	case *ast.GenDecl:
		w.specs(d)
	}
}

// specs goes through the values of a declaration.
func (w *walker) specs(d *ast.GenDecl) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
			for _, x := range v.Values {
				w.read(x)
			}
		}
	}
}

// unseenOnly has the package under test, or its external tests, say what is explored as it is.
func (b *build) unseenOnly(chosen []*pkg, under string) error {
	var in *pkg
	for _, p := range chosen {
		if p.path() == under || p.external() && in == nil {
			in = p
		}
	}
	if in == nil {
		in = chosen[0]
	}
	var text []byte
	var t strings.Builder
	t.WriteString("\nfunc init() {\n\tzzhook.Register(1, nil)\n")
	for _, p := range chosen {
		u, err := b.check(p)
		if err != nil {
			return err
		}
		if err := u.asItIs(); err != nil {
			return err
		}
		if p == in {
			text = u.unseenTable()
		}
		fmt.Fprintf(&t, "\tzzhook.Explored(%q)\n", p.path())
		t.Write(u.namesTable())
	}
	t.WriteString("}\n")
	return b.sets.put(filepath.Join(in.Dir, in.tableFile()), append(text, t.String()...))
}

// tableFile is the name of the file that says what is known of a package.
func (p *pkg) tableFile() string {
	if p.external() {
		return "zz_interleave_test.go"
	}
	return "zz_interleave.go"
}

package goroot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestLitmus explores the programs and tests on concurrency that the Go distribution at hand has, and the examples of the memory model.
// Nothing of Go's source is kept here: it is copied from GOROOT into a module beside, and rewritten there by its form.
func TestLitmus(t *testing.T) {
	tier.OnlyFull(t)
	dir := moduleOf(t, "testdata/litmus")
	l := &litmus{t: t, dir: dir, fset: token.NewFileSet(), says: make(map[string]string)}
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	l.root, l.version, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	l.exports()
	l.programs("chan")
	l.tests("runtime", "chan_test.go")
	l.tests("sync", "*_test.go")
	l.tests("sync/atomic", "value_test.go")
	l.tests("context", "*_test.go")
	l.tests("time", "sleep_test.go", "tick_test.go")
	l.run()
	l.judge()
}

type litmus struct {
	t       *testing.T
	dir     string // of the module
	root    string // GOROOT
	version string
	fset    *token.FileSet
	export  map[string]string // files by package
	tree    bool              // GOROOT has a folder test
	says    map[string]string // what came of each program
}

// exports has the export data of the standard library's packages.
func (l *litmus) exports() {
	out, err := exec.CommandContext(l.t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "testing/synctest", "testing/quick", "net", "os/exec", "math/rand", "text/template", "internal/testenv", "internal/asan", "internal/sync").Output()
	if err != nil {
		l.t.Fatalf("go list -export: %v", err)
	}
	l.export = make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		l.export[path] = file
	}
}

func (l *litmus) importer() types.Importer {
	return importer.ForCompiler(l.fset, "gc", func(path string) (io.ReadCloser, error) {
		if l.export[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(l.export[path])
	})
}

// write writes a file of the module.
func (l *litmus) write(name string, text []byte) {
	l.t.Helper()
	name = filepath.Join(l.dir, name)
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, text, 0o644)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// programs takes the programs of a folder of GOROOT/test that are to be run.
func (l *litmus) programs(folder string) {
	names, _ := filepath.Glob(filepath.Join(l.root, "test", folder, "*.go"))
	if len(names) == 0 {
		l.t.Logf("no test/%s in %s", folder, l.root)
		return
	}
	l.tree = true
	var imports, calls bytes.Buffer
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			l.t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".go")
		if head, _, _ := strings.Cut(string(text), "\n"); head != "// run" {
			l.says[folder+"/"+base] = "not taken: " + strings.TrimPrefix(head, "// ")
			continue
		}
		file, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			l.t.Fatal(err)
		}
		file.Name.Name = "p" + base // select is no name
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
				f.Name.Name = "Main"
			}
		}
		scale(file, folder+"/"+base)
		l.write(folder+"/"+base+"/"+base+".go", append(l.print(file), reset(file)...))
		fmt.Fprintf(&imports, "\tp%s \"example.com/litmus/%s/%s\"\n", base, folder, base)
		fmt.Fprintf(&calls, "func Test_%s(t *testing.T) { row.Main(t, %q, p%[1]s.Main, p%[1]s.Reset) }\n", base, folder+"/"+base)
	}
	l.write(folder+"/rows/rows_test.go", fmt.Appendf(nil, "package rows\n\nimport (\n\t\"testing\"\n\n\t\"example.com/litmus/row\"\n%s)\n\n%s", &imports, &calls))
}

// reset returns the source of a function that gives package-level variables their first values, where these are zero: an execution is to be as the
// first.
func reset(file *ast.File) []byte {
	var b bytes.Buffer
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for _, n := range v.Names {
				if len(v.Values) == 0 {
					fmt.Fprintf(&b, "\tclean(&%s)\n", n.Name)
				}
			}
		}
	}
	return fmt.Appendf(nil, "\nfunc clean[T any](p *T) { *p = *new(T) }\n\n// Reset sets the package back.\nfunc Reset() {\n%s}\n", &b)
}

// tests takes the tests of a package of the standard library, from files that match a pattern, which can be compiled outside of it.
func (l *litmus) tests(path string, patterns ...string) {
	var files []*ast.File
	own := filepath.Base(path) + "_test" // some tests look for this name in what they print
	for _, p := range patterns {
		names, _ := filepath.Glob(filepath.Join(l.root, "src", path, p))
		for _, name := range names {
			file, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				l.t.Fatal(err)
			}
			if strings.HasSuffix(file.Name.Name, "_test") {
				file.Comments = nil
				files = append(files, file)
			}
		}
	}
	bad := l.bad(path, files)
	var calls bytes.Buffer
	for _, file := range files {
		file.Name.Name = own
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok {
				scale(f, path+"/"+f.Name.Name)
			}
			if ok && strings.HasPrefix(f.Name.Name, "Test") && f.Recv == nil {
				name := path + "/" + f.Name.Name
				if why := bad[d]; why != "" {
					l.says[name] = "not taken: " + why
					continue
				}
				fmt.Fprintf(&calls, "func %s(t *testing.T) { row.Test(t, %q, p.%s) }\n", f.Name.Name, name, f.Name.Name)
			}
		}
		file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool { return bad[d] != "" })
		prune(file)
		l.write(own+"/"+strings.TrimSuffix(filepath.Base(l.fset.Position(file.Package).Filename), "_test.go")+".go", l.print(file))
	}
	l.write(own+"/rows/rows_test.go", fmt.Appendf(nil,
		"package rows\n\nimport (\n\t\"testing\"\n\n\t\"example.com/litmus/row\"\n\tp \"example.com/litmus/%s\"\n)\n\n%s", own, &calls))
}

// bad says of declarations why they cannot be compiled outside of the package that they test: what they use is not exported, or is no
// business of a program; or they use such a declaration.
func (l *litmus) bad(path string, files []*ast.File) map[ast.Decl]string {
	bad, of := make(map[ast.Decl]string), make(map[types.Object]ast.Decl)
	at := func(pos token.Pos) ast.Decl {
		for _, file := range files {
			for _, d := range file.Decls {
				if d.Pos() <= pos && pos < d.End() {
					return d
				}
			}
		}
		return nil
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: l.importer(), Error: func(err error) {
		if e, ok := err.(types.Error); ok && !e.Soft {
			if d := at(e.Pos); d != nil && bad[d] == "" {
				bad[d] = e.Msg
			}
		}
	}}
	pkg, _ := conf.Check(path+"_test", l.fset, files, info)
	for id, o := range info.Defs {
		if o != nil && o.Parent() == pkg.Scope() {
			of[o] = at(id.Pos())
		}
	}
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			switch {
			case ok && f.Body == nil, linked(d):
				bad[d] = "it is of another package, by go:linkname"
			case ok && (strings.HasPrefix(f.Name.Name, "Benchmark") || strings.HasPrefix(f.Name.Name, "Example")):
				bad[d] = "no test"
			case ok && f.Name.Name == "init":
				bad[d] = "an init of the test's"
			}
		}
	}
	fits := regexp.MustCompile(`^(T|Error|Errorf|Fatal|Fatalf|Fail|FailNow|Failed|Log|Logf|Helper|Run|Parallel|Skip|Skipf|SkipNow|Skipped|Deadline|Name|Short|AllocsPerRun)$`)
	for again := true; again; {
		again = false
		for id, o := range info.Uses {
			d := at(id.Pos())
			if d == nil || bad[d] != "" || o.Pkg() == nil {
				continue
			}
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				continue
			}
			from := o.Pkg().Path()
			name, isName := o.(*types.PkgName)
			if isName {
				from = name.Imported().Path()
			}
			switch {
			case from == "internal/testenv" && (isName || o.Name() == "SkipFlaky"):
			case strings.HasPrefix(from, "internal/"), from == "os/exec", from == "testing/quick":
				bad[d] = "it uses " + from
			case from == "runtime" && strings.Contains(o.Name(), "AddCleanup"):
				bad[d] = "it waits for the garbage collector"
			case from == "testing" && !isName && !fits.MatchString(o.Name()):
				bad[d] = "it uses testing." + o.Name()
			case of[o] != nil && bad[of[o]] != "":
				bad[d] = "it uses " + o.Name() + ": " + bad[of[o]]
			}
			again = again || bad[d] != ""
		}
		// A method goes with its type.
		for _, file := range files {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv == nil || bad[d] == "" {
					continue
				}
				recv := f.Recv.List[0].Type
				if star, ok := recv.(*ast.StarExpr); ok {
					recv = star.X
				}
				if id, ok := recv.(*ast.Ident); ok {
					if o := info.Uses[id]; o != nil && of[o] != nil && bad[of[o]] == "" {
						bad[of[o]], again = bad[d], true
					}
				}
			}
		}
	}
	return bad
}

// linked reports whether a declaration has a directive for the linker.
func linked(d ast.Decl) bool {
	doc := (*ast.CommentGroup)(nil)
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:linkname") })
}

// prune takes out the imports that a file has no use for any more, and sets those of packages testing and testenv to ours.
func prune(file *ast.File) {
	used := make(map[string]bool)
	names := make(map[string]bool)
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			case *ast.Ident:
				names[n.Name] = true
			}
			return true
		})
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			i := s.(*ast.ImportSpec)
			path, _ := strconv.Unquote(i.Path.Value)
			switch {
			case i.Name == nil:
				return !used[path[strings.LastIndex(path, "/")+1:]]
			case i.Name.Name == ".":
				return !dotted(path, names)
			case i.Name.Name == "_":
				return true
			}
			return !used[i.Name.Name]
		})
		for _, s := range g.Specs {
			if path := &s.(*ast.ImportSpec).Path.Value; *path == `"testing"` || *path == `"internal/testenv"` {
				*path = `"example.com/litmus/` + filepath.Base(strings.Trim(*path, `"`)) + `"`
			}
		}
	}
}

// dotted reports whether one of the names is likely to be of a package that is imported by a dot.
func dotted(_ string, names map[string]bool) bool {
	for n := range names {
		if ast.IsExported(n) {
			return true
		}
	}
	return false
}

// scale makes numbers of a program small.
func scale(n ast.Node, name string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if long := smaller[name][s.Sel.Name]; long != "" {
				s.Sel.Name = long
			}
			if id, ok := s.X.(*ast.Ident); ok && id.Name == "os" && s.Sel.Name == "Args" { // those of a program that is started without any
				s.Sel.Name = "Args[:1]"
			}
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind != token.STRING {
			if small, ok := smaller[name][lit.Value]; ok {
				lit.Value = small
			}
		}
		return true
	})
}

func (l *litmus) print(file *ast.File) []byte {
	l.t.Helper()
	var b bytes.Buffer
	if err := printer.Fprint(&b, l.fset, file); err != nil {
		l.t.Fatal(err)
	}
	return b.Bytes()
}

// run runs the module, and compares.
func (l *litmus) run() {
	l.t.Helper()
	cmd := exec.CommandContext(l.t.Context(), "go", "test", "-mod=mod", "-vet=off", "-v", "-p=1", "-timeout=60s", "./...")
	cmd.Dir, cmd.Env = l.dir, append(os.Environ(), "GOFLAGS=", "GOMAXPROCS=2")
	out, err := cmd.CombinedOutput()
	for _, m := range regexp.MustCompile(`(?m)row (\{.*\})$`).FindAllStringSubmatch(string(out), -1) {
		var r struct {
			Name, Says string
			CPU        time.Duration
		}
		if err := json.Unmarshal([]byte(m[1]), &r); err != nil {
			l.t.Fatal(err)
		}
		l.says[r.Name] = r.Says
		first, _, _ := strings.Cut(r.Says, "\n")
		l.t.Logf("%4dms %s: %s", r.CPU.Milliseconds(), r.Name, first)
	}
	if err != nil {
		l.t.Errorf("%v\n%s", err, out)
	}
}

// kinds are the ways in which a row can begin, the better before the worse.
var kinds = []string{"complete", "doubt", "in part", "refused", "skips", "not taken", "fails", "crashes"}

func kindOf(says string) int {
	return slices.IndexFunc(kinds, func(kind string) bool { return strings.HasPrefix(says, kind) })
}

// judge compares what came of programs with what is expected.
func (l *litmus) judge() {
	l.t.Helper()
	want := make(map[string]string)
	for kind, names := range expected {
		for line := range strings.Lines(names) {
			folder, list, _ := strings.Cut(strings.TrimSpace(line), ":")
			for _, name := range strings.Fields(list) {
				want[folder+"/"+name] = kind
			}
		}
	}
	for name, r := range remarkable {
		if want[name] != "" {
			l.t.Errorf("%s: two rows", name)
		}
		want[name] = r.says
	}
	counts := make(map[string]int)
	for name, says := range l.says {
		kind, w := kindOf(says), want[name]
		if kind < 0 {
			l.t.Fatalf("%s: no kind of row: %s", name, says)
		}
		counts[kinds[kind]]++
		first, rest, _ := strings.Cut(w, ": ")
		switch {
		case w == "" && (l.version == knownRelease || strings.HasPrefix(name, "model/")):
			l.t.Errorf("%s: expected a row of it, saw none; it says %s", name, says)
		case w == "" && kinds[kind] != "fails" && kinds[kind] != "crashes":
			l.t.Logf("%s: has no row: %s", name, says)
		case w != "" && first != "fails" && kind < kindOf(w):
			l.t.Logf("%s: better than %s: %s", name, w, says)
		case w == "" || !strings.HasPrefix(says, first) || !strings.Contains(says, rest):
			l.t.Errorf("%s: expected %q, saw %s", name, w, says)
		}
	}
	for name := range want {
		if l.says[name] == "" && (l.version == knownRelease || strings.HasPrefix(name, "model/")) && !(strings.HasPrefix(name, "chan/") && !l.tree) {
			l.t.Errorf("%s: expected a program, saw none", name)
		}
	}
	l.t.Logf("%d programs: %v", len(l.says), counts)
}

// smaller are numbers of programs which are made smaller, so that an execution is over soon.
var smaller = map[string]map[string]string{
	"chan/doubleselect":                                  {"100000": "2"},
	"chan/fifo":                                          {"10": "4"},
	"chan/goroutines":                                    {"10000": "5"},
	"chan/nonblock":                                      {"10000": "10"},
	"chan/select2":                                       {"100000": "3"},
	"time/TestSleepZeroDeadlock":                         {"100": "2"},
	"time/TestTimerModifiedEarlier":                      {"1000": "1", "10": "2"},
	"time/TestMultiWakeupTicker":                         {"100000": "2", "Short": "Long"},
	"time/TestMultiWakeupTimer":                          {"10000": "2", "100000": "2", "Short": "Long"},
	"time/TestAdjustTimers":                              {"100": "3"},
	"time/TestLongAdjustTimers":                          {"5000": "2", "50000": "1", "20": "2"},
	"context/TestContextErrDoneRace":                     {"10": "2"},
	"context/TestSimultaneousCancels":                    {"100": "4", "4": "2"},
	"context/TestWithCancelSimultaneouslyCanceledParent": {"100": "2"},
	"runtime/TestChan":                                   {"20": "2", "100": "3", "1000": "2", "4": "2"},
	"runtime/TestMultiConsumer":                          {"23": "2", "271828": "2"},
	"runtime/TestNonblockRecvRace":                       {"100": "2"},
	"runtime/TestNonblockSelectRace":                     {"1000": "2"},
	"runtime/TestNonblockSelectRace2":                    {"1000": "2"},
	"runtime/TestPseudoRandomSend":                       {"100": "4"},
	"runtime/TestSelectFairness":                         {"10000": "4"},
	"runtime/TestSelectStress":                           {"1e5": "10"},
	"runtime/TestSelfSelect":                             {"1000": "2"},
	"sync/HammerMutex":                                   {"1000": "2"},
	"sync/TestConcurrentRange":                           {"10": "1", "16": "2"},
	"sync/TestCondBroadcast":                             {"200": "2"},
	"sync/TestCondSignalGenerations":                     {"100": "3"},
	"sync/TestCondSignalStealing":                        {"1000": "2"},
	"sync/TestMutex":                                     {"10": "2", "1000": "2"},
	"sync/TestOnce":                                      {"10": "3"},
	"sync/TestPoolStress":                                {"10": "2", "1e6": "200"},
	"sync/TestRWMutex":                                   {"3": "1", "5": "1", "10": "1"},
	"sync/TestWaitGroupRace":                             {"1000": "2"},
	"sync/testWaitGroup":                                 {"16": "2"},
	"sync/TestWaitGroup":                                 {"8": "2"},
	"sync/atomic/TestValueCompareAndSwapConcurrent":      {"100": "3"},
	"sync/atomic/TestValueConcurrent":                    {"1e3": "2", "4": "2"},
	"sync/atomic/TestValueSwapConcurrent":                {"1000": "3"},
	"time/TestTickerConcurrentStress":                    {"10": "2", "100": "2"},
	"time/TestTickerStress":                              {"100": "3"},
	"time/TestAfterFunc":                                 {"10": "3"},
}

package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What rewrites the source, and what the rewritten source calls: each of these leaves
// something out of sight of the explorer, or shows it what is not so.
var instrumenter = []Judge{
	rewriting("J-83", "an else branch is not rewritten", "^TestGolden$/^operations$",
		"statements.go", "walker.stmt", `		w.stmt(s.Else, false)
`, ``),
	rewriting("J-84", "the tag of a switch is not rewritten", "^TestGolden$/^operations$",
		"statements.go", "walker.stmt", `		w.read(s.Tag)
`, ``),
	rewriting("J-85", "the list of a case is not rewritten", "^TestGolden$/^operations$",
		"statements.go", "walker.cases", `		w.reads(c.List)
`, ``),
	rewriting("J-86", "the first values of package variables are not rewritten", "^TestGolden$/^operations$",
		"rewrite.go", "walker.decl", `		w.specs(d)
`, `		_ = d
`),
	rewriting("J-87", "a call of a method expression is given a site, as a method is", "^TestGolden$/^names$",
		"operations.go", "walker.operation", `if s == nil || s.Kind() != types.MethodVal {
			return false // a method expression`, `if s == nil {
			return false // a method expression`),
	rewriting("J-88", "a method expression is gone through as a method", "^TestGolden$/^unseen$",
		"expressions.go", "walker.addr", `if s == nil || s.Kind() == types.MethodExpr {`, `if s == nil {`),
	rewriting("J-89", "inferred type arguments are written by the names of packages, not of imports", "^TestGolden$/^names$",
		"statements.go", "walker.typeArgs", `name := w.importName(p.Path())`, `name := p.Name()`),
	rewriting("J-90", "an import without a name to write is written all the same", "^TestGolden$/^names$",
		"statements.go", "walker.importName", ` && p.Name() != "_" && p.Name() != "."`, ``),
	rewriting("J-91", "a go statement with a part of the type arguments is taken for one with all", "^TestGolden$/^names$",
		"statements.go", "walker.typeArgs", `return "", !w.partial(fun)`, `return "", true`),
	rewriting("J-92", "the arguments of a go statement are not rewritten", "^TestGolden$/^names$",
		"statements.go", "walker.goStmt", `	w.read(c.Fun)
	w.reads(c.Args)`, `	w.read(c.Fun)`),
	rewriting("J-93", "a select is not refused", "^TestGolden$/^operations$",
		"statements.go", "walker.selectStmt", `if !refused {`, `if refused {`),
	rewriting("J-94", "what waits for time is let pass as a value", "^TestGolden$/^names$",
		"operations.go", "walker.value", `if what == "" {`, `if what != "" || what == "" {`),
	rewriting("J-95", "a second look finds nothing", "^TestSecondLook$",
		"secondlook.go", "walker.secondLook", `if done[key] == 0 {`, `if false {`),
	rewriting("J-96", "a second look takes the original for the hook of its name", "^TestSecondLook$",
		"secondlook.go", "walker.secondLook", `if !ofHook(c.Fun) {`, `if !ofHook(c.Fun) {
			done.add(line(name.Pos()), "zzhook."+name.Name)`),
	rewriting("J-97", "a lock of a package that is not rewritten is taken for an operation", "^TestForeign$",
		"operations.go", "walker.operation", `if p := w.foreign(sel, s); p != "" {`, `if p := w.foreign(sel, s); p == "?" {`),
	rewriting("J-98", "an overlay of GOFLAGS is lost", "^TestMutant$",
		"instrument.go", "newSources", `if file == "" {`, `if true {`),
	rewriting("J-99", "a package with assembly is rewritten", "^TestChoose$",
		"list.go", "choose", `case len(p.SFiles) > 0:`, `case false:`),
	rewriting("J-100", "edits that end at one place are made the outermost first", "^TestGolden$",
		"edit.go", "edits.apply", `return b.seq - a.seq`, `return a.seq - b.seq`),
	rewriting("J-101", "a field behind a pointer is taken for a local variable", "^TestGolden$/^plain$",
		"plain.go", "walker.isShared", `(s.Indirect() || w.isShared(x.X))`, `w.isShared(x.X)`),
	rewriting("J-102", "a variable that a method call takes the address of is taken for unshared", "^TestGolden$/^unseen$",
		"plain.go", "unit.findShared", `								mark(u.shared, n.X)
`, `								_ = t
`),
	rewriting("J-103", "an embedded pointer on the way to a field is not read", "^TestGolden$/^plain$",
		"selectors.go", "walker.hops", `last > 0 {`, `last > 9 {`),
	rewriting("J-104", "the copy of a value receiver is not read", "^TestGolden$/^plain$",
		"expressions.go", "walker.receiver", `if isPointer && !isInterface && w.plain`, `if isPointer && isInterface && w.plain`),
	rewriting("J-105", "an assignment of what a call returns is told before the call", "^TestGolden$/^plain$",
		"assign.go", "walker.pure", `if tv := w.info.Types[ast.Unparen(n.Fun)]; !tv.IsType() && !tv.IsBuiltin() {
				pure = false`, `if tv := w.info.Types[ast.Unparen(n.Fun)]; !tv.IsType() && !tv.IsBuiltin() {
				pure = pure && true`),
	rewriting("J-106", "a definition that assigns tells nothing", "^TestGolden$/^plain$",
		"assign.go", "walker.assign", `		w.redefined(s, listed)
`, ``),
	rewriting("J-107", "a return tells nothing of the results that it sets", "^TestGolden$/^plain$",
		"results.go", "walker.returns", `				text += fmt.Sprintf("; zzhook.W(%s, zzr%d)", w.site(s.Return, name), i)`, `				text += ""`),
	rewriting("J-108", "who called does not read the results", "^TestGolden$/^plain$",
		"results.go", "walker.body", `				text += fmt.Sprintf(" defer zzhook.Result(%s, zzr%d);", w.site(body.Rbrace, name), i)`, `				text += ""`),
	rewriting("J-109", "a range over a slice reads no element", "^TestGolden$/^plain$",
		"ranges.go", "walker.rangeStmt", `w.elements(s, label, "")`, `_ = label`),
	rewriting("J-110", "a range that assigns tells nothing", "^TestGolden$/^plain$",
		"ranges.go", "walker.rangeStmt", `	w.assignedByRange(s)
`, ``),
	rewriting("J-111", "append is told before its arguments", "^TestGolden$/^plain$",
		"builtins.go", "walker.builtin", `				w.hook(x, fun, "Append")
				w.apart(x)`, `				w.hook(x, fun, "Append")`),
	rewriting("J-112", "a string of bytes reads none", "^TestGolden$/^plain$",
		"builtins.go", "walker.conversion", `if isString(to) {`, `if false {`),
	rewriting("J-113", "the key of an element is computed after the map is read", "^TestGolden$/^plain$",
		"builtins.go", "walker.element", `if w.plain && !w.pure(x.Index) {`, `if false {`),
	rewriting("J-114", "a variable that a loop reads before it assigns is left out of its state", "^TestGolden$/^live$",
		"live.go", "flow.stmt", `return f.stmt(s.Else, held) || then`, `return f.stmt(s.Else, held) && then`),
	rewriting("J-115", "a switch without a default is taken to assign in each case", "^TestGolden$/^live$",
		"live.go", "flow.clauses", `|| !all && held`, `|| all && held`),
	rewriting("J-116", "a break out of a switch is taken to come from its end", "^TestGolden$/^live$",
		"live.go", "flow.branch", `		*f.breaks[len(f.breaks)-1] = true
`, `		_ = f.breaks
`),
	rewriting("J-117", "the condition of a loop within a loop is not looked at", "^TestGolden$/^live$",
		"live.go", "flow.stmt", `		if s.Cond != nil {
			f.expr(s.Cond, held)
		}
`, ``),
	rewriting("J-118", "a result that is returned is left out of the state of a loop", "^TestGolden$/^loops$",
		"live.go", "flow.stmt", `		f.ends(held)
`, ``),
	rewriting("J-119", "a variable that is read behind a loop is left out of its state", "^TestGolden$/^live$",
		"live.go", "flow.branch", `	case s.Label != nil:
		f.live = true`, `	case s.Label != nil:
		_ = s`),
	rewriting("J-120", "the assignments of a range are left out of the state of a loop", "^TestGolden$/^live$",
		"loops.go", "walker.assigned", `			add(n.Value)
`, ``),
	rewriting("J-121", "a loop that leaves traces is taken for one that waits", "^TestGolden$/^loops$",
		"loops.go", "walker.state", `if w.leavesTraces(s) {`, `if false {`),
	rewriting("J-122", "a counter that is looked at is taken for one that is not", "^TestGolden$/^loops$",
		"traces.go", "walker.talliesOnly", `&& !adds[n] {`, `&& !adds[n] && false {`),
	rewriting("J-123", "append to a part of a slice is taken to leave no trace", "^TestGolden$/^live$",
		"traces.go", "walker.changesElements", `		return again
`, `		return again && false
`),
	listing("J-124", "what a sort writes is taken for read", "^TestGolden$/^unseen$",
		"list_data.go", `MayWrite: Compact CompactFunc Delete DeleteFunc Reverse Sort`, `MayRead: Compact CompactFunc Delete DeleteFunc Reverse Sort`),
	rewriting("J-125", "a deferred call is told where it is deferred", "^TestGolden$/^unseen$",
		"unseen.go", "walker.unseenCall", `if w.plain && (deferred || c.made`, `if w.plain && (c.made`),
	rewriting("J-126", "the order of a map without ordered keys is no chance", "^TestGolden$/^unseen$",
		"maporder.go", "walker.mapOrder", `	if used(s.Key) || used(s.Value) { // inside`, `	if false { // inside`),
	rewriting("J-127", "an iterator over a map is taken to be put in order", "^TestGolden$/^unseen$",
		"maporder.go", "walker.mapOrderOf", `if !w.ordered[x] {`, `if w.ordered[x] {`),
	rewriting("J-128", "of a method expression the receiver is taken for an argument", "^TestGolden$/^unseen$",
		"unseen.go", "walker.unseenCall", `if w.isMethodExpr(fun) {`, `if false {`),
	listing("J-129", "what a test logs is not read", "^TestGolden$/^unseen$",
		"list_system.go", `common.Fatalf common.Log`, `common.Fatalf common.NoLog`),
	listing("J-2341", "a function that writes its first argument is listed as one that reads", "^TestListedReaders$",
		"list_coding.go", `	MayWrite MayRead: Decode Encode`, `	MayRead: Decode Encode`),
	hooking("J-2342", "of what a function that code which is not seen returns was made is forgotten",
		"unseen.go", "made", `engine.Made(v.Interface(), of)`, `_ = of`),
	rewriting("J-130", "a package-level variable of another module is not seen", "^TestOutside$",
		"scan.go", "build.scan", `if variables[n.Name] && fn.Name.Name != "init" {`, `if false {`),
	rewriting("J-131", "who calls a function that goes by chance does not", "^TestOutside$",
		"graph.go", "graph.spread", `range []map[string]string{g.chances, g.goes}`, `range []map[string]string{g.goes}`),
	rewriting("J-132", "a method that starts a goroutine is not come to by an interface", "^TestOutside$",
		"graph.go", "key", `return "." + o.Name()`, `return "?" + o.Name()`),
	rewriting("J-133", "what an imported package has inside does not count", "^TestOutside$",
		"scan.go", "build.outsides", `append(append(o.meets, d.path()), from.meets...)`, `append(o.meets, d.path())`),
	hooking("J-134", "a write is told as a read",
		"plain.go", "W", `engine.Write(`, `engine.Read(`),
	hooking("J-135", "a variable is set before its value is computed",
		"plain.go", "Set", `	return func(v T) {
		engine.Write(unsafe.Pointer(p), unsafe.Sizeof(*p), site)`, `	engine.Write(unsafe.Pointer(p), unsafe.Sizeof(*p), site)
	return func(v T) {`),
	hooking("J-136", "what an assignment writes is told before its sides are computed",
		"late.go", "Late.note", `		l.noted = append(l.noted, lateAccess{addr, size, site, read})
`, `		engine.Write(addr, size, site)
`),
	hooking("J-137", "what an assignment writes late is not told",
		"late.go", "Late.Report", `		engine.Write(a.addr, a.size, a.site)
`, ``),
	hooking("J-138", "an append that fills the capacity is taken for one beyond it",
		"slices.go", "appended", `if n <= cap(s)-len(s) {`, `if n < cap(s)-len(s) {`),
	hooking("J-139", "an append beyond the capacity reads nothing",
		"slices.go", "appended", `	} else {
		elements(s, site, engine.Read)
	}`, `	}`),
	hooking("J-140", "an append does not read what it appends",
		"slices.go", "Append", `		elements(more, site, engine.Read)
`, ``),
	hooking("J-141", "an append of a string is told before the string is computed",
		"slices.go", "AppendString", `	return func(more string) S {
		appended(site, s, len(more))`, `	appended(site, s, 1)
	return func(more string) S {`),
	hooking("J-142", "a copy of a string writes nothing",
		"slices.go", "CopyString", `	elements(to[:min(len(to), len(from))], site, engine.Write)
`, ``),
	hooking("J-143", "a copy reads and writes all that there is room for",
		"slices.go", "Copy", `	elements(from[:n], site, engine.Read)`, `	elements(from, site, engine.Read)`),
	hooking("J-144", "a range over a slice reads all elements at its beginning",
		"slices.go", "Elements", `	return func(yield`, `	elements(s, site, engine.Read)
	return func(yield`),
	hooking("J-145", "a range over a map does not read it after an element",
		"maps.go", "Pairs", `			MapR(site, m)
`, ``),
	hooking("J-146", "a range over a map in order gives what was deleted",
		"maporder.go", "InOrder", `				continue // deleted`, `				// deleted`),
	hooking("J-147", "a range over a map in order gives what there was at its beginning",
		"maporder.go", "InOrder", `				p.v = v
`, `				_ = v
`),
	hooking("J-148", "a delete reads",
		"maps.go", "Delete", `MapW(site, m)`, `MapR(site, m)`),
	hooking("J-149", "an element is read before its key is computed",
		"maps.go", "Element", `	return func(key K) V { return MapR(site, m)[key] }`, `	MapR(site, m)
	return func(key K) V { return m[key] }`),
	hooking("J-150", "a map that is not there is an access to nothing",
		"maps.go", "MapW", `if p := word(m); p != nil {`, `if p := word(m); true {`),
	hooking("J-151", "a slice is its first element",
		"loop.go", "Slice", `uintptr(len(s)), uintptr(cap(s))}`, `0, 0}`),
	hooking("J-152", "what cannot be compared is always the same",
		"loop.go", "Any", `		return New()
`, `		return 1
`),
	hooking("J-153", "the state of a loop is a set",
		"loop.go", "All", `h = (h^n)*0xd6e8feb86659fd93 ^ h>>31`, `h += n * 0xd6e8feb86659fd93`),
	hooking("J-154", "a function that another thread runs is started at once",
		"hook.go", "Go", `		engine.Spawn(site, f)
`, `		f()
`),
	hooking("J-155", "what waits for time is refused nowhere",
		"hook.go", "Uncontrolled", `		engine.Refuse(site, what)
`, ``),
	{
		ID: "J-156", Title: "an edit that fits twice is made",
		Edits: []overlay.Edit{{File: "internal/overlay/edit.go", Func: "Edit.apply", Old: `n != 1 {`, New: `n < 1 {`}},
		Room:  "./internal/overlay", Tests: "^TestApply",
	},
	{
		ID: "J-157", Title: "edits that fit are kept when one does not",
		Edits: []overlay.Edit{{File: "internal/overlay/edit.go", Func: "Set.Apply", Old: `			return err
		}
		changed[e.File] = text`, New: `			s.files = changed
			return err
		}
		changed[e.File] = text`}},
		Room: "./internal/overlay", Tests: "^TestApplyRefuses$",
	},
	{
		ID: "J-158", Title: "an edit is made anywhere in the file",
		Edits: []overlay.Edit{{File: "internal/overlay/edit.go", Func: "Edit.span", Old: `if name == want {`, New: `if name == want {
			return 0, len(text), nil`}},
		Room: "./internal/overlay", Tests: "^TestApply",
	},
	{
		ID: "J-159", Title: "an edit sees the file as it was before the edits before",
		Edits: []overlay.Edit{{File: "internal/overlay/edit.go", Func: "Set.Apply", Old: `text, ok := changed[e.File]`, New: `text, ok := changed[e.File]
		ok = false`}},
		Room: "./internal/overlay", Tests: "^TestApply$",
	},
	{
		ID: "J-160", Title: "the texts of a set are left out of the overlay",
		Edits: []overlay.Edit{{File: "internal/overlay/overlay.go", Func: "Set.Write", Old: `		replace[filepath.Join(s.root, filepath.FromSlash(file))] = at
`, New: ``}},
		Room: "./internal/overlay", Tests: "^TestBuild$",
	},
	{
		ID: "J-161", Title: "the child does the first call of a test for each",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/child.go", Func: "Child", Old: ` || c.Ordinal != n {`, New: ` {`}},
		Room:  "./interleave/internal/rerun", Tests: "^TestCalls$",
	},
	{
		ID: "J-162", Title: "the calls of a test are counted on when it runs again",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/rerun.go", Func: "ordinal", Old: `			delete(ordinals.next, name)
`, New: ``}},
		Room: "./interleave/internal/rerun", Tests: "^TestCalls$",
	},
	{
		ID: "J-163", Title: "the child is built without the tags of its parent",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/flags.go", Func: "buildFlags", Old: `case "-tags", `, New: `case `}},
		Room:  "./interleave/internal/rerun", Tests: "^TestFlags$",
	},
	{
		ID: "J-164", Title: "the child does not get the flags of the test",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/flags.go", Func: "childFlags", Old: `if !dropped[f.Name] {`, New: `if false {`}},
		Room:  "./interleave/internal/rerun", Tests: "^TestFlags$",
	},
	{
		ID: "J-165", Title: "a child that crashed is taken for one that found nothing",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/parent.go", Func: "binary.run", Old: `	return nil, b.explain(`, New: `	return nil, nil
	return nil, b.explain(`}},
		Room: "./interleave/internal/rerun", Tests: "^TestErrors$",
	},
	{
		ID: "J-1329", Title: "a name is an expression in the command that runs its test again",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/remote.go", Func: "Again", Old: `regexp.QuoteMeta(p)`, New: `p+regexp.QuoteMeta("")`}},
		Room:  "./interleave/harness", Tests: "^TestAgain$",
	},
	{
		ID: "J-1330", Title: "a quote in a name ends the argument of the command that runs its test again",
		Edits: []overlay.Edit{{File: "interleave/internal/rerun/remote.go", Func: "Again", Old: `"/"), "'"`, New: `"/"), "''"`}},
		Room:  "./interleave/harness", Tests: "^TestAgain$",
	},
}

// hooking is a change of package hook that its own tests must see.
func hooking(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "interleave/hook/" + file, Func: fn, Old: old, New: new}},
		Room: "./interleave/hook", Tests: "^Test",
	}
}

// listing is a change of the list of the standard library that a test of the instrumenter
// must see.
func listing(id, title, tests, file, old, new string) Judge {
	j := rewriting(id, title, tests, "", "", old, new)
	j.Edits[0].File = "interleave/internal/std/" + file
	return j
}

// rewriting is a change of the instrumenter that a test of its own must see.
func rewriting(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Edits: []overlay.Edit{{File: "interleave/internal/instrument/" + file, Func: fn, Old: old, New: new}},
		Room: "./interleave/internal/instrument", Tests: tests,
	}
}

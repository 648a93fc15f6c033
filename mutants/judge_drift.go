package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// Who compares the runtime at hand with the one that was modelled: each of these passes
// over a change, or sees one where there is none, or names another statement.
var ofSource = []Judge{
	drifted("J-1500", "what is nested in a function literal is not compared", "^Test(Edits|Skeleton)$",
		"digest.go", "skeletons.add", `range w.literals {`, `range w.literals[:0] {`),
	drifted("J-1501", "where a block ends does not count", "^Test(Edits|Skeleton)$", "digest.go", "skeletons.list", `s.add("end", end)`, `_ = end`),
	drifted("J-1502", "an else is a block", "^Test(Edits|Skeleton)$", "digest.go", "skeletons.stmt", `s.add("else", stmt.Else.Pos())`, ``),
	drifted("J-1503", "a literal does not count", "^Test(Edits|Skeleton)$", "digest.go", "writer.node", `n.Kind, n.Value)`, `n.Kind, "")`),
	drifted("J-1504", "parentheses count", "^Test(Edits|Skeleton)$", "digest.go", "writer.node", `	case *ast.ParenExpr:
		w.value(reflect.ValueOf(n.X))
		return
`, ``),
	drifted("J-1505", "spread arguments are as others", "^TestSkeleton$", "digest.go", "writer.node", `n.Ellipsis.IsValid()`, `n.Ellipsis < 0`),
	drifted("J-1506", "an alias is a type", "^TestSkeleton$", "digest.go", "writer.node", `n.Assign.IsValid()`, `n.Assign < 0`),
	drifted("J-1507", "the receiver does not count", "^TestSkeleton$", "digest.go", "skeleton", `s.add("func", f.Pos(), f.Recv, f.Type)`, `s.add("func", f.Pos(), f.Type)`),
	drifted("J-1508", "an assignment and a range are of one kind, whatever they declare", "^TestSkeleton$",
		"digest.go", "skeletons.stmt", `&ast.Ident{Name: stmt.Tok.String()}`, `nil`),
	drifted("J-1509", "only the first of the patterns' matches is looked at", "^TestLocate$", "places.go", "locate", `case nth == 0 && len(found) == 1:`, `case nth == 0 && len(found) > 0:`),
	drifted("J-1510", "a pattern may name any of its words", "^TestLocate$", "places.go", "locate", `s.kind == words[0] && `, ``),

	drifted("J-1511", "a function that is gone is no difference", "^Test(Edits|Go125)$", "compare.go", "table.difference", `case decl == nil && f.modelled() == "":`, `case decl == nil:`),
	drifted("J-1512", "a function that is new is no difference", "^Test(Edits|Go125)$", "compare.go", "table.difference", `		d.How = New
		return d, nil`, `		return nil, nil`),
	drifted("J-1513", "the statement after a change is named, too", "^TestEdits$", "compare.go", "function.between", `at < to`, `at <= to`),
	drifted("J-1514", "a line is that of the modelled version's statement", "^TestLines$", "compare.go", "table.difference", `all[min(h.nowFrom, len(all)-1)]`, `all[min(h.oldFrom, len(all)-1)]`),
	drifted("J-1515", "a renamed function is gone", "^TestEdits$", "compare.go", "table.renamed", `d.How, d.Now = Renamed, other`, ``),
	drifted("J-1516", "a finding's function that is gone is as it was", "^TestEdits$", "compare.go", "Differing", `now != t.functions[body].modelled()`, `now != "" && now != t.functions[body].modelled()`),
	drifted("J-1517", "a version that nobody has read is one that was", "^TestVersionsAndTrees$", "table.go", "table.reads", `version.Lang(w) == version.Lang(v)`, `version.Lang(w) != ""`),
	drifted("J-1518", "a function in a test file counts", "^TestMoved$", "source.go", "runtimeSource.all", `"_test.go"`, `"_none.go"`),
	drifted("J-1519", "a table may be edited by hand", "^TestBadTable$", "table.go", "parseTable", `!bytes.Equal(t.text(), text)`, `len(t.text()) == 0`),
	drifted("J-1520", "a table is not checked", "^TestBadTable$", "table.go", "parseTable", `if err := t.check(); err != nil {`, `if err := t.check(); false {`),
	commanded("J-1521", "a source that differs passes", "^TestSource$", "tla/command/source.go", "modelOptions.source", `len(r.Differ) > 0, exit.Fail`, `len(r.Differ) < 0, exit.Fail`),
	commanded("J-1522", "a version that nobody has read passes", "^TestSource$", "tla/command/source.go", "modelOptions.source", `codes.If(r.Read, exit.Pass)`, `codes.If(true, exit.Pass)
	r.Read = true`),

	drifted("J-1523", "a constant is compared without its group", "^TestDeclarations$", "declarations.go", "sourceFile.declare", `node = d //`, `_ = d //`),
	drifted("J-1524", "a build constraint is not read", "^TestConstraints$", "source.go", "constraintOf", `list = append(list, x.String())`, `_ = x`),
	drifted("J-1525", "what another file declares again does not count", "^TestTwins$", "source.go", "runtimeSource.strays", `has[min(known[file], len(has)):]`, `has[len(has):]`),
	drifted("J-1526", "declarations are not compared", "^TestDeclarations$", "compare.go", "table.compare", `for _, name := range slices.Sorted(maps.Keys(t.functions)) {`, `for _, name := range Functions() {`),
	drifted("J-1527", "a finding's function is as it was, whichever file is built", "^TestConstraints$", "compare.go", "Differing", ` || built != nil`, ` || built != nil && false`),
	drifted("J-1528", "a finding's function is as it was, though there are two", "^TestTwins$", "compare.go", "Differing", `differs := len(twins) > 0`, `differs := len(twins) > 9`),
	drifted("J-1529", "a declaration may be one that no version has", "^TestBadTable$", "table.go", "table.check", `whyOf[name] != "" && f.modelled() == ""`, `whyOf[name] == "none" && f.modelled() == ""`),
	drifted("J-1530", "who differs in declarations alone is as it was modelled", "^TestDeclarations$", "string.go", "Report.String", `len(r.Differ) > 0`, `r.differ(false) > 0`),
	drifted("J-1531", "a program beside the package counts", "^TestTwins$", "source.go", "parse", `f.Name.Name == "runtime"`, `f.Name.Name != ""`),
	drifted("J-1720", "a finding's function is as it was, whatever its body for another build", "^TestEdits$", "compare.go", "Differing", `range bodies(f)`, `range bodies(f)[:1]`),
	drifted("J-1721", "a linkname with a symbol does not count", "^TestEdits$", "source.go", "runtimeSource.statements", `symbols = append(symbols, l.symbol)`, `_ = l.symbol`),
	drifted("J-1722", "a comment that quotes a linkname is one", "^TestEdits$", "source.go", "linksOf", `words[0] != "//go:linkname"`, `!strings.Contains(c.Text, "//go:linkname")`),
	drifted("J-1723", "a second body is taken for one that has moved", "^TestTwins$", "declarations.go", "table.again", `lacks || first == nil`, `lacks || first == nil || true`),
	drifted("J-2331", "a text of another series is one that was read", "^TestUnread$", "compare.go", "table.unread", `version.Lang(v) == version.Lang(s.version)`, `version.Lang(v) != ""`),
	drifted("J-1744", "a file of functions alone may have any build constraint", "^TestVersionsAndTrees$", "declarations.go", "whys", `files[in.file] = true`, `_ = in`),
}

func drifted(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/drift", Tests: tests,
		Edits: []overlay.Edit{{File: "tla/drift/" + file, Func: fn, Old: old, New: new}},
	}
}

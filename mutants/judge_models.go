package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What the models must give, and who writes it: each of these takes a row for what it
// is not, writes what nobody decided, or leaves a model without a judge.
var ofModels = []Judge{
	expected("J-2333", "a property that is gone is no matter", "row.go", "Model.asked", `if !slices.Contains(asks, name) {`, `if false {`, "^TestCompare$"),
	expected("J-2334", "a configuration without a note of what it asks is no matter", "row.go", "Model.asked", `if len(noted) == 0 {`, `if len(noted) == 0 {
		return nil
	}
	if len(noted) < 0 {`, "^TestCompare$"),
	expected("J-1420", "a line that is nearly one is one", "row.go", "", `depth ([1-9]\d*)$`, `depth ([1-9]\d*)`, "^TestParseRowIsStrict$"),
	expected("J-1421", "a line may stand anywhere", "row.go", "parseRow", `i != next || `, `i < next || `, "^TestParseRowIsStrict$"),
	expected("J-1422", "an unknown word counts for nothing", "row.go", "Model.parseModule", ` || !slices.Contains([]string{"module", "set", "seconds", "heap", "judge"}, key)`, ``, "^TestParseRowIsStrict$"),
	expected("J-1423", "a set may be any", "row.go", "Model.parseModule", `!slices.Contains(Sets(), m.Set)`, `false`, "^TestParseRowIsStrict$"),
	expected("J-1424", "a file that cannot be read is left out", "row.go", "Models", `bad = append(bad, err)`, `bad = append(bad[:0], nil)`, "^TestRows$"),
	expected("J-1425", "what is expected needs no module", "row.go", "parseRow", `if !m.Absent && m.Module == "" {`, `if false {`, "^TestParseRowIsStrict$"),
	commanded("J-1726", "a verdict without numbers is one of any numbers", "^TestNoNumbers$",
		"tla/compare.go", "Task.Compare", `if t.Mutant == nil && !t.Counted() {`, `if t.Mutant == nil && !t.Counted() {
		return nil
	}
	if t.Mutant == nil && !t.Counted() {`),
	commanded("J-1727", "-update writes another verdict where no numbers are", "^TestUpdate$",
		"tla/update.go", "Task.Update", `seen != t.Expected() || line == ""`, `(seen != t.Expected() || line == "") && t.Counted()`),
	expected("J-1426", "-update writes another verdict", "update.go", "Task.Update", `seen != t.Expected() || line == ""`, `line == "" || seen == ""`, "^TestUpdate$"),
	expected("J-1427", "-update writes a depth that is not exact", "update.go", "Task.Line", `if r.Workers == 1 {`, `if true {`, "^TestUpdate$"),
	expected("J-1428", "-update proposes what did not end", "update.go", "Task.Line", `verdict(r) != m.Expected() || `, ``, "^TestUpdate$"),
	expected("J-1429", "an equivalent mutant may have its model's counts", "audit.go", "audit.reached", `if base != nil && m.Equivalent`, `if base == nil && m.Equivalent`, "^TestAuditCanFail$"),
	expected("J-1431", "an equivalent mutant needs no counts", "audit.go", "audit.bugs", `case (m.Generated == 0 || m.Distinct == 0) != (m.Equivalent == ""):`, `case m.Generated < 0:`, "^TestAuditCanFail$"),
	expected("J-1432", "the counts of an equivalent mutant are not compared", "compare.go", "Task.Compare", `if t.Violates == "" {`, `if t.Violates == "" && t.Mutant == nil {`, "^TestCompare$"),
	expected("J-1433", "a configuration that expects nothing is no matter", "audit.go", "audit.configs", `a.problem("%s: expected lines that say what it must give`, `_ = fmt.Sprintf("%s: expected lines that say what it must give`, "^TestAuditCanFail$"),
	expected("J-1450", "a row of two bugs is a mutant of both", "actions.go", "audit.actions", `len(m.Bugs) == 1 && m.Violates`, `len(m.Bugs) > 0 && m.Violates`, "^TestAuditCanFail$"),
	expected("J-1451", "a mutant that nothing kills is enough for an action", "actions.go", "audit.actions", ` && m.Violates != ""`, ``, "^TestAuditCanFail$"),
	expected("J-1452", "an action that waits for more is damaged", "actions.go", "audit.damaged", ` && !strings.HasPrefix(e.New, e.Old)`, ``, "^TestGuardsDoNotCount$"),
	expected("J-1453", "an action may be without a mutant", "actions.go", "audit.actions", `!killed && reason == ""`, `!killed && reason != ""`, "^TestActionsNeedRows$"),
	expected("J-1454", "an exception may be for what is no action", "actions.go", "audit.actions", `!known[name]`, `len(name) == 0`, "^TestAuditCanFail$"),
	expected("J-1455", "an exception may be for what needs none", "actions.go", "audit.actions", `else if killed && reason != ""`, `else if killed && reason == full`, "^TestAuditCanFail$"),
	expected("J-1456", "an action is its own text alone", "actions.go", "audit.actions", `return damaged[w] && actions[w] == ""`, `return damaged[w] && actions[w] == w`, "^TestAuditCanFail$"),
	expected("J-1457", "a model that asks nothing holds", "source.go", "hasLiveness", `len(cfg.Invariants)+len(cfg.Properties) == 0`, `len(cfg.Invariants) < 0`, "^TestNothingAsked$"),
	expected("J-1458", "what is true at the beginning is true for ever", "source.go", "hasLiveness", `definer(all, module, p) != nil && !mentions(`, `definer(all, module, p) == nil && !mentions(`, "^TestNothingAsked$"),
	twinned("J-1459", "without fairness a search holds as with it", "machine.go", "twin.into", `len(m.lively) > 0 && cfg.Specification != fair`, `len(m.lively) > 9`),
	twinned("J-1460", "a module's own SPECIFICATION may be another's", "check.go", "specification", `known = []string{of}`, `known = append(known, of)`),
	twinned("J-1461", "a SYMMETRY may have any name", "check.go", "symmetry", `case !slices.Equal(seen, []string{want}):`, `case len(seen) == 0:`),
	{
		ID: "J-1462", Title: "a sysmon that is no M is none", Room: "./tla/machine", Tests: "^TestBadConfigurations$",
		Edits: []overlay.Edit{{File: "spec/sched/constants.go", Func: "FromConstants", Old: `sysmon != none && !`, New: `sysmon == "" && !`}},
	},
	{
		ID: "J-1463", Title: "LockHeld looks away where a fix has the lock", Room: "./spec/sched", Tests: "^TestLockHeldInShippedPlaces$",
		Edits: []overlay.Edit{{File: "spec/sched/invariants.go", Func: "Machine.lockHeld", Old: `want = has && m.fix.handoffNeed`, New: `want = has`}},
	},
	commanded("J-1434", "-update writes over what was changed meanwhile", "^TestUpdateOfWhatChanges$",
		"tla/command/update.go", "replace", `if string(now) != old {`, `if now == nil {`),
	commanded("J-1435", "a verdict that is not written is no difference", "^TestUpdate$",
		"tla/command/update.go", "runner.rewrite", `		r.differs = append(r.differs, err.Error())
`, ``),
	commanded("J-1436", "TLC is asked what is too large for it", "^TestMachineAloneAndTLC$",
		"tla/command/select.go", "apart", `if t.MachineAlone && `, `if t.MachineAlone && len(names) > 9 && `),
	commanded("J-1437", "a model that nobody judges is left to TLC", "^TestMachineAlone$",
		"tla/command/model.go", "twins", `case errors.As(err, &none) && t.MachineAlone:`, `case errors.As(err, &none) && false:`),
	commanded("J-1438", "a head that cannot be read is wrong usage", "^TestBadHead$",
		"tla/command/select.go", "wrong", `return exit.Error`, `return exit.Usage`),
	expected("J-1470", "a model with few Ms does not say so", "model.go", "Task.Bound", `slices.Contains(cfg.Invariants, enoughMs)`, `!slices.Contains(cfg.Invariants, enoughMs)`, "^TestBound$"),
	expected("J-1742", "what holds of a world that was assumed holds of all", "model.go", "Task.Verdict", ` + t.Assumes()`, ``, "^TestAssumes$"),
	edited("J-1743", "an assumption is a fix", "parse.go", "reader.line", `Assumed: word == "assume"`, `Assumed: false`, "^TestAssumptionsAreNoMends$"),
	expected("J-1471", "a model with few Ms counts sysmon", "model.go", "Task.Bound", `strings.TrimSpace(m) != cfg.Constants["Sysmon"]`, `strings.TrimSpace(m) != ""`, "^TestBound$"),
	commanded("J-1472", "the list does not say that a model has few Ms", "^TestModelsTable$",
		"tla/command/list.go", "options.print", `expected += t.Bound()`, `expected += ""`),
	commanded("J-1473", "what is found holds of modules that were changed", "^TestModelChanged$",
		"tla/command/run.go", "runner.end", `codes.If(len(r.changed) > 0, exit.Inconclusive)`, ``),
	expected("J-1474", "a module may have another text than the one that was compared", "held.go", "digest", `strings.Join(strings.Fields(blankComments(string(text))), " ")`, `name + string(text[:0])`, "^TestChanged$"),
	expected("J-1475", "an edit may be another than the one that was compared", "held.go", "digest", `for i := range edits {`, `for i := range edits[:0] {`, "^TestChanged$"),
	edited("J-1700", "a fix without edits is one in name alone", "parse.go", "reader.ended", `len(v.Alternatives[len(v.Alternatives)-1]) == 0`, `len(v.Alternatives[len(v.Alternatives)-1]) < 0`, "^TestParse$"),
	edited("J-1701", "an edit may change nothing", "parse.go", "reader.flush", `e.Old == e.New ||`, `e.Old == e.New && e.Before ||`, "^TestParse$"),
	edited("J-1702", "a name may stand there twice", "parse.go", "reader.line", `if !ok || slices`, `if !ok && slices`, "^TestParse$"),
	edited("J-1703", "the text need not be there once", "text.go", "texts.edited", `k != 1 {`, `k > 1 {`, "^TestEachChanges$|^TestEditsElsewhere$"),
	edited("J-1704", "the modules do not say which edits were made", "text.go", "texts.assuming", `"Fixes = "+set(fixes)`, `"Fixes = "+set(nil)`, "^TestAssumed$"),
	edited("J-1705", "an edit that does not apply is passed over", "variant.go", "texts.with", `		if err == nil {
			return n, nil
		}
		problems = append(problems, err)`, `		return n, err`, "^TestEachApplies$|^TestEditsElsewhere$"),
	edited("J-1706", "what a module extends is not edited", "text.go", "Family.read", `Extends(t[name])`, `Extends("")`, "^TestEachApplies$"),
	expected("J-1707", "a bug may be another family's", "audit.go", "audit.bugs", `Family(base.Module), b}`, `"Sched", b}`, "^TestAudit$"),
	expected("J-1708", "TLC gets a mutant's modules as they are shipped", "model.go", "Task.edited", `Family(Family(t.Module))`, `Family("Sched")`, "^TestJobHasTheBug$"),
}

func edited(id, title, file, fn, old, new, tests string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/variant", Tests: tests,
		Edits: []overlay.Edit{{File: "tla/variant/" + file, Func: fn, Old: old, New: new}},
	}
}

func expected(id, title, file, fn, old, new, tests string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla", Tests: tests,
		Edits: []overlay.Edit{{File: "tla/" + file, Func: fn, Old: old, New: new}},
	}
}

func twinned(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/machine", Tests: "^TestBadConfigurations$",
		Edits: []overlay.Edit{{File: "tla/machine/" + file, Func: fn, Old: old, New: new}},
	}
}

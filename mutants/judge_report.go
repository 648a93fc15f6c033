package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What people and CI systems read of a run: each of these lets a report say more, or
// less, than the run has shown, or lets a target speak in the report's name.
var reports = []Judge{
	printed("J-800", "control characters of a target are shown as they are",
		"printable.go", "character", `case !strconv.IsPrint(r):`, `case r == 0:`),
	printed("J-801", "broken UTF-8 is shown as it is",
		"printable.go", "character", `case r == utf8.RuneError && size == 1:`, `case false:`),
	printed("J-802", "a word in the middle of a text is no command, though a line may be wrapped there",
		"printable.go", "character", `(i == 0 || s[i-1] == ' ')`, `i == 0`),
	printed("J-803", "the older form of commands is left",
		"printable.go", "character", `case r == '#' && i > 0 && s[i-1] == '#':`, `case false:`),
	printed("J-804", "texts of any length are shown",
		"printable.go", "Line", `if n > max {`, `if false {`),
	printed("J-805", "how much of a text was left out is counted in characters shown",
		"printable.go", "Line", `fits, left = b.Len(), len(s)-i`, `fits, left = b.Len(), len(s)-b.Len()`),
	shown("J-806", "what was observed is shown as it is",
		"finding.go", "Finding", `Wrap(printable.Line(text, maxText),`, `Wrap(text,`),
	shown("J-807", "a step's thread is believed",
		"finding.go", "steps", `if s.Thread < 0 || s.Thread >= len(e.Threads) {`, `if s.Thread < 0 {`),
	shown("J-808", "the first line is taken for the first call",
		"calls.go", "Calls", `(base < 0 || c.begin < base)`, `base < 0`),
	shown("J-809", "a command that is to be copied is wrapped",
		"finding.go", "Finding", `fmt.Fprintf(&b, "  %-12s %s\n", name, printable.Line(a.String(), maxCommand))`, `row(name, a.String())`),
	shown("J-810", "a finding in brief loses its steps",
		"finding.go", "Finding", `case e.Kind == record.Steps && e.Execution != nil:`, `case e.Kind == record.Steps && e.Execution != nil && !brief:`),
	shown("J-811", "a line that has as many columns as it likes",
		"calls.go", "Calls", `if len(width) > maxThreads {`, `if false {`),

	reported("J-812", "the last line does not say how many findings are known", "^TestTextLastLine$",
		"rows.go", "Text.finding", `t.listed++`, `_ = t`),
	reported("J-813", "the last line says exit 0", "^TestTextLastLine$",
		"rows.go", "Text.verdict", `t.paint(word, 0), r.Exit,`, `t.paint(word, 0), 0,`),
	reported("J-814", "what was interrupted is said to pass", "^TestTextLastLine$",
		"rows.go", "Text.verdict", `if r.Interrupted {`, `if false {`),
	reported("J-815", "findings that are known stand among the others", "^TestTextShowsKnownFindingsToWhoAsks$",
		"rows.go", "Text.finding", `if word = string(gate.Known); !t.verbose {`, `if word = string(gate.Known); false {`),
	reported("J-816", "every finding is taken for known", "^TestTextShowsKnownFindingsToWhoAsks$",
		"rows.go", "Text.finding", `if gate.Match(t.head.Known, r.desc, f) != nil {`, `if gate.Match(t.head.Known, r.desc, f); true {`),
	reported("J-817", "the steps of a finding are lost if a check without steps saw it first", "^TestTextShowsAFindingOnce$",
		"rows.go", "Text.finding", `steps := f.Execution() != nil && !r.steps[f.Requirement]`, `steps := f.Execution() != nil && !r.first[f.Requirement]`),
	reported("J-818", "one cause is said once for each check that suffers from it", "^TestFoldReasons$|^TestTextSaysACauseOnce$",
		"rows.go", "foldReasons", `c := cause{target, why}`, `c := cause{target + what, why}`),
	reported("J-819", "a target's name may be any line", "^TestTextOfHostileTargets$",
		"text.go", "Text.beginTarget", `name := printable.Line(e.Target, maxName)`, `name := e.Target`),
	reported("J-820", "the requirements of the rows are not those that are counted", "^TestTextCountsAddUp$",
		"rows.go", "counts", `count[word(&r.Decisions[i])]++`, `count[word(&r.Decisions[i])] = 1`),

	reported("J-821", "progress is silent in a pipe", "^TestProgress",
		"progress.go", "Progress.tick", `p.line.IsZero() && now.Sub(p.begin) >= firstLine, `, ``),
	reported("J-822", "progress is told at every look at the clock", "^TestProgress",
		"progress.go", "Progress.tick", `!p.line.IsZero() && now.Sub(p.line) >= nextLine:`, `!p.line.IsZero():`),
	reported("J-823", "progress is written into a report that is being written", "^TestProgress",
		"progress.go", "Progress.tick", `if now.Sub(p.event) >= time.Second {`, `if true {`),
	reported("J-824", "progress waits for events", "^TestProgress",
		"progress.go", "NewProgress", `go p.run()`, `close(p.stopped)`),

	reported("J-825", "what is broken is skipped in JUnit", "^TestJUnitSaysWhatTheGateSays$",
		"junit.go", "junitTarget", `c.Failure = text(kind, short(d), why(d))`, `c.Skipped = text(kind, short(d), why(d))`),
	reported("J-826", "what is unknown passes in JUnit", "^TestJUnitSaysWhatTheGateSays$",
		"junit.go", "junitTarget", `d.Ruling == gate.NotSeen:`, `d.Ruling == gate.NotSeen || d.Ruling == gate.Unknown:`),
	reported("J-827", "what is known passes in JUnit", "^TestJUnitSaysWhatTheGateSays$",
		"junit.go", "junitTarget", `d.Ruling == gate.NotSeen:`, `d.Ruling == gate.NotSeen || d.Ruling == gate.Known:`),
	reported("J-828", "JUnit is green though the exit code is not 0", "^TestJUnitIsRedWhenTheRunIs$",
		"junit.go", "junitGate", `if r.Exit == 0 {`, `if r.Exit != 1 {`),
	reported("J-829", "a new ruling passes in JUnit", "^TestJUnitOfANewRuling$",
		"junit.go", "junitTarget", `default: //`, `case d.Ruling == gate.Broken || d.Ruling == gate.Unexpected: //`),
	reported("J-830", "failures are counted as errors in JUnit", "^TestJUnit",
		"junit.go", "junitSuite.count", `s.Failures++`, `s.Errors++`),
	reported("J-831", "a control that was missed is green", "^TestJUnitGolden$",
		"junit.go", "junitControls", `if e.Control.Finding == nil {`, `if false {`),
	reported("J-833", "a comment has Markdown of a target", "^TestMarkdownOfHostileTargets$",
		"markdown.go", "code", `strings.ContainsRune(plainSigns, r)`, `r != '<'`),
	reported("J-834", "a finding ends the fence round it", "^TestMarkdownOfHostileTargets$",
		"markdown.go", "mdSection", `for strings.Contains(text, fence) {`, `for false {`),
	reported("J-835", "a comment is too long to be posted", "^TestMarkdownIsBounded$",
		"markdown.go", "Markdown", `if b.Len()+len(section) > maxComment-100 {`, `if false {`),
	reported("J-836", "a comment says nothing of what is unknown", "^TestMarkdownTellsWhatIsWrong$",
		"markdown.go", "objections", `gate.NotSeen, gate.Missing:`, `gate.NotSeen, gate.Missing, gate.Unknown:`),

	reported("J-837", "a title adds properties to an annotation", "^TestAnnotations",
		"annotations.go", "", `":", "%3A", ",", "%2C")`, `":", "%3A")`),
	reported("J-838", "percent signs of an annotation's text are taken for escapes", "^TestAnnotations",
		"annotations.go", "", `inText     = strings.NewReplacer("%", "%25", `, `inText     = strings.NewReplacer(`),
	reported("J-839", "an annotation points to the first step", "^TestAnnotations$",
		"annotations.go", "place", `s.File != "" && s.Line > 0 {`, `s.File != "" && s.Line > 0 && last == nil {`),
	reported("J-840", "a run that fails has no annotation but those of requirements", "^TestAnnotations$",
		"annotations.go", "Annotations", `if r.Exit != 0 {`, `if false {`),
	{
		ID: "J-841", Title: "a known failure of one target hides those of others",
		Edits: []overlay.Edit{{File: "internal/suite/gate/match.go", Func: "Match", Old: `applies(k, d) && f.Covers(k.Fingerprint)`, New: `f.Covers(k.Fingerprint)`}},
		Room:  "./internal/suite/gate", Tests: "^TestMatch$",
	},
}

// shown is a change of how findings are shown.
func shown(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "internal/suite/show/" + file, Func: fn, Old: old, New: new}},
		Room:  "./internal/suite/show", Tests: "^Test",
	}
}

// printed is a change of what makes text fit to be shown.
func printed(id, title, file, fn, old, new string) Judge {
	j := shown(id, title, file, fn, old, new)
	j.Edits[0].File, j.Room = "internal/printable/"+file, "./internal/printable"
	return j
}

// reported is a change of a report.
func reported(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "internal/suite/report/" + file, Func: fn, Old: old, New: new}},
		Room:  "./internal/suite/report", Tests: tests,
	}
}

package mutants

import (
	"path"

	"github.com/spindle-go/spindle/internal/overlay"
)

// Where a requirement stands, what a stream refuses, what the gate makes of it: each of
// these makes a pass of something that is none, or says nothing where it should.
var gates = []Judge{
	stands("J-320", "a check that ended without saying why keeps its requirements",
		"case res.Ended != Completed:", `case res.Ended != Completed && res.Reason != "":`),
	stands("J-321", "what a check left out is kept",
		"case isCut:", "case isCut && false:"),
	stands("J-322", "a requirement that nothing was judged by is kept",
		"res.Judged[q.ID] <= 0", "res.Judged[q.ID] < 0"),
	stands("J-323", "what is broken hides the check that was stopped",
		"if len(unfinished) > 0 {", "if false {"),
	stands("J-324", "one check that is complete makes all complete",
		"row.Complete = row.Complete && res.Complete", "row.Complete = row.Complete || res.Complete"),
	stands("J-325", "what is unknown is complete",
		" && len(unknown) == 0", ""),
	stands("J-326", "a skipped check has judged",
		"if res.Ended == Skipped {", "if false {"),
	gated("J-2332", "a doubt is no reason", "^TestDoubts$",
		"judge.go", "judge.target", "range t.Description.Doubts {", "range t.Description.Doubts[:0] {"),
	gated("J-327", "a finding outside of the profile breaks nothing", "^TestBaseline$",
		"../standing.go", "Judged.Standings", " || len(fingerprints) > 0", ""),
	{
		ID: "J-328", Title: "what a check finds behind the 32nd finding is lost",
		Edits: suited("task.go", "Task.Find", `if f.Fingerprint = f.Requirement + "/more"; r.found[f.Fingerprint] {`, `if true {`),
		Room:  suiteRoom, Tests: "^TestManyFindings$",
	},

	refuses("J-329", "where requirements stand is believed",
		"Judged.consistent", "return j.follows()", "return nil"),
	refuses("J-330", "checks that were announced may be missing",
		"Judged.consistent", "len(j.Checks) != len(j.Planned)", "len(j.Checks) > len(j.Planned)"),
	refuses("J-331", "the last control may be missing",
		"Stream.whole", "if c.Nth < c.Of {", "if c.Nth+1 < c.Of {"),
	refuses("J-332", "the first control may be missing",
		"Stream.order", "c.Nth != nth || ", ""),
	refuses("J-333", "a finding's fingerprint may be another requirement's",
		"Stream.part", "!f.Covers(f.Requirement)", `f.Fingerprint == ""`),
	refuses("J-334", "a target may be missing",
		"Stream.whole", "s.targets != len(s.header.Targets)", "s.targets > len(s.header.Targets)"),
	refuses("J-335", "a finding may be of no requirement",
		"Judged.consistent", "spec.Lookup(e.Finding.Requirement); err != nil", "spec.Lookup(e.Finding.Requirement); err != nil && false"),
	refuses("J-336", "a check may end in any way",
		"Result.sane", "!slices.Contains([]Ended{Completed, Inconclusive, Skipped, Error}, r.Ended)", `!slices.Contains([]Ended{Completed, Inconclusive, Skipped, Error, "passed"}, r.Ended)`),
	refuses("J-337", "a second header is read",
		"Stream.Add", "(s.header == nil) != (e.Event == HeaderEvent)", "s.header == nil && e.Event != HeaderEvent"),
	{
		ID: "J-338", Title: "the footer's counts are believed",
		Edits: suited("stream.go", "Stream.whole", "if !maps.Equal(", "if false && !maps.Equal("), Room: suiteRoom, Tests: "^TestCounts$",
	},
	{
		ID: "J-339", Title: "the digest is believed",
		Edits: suited("file.go", "ReadEvents", "if footer && e.Footer.Digest", "if false && e.Footer.Digest"), Room: suiteRoom, Tests: "^TestEveryBitCounts$",
	},
	{
		ID: "J-340", Title: "what a stream may weigh is not held",
		Edits: suited("file.go", "ReadEvents", "left < 0 || n > MaxLines", "n > MaxLines"), Room: suiteRoom, Tests: "^TestWeight$",
	},

	gated("J-341", "an entry of the list is about every requirement", decisions,
		"known.go", "judge.listed", " || requirement(k) != row.ID", ""),
	gated("J-342", "the target of a known failure is not compared", decisions,
		"known.go", "applies", "if k.Target != d.Name {", `if k.Target == "" {`),
	gated("J-343", "the first version of a known failure is not compared", "^TestApplies$",
		"known.go", "applies", `(k.From == "" || version.Compare(v, k.From) >= 0) &&`, ""),
	gated("J-344", "one entry of the list covers all findings of its requirement", decisions,
		"judge.go", "judge.broken", "return f.Covers(k.Fingerprint)", "return f.Covers(requirement(k))"),
	gated("J-345", "a known failure that samples do not find is red", decisions,
		"judge.go", "judge.rule", "if row.Complete && len(unseen) > 0", "if len(unseen) > 0"),
	gated("J-346", "a known failure that was mended is never red", decisions,
		"judge.go", "judge.rule", "if row.Complete && len(unseen) > 0", "if false && len(unseen) > 0"),
	gated("J-347", "a known failure hides a check that was stopped", decisions,
		"judge.go", "judge.target", `case suite.Inconclusive:
			j.worse(Inconclusive,`, `case "never":
			j.worse(Inconclusive,`),
	gated("J-348", "a control that was missed does no harm", decisions,
		"judge.go", "Gate.caught", "if c.Finding == nil || c.Ended != suite.Completed {", "if false {"),
	gated("J-349", "a witness needs no control", decisions,
		"judge.go", "Gate.caught", "if res.Ended != suite.Skipped && !", "if false && !"),
	gated("J-350", "the header's strictness is not heeded", "^TestHeaderSays$",
		"gate.go", "Gate.judge", "g.Strict || g.header.Strict", "g.Strict"),
	gated("J-351", "a run that was interrupted has the exit code of what it had by then", decisions,
		"judge.go", "judge.done", "j.Exit = exit.Interrupted", "_ = exit.Interrupted"),
	gated("J-352", "a stream without a footer is judged", "^TestSummaryRefuses$",
		"gate.go", "Gate.judge", "g.err = g.stream.End()", "_ = g.stream.End()"),
	gated("J-353", "a target of which nothing ran does no harm", "^TestNothingRan$",
		"judge.go", "judge.target", "if !judged && ", "if false && "),
	gated("J-379", "a shard in which nothing ran passes for its part", "^TestNothingRanInShard$",
		"gate.go", "Gate.judge", "if !j.ran && ", "if false && "),
	gated("J-354", "entries that fit nothing are not told", decisions,
		"judge.go", "judge.done", "if !j.used[i] {", "if !j.used[i] && false {"),
	gated("J-355", "an entry may stand in the list twice", "^TestReadKnownRefuses$",
		"known.go", "ReadKnown", "return l.Fingerprint == k.Fingerprint", "return false && l.Fingerprint == k.Fingerprint"),
	gated("J-356", "a list of known failures has no end", "^TestReadKnownRefuses$",
		"known.go", "ReadKnown", "case len(list) == maxKnown:", "case false:"),

	gated("J-357", "what was broken may be broken in a new way", "^TestBaseline$",
		"judge.go", "judge.broken", "before != nil && slices.Contains(before.Fingerprints, f.Fingerprint)", "before != nil && before.Standing == suite.Broken"),
	gated("J-358", "a check may disappear", "^TestBaseline$",
		"compare.go", "comparison.target", "c.add(Red, Disappeared, b.Name, k.Name", "c.add(Note, Disappeared, b.Name, k.Name"),
	gated("J-359", "what was judged need not be any more", "^TestBaseline$",
		"compare.go", "comparison.requirement", "c.add(Red, NewlyNotRun, target, h.ID, was)", "c.add(Note, NewlyNotRun, target, h.ID, was)"),
	gated("J-360", "all there is may become a sample", "^TestBaseline$",
		"compare.go", "comparison.check", "case b.Complete && h.Ended == suite.Completed && !h.Complete:", "case false:"),
	gated("J-361", "a baseline of another selection is compared with", closed,
		"compare.go", "Compare", "case b.Select != t.Select:", "case false:"),
	gated("J-362", "a baseline that says nothing is compared with", closed,
		"compare.go", "Compare", "base.says(); err != nil", "base.says(); err != nil && false"),
	gated("J-363", "a target that the baseline lacks is not told", closed,
		"compare.go", "Compare", `c.add(Note, Appeared, t.Name, "", "")`, ""),
	gated("J-364", "a baseline's digest is believed", "^TestReadSummaryRefuses$",
		"summary.go", "ReadSummary", "s.Digest != saw {", `s.Digest == "" && saw != "" {`),
	gated("J-365", "a baseline may be a run that was interrupted", "^TestSummaryRefuses$",
		"summary.go", "Result.Summary", "case r.Interrupted:", "case false:"),
	gated("J-366", "what a target says may make lines of its own", "^TestOneLine$",
		"judge.go", "judge.worse", `printable.Line(fmt.Sprintf(format, args...), maxReason)`, `printable.Line("", 40) + fmt.Sprintf(format, args...)`),

	merges("J-367", "a shard passes for the whole run", "^TestShardAlone$",
		"gate/gate.go", "Gate.judge", `shard != "" && !g.Part`, `shard == "?" && !g.Part`),
	merges("J-368", "a check may be in two shards", closedMerge,
		"merge/merge.go", "target", "if slices.Contains(planned, name) {", "if slices.Contains(planned, name) && false {"),
	merges("J-369", "shards may have seeds of their own", closedMerge,
		"merge/merge.go", "sameRun", "x.Begin = \"\", 0, 0, time.Time{}", "x.Begin, x.Seed = \"\", 0, 0, time.Time{}, 0"),
	merges("J-370", "shards may judge targets of different versions", closedMerge,
		"merge/merge.go", "sameTarget", "if !reflect.DeepEqual(d, e) {", "if d.Name != e.Name {"),
	merges("J-371", "a shard may be missing", closedMerge,
		"merge/merge.go", "inOrder", "if n != len(shards) {", "if n < len(shards) {"),
	merges("J-372", "a control that was missed in one shard is made good by another", "^TestMissedControl$",
		"merge/controls.go", "controls", "if worse(e.Control, was[i].Control) {", "if false {"),
	merges("J-373", "a shard may be without controls", closedMerge,
		"merge/controls.go", "controls", " && here[k] == nil {", " && false {"),
	merges("J-374", "it is lost that a shard was interrupted", "^TestFooter$",
		"merge/merge.go", "merged.footer", "f.Interrupted || s.footer.Interrupted", "f.Interrupted && s.footer.Interrupted"),

	{
		ID: "J-375", Title: "a benchmark that is slow by chance is slower",
		Edits: suited("gate/bench/bench.go", "Row.Slower", " && r.P < Alpha", ""), Room: suiteRoom + "/gate/bench", Tests: "^TestNoise$",
	},
	{
		ID: "J-376", Title: "samples too few to tell anything are no error",
		Edits: suited("gate/bench/bench.go", "Compare", "if least(r.OldN, r.NewN) >= Alpha {", "if false {"), Room: suiteRoom + "/gate/bench", Tests: "^TestSamples$",
	},
	{
		ID: "J-377", Title: "a benchmark may disappear",
		Edits: suited("gate/cli/gate.go", "options.benchmarks", "case row.Disappeared:", "case false:"), Room: suiteRoom + "/gate/cli", Tests: "^TestGateBenchmarks$",
	},
	{
		ID: "J-378", Title: "a file that could not be written whole stands in the old one's place",
		Edits: []overlay.Edit{{File: "internal/wholefile/wholefile.go", Func: "Write", Old: `f.Discard()`, New: `f.Commit()`}},
		Room:  "./internal/wholefile", Tests: "^TestWrite$",
	},
}

const (
	suiteRoom   = "./internal/suite"
	decisions   = "^TestDecisions$"
	closed      = "^TestBaselineFailsClosed$"
	closedMerge = "^TestMergeFailsClosed$"
)

// suited is an edit of a file below internal/suite.
func suited(file, fn, old, new string) []overlay.Edit {
	return []overlay.Edit{{File: "internal/suite/" + file, Func: fn, Old: old, New: new}}
}

// stands is a change of how a requirement's standing follows.
func stands(id, title, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: suited("standing.go", "Judged.row", old, new), Room: suiteRoom, Tests: "^TestStanding$"}
}

// refuses is a change of what a stream's events must be to each other.
func refuses(id, title, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: suited("stream.go", fn, old, new), Room: suiteRoom, Tests: "^TestStreamRefuses$"}
}

func gated(id, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: suited(path.Join("gate", file), fn, old, new), Room: suiteRoom + "/gate", Tests: tests}
}

func merges(id, title, tests, file, fn, old, new string) Judge {
	return Judge{ID: id, Title: title, Edits: suited(file, fn, old, new), Room: suiteRoom + "/merge", Tests: tests}
}

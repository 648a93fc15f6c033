package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What is said of features and pairs of features: each of these says of a search that it
// went on, saw all, or met, what it did not.
var ofFeatures = []Judge{
	searched("J-1440", "a survey does not follow a state that violates", "^TestSurvey$",
		"explore.go", "exploration.expand", `if e.violated(b, i); len(b.bad) > 0 && !e.survey {`, `if e.violated(b, i); len(b.bad) > 0 {`),
	searched("J-1441", "a survey shows each batch's violation of a property", "^TestSurveyStopsEarly$|^TestSurvey$",
		"laws.go", "exploration.falls", `case e.survey && !slices.ContainsFunc(e.fallen, func(o breach) bool { return o.what == bad.what }):`, `case e.survey && !slices.Contains(e.fallen, bad):`),
	searched("J-1442", "a survey in which something fell holds", "^TestSurvey$",
		"options.go", "Result.Holds", ` && len(r.Fallen) == 0`, ``),
	featured("J-1443", "what was not explored to its end holds", "^TestWords$",
		"ask.go", "Judged.String", `case j.Ended:`, `case j.Falls == 0:`),
	featured("J-1444", "a pair is answered that was not explored to its end", "^TestPairIsMet$",
		"run.go", "Row.Met", `r.Ended && `, ``),
	featured("J-1445", "a pair is answered whose features never act in one state", "^TestPairIsMet$",
		"run.go", "Row.Met", ` && r.Together > 0`, ``),
	featured("J-1446", "two steps of one M are two features that act together", "^TestPairIsMet$",
		"own.go", "both.act", ` && (one != other || bits.OnesCount32(one) > 1)`, ` && bits.OnesCount32(one) > 0`),
	featured("J-1447", "what a mend would mend is explained though it is there", "^TestUnexplained$",
		"parts.go", "Row.Unexplained", `!Explained(property, r.Of, mended, r.Without)`, `!Explained(property, r.Of, false, r.Without)`),
	featured("J-1740", "any mend that is left out explains what falls", "^TestUnexplained$",
		"file.go", "Explained", `r.Mend == without`, `without != ""`),
	commanded("J-1741", "what falls without a mend is told, though not all was explored", "^TestNeeds$",
		"tla/command/features.go", "asking.needs", `if r.Whole() {`, `if r.Answer != nil {`),
	{
		ID: "J-1732", Title: "who waits for an M with the lock in hand waits for one that comes", Room: "./tla/features", Tests: "^TestWaitsWithTheLock$",
		Edits: []overlay.Edit{{File: "spec/sched/conserve.go", Func: "Machine.Waits", Old: `if t.pc == injectStart {`, New: `if t.pc == injectStart && others {`}},
	},
	featured("J-1448", "a reason explains what falls beside other features", "^TestUnexplained$",
		"file.go", "Explained", ` && !lacks`, ` && (!lacks || len(r.Features) == 2)`),
}

// featured is a change of what asks about features.
func featured(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/features", Tests: tests,
		Edits: []overlay.Edit{{File: "tla/features/" + file, Func: fn, Old: old, New: new}},
	}
}

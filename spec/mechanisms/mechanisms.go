// Package mechanisms has the mechanisms of the Go scheduler, M01 to M45, which requirements name, and what five
// documents on the design say of them, statement by statement: where each is kept, and how far. The page
// docs/mechanisms.md is made from it, and the tests hold it against the catalogue, the model and the code.
//
// The data are two texts. A line begins with a word; a word that stands again goes on with the text.
//
//	M06 the 61st tick              begins a mechanism
//	says TEXT                      what it is
//	alone TEXT                     why no statement and no requirement is about it
//
//	S3.2 partly                    begins a statement, with the verdict of today
//	was partly                     the verdict of the first reading
//	says TEXT                      what the document says, in other words
//	mechanisms M06, M42            none is a mechanism of none
//	model SchedFind!Tick           a definition of tla/SchedFind.tla; "feature tick", "configuration sched-live"; or none
//	code impl/runq/runq.go P.Put   a declaration of a file, or the file alone; or none
//	requirements FA-READY          of package spec; or none
//	command spindle check sched    shows it
//	because TEXT                   why the verdict is not works
//	right TEXT                     what is right, where the document is wrong
//
// Lists have a comma and a blank between two. A line that begins with # is a comment.
package mechanisms

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// A Mechanism is one part of the Go scheduler.
type Mechanism struct {
	ID, Name, Says string
	Alone          string
}

// A Verdict says how far a statement is kept.
type Verdict string

// The verdicts.
const (
	Works   Verdict = "works"
	There   Verdict = "there"
	Partly  Verdict = "partly"
	Missing Verdict = "missing"
	NotHere Verdict = "not-applicable"
	False   Verdict = "false"
)

// Verdicts are all, the best first, with what each means.
var Verdicts = []struct {
	Verdict Verdict
	Means   string
}{
	{Works, "a requirement asks for it, and a checker of that requirement runs"},
	{There, "the model or the code has it, or a test shows it; no requirement asks for just this"},
	{Partly, "a part of it is kept, or no check would see the rest go"},
	{Missing, "nothing has it, or nothing asks for it"},
	{NotHere, "a scheduler in user space cannot have it"},
	{False, "the Go runtime does not do what the sentence says"},
}

// A Statement is what a document says in one place.
type Statement struct {
	ID           string
	Verdict, Was Verdict
	Says         string
	Mechanisms   []string
	Model        []string
	Code         []string
	Requirements []string
	Command      string
	Because      string
	Right        string
}

// A Document is one of the five, by kind.
type Document struct{ ID, Kind string }

// Documents are all of them.
var Documents = []Document{
	{"S0", "Vyukov, Scalable Go Scheduler Design (2012): two levels of spinning"},
	{"S1", "a tour of the scheduler: Gs, Ms, Ps, work stealing, latency"},
	{"S2", "a reading of the runtime's source"},
	{"S3", "a history, and a walk through schedule"},
	{"S4", "an overview with figures"},
}

var (
	//go:embed mechanisms.txt
	mechanismsText string
	//go:embed statements.txt
	statementsText string
)

// All returns the mechanisms, by id.
func All() ([]Mechanism, error) { return parseMechanisms(mechanismsText) }

// Statements returns the statements, by document.
func Statements() ([]Statement, error) { return parseStatements(statementsText) }

// Name returns the name of a mechanism, or an error that says that there is none of this id.
func Name(id string) (string, error) {
	all, err := All()
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(all, func(m Mechanism) bool { return m.ID == id })
	if at < 0 {
		return "", fmt.Errorf("mechanisms: expected one of %s to %s, saw %q", all[0].ID, all[len(all)-1].ID, id)
	}
	return all[at].Name, nil
}

// Page is where a mechanism is described, from the root of the repository.
func Page(id string) string { return "docs/mechanisms.md#" + strings.ToLower(id) }

package mutants

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Subject is what a mutant is a variant of.
type Subject string

// The subjects.
const (
	Reference Subject = "reference" // the run queue itself: a Mutant, judged by the witnesses
	Suite     Subject = "suite"     // what judges histories and runs
	Explorer  Subject = "explorer"  // the explorer, its instrumenter and drop-ins, trace validation
	Guards    Subject = "guards"    // what the commands rely on: cache, signals, limits, exit codes
	Scheduler Subject = "scheduler" // the scheduler itself, judged by its own scenes under the explorer
)

// JudgeSubjects are those whose mutants are Judges.
var JudgeSubjects = []Subject{Suite, Explorer, Guards, Scheduler}

// judgeLists has each list of the files judge_*.go under its subject.
var judgeLists = []struct {
	subject Subject
	lists   [][]Judge
}{
	{Explorer, [][]Judge{reduction, raceDetection, instrumenter, dropIn, waits, certificate, traces, ofDance}},
	{Suite, [][]Judge{ofHistories, sequential, words, gates, several, reports, childProcess, running, checking, userTests, ofQueues, ofContracts, ofEnumeration, ofSchedulers, ofSearches, ofLeaving}},
	{Guards, [][]Judge{guarded, ofModels, limited, ofFeatures, ofSource, ofFindings, ofWhatIsSaid}},
	{Scheduler, [][]Judge{ofScheduler}},
}

// Judges returns the mutants of these subjects, of all if there are none.
func Judges(subjects ...Subject) []Judge {
	var all []Judge
	for _, c := range judgeLists {
		if len(subjects) > 0 && !slices.Contains(subjects, c.subject) {
			continue
		}
		for _, j := range slices.Concat(c.lists...) {
			j.Subject = c.subject
			all = append(all, j)
		}
	}
	return all
}

// judgeID is how the ids of judges look. An id is written out where its mutant is,
// and nowhere else: it is for ever, wherever the mutant moves.
var judgeID = regexp.MustCompile(`"(J-[1-9][0-9]*)"`)

// selectJudges returns the mutants of these subjects that ids name, all if there
// are no ids.
func selectJudges(subjects []Subject, ids []string) ([]Judge, error) {
	for _, s := range subjects {
		if !slices.Contains(JudgeSubjects, s) {
			return nil, fmt.Errorf("mutants: expected subjects of %v, saw %q", JudgeSubjects, s)
		}
	}
	all := Judges(subjects...)
	if len(ids) == 0 {
		return all, nil
	}
	var out []Judge
	for _, id := range ids {
		i := slices.IndexFunc(all, func(j Judge) bool { return strings.EqualFold(j.ID, id) })
		if i < 0 {
			return nil, fmt.Errorf("mutants: expected the ids of mutants of %v, such as %s, saw %q", subjects, all[0].ID, id)
		}
		out = append(out, all[i])
	}
	return out, nil
}

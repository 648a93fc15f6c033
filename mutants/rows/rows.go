// Package rows has the mutants that are written by hand as text: edits of what gives
// a word of a certificate, of the gate or of a report (suite.edits), of the explorer's
// engine (explorer.edits), of the scheduler of impl/sched (scheduler.edits), and of that of
// impl/twolevel (twolevel.edits).
//
//	J-1 TITLE              begins a row; the id is for ever
//	test PACKAGE REGEXP    the tests that must fail, as go test's -run takes them
//	must break REQUIREMENT what the tests must name; without it any failure will do
//	in FILE FUNCTION       the edits that follow are in this function
//	- TEXT                 is in the function exactly once, and is taken away
//	+ TEXT                 comes in its place
//
// Lines of text that follow one another are one text, with their indentation. A line
// that begins with # is a comment.
package rows

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// A Row is a mutant that is written by hand.
type Row struct {
	ID, Title   string
	Subject     string // suite, explorer, scheduler, twolevel: the name of its file
	Package     string // whose tests must fail, "./internal/suite"
	Tests       string // which of them: go test's -run
	Requirement string // that must be named by what fails; "": any failure will do
	Edits       []overlay.Edit
}

// Subjects are the names of the files.
var Subjects = []string{"suite", "explorer", "scheduler", "twolevel"}

//go:embed *.edits
var files embed.FS

// All returns the rows of these subjects, of all if there are none. A text that is no
// list of rows is an error.
func All(subjects ...string) ([]Row, error) {
	if len(subjects) == 0 {
		subjects = Subjects
	}
	var all []Row
	for _, s := range subjects {
		if !slices.Contains(Subjects, s) {
			return nil, fmt.Errorf("rows: expected subjects of %v, saw %q", Subjects, s)
		}
		text, err := files.ReadFile(s + ".edits")
		if err != nil {
			return nil, fmt.Errorf("rows: %w", err)
		}
		list, err := Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("rows: %s.edits: %w", s, err)
		}
		for i := range list {
			list[i].Subject = s
		}
		all = append(all, list...)
	}
	return all, nil
}

var (
	id      = regexp.MustCompile(`^J-[1-9][0-9]*$`)
	comment = regexp.MustCompile(`^(?:#.*|\s*)$`)
)

// Where Parse is in an edit.
const (
	placed  = iota // behind in
	taking         // in the text that is taken away
	putting        // in the text that comes in its place
)

// Parse reads rows. Errors name the line, what was expected and what was seen.
func Parse(text string) (list []Row, err error) {
	var row *Row
	var at overlay.Edit // the place of the edits that follow
	stage := placed
	line := 0
	wrong := func(expected, saw string) error {
		return fmt.Errorf("line %d: expected %s, saw %q", line, expected, saw)
	}
	ids := make(map[string]bool)
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimSuffix(l, "\n")
		word, rest, _ := strings.Cut(l, " ")
		switch {
		case word == "-" || word == "+":
			if at.File == "" {
				return nil, wrong("a line \"in FILE FUNCTION\" before an edit", l)
			}
			last := len(row.Edits) - 1
			switch {
			case word == "-" && stage != taking:
				row.Edits = append(row.Edits, overlay.Edit{File: at.File, Func: at.Func, Old: rest})
				stage = taking
			case word == "-":
				row.Edits[last].Old += "\n" + rest
			case stage == placed:
				return nil, wrong("a text to take away first", l)
			case stage == taking:
				row.Edits[last].New = rest
				stage = putting
			default:
				row.Edits[last].New += "\n" + rest
			}
		case comment.MatchString(l):
		case id.MatchString(word):
			if row != nil {
				if err := row.whole(); err != nil {
					return nil, fmt.Errorf("line %d: %w", line, err)
				}
			}
			if ids[word] {
				return nil, wrong("an id that no other row has", word)
			}
			ids[word] = true
			list = append(list, Row{ID: word, Title: rest})
			row, at, stage = &list[len(list)-1], overlay.Edit{}, placed
		case row == nil:
			return nil, wrong("an id such as J-1", l)
		case word == "test":
			var ok bool
			if row.Package, row.Tests, ok = strings.Cut(rest, " "); !ok || !strings.HasPrefix(row.Package, "./") {
				return nil, wrong("\"test ./PACKAGE REGEXP\"", l)
			}
			if _, err := regexp.Compile(row.Tests); err != nil {
				return nil, wrong("a regular expression", row.Tests)
			}
		case strings.HasPrefix(l, "must break "):
			row.Requirement = strings.TrimPrefix(l, "must break ")
		case word == "in":
			file, function, ok := strings.Cut(rest, " ")
			if !ok || !strings.HasSuffix(file, ".go") {
				return nil, wrong("\"in FILE.go FUNCTION\"", l)
			}
			at, stage = overlay.Edit{File: file, Func: function}, placed
		default:
			return nil, wrong("an id, test, must break, in, - or +", l)
		}
	}
	if row != nil {
		if err := row.whole(); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return list, nil
}

// whole says what a row lacks.
func (r *Row) whole() error {
	switch {
	case r.Title == "":
		return fmt.Errorf("%s: expected a title, saw none", r.ID)
	case r.Tests == "":
		return fmt.Errorf("%s: expected a line \"test ./PACKAGE REGEXP\", saw none", r.ID)
	case len(r.Edits) == 0:
		return fmt.Errorf("%s: expected an edit, saw none", r.ID)
	}
	return nil
}

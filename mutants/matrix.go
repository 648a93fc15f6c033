package mutants

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/spec"
)

// A Verdict is what the runs say of one mutant.
type Verdict string

// The verdicts. Those in capitals are bad.
const (
	Killed    Verdict = "killed"     // the named witness saw a named requirement fall
	Survived  Verdict = "SURVIVED"   // the named witness saw nothing
	Misnamed  Verdict = "MISNAMED"   // the named witness saw something else fall
	Unseen    Verdict = "equivalent" // declared so, and the scenarios were exhausted in vain
	Refuted   Verdict = "REFUTED"    // declared equivalent, and somebody saw it
	NotJudged Verdict = "not judged" // the named witness did not run
	Broken    Verdict = "ERROR"      // the harness did not work
)

// Verdicts lists them in the order in which the counts are printed.
func Verdicts() []Verdict {
	return []Verdict{Killed, Unseen, NotJudged, Survived, Misnamed, Refuted, Broken}
}

// A Matrix is who saw what.
type Matrix struct {
	Suite       string         `json:"suite"`
	Go          string         `json:"go"`
	Seeds       []uint64       `json:"seeds"`
	Budget      time.Duration  `json:"budget_ns"`
	Witnesses   []spec.Witness `json:"witnesses"`
	Baseline    []Cell         `json:"baseline"` // the code as it is, one cell for each witness
	Rows        []Row          `json:"rows"`
	Interrupted bool           `json:"interrupted,omitempty"`
	Elapsed     time.Duration  `json:"elapsed_ns"`
}

// A Row is one mutant under all witnesses.
type Row struct {
	ID           string       `json:"id"`
	Title        string       `json:"title"`
	Witness      spec.Witness `json:"witness"`      // the one that must see it
	Requirements []string     `json:"requirements"` // of which one must fall
	Cells        []Cell       `json:"cells"`        // one for each witness of the matrix
	Verdict      Verdict      `json:"verdict"`
	Reason       string       `json:"reason,omitempty"`
}

// A Cell is one mutant under one witness, over all seeds.
type Cell struct {
	Witness      spec.Witness    `json:"witness"`
	Runs         int             `json:"runs"`
	Kills        int             `json:"kills"`           // runs in which anything fell
	Named        int             `json:"named"`           // runs in which a named requirement fell
	Fell         map[string]int  `json:"fell,omitempty"`  // requirement: in how many runs
	Times        []time.Duration `json:"times,omitempty"` // of each kill: from the start of the run to the first finding
	Inconclusive int             `json:"inconclusive,omitempty"`
	Exhausted    Scope           `json:"exhausted,omitzero"` // by the explorer, which saw nothing
	Error        string          `json:"error,omitempty"`
}

// A Scope is what the explorer's silence covers: every interleaving of so many
// scenarios.
type Scope struct {
	Scenarios  int `json:"scenarios"`
	Executions int `json:"executions"`
}

func (s Scope) String() string {
	return fmt.Sprintf("complete, %s executions in %d scenarios", thousands(s.Executions), s.Scenarios)
}

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Median returns the median time to a kill, or 0.
func (c *Cell) Median() time.Duration {
	if len(c.Times) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(c.Times))[len(c.Times)/2]
}

// Chief returns the requirement that stands for what fell: the first of want
// that did, else the one that fell most often, else "".
func (c *Cell) Chief(want []string) string {
	for _, id := range want {
		if c.Fell[id] > 0 {
			return id
		}
	}
	most := ""
	for id, n := range c.Fell {
		if most == "" || cmp.Or(cmp.Compare(n, c.Fell[most]), cmp.Compare(most, id)) > 0 {
			most = id
		}
	}
	return most
}

// judge sets the row's verdict.
func (r *Row) judge(m *Mutant) {
	var named *Cell
	var seenBy []string
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Error != "" {
			r.Verdict, r.Reason = Broken, fmt.Sprintf("%s: %s", c.Witness, c.Error)
			return
		}
		if c.Witness == m.Witness && c.Runs > 0 {
			named = c
		}
		if c.Kills > 0 {
			seenBy = append(seenBy, fmt.Sprintf("%s by %s (%d of %d)", c.Witness, c.Chief(m.Requirements), c.Kills, c.Runs))
		}
	}
	seen := strings.Join(seenBy, ", ")
	switch {
	case m.Equivalent != "" && len(seenBy) > 0:
		r.Verdict, r.Reason = Refuted, "seen by "+seen+", though: "+m.Equivalent
	case named == nil:
		r.Verdict = NotJudged
	case m.Equivalent != "" && named.Exhausted == Scope{}:
		r.Verdict, r.Reason = Broken, fmt.Sprintf("%s exhausted nothing", m.Witness)
	case m.Equivalent != "":
		r.Verdict, r.Reason = Unseen, fmt.Sprintf("unseen: %v; %s", named.Exhausted, m.Equivalent)
	case named.Named > 0:
		r.Verdict = Killed
	case named.Kills > 0:
		r.Verdict = Misnamed
		r.Reason = fmt.Sprintf("%s saw %s fall; expected one of %s", m.Witness, named.Chief(nil), strings.Join(m.Requirements, ", "))
	default:
		r.Verdict, r.Reason = Survived, fmt.Sprintf("%s saw nothing in %d runs", m.Witness, named.Runs)
		if seen != "" {
			r.Reason += "; seen by " + seen
		}
	}
}

// Counts returns how many rows have each verdict.
func (m *Matrix) Counts() map[Verdict]int {
	n := make(map[Verdict]int)
	for _, r := range m.Rows {
		n[r.Verdict]++
	}
	return n
}

// Exit returns the exit code of the command: 1 if a mutant is not what the
// catalogue says, 3 if none was judged, 4 if the harness did not work, 130 if
// the run was interrupted.
func (m *Matrix) Exit() int {
	n := m.Counts()
	failed := slices.ContainsFunc(m.Baseline, func(c Cell) bool { return c.Error != "" })
	var codes exit.Codes
	codes.If(n[NotJudged] < len(m.Rows), exit.Pass)
	codes.If(failed || n[Broken] > 0, exit.Error)
	codes.If(m.Interrupted, exit.Interrupted)
	codes.If(n[Survived]+n[Misnamed]+n[Refuted] > 0, exit.Fail)
	return exit.Gravest(codes...)
}

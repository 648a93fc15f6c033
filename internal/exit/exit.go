// Package exit has the exit codes of the command, for all its parts.
package exit

import (
	"fmt"
	"strings"
)

// The codes.
const (
	Pass         = 0
	Fail         = 1 // a requirement is broken, or something got worse
	Usage        = 2
	Inconclusive = 3 // or nothing ran
	Error        = 4 // the suite, or the target's harness, did not work
	Interrupted  = 130
)

// Help is the table of the codes, for the user.
const Help = `Exit codes:
    0  pass; also known failures, and a pass in which what the target does not
       offer was skipped (3 with -strict)
    1  a requirement is broken, or a known failure passes
    2  wrong usage: an unknown command, flag, target or id, a file that cannot
       be opened; Go's own fatal errors (out of memory) end with 2 as well
    3  inconclusive: the budget ended first, what had to be seen was not seen,
       or nothing ran
    4  the suite or the target's harness did not work, a report could not be
       written, or an input file is cut off or malformed
  130  interrupted (SIGINT, SIGTERM, SIGHUP); what was found until then is printed
`

// ranking is the one order of the codes, from the least grave, with the words of the
// last line. The less a run can say of what it was asked, the graver it is:
//
//   - wrong usage: what was meant was not asked, so the rest is no answer;
//   - a harness error: it was asked, and the answer cannot be believed;
//   - an interrupt: somebody has taken the question back, and a script must see that;
//   - only an answer that was given in full may be a bad one, a lack of one, or good.
//
// What was found is printed, whatever the code.
var ranking = []struct {
	code int
	name string
}{
	{Pass, "pass"}, {Inconclusive, "inconclusive"}, {Fail, "fail"},
	{Interrupted, "interrupted"}, {Error, "error"}, {Usage, "usage"},
}

// rank returns where a code is in the ranking. One that is none is an error.
func rank(code int) int {
	for i := range ranking {
		if ranking[i].code == code {
			return i
		}
	}
	return rank(Error)
}

// Gravest returns the code that stands for several. Of none it is Inconclusive: what
// did not run has not passed.
func Gravest(codes ...int) int {
	if len(codes) == 0 {
		return Inconclusive
	}
	most := 0
	for _, c := range codes {
		most = max(most, rank(c))
	}
	return ranking[most].code
}

// Codes are the codes of all that a run came upon.
type Codes []int

// If adds a code if there is reason to.
func (c *Codes) If(is bool, code int) {
	if is {
		*c = append(*c, code)
	}
}

// Footer is the last line of a report: the code as a word and as a number, and
// details.
func Footer(code int, details ...string) string {
	return Closing(ranking[rank(Pass)].name, code, details...)
}

// Closing is the Footer of a run that compares nothing: what went well is no pass, and is
// called done. Every other code keeps its word.
func Closing(done string, code int, details ...string) string {
	word := ranking[rank(code)].name
	if code == Pass {
		word = done
	}
	return fmt.Sprintf("%s: exit %d; %s\n", word, code, strings.Join(details, ", "))
}

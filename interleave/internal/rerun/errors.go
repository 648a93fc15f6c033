package rerun

import (
	"fmt"
	"strings"
)

// A Problem is why a test could not be run again.
type Problem string

// The problems.
const (
	NoGo        Problem = "no go command"
	TrimPath    Problem = "a binary built with -trimpath"
	Moved       Problem = "a binary that was moved away from its source"
	NotTest     Problem = "not a test binary"
	FilesOnly   Problem = "a test of files instead of a package"
	Benchmark   Problem = "a benchmark"
	NotExplored Problem = "nothing of the package can be explored"
	NoReports   Problem = "a platform on which nothing can be explored"
	Differs     Problem = "the code that would be explored is not the code of this test binary"
	BuildFailed Problem = "the instrumented binary does not build"
	NotFound    Problem = "the instrumented binary has no such test"
	NotReached  Problem = "the test in the instrumented binary did not come to this call"
	Crashed     Problem = "the instrumented binary crashed"
	Exited      Problem = "the instrumented binary ended in the middle of the call"
	Killed      Problem = "the instrumented binary was killed"
	TimedOut    Problem = "out of time"
	FuzzWorker  Problem = "a fuzz worker that does not explore"
	Other       Problem = "something unforeseen"
)

// An Error says why a test could not be run again in an instrumented binary, and
// what to do.
type Error struct {
	Problem Problem
	Detail  string // what was seen
	Do      string // what to do
	Command string // a command that works, by hand; may be empty
	Output  string // what the compiler or the child said
	Err     error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "interleave: %s", e.Problem)
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Do != "" {
		fmt.Fprintf(&b, "\n%s", e.Do)
	}
	if e.Command != "" {
		fmt.Fprintf(&b, "\n    %s", e.Command)
	}
	if e.Output != "" {
		fmt.Fprintf(&b, "\n%s", strings.TrimRight(e.Output, "\n"))
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// shell quotes words for a shell.
func shell(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if w != "" && !strings.ContainsAny(w, " \t\n'\"\\$&|;<>()*?[]{}#~`!") {
			quoted[i] = w
			continue
		}
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}

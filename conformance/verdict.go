package conformance

import "fmt"

// A Verdict is what is said of a requirement, a check, a target or a run.
type Verdict int

// The verdicts, from the weakest claim on a run to the strongest: Merge keeps
// the greatest.
const (
	NotRun       Verdict = iota // not selected, or there was nothing to run
	Untestable                  // the catalogue says why nobody checks it
	Skipped                     // the target does not offer what it is about
	Pass                        // the plan was carried out and nothing was found
	Known                       // failed, as the list of known failures says
	Partial                     // passed, but a MUST of the profile was skipped
	Inconclusive                // the plan was not carried out: budget, bound, or an observation that never came
	Fail                        // a requirement is broken
	Error                       // the suite, or the target's harness, did not work
)

var verdictNames = [...]string{"not run", "untestable", "skipped", "pass", "known", "partial", "inconclusive", "FAIL", "ERROR"}

func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdictNames) {
		return fmt.Sprintf("verdict(%d)", int(v))
	}
	return verdictNames[v]
}

// MarshalText returns the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a verdict's name.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, n := range verdictNames {
		if n == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("conformance: unknown verdict %q", text)
}

// Merge joins verdicts: harness error > fail > inconclusive > partial > known >
// pass > the rest. Nothing merged is NotRun, which is never a pass.
func Merge(vs ...Verdict) Verdict {
	m := NotRun
	for _, v := range vs {
		m = max(m, v)
	}
	return m
}

// The exit codes of the command.
const (
	ExitPass         = 0
	ExitFail         = 1 // a requirement is broken, or something got worse
	ExitUsage        = 2
	ExitInconclusive = 3 // or nothing ran
	ExitError        = 4 // harness error
	ExitInterrupted  = 130
)

// Exit returns the exit code of a run that ended with v.
func (v Verdict) Exit(strict bool) int {
	switch v {
	case Pass, Known:
		return ExitPass
	case Partial:
		if strict {
			return ExitInconclusive
		}
		return ExitPass
	case Fail:
		return ExitFail
	case Error:
		return ExitError
	}
	return ExitInconclusive
}

package features

import (
	"fmt"
	"slices"
	"strings"
)

// A Reason says of what falls in the shipped code where it is explained, or why it is no
// flaw.
type Reason struct {
	Properties []string
	Features   []string // together, which it needs; nil where one alone does, or none
	Mend       string   // without it, with all others, it falls; "" where none mends it
	Page       string   // in findings, or ""
	Text       string
}

// Reasons are those of all that falls.
var Reasons = []Reason{
	{[]string{"WorkRescuer", "WorkQuiet", "WorkLive"}, nil, "undo_first", "wakep.md",
		"A failing wakep leaves needspinning, and somebody clears it too early. It needs no feature, but three Gs, or a feature that puts Gs elsewhere: so it is in every column."},
	{[]string{"WorkRescuer", "WorkQuiet", "WorkLive"}, nil, "batch_wakep", "batch.md",
		"A batch from the global queue is in nobody's queue for a moment, and nobody is woken for it: wherever something fills the global queue."},
	{[]string{"WorkRescuer", "WorkQuiet", "WorkLive"}, nil, "handoff_need", "handoffp.md",
		"handoffp makes a P idle and does not look at needspinning: blocking calls, retake from a syscall, forEachP, locked Gs."},
	{[]string{"WorkRescuer", "WorkQuiet", "WorkLive"}, nil, "rescan", "gomaxprocs.md",
		"The re-check looks at the Ps that there were before the world was stopped."},
	{[]string{"WorkRescuer", "WorkQuiet", "WorkLive"}, []string{"tick", "yield"}, "goyield_wakep", "goyield.md",
		"Goyield puts its G in the ring of its own P and wakes nobody: the M is to run the G next that was made runnable just before, and is in runnext. A thief may have taken that one. Every 61st time schedule takes a G from the global queue first, and the M, which does not spin, wakes nobody for its ring. It needs block or syscall besides."},
	{[]string{"StopQuiet"}, []string{"syscall", "stw"}, "stop_again", "stw-syscall.md",
		"Who stops the world looks once at the Ps in syscalls; a G that enters one right then keeps its P, and the stop waits for the syscall. It needs syscall and stw together, so it is among the pairs."},
	{[]string{"SafeQuiet"}, []string{"syscall", "safepoint"}, "safe_again", "safepoint.md",
		"The same for forEachP, which sysmon's retake ends after some ticks: no stop of the world. It needs syscall and safepoint together."},
	{[]string{"PollPrompt"}, []string{"timer"}, "poll_need", "timer.md",
		"An M that comes back from the poller finds no idle P and tells nobody, so a due timer waits beside a P that becomes idle. Not promised (SHOULD): sysmon's next look ends it."},
	{[]string{"PollPrompt"}, []string{"net"}, "", "poller.md",
		"With net it falls in spite of all mends: nobody polls in the place of an M that came back from the poller with a G. Not promised: sysmon polls."},
	{[]string{"WorkRescuer", "WorkQuiet", "WorkLive"}, nil, "enlist_always", "README.md",
		"enlistWorker does nothing while somebody spins, and who spins may have looked at the idle work already. No flaw: no G waits, marking goes on with dedicated workers, and enlistWorker is called often."},
	{[]string{"SyscallQuiet"}, []string{"syscall"}, "", "two-levels.md",
		"Not promised: the P of an M in a syscall is nobody's until sysmon takes it."},
}

// Explained reports whether there is a reason why a property falls beside these features,
// in the shipped code, with all mends, or with all but the one without.
func Explained(property string, of []string, mended bool, without string) bool {
	of = slices.Concat(of, beside(of))
	return slices.ContainsFunc(Reasons, func(r Reason) bool {
		lacks := slices.ContainsFunc(r.Features, func(f string) bool { return !slices.Contains(of, f) })
		return slices.Contains(r.Properties, property) && !lacks && (r.Mend == "" || !mended || r.Mend == without)
	})
}

// Intro is the head of tla/FEATURES.md.
func Intro(limits string) string {
	return fmt.Sprintf(`# Properties by features, and pairs of features

`+"`spindle model -features -pairs -markdown %s`"+` prints this file. Module Sched's machine in Go is asked, with its symmetry; a property about time without.
The searches go on after a violation, so that one that falls may be the consequence of another.

- **holds**: all states of this configuration were visited. **falls, N**: the shortest way to a violation has N states, whether or not the search ended. **not ended, N**: nothing
  was violated in the N states that were visited, and there are more.
- **holds but for lack of Ms**: there are states in which an M waits for another one that never becomes free by itself; the runtime would make one. Those are not judged.
- A configuration has 2 Ps, and as many Ms as Ps and Gs that can be in calls or locked (block, syscall, lock), and one more; sysmon besides, where it acts (syscall, inject, preempt, net). Where
  one is not explored to its end a smaller one is tried, too, with fewer Ms or one G. For a pair that none answers the smallest may have %d times as many states, and at last there is one P: nobody steals there. Rings have four slots. "2 to 3 Ps": one comes when the world is stopped.
- shrink is asked beside stw, of which it is a part; tick beside yield where nothing else fills the global queue.
`, limits, more)
}

// ReasonsText is the section on why what falls does.
func ReasonsText() string {
	var b strings.Builder
	b.WriteString("\n## Why it falls\n\n" + header([]string{"property", "features", "mend", "page", "reason"}) + "\n")
	for _, r := range Reasons {
		mend, page := r.Mend, "none"
		of := "none, or any"
		if r.Features != nil {
			of = strings.Join(r.Features, ", ")
		}
		if mend == "" {
			mend = "none"
		}
		if r.Page != "" {
			page = fmt.Sprintf("[%s](findings/%s)", strings.TrimSuffix(strings.Replace(r.Page, "README.md", "findings", 1), ".md"), r.Page)
		}
		b.WriteString(line([]string{strings.Join(r.Properties, ", "), of, mend, page, r.Text}) + "\n")
	}
	return b.String()
}

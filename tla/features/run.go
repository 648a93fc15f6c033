package features

import (
	"context"
	"slices"

	"github.com/spindle-go/spindle/spec/sched"
	"github.com/spindle-go/spindle/tla/variant"
)

// An Asker asks the machine, one configuration after another.
type Asker struct {
	Limits Limits
	// Each, if not nil, is called with each answer as it comes.
	Each func(*Row)
}

// A Row is what was asked and the answer.
type Row struct {
	Of      []string // the features, or none
	Without string   // the mend that is left out, or ""
	*Answer

	both *both
}

// Took reports whether each of two features took a step of its own.
func (r *Row) Took() bool { return r.both != nil && r.both.took(r.Answer) }

// Met reports whether the pair is answered: all states were visited, and in some of them
// both features act.
func (r *Row) Met() bool { return r.Answer != nil && r.Ended && r.Took() && r.Together > 0 }

// OneP reports whether there is one P all the time. What holds then is said of that alone: nobody
// steals, and no P is idle beside one that runs.
func (r *Row) OneP() bool { return r.Answer != nil && r.Config.Ps == 1 }

// Singles are no feature, and each alone.
func Singles() [][]string {
	list := [][]string{nil}
	for _, f := range Names() {
		list = append(list, []string{f})
	}
	return list
}

// Pairs are all pairs of features.
func Pairs() (list [][2]string) {
	all := Names()
	for i, f := range all {
		for _, g := range all[i+1:] {
			list = append(list, [2]string{f, g})
		}
	}
	return list
}

// The sizes that are tried, the largest first, until one is explored to its end; of a feature
// alone until all searches for what must happen some time have ended, too.
var (
	ofOne  = []Size{{Ps: 2, Gs: 3}, {Ps: 2, Gs: 2}, {Ps: 2, Gs: 2, Ms: 4}, {Ps: 2, Gs: 2, Ms: 3}, {Ps: 2, Gs: 1}, oneP}
	ofTwo  = []Size{{Ps: 2, Gs: 2}, {Ps: 2, Gs: 2, Ms: 4}, fewMs, {Ps: 2, Gs: 1}}
	fewMs  = Size{Ps: 2, Gs: 2, Ms: 3}
	least  = []Size{fewMs, {Ps: 2, Gs: 1, Ms: 3}, {Ps: 2, Gs: 1, Ms: 2}} // these may have more states
	oneP   = Size{Ps: 1, Gs: 2}
	growth = []Size{{Ps: 2, Gs: 3, Grows: true}, {Ps: 2, Gs: 2, Grows: true}, {Ps: 1, Gs: 2, Grows: true}}
)

// Alone asks about a feature, or none, with these fixes. Where the world is stopped there is a
// second question: what if there is one P more afterwards?
func (k *Asker) Alone(ctx context.Context, of, fixes []string) (rows []*Row, err error) {
	try := func(sizes []Size) error {
		for _, c := range configs(of, fixes, sizes) {
			a, err := ask(ctx, c, true, nil, k.Limits)
			if err != nil {
				return err
			}
			rows = append(rows, k.tell(&Row{Of: of, Answer: a}))
			if a.Whole() {
				break
			}
		}
		return nil
	}
	if err := try(ofOne); err != nil || !slices.Contains(of, "stw") && !slices.Contains(of, "shrink") {
		return rows, err
	}
	return rows, try(growth)
}

// more is how many times as many states a configuration may have for a pair that is not
// answered within the limit.
const more = 10

// Pair asks about two features together. The last row is that of a configuration which is
// explored to its end and in which both act, if there is one. If there is none within the
// limit, the smallest ones may have more states; and at last one with one P is tried.
func (k *Asker) Pair(ctx context.Context, pair [2]string, fixes []string) (rows []*Row, err error) {
	of := pair[:]
	try := func(c sched.Config, l Limits) (met bool, err error) {
		b, err := k.both(ctx, pair, &c)
		if err != nil {
			return false, err
		}
		a, err := ask(ctx, c, false, b, l)
		if err != nil {
			return false, err
		}
		r := k.tell(&Row{Of: of, Answer: a, both: b})
		rows = append(rows, r)
		return r.Met(), nil
	}
	for _, c := range configs(of, fixes, ofTwo) {
		if met, err := try(c, k.Limits); met || err != nil {
			return rows, err
		}
	}
	l := k.Limits
	l.States *= more
	for _, c := range configs(of, fixes, least) {
		same := func(r *Row) bool { return Text(&r.Config) == Text(&c) }
		if i := slices.IndexFunc(rows, same); i >= 0 && rows[i].Ended {
			continue
		}
		rows = slices.DeleteFunc(rows, same)
		if met, err := try(c, l); met || err != nil {
			return rows, err
		}
	}
	_, err = try(Config(of, fixes, oneP), k.Limits)
	return rows, err
}

// Needs are the features about which Without is asked: each alone, and the pairs that some
// mends are for.
func Needs() [][]string {
	return append(Singles(), []string{"syscall", "stw"}, []string{"syscall", "safepoint"}, []string{"block", "stw"}, []string{"tick", "block"})
}

// Without asks what falls with all mends but one: what it is needed for. There is one P
// more where the world has been stopped.
func (k *Asker) Without(ctx context.Context, of []string, mend string) (*Row, error) {
	fixes := slices.DeleteFunc(variant.Mended(), func(f string) bool { return f == mend })
	size := Size{Ps: 2, Gs: 3, Ms: 4}
	size.Grows = slices.Contains(of, "stw") || slices.Contains(of, "shrink")
	a, err := ask(ctx, Config(of, fixes, size), false, nil, k.Limits)
	if err != nil {
		return nil, err
	}
	return k.tell(&Row{Of: of, Without: mend, Answer: a}), nil
}

func (k *Asker) tell(r *Row) *Row {
	if k.Each != nil {
		k.Each(r)
	}
	return r
}

// Names are the features that are asked about. Two are none of them, and have models of
// their own: sysmon, which is how sysmon acts, by ticks or at will (sched-sysmon,
// sched-stop-live), and deadlines, which is how timers are (sched-deadline).
func Names() []string {
	return slices.DeleteFunc(sched.Features(), func(f string) bool { return f == "sysmon" || f == "deadlines" })
}

package sched

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// TestSameOrbitsAsTLC compares how many states there are up to names.
func TestSameOrbitsAsTLC(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	for constants := range tier.Split(t, []string{
		`FirstM={1, 2}; FirstP={1, 2}`,
		`Ps={1, 2, 3}; FirstProcs={1, 2}; FirstM={1, 2}; FirstP={1, 2}; Gs=2; Features={"stw", "safepoint"}`,
		`Ms={1, 2, 3}; Sysmon=2; FirstM={1, 3}; FirstP={1, 2}; Gs=2; Features={"preempt"}`,
		`Ps={1, 2, 3}; FirstProcs={1, 2, 3}; Ms={1, 2, 3}; FirstM={1, 2, 3}; FirstP={1, 2, 3}; Gs=2`,
		`Ms={1, 2, 3}; FirstM={1, 2, 3}; FirstP={1, 2}; Gs=1; Features={"block", "yield"}`,
		`FirstM={1, 2}; FirstP={1, 2}; Gs=2; Features={"net"}`,
	}, 0) {
		t.Run(name(constants), func(t *testing.T) {
			tool := tlctest.Find(t)
			m, _ := configuration(t, constants)
			config := modelValues(constantsOf(t, constants)) + "SYMMETRY Symmetry\n"
			theirs, err := tool.Run(t.Context(), tlc.Job{Files: os.DirFS(modules), Module: "MCSched", Config: config})
			if err != nil {
				t.Fatal(err)
			}
			ours, err := explore.Explore(t.Context(), m.Symmetric(), explore.Options[State]{})
			if err != nil {
				t.Fatal(err)
			}
			if int64(ours.Distinct) != theirs.Distinct || int64(ours.Generated) != theirs.Generated || ours.Depth != theirs.Depth {
				t.Errorf("%d states of %d generated to depth %d, TLC has %d of %d to depth %d\n%s", ours.Distinct, ours.Generated, ours.Depth,
					theirs.Distinct, theirs.Generated, theirs.Depth, config)
			}
		})
	}
}

var number = regexp.MustCompile(`\d+`)

// modelValues is a configuration in which Ps and Ms have names.
func modelValues(values map[string]string) string {
	for name, v := range values {
		switch name {
		case "NoP", "NoM":
			values[name] = name
		case "Ps", "FirstP", "FirstProcs":
			values[name] = number.ReplaceAllString(v, "p$0")
		case "Ms", "FirstM", "Sysmon":
			values[name] = strings.Replace(number.ReplaceAllString(v, "m$0"), "m0", "NoM", 1)
		}
	}
	for _, set := range []string{"Ps", "Ms"} {
		for _, n := range strings.Split(strings.Trim(values[set], "{}"), ", ") {
			values[n] = n
		}
	}
	return configText(values)
}

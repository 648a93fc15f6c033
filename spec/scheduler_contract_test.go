package spec

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A contract of a scheduler is told by its text, and by no other contract's.
func TestSchedulerContractRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := make(SchedulerContract)
		for _, q := range SchedulerChoices {
			if rapid.Bool().Draw(t, q.Name) {
				c[q.Name] = rapid.SampledFrom(q.Values).Draw(t, "value").Name
			}
		}
		p, err := c.Profile()
		if err != nil {
			t.Fatal(err)
		}
		again, ok := p.Scheduler()
		for _, q := range SchedulerChoices {
			if !ok || again.Of(q.Name) != c.Of(q.Name) {
				t.Fatalf("%s: expected %v, saw %v, %v", p, c, again, ok)
			}
		}
		if q, err := ParseProfile(string(p)); err != nil || q != p {
			t.Fatalf("expected %s to be its own name, saw %s, %v", p, q, err)
		}
		for _, named := range SchedulerProfiles() {
			if far := len(c.differs(named)); far < strings.Count(string(p), ",") {
				t.Fatalf("%s: expected the nearest name, saw one with more than %d differences from %s", p, far, named)
			}
		}
		if _, ok := p.Contract(); ok {
			t.Fatalf("%s: expected no contract of a queue", p)
		}
	})
}

// Each profile of a scheduler has a note, and a contract that holds together; no profile of another thing has one.
func TestSchedulerProfiles(t *testing.T) {
	for _, p := range SchedulerProfiles() {
		c, ok := p.Scheduler()
		if q, err := ParseProfile(string(p)); err != nil || q != p || !ok || !maps.Equal(c, schedulerContracts[p]) || SchedulerNotes[p] == "" {
			t.Errorf("expected %s with a note and %v, saw %s, %v, %v", p, schedulerContracts[p], q, err, c)
		}
	}
	for _, p := range Profiles() {
		if c, ok := p.Scheduler(); ok {
			t.Errorf("%s: expected no contract of a scheduler, saw %v", p, c)
		}
	}
}

func TestSchedulerContractErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "expected a profile, one of pool, cooperative, preemptive",
		"core":                "saw \"core\"",
		"pool,fair":           "expected CHOICE=VALUE, saw \"fair\"",
		"pool,fair=":          "choice fair of a scheduler: expected one of none, yield, switch, preempt, saw \"\"",
		"pool,steals=any":     "expected one of the choices order,",
		"pool,workers=twelve": "choice workers of a scheduler: expected one of at-least, exact, saw \"twelve\"",
		"pool,":               "expected CHOICE=VALUE, saw \"\"",
	} {
		if c, err := ParseSchedulerContract(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected an error with %q, saw %v, %v", text, want, c, err)
		}
		if p, err := ParseProfile(text); text != "core" && err == nil {
			t.Errorf("%q: expected no profile, saw %s", text, p)
		}
	}
}

// A condition names a choice that there is, and some of its values, not all: else it would be none.
func TestSchedulerConditions(t *testing.T) {
	some := 0
	for i := range Requirements {
		r := &Requirements[i]
		if !r.ofScheduler() {
			continue
		}
		some++
		for _, q := range slices.Concat(r.When, r.Asked) {
			at := slices.IndexFunc(SchedulerChoices, func(x SchedulerChoice) bool { return x.Name == q.Choice })
			if at < 0 {
				t.Errorf("%s: expected a choice, saw %q", r.ID, q.Choice)
				continue
			}
			for _, v := range q.Values {
				if SchedulerChoices[at].index(v) < 0 {
					t.Errorf("%s: expected one of %s of %s, saw %q", r.ID, SchedulerChoices[at].names(), q.Choice, v)
				}
			}
			if n := len(q.Values); n == 0 || n >= len(SchedulerChoices[at].Values) {
				t.Errorf("%s: expected some values of %s, saw %v", r.ID, q.Choice, q.Values)
			}
		}
		if r.In(Core) || r.In(Protocol) {
			t.Errorf("%s: expected it in profiles of schedulers alone", r.ID)
		}
	}
	if some < 15 {
		t.Errorf("expected 15 requirements of schedulers, saw %d", some)
	}
	// What a profile promises more than pool is in it, and not in pool.
	for id, want := range map[string][]Profile{"SC-LOST": SchedulerProfiles(), "SC-WORKERS": {Cooperative}, "FA-PREEMPT": {Preemptive}, "SC-ORDER": nil} {
		if r, err := Lookup(id); err != nil || !slices.Equal(r.Profiles(), want) {
			t.Errorf("%s: expected it in %v, saw %v, %v", id, want, r.Profiles(), err)
		}
	}
}

package spec

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawContract draws values for some choices. Most contracts exclude themselves if each
// choice is drawn, so that most choices are left empty.
func drawContract(t *rapid.T) Contract {
	var c Contract
	for i := range Choices {
		q := &Choices[i]
		if rapid.IntRange(0, 3).Draw(t, q.Name) > 0 {
			continue
		}
		*q.field(&c) = rapid.SampledFrom(q.Values).Draw(t, "value").Name
	}
	return c
}

// A contract is told by its text, and by no other contract's.
func TestContractRoundTrip(t *testing.T) {
	good := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawContract(t)
		whole, err := c.Whole()
		p, err2 := c.Profile()
		if err != nil {
			if err2 == nil || err2.Error() != err.Error() {
				t.Fatalf("%+v: Whole says %v, Profile %v", c, err, err2)
			}
			return
		}
		good++
		if err2 != nil {
			t.Fatalf("%+v: %v", c, err2)
		}
		again, err := ParseContract(string(p))
		if err != nil || again != whole {
			t.Fatalf("%s: expected %+v, saw %+v, %v", p, whole, again, err)
		}
		if q, err := ParseProfile(string(p)); err != nil || q != p {
			t.Fatalf("expected %s to be its own name, saw %s, %v", p, q, err)
		}
		if got, ok := p.Contract(); !ok || got != whole {
			t.Fatalf("%s: expected %+v, saw %+v, %v", p, whole, got, ok)
		}
		if twice, err := whole.Whole(); err != nil || twice != whole {
			t.Fatalf("%+v: expected it to be whole, saw %+v, %v", whole, twice, err)
		}
		// The choices, each said, in any order, are the same contract.
		said := []string{}
		for i := range Choices {
			said = append(said, Choices[i].Name+"="+Choices[i].Of(whole).Name)
		}
		said = rapid.Permutation(said).Draw(t, "order")
		if got, err := ParseContract(" " + strings.Join(said, ", ") + " "); err != nil || got != whole {
			t.Fatalf("%v: expected %+v, saw %+v, %v", said, whole, got, err)
		}
		// No other name is nearer.
		for _, named := range Profiles() {
			other, ok := named.Contract()
			if !ok {
				continue
			}
			far := 0
			for i := range Choices {
				if Choices[i].Of(other) != Choices[i].Of(whole) {
					far++
				}
			}
			if far < strings.Count(string(p), ",") {
				t.Fatalf("%s: expected the nearest name, saw one with more than %d differences from %s", p, far, named)
			}
		}
	})
	least := 20
	if testing.Short() { // rapid tries a fifth
		least = 2
	}
	if good < least {
		t.Errorf("expected %d contracts that hold together, saw %d", least, good)
	}
}

func TestNamedProfiles(t *testing.T) {
	for _, p := range Profiles() {
		if q, err := ParseProfile(string(p)); err != nil || q != p {
			t.Errorf("expected %s, saw %s, %v", p, q, err)
		}
		c, ok := p.Contract()
		if ok != (p != Protocol) {
			t.Errorf("%s: expected a contract of all but the protocol, saw %v", p, ok)
		}
		if ProfileNotes[p] == "" {
			t.Errorf("%s has no note", p)
		}
		if !ok {
			continue
		}
		if whole, err := contracts[p].Whole(); err != nil || whole != c {
			t.Errorf("%s: expected %+v, saw %+v, %v", p, whole, c, err)
		}
	}
	if c, _ := Core.Contract(); !reflect.DeepEqual(c.Sentences(), firsts()) {
		t.Errorf("expected the first value of each choice to be that of core, saw %q", c.Sentences())
	}
}

// firsts returns the sentence of the first value of each choice.
func firsts() (list []string) {
	for i := range Choices {
		list = append(list, Choices[i].Values[0].Sentence)
	}
	return list
}

// What is not said follows from what is.
func TestWhole(t *testing.T) {
	for text, want := range map[string]Contract{
		"fifo,bound=exact": {Order: FirstIn, Bound: Exact, Refuse: Never},
		"bound=grows":      {Bound: Grows, Refuse: Never},
		"bound=at-most":    {Bound: AtMost, Refuse: Anytime},
		"tokio":            {Order: FirstIn, StealMiss: Beside, Batch: HalfUp, Returns: Newest, Rest: ToThief},
		"bound=exact,refuse=beside,puts=any,gets=any": {Bound: Exact, Refuse: Beside, Puts: Anyone, Gets: Anyone},
	} {
		c, err := ParseContract(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want, err = want.Whole(); err != nil || c != want {
			t.Errorf("%s: expected %+v, %v, saw %+v", text, want, err, c)
		}
	}
}

// Errors say what was expected and what was seen.
func TestContractErrors(t *testing.T) {
	wants := map[string]string{
		"":              "one of core, fifo, lifo-deque, tokio, gort, and then CHOICE=VALUE, joined by commas, saw \"\"",
		"lifo":          "saw \"lifo\"",
		"protocol":      "expected a profile, one of core",
		"fifo,core":     "saw \"core\"",
		"order=fifo,":   "saw \"\"",
		"colour=blue":   "one of the choices " + choiceNames() + ", saw \"colour\"",
		"Order=fifo":    "saw \"Order\"",
		"fifo,order=":   "choice order: expected one of any, fifo, owner-lifo, saw \"\"",
		"order=x,len=y": "choice order: expected one of any, fifo, owner-lifo, saw \"x\"",

		"full=overflow": "full=overflow needs bound=exact",
		"full=overflow,bound=exact,refuse=beside":    "full=overflow needs refuse=never",
		"fifo,full=overflow,bound=exact,puts=any":    "queues with one owner",
		"fifo,full=overflow,bound=exact,gets=any":    "queues with one owner",
		"full=overflow,bound=exact":                  "first in, first out",
		"slot=owner":                                 "a slot is checked in front of a queue that is first in, first out",
		"fifo,slot=thieves,gets=any":                 "a slot is checked for queues with one owner",
		"fifo,slot=thieves,puts=any":                 "a slot is checked for queues with one owner",
		"refuse=never":                               "refuse=never needs bound=exact or bound=grows",
		"bound=at-most,refuse=beside":                "refuse=beside needs bound=exact or bound=grows",
		"bound=exact,refuse=anytime":                 "bound=exact needs refuse=never or refuse=beside",
		"bound=grows,refuse=anytime":                 "bound=grows needs refuse=never or refuse=beside",
		"lifo-deque,gets=any":                        "order=owner-lifo needs gets=owner",
		"fifo,batch=some,rest=global":                "rest=global needs full=overflow",
		"gort,order=any,slot=none,indices=wide":      "first in, first out",
		"fifo,bound=unsaid,refuse=never,full=refuse": "refuse=never needs bound",
	}
	for i := range Choices {
		q := &Choices[i]
		wants[q.Name+"=perhaps"] = "choice " + q.Name + ": expected one of " + q.names() + ", saw \"perhaps\""
	}
	for text, want := range wants {
		if c, err := ParseContract(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected an error with %q, saw %+v, %v", text, want, c, err)
		}
		if p, err := ParseProfile(text); text != string(Protocol) && err == nil {
			t.Errorf("%q: expected no profile, saw %s", text, p)
		}
		if c, ok := Profile(text).Contract(); ok {
			t.Errorf("%q: expected no contract, saw %+v", text, c)
		}
	}
}

// Each field of a contract is one choice, under its name in JSON, and no two values
// promise the same.
func TestChoices(t *testing.T) {
	typ := reflect.TypeFor[Contract]()
	if typ.NumField() != len(Choices) {
		t.Errorf("expected a choice for each of %d fields, saw %d", typ.NumField(), len(Choices))
	}
	said := make(map[string]string) // by sentence: who says it
	for i := range Choices {
		q := &Choices[i]
		var c Contract
		*q.field(&c) = "x"
		if got, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); got != q.Name || reflect.ValueOf(c).Field(i).String() != "x" {
			t.Errorf("expected choice %s to be the field %s, saw %+v", q.Name, got, c)
		}
		if q.About == "" || len(q.Values) < 2 {
			t.Errorf("choice %s: expected what it is about, and two values, saw %+v", q.Name, q)
		}
		var names []string
		for _, v := range q.Values {
			if slices.Contains(names, v.Name) || v.Name == "" || strings.ContainsAny(v.Name, ",= ") {
				t.Errorf("choice %s: expected another name than %q", q.Name, v.Name)
			}
			names = append(names, v.Name)
			if !strings.HasSuffix(v.Sentence, ".") || said[v.Sentence] != "" {
				t.Errorf("%s=%s: expected a sentence of its own, saw %q, as %s", q.Name, v.Name, v.Sentence, said[v.Sentence])
			}
			said[v.Sentence] = q.Name + "=" + v.Name
		}
	}
}

// A condition names a choice that there is, and some of its values, not all: else it
// would be none.
func TestConditions(t *testing.T) {
	for i := range Requirements {
		r := &Requirements[i]
		if r.ofScheduler() {
			continue // TestSchedulerConditions
		}
		for _, q := range slices.Concat(r.When, r.Asked) {
			at := slices.IndexFunc(Choices, func(x Choice) bool { return x.Name == q.Choice })
			if at < 0 {
				t.Errorf("%s: expected a choice, saw %q", r.ID, q.Choice)
				continue
			}
			for _, v := range q.Values {
				if !slices.ContainsFunc(Choices[at].Values, func(x Value) bool { return x.Name == v }) {
					t.Errorf("%s: expected one of %s of %s, saw %q", r.ID, Choices[at].names(), q.Choice, v)
				}
			}
			if n := len(q.Values); n == 0 || n >= len(Choices[at].Values) {
				t.Errorf("%s: expected some values of %s, saw %v", r.ID, q.Choice, q.Values)
			}
		}
		if !strings.HasPrefix(r.ID, "RQ-") && len(r.When)+len(r.Asked) > 0 {
			t.Errorf("%s is no run queue's, and has conditions", r.ID)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("expected a panic for a condition on no choice")
		}
	}()
	If("colour", "blue").In(Contract{})
}

// Which contracts a requirement belongs to, and which ask for its calls.
func TestRequirementsOfContracts(t *testing.T) {
	for _, c := range []struct {
		id       string
		profile  Profile
		in       bool
		optional bool
	}{
		{"RQ-FIFO", FIFO, true, false},
		{"RQ-FIFO", Core, false, false},
		{"RQ-FIFO", "core,order=fifo", true, false},
		{"RQ-LIFO", LIFODeque, true, false},
		{"RQ-LIFO", FIFO, false, false},
		{"RQ-STEAL-NONE", Tokio, true, false},
		{"RQ-STEAL-NONE", "tokio,steal-miss=anytime", false, false},
		{"RQ-STEAL-NONE", "fifo,steals=none", false, false},
		{"RQ-GET-NONE", "fifo,get-miss=beside", true, false},
		{"RQ-GET-NONE", "fifo,get-miss=anytime", false, false},
		{"RQ-CAPACITY", FIFO, false, false},
		{"RQ-CAPACITY", "fifo,bound=at-most", true, false},
		{"RQ-CAPACITY", "fifo,bound=grows", true, false},
		{"RQ-DRAIN", Core, true, true},
		{"RQ-DRAIN", GoRT, true, false},
		{"RQ-PUT-BATCH", Tokio, true, true},
		{"RQ-PUT-BATCH", GoRT, true, false},
		{"RQ-LOST", Core, true, false},
		{"RQ-LOST", "no contract", false, false},
	} {
		r, err := Lookup(c.id)
		if err != nil {
			t.Fatal(err)
		}
		if in, optional := r.In(c.profile), r.In(c.profile) && r.Optional(c.profile); in != c.in || optional != c.optional {
			t.Errorf("%s of %s: expected %v, optional %v, saw %v, %v", c.id, c.profile, c.in, c.optional, in, optional)
		}
	}
	drain, _ := Lookup("RQ-DRAIN")
	if got, want := drain.Holds(), "for every contract; a target may do without, but where full is overflow"; !strings.HasPrefix(got, want) {
		t.Errorf("expected %q, saw %q", want, got)
	}
	empty, _ := Lookup("RQ-STEAL-NONE")
	if got, want := empty.Holds(), "steal-miss is never or beside"; !strings.Contains(got, want) {
		t.Errorf("expected %q in %q", want, got)
	}
}

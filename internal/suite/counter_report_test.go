package suite_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/report"
)

// TestCountersInJUnit: a subject that is no queue comes out in JUnit as it stands.
func TestCountersInJUnit(t *testing.T) {
	for name, c := range map[string]struct {
		counter *counter
		fails   string
	}{"right": {right(), ""}, "forgets": {forgets(), sumID}, "fickle": {fickle(), sameID}} {
		r, _ := judge(t, suite.Options{Seed: 1}, counters(), c.counter)
		var b bytes.Buffer
		if err := report.JUnit(&b, &r); err != nil {
			t.Fatal(err)
		}
		var suites struct {
			Suites []struct {
				Name  string `xml:"name,attr"`
				Cases []struct {
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(b.Bytes(), &suites); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, s := range suites.Suites {
			for _, x := range s.Cases {
				id, _, _ := strings.Cut(x.Name, " ")
				if s.Name != "counter" || id != sumID && id != sameID {
					continue
				}
				seen++
				if (x.Failure != nil) != (id == c.fails) {
					t.Errorf("%s: %s fails: %v", name, x.Name, x.Failure != nil)
				}
			}
		}
		if seen != 2 {
			t.Errorf("%s: %d of 2 requirements in\n%s", name, seen, b.String())
		}
	}
}

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

// There is no one schema of JUnit's files. This writes what all of the common ones
// take (that of Ant with its required attributes and its order of elements, that of
// Jenkins), and what GitLab reads, which shows the text of elements and looks at no
// attribute of a failure. All readers know three elements: a failure is something that
// was seen to be wrong; an error is something that could not be judged, so unknown is
// one; skipped is neither red nor proof. A broken requirement that is known is skipped:
// as passed it would be sold as kept.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		ID         int             `xml:"id,attr"`
		Package    string          `xml:"package,attr"`
		Name       string          `xml:"name,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Hostname   string          `xml:"hostname,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties junitProperties `xml:"properties"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		Time    string     `xml:"time,attr"`
		Skipped *junitText `xml:"skipped"`
		Error   *junitText `xml:"error"`
		Failure *junitText `xml:"failure"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the result as a JUnit file: a suite for each target with a case for each
// requirement, one for the positive controls, and one with the case "gate", which is
// red whenever the exit code is not 0, so that no reader is green when the run was not.
func JUnit(w io.Writer, r *gate.Result) error {
	var all junitSuites
	add := func(s *junitSuite) {
		s.ID, s.Hostname, s.Package = len(all.Suites), "localhost", "spindle"
		s.Timestamp = "0001-01-01T00:00:00"
		if r.Header != nil {
			s.Timestamp = r.Header.Begin.UTC().Format("2006-01-02T15:04:05")
		}
		s.count()
		all.Suites = append(all.Suites, *s)
	}
	for _, g := range groups(r) {
		add(junitTarget(g))
	}
	if len(r.Controls) > 0 {
		add(junitControls(r.Controls))
	}
	add(junitGate(r))
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// count adds the cases up.
func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	if s.Time == "" {
		s.Time = seconds(0)
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

func (s *junitSuite) add(name string, elapsed time.Duration) *junitCase {
	s.Cases = append(s.Cases, junitCase{Name: name, Class: s.Name, Time: seconds(elapsed)})
	return &s.Cases[len(s.Cases)-1]
}

func text(kind, message, text string) *junitText {
	if kind == "" {
		kind = "none" // in a damaged stream; a type is required
	}
	return &junitText{Message: message, Type: printable.Line(kind, maxName), Text: text}
}

func junitTarget(g *group) *junitSuite {
	s := &junitSuite{Name: printable.Line(g.name, maxName)}
	if !g.opened() {
		why := strings.Join(cleanLines(g.judged.Error), "\n")
		s.add("open", 0).Error = text(string(g.judged.Ended), "the target could not be opened", why)
		return s
	}
	if g.judged != nil {
		d := g.judged.Description
		for _, p := range []junitProperty{{"version", d.Version}, {"kind", d.Kind}, {"subject", d.Subject}, {"profile", string(d.Profile)}} {
			s.Properties.List = append(s.Properties.List, junitProperty{p.Name, printable.Line(p.Value, maxName)})
		}
	}
	var elapsed time.Duration
	for _, name := range g.failed() {
		why := printable.Line(g.judged.Results[name].Reason, 4*maxReason)
		s.add("check "+printable.Line(name, maxName), g.judged.Results[name].Elapsed).Error = text("error", "the check did not work", why)
	}
	for _, d := range g.decisions {
		row := d.Row
		// The words are the catalogue's: a stream of another contract has no rows here.
		c := s.add(fmt.Sprintf("%s (%s): %s", row.ID, row.Level, row.Sentence), row.Elapsed)
		elapsed += row.Elapsed
		kind := word(d)
		switch {
		case d.Ruling == gate.OK || d.Ruling == gate.NotSeen:
		case d.Ruling == gate.Unknown:
			c.Error = text(kind, short(d), why(d))
		case d.Ruling == gate.Missing, d.Ruling == gate.None:
			c.Skipped = text(kind, kind+": "+short(d), kind+": "+why(d))
		case d.Ruling == gate.Known:
			c.Skipped = text(kind, "known: "+short(d), "known: "+short(d)+"\n"+why(d))
		default: // broken, unexpected pass, and whatever else the gate finds wrong
			c.Failure = text(kind, short(d), why(d))
		}
	}
	s.Time = seconds(elapsed)
	return s
}

func junitControls(controls []suite.Event) *junitSuite {
	s := &junitSuite{Name: "positive controls"}
	for _, e := range controls {
		c := s.add(printable.Line(fmt.Sprintf("%s: %s", e.Check, e.Control.What), maxReason), 0)
		if e.Control.Finding == nil {
			c.Error = text("missed", "the checker did not see what is wrong on purpose", printable.Line(e.Control.Reason, maxReason))
		}
	}
	return s
}

func junitGate(r *gate.Result) *junitSuite {
	s := &junitSuite{Name: "spindle"}
	var elapsed time.Duration
	if r.Footer != nil {
		elapsed = r.Footer.Elapsed
	}
	s.Time = seconds(elapsed)
	if h := r.Header; h != nil {
		for _, p := range []junitProperty{{"suite", h.Suite}, {"contract", h.Contract}, {"go", h.Go}, {"platform", h.OS + "/" + h.Arch}, {"seed", h.Seed.String()}, {"select", h.Select}, {"shard", h.Shard}} {
			s.Properties.List = append(s.Properties.List, junitProperty{p.Name, printable.Line(p.Value, maxName)})
		}
	}
	c := s.add("gate", elapsed)
	if r.Exit == 0 {
		return s
	}
	verdict := fmt.Sprintf("%s: exit %d", printable.Line(ended(r), maxName), r.Exit)
	var reasons []string
	for _, reason := range foldReasons(r.Reasons) {
		reasons = append(reasons, printable.Line(reason, maxReason))
	}
	c.Failure = text("gate", verdict, strings.Join(append([]string{verdict}, reasons[:min(len(reasons), maxLines)]...), "\n"))
	return s
}

// cleanLines returns the lines of a text from outside, as they may be shown.
func cleanLines(s string) []string {
	var list []string
	for line := range lines(s) {
		list = append(list, line)
	}
	return list
}

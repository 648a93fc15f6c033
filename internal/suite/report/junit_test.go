package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/printable/printabletest"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

func junit(t *testing.T, r *gate.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := JUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJUnitGolden(t *testing.T) {
	golden(t, "junit.golden", junit(t, judged(events(t))))
}

// A node is an element as any reader sees it.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []*node    `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) all(name string) (list []*node) {
	for _, c := range n.Children {
		if c.XMLName.Local == name {
			list = append(list, c)
		}
		list = append(list, c.all(name)...)
	}
	return list
}

var (
	whatever = regexp.MustCompile(`^(?s:.*)$`)
	some     = regexp.MustCompile(`^(?s:.+)$`)
	count    = regexp.MustCompile(`^[0-9]+$`)
	number   = regexp.MustCompile(`^[0-9]+\.[0-9]{3}$`)
	moment   = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`)
	none     = regexp.MustCompile(`^$`)
)

type attrs = map[string]*regexp.Regexp

// shapes is what the common schemas of JUnit files agree on: an element's attributes,
// all of them required, and its children in this order.
var shapes = map[string]struct {
	attrs    attrs
	children *regexp.Regexp
	text     bool
}{
	"testsuites": {nil, regexp.MustCompile(`^(testsuite )+$`), false},
	"testsuite": {attrs{
		"id": count, "package": some, "name": some, "timestamp": moment, "hostname": some,
		"tests": count, "failures": count, "errors": count, "skipped": count, "time": number,
	}, regexp.MustCompile(`^properties (testcase )*system-out system-err $`), false},
	"properties": {nil, regexp.MustCompile(`^(property )*$`), false},
	"property":   {attrs{"name": some, "value": whatever}, none, false},
	"testcase":   {attrs{"name": some, "classname": some, "time": number}, regexp.MustCompile(`^(skipped |error |failure )?$`), false},
	"skipped":    {attrs{"message": whatever, "type": some}, none, true},
	"error":      {attrs{"message": whatever, "type": some}, none, true},
	"failure":    {attrs{"message": whatever, "type": some}, none, true},
	"system-out": {nil, none, true},
	"system-err": {nil, none, true},
}

// valid reports why an element, or one in it, has not the shape that readers expect.
func (n *node) valid() error {
	name := n.XMLName.Local
	shape, ok := shapes[name]
	if !ok {
		return fmt.Errorf("expected a known element, saw %q", name)
	}
	if len(n.Attrs) != len(shape.attrs) {
		return fmt.Errorf("%s: expected %d attributes, saw %d", name, len(shape.attrs), len(n.Attrs))
	}
	for a, pattern := range shape.attrs {
		if got := n.attr(a); !pattern.MatchString(got) {
			return fmt.Errorf("%s: expected %s to be %s, saw %.100q", name, a, pattern, got)
		}
	}
	children := ""
	for _, c := range n.Children {
		children += c.XMLName.Local + " "
		if err := c.valid(); err != nil {
			return err
		}
	}
	if !shape.children.MatchString(children) {
		return fmt.Errorf("%s: expected %s, saw %s", name, shape.children, children)
	}
	if !shape.text && strings.TrimSpace(n.Text) != "" {
		return fmt.Errorf("%s: expected no text, saw %.100q", name, n.Text)
	}
	if name == "testsuite" {
		for attr, want := range map[string]int{"tests": len(n.all("testcase")), "failures": len(n.all("failure")), "errors": len(n.all("error")), "skipped": len(n.all("skipped"))} {
			if n.attr(attr) != strconv.Itoa(want) {
				return fmt.Errorf("testsuite: expected %s to be %d, saw %s", attr, want, n.attr(attr))
			}
		}
	}
	return nil
}

// parse reads a JUnit file strictly.
func parse(t *testing.T, text string) *node {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	root := new(node)
	if err := d.Decode(root); err != nil {
		t.Fatalf("%v in %.2000s", err, text)
	}
	if tok, err := d.Token(); tok != nil {
		if c, ok := tok.(xml.CharData); !ok || strings.TrimSpace(string(c)) != "" {
			t.Fatalf("expected the end, saw %v, %v", tok, err)
		}
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("expected the end, saw %v", err)
	}
	if err := root.valid(); err != nil {
		t.Error(err)
	}
	return root
}

// Each requirement is a case, and what became of it is what the gate says.
func TestJUnitSaysWhatTheGateSays(t *testing.T) {
	r := judged(events(t))
	root := parse(t, junit(t, r))
	want := map[gate.Ruling]string{
		gate.OK: "", gate.NotSeen: "", gate.Known: "skipped known: ", gate.Missing: "skipped not offered: ", gate.None: "skipped ",
		gate.Unknown: "error ", gate.Broken: "failure ", gate.Unexpected: "failure ",
	}
	seen := make(map[gate.Ruling]int)
	for i := range r.Decisions {
		d := &r.Decisions[i]
		name := fmt.Sprintf("%s (%s): %s", d.Row.ID, d.Row.Level, d.Row.Sentence)
		cases := slices.DeleteFunc(root.all("testcase"), func(n *node) bool { return n.attr("classname") != d.Target || n.attr("name") != name })
		if len(cases) != 1 {
			t.Errorf("%s: expected one case %q, saw %d", d.Target, name, len(cases))
			continue
		}
		got := ""
		for _, c := range cases[0].Children {
			got = c.XMLName.Local + " " + c.Text
		}
		if prefix, ok := want[d.Ruling]; !ok || !strings.HasPrefix(got, prefix) || prefix == "" && got != "" {
			t.Errorf("%s %s is %s: expected %q, saw %.200q", d.Target, d.Row.ID, d.Ruling, prefix, got)
		}
		seen[d.Ruling]++
	}
	if len(seen) != len(want) {
		t.Errorf("expected every ruling in the test's stream, saw %v", seen)
	}
}

// A reader sees red if and only if the exit code is not 0: whatever is left out of a
// stream or put into it.
func TestJUnitIsRedWhenTheRunIs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	colors := make(map[bool]int)
	base := [][]suite.Event{events(t), clean(t)}
	for n := range 160 {
		stream := slices.Clone(base[n%2])
		h := *stream[0].Header
		stream[0].Header = &h
		h.Strict = rng.IntN(4) == 0
		if rng.IntN(2) == 0 {
			h.Known = h.Known[:rng.IntN(len(h.Known)+1)]
		}
		drop := float64(n%4) / 4 * rng.Float64()
		stream = slices.DeleteFunc(stream, func(suite.Event) bool { return rng.Float64() < drop/4 })
		if i := len(stream) - 1; i >= 0 && stream[i].Footer != nil && rng.IntN(8) == 0 {
			f := *stream[i].Footer
			f.Interrupted = true
			stream[i].Footer = &f
		}
		r := judged(stream)
		root := parse(t, junit(t, r))
		red := len(root.all("failure"))+len(root.all("error")) > 0
		if red != (r.Exit != 0) {
			t.Errorf("stream %d: exit %d, red %v", n, r.Exit, red)
		}
		colors[red]++
	}
	if colors[true] < 20 || colors[false] < 20 {
		t.Errorf("expected runs of both colours, saw %v", colors)
	}
}

// What the gate may find wrong in future is red without a word about it here.
func TestJUnitOfANewRuling(t *testing.T) {
	r := judged(clean(t))
	r.Decisions[0].Ruling, r.Decisions[0].Text = "newly broken", "it was kept in the baseline"
	root := parse(t, junit(t, r))
	if f := root.all("failure"); len(f) != 1 || f[0].Text != "it was kept in the baseline" {
		t.Errorf("expected a failure with its reason, saw %v", f)
	}
}

// Texts survive a reader, and what XML forbids is no part of them.
func TestJUnitOfHostileTargets(t *testing.T) {
	infected(t, func(t *testing.T, events []suite.Event) {
		got := junit(t, judged(events))
		if len(got) > 1<<20 {
			t.Errorf("expected at most 1 MiB, saw %d", len(got))
		}
		if strings.ContainsRune(got, '\ufffd') {
			t.Error("expected what XML forbids to be escaped so that it can be read, saw U+FFFD")
		}
		var check func(n *node)
		check = func(n *node) {
			texts := []string{n.Text}
			for _, a := range n.Attrs {
				texts = append(texts, a.Value)
			}
			for _, s := range texts {
				for line := range strings.SplitSeq(s, "\n") {
					if err := printabletest.Harmless(line); err != nil {
						t.Errorf("%s: %v", n.XMLName.Local, err)
					}
				}
			}
			for _, c := range n.Children {
				check(c)
			}
		}
		check(parse(t, got))
	})
}

func TestJUnitKeepsTheErrorOfWriting(t *testing.T) {
	if err := JUnit(brokenWriter{}, judged(events(t))); err == nil {
		t.Error("expected an error")
	}
}

// The checks above can fail.
func TestShapesCanFail(t *testing.T) {
	good := junit(t, judged(events(t)))
	for name, edit := range map[string]func(string) string{
		"wrong count": func(s string) string { return strings.Replace(s, `failures="`, `failures="1`, 1) },
		"no type": func(s string) string {
			return regexp.MustCompile(`<failure (message="[^"]*") type="[^"]*"`).ReplaceAllString(s, "<failure $1")
		},
		"unknown element": func(s string) string { return strings.Replace(s, "<system-out></system-out>", "<note></note>", 1) },
		"order": func(s string) string {
			return strings.Replace(s, "<system-out></system-out>", "<system-err></system-err>", 1)
		},
		"text in between":  func(s string) string { return strings.Replace(s, "<properties>", "<properties>text", 1) },
		"time is no time":  func(s string) string { return strings.Replace(s, ` time="0.`, ` time="x0.`, 1) },
		"no suite":         func(s string) string { return "<testsuites></testsuites>" },
		"a zone in a time": func(s string) string { return strings.Replace(s, `T00:00:00"`, `T00:00:00Z"`, 1) },
	} {
		root := new(node)
		bad := edit(good)
		if err := xml.Unmarshal([]byte(bad), root); err != nil {
			t.Fatal(err)
		}
		if bad == good || root.valid() == nil {
			t.Errorf("%s: expected it to be refused", name)
		}
	}
}

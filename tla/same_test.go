package tla

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/tla/tlc"
)

// asks is what a configuration asks, in a form that is the same for two that differ in the
// order or in the names of model values alone: of a set of Ps, Ms or Gs its size counts,
// and which of them is the first one to run makes no difference. Nor does symmetry: with
// it fewer states answer the same question.
func asks(module string, cfg *tlc.Config) string {
	list := []string{module, "SPECIFICATION " + cfg.Specification}
	for name, value := range cfg.Constants {
		var elements []string
		set := strings.HasPrefix(value, "{")
		if set {
			elements = strings.FieldsFunc(strings.Trim(value, "{}"), func(r rune) bool { return strings.ContainsRune(", \t", r) })
			slices.Sort(elements)
		}
		switch {
		case value == name || name == "NoP" || name == "NoM" || name == "NoG":
			continue
		case name == "Sysmon":
			value = fmt.Sprint(value != cfg.Constants["NoM"])
		case set && (name == "FirstP" || name == "FirstM"):
			value = fmt.Sprint(len(elements) > 0)
		case set && (name == "Ps" || name == "Ms" || name == "Gs" || name == "FirstProcs"):
			value = fmt.Sprintf("%d of them", len(elements))
		case set:
			value = strings.Join(elements, ", ")
		}
		list = append(list, name+" = "+value)
	}
	for section, words := range cfg.Other {
		if section != "SYMMETRY" {
			list = append(list, section+" "+strings.Join(slices.Sorted(slices.Values(words)), " "))
		}
	}
	for _, p := range slices.Concat(cfg.Invariants, cfg.Properties) {
		list = append(list, "asks "+p)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "\n")
}

// same are the names of configurations that ask the same, each group in a line.
func same(t *testing.T, dir fs.FS) (groups []string) {
	t.Helper()
	files, err := fs.Glob(dir, "cfg/*.cfg")
	if err != nil || len(files) == 0 {
		t.Fatalf("expected configurations, saw %d, %v", len(files), err)
	}
	of := make(map[string][]string)
	for _, f := range files {
		name := strings.TrimSuffix(path.Base(f), ".cfg")
		row, err := Find(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := fs.ReadFile(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := tlc.ParseConfig(string(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		key := asks(row.Module, cfg)
		of[key] = append(of[key], name)
	}
	for _, names := range of {
		if len(names) > 1 {
			groups = append(groups, strings.Join(slices.Sorted(slices.Values(names)), " "))
		}
	}
	slices.Sort(groups)
	return groups
}

// Each configuration has a question of its own.
func TestNoTwoConfigurationsAskTheSame(t *testing.T) {
	for _, names := range same(t, Files) {
		t.Errorf("these ask the same: %s; drop all but one", names)
	}
}

// What makes two questions, and what does not.
func TestAsks(t *testing.T) {
	const good = `SPECIFICATION Spec
CONSTANTS
   p1 = p1
   NoP = NoP
   NoM = NoM
   Ps = {p1, p2}
   Ms = {m1, m2}
   FirstP = {p1, p2}
   Sysmon = m2
   Features = {"a", "b"}
   Free <- All
SYMMETRY Symmetry
INVARIANTS
   TypeOK
   Safe
PROPERTIES
   Live
`
	key := func(module string, edits ...string) string {
		if n := strings.NewReplacer(edits...).Replace(good); n == good && len(edits) > 0 {
			t.Fatalf("%q changes nothing", edits)
		}
		cfg, err := tlc.ParseConfig(strings.NewReplacer(edits...).Replace(good))
		if err != nil {
			t.Fatal(err)
		}
		return asks(module, cfg)
	}
	for name, edits := range map[string][]string{
		"numbers":                 {"   p1 = p1\n", "", "NoP = NoP", "NoP = 0", "NoM = NoM", "NoM = 0", "{p1, p2}", "{1, 2}", "{m1, m2}", "{1, 2}", "= m2", "= 2", "SYMMETRY Symmetry\n", ""},
		"another order":           {`{"a", "b"}`, `{"b", "a"}`, "   TypeOK\n   Safe\n", "   Safe\n   TypeOK\n", "Ps = {p1, p2}", "Ps = {p2, p1}"},
		"one P that is the first": {"FirstP = {p1, p2}", "FirstP = {p2}"},
		"other names":             {"p1", "q1", "p2", "q2"},
	} {
		if key("M", edits...) != key("M") {
			t.Errorf("%s: expected the same question, saw\n%s\nand\n%s", name, key("M", edits...), key("M"))
		}
	}
	keys := map[string]string{key("M"): "as it is", key("N"): "another module"}
	for name, edits := range map[string][]string{
		"one M more": {"{m1, m2}", "{m1, m2, m3}"}, "no sysmon": {"= m2", "= NoM"}, "another feature": {`"b"`, `"c"`}, "a substitution": {"<- All", "<- None"},
		"another specification": {"ON Spec", "ON Specs"}, "a property less": {"   Safe\n", ""}, "a constraint": {"SYMMETRY", "CONSTRAINT C\nSYMMETRY"}, "no P that runs first": {"FirstP = {p1, p2}", "FirstP = {}"},
	} {
		k := key("M", edits...)
		if keys[k] != "" {
			t.Errorf("%s: expected another question than %s, saw\n%s", name, keys[k], k)
		}
		keys[k] = name
	}
	if want := 10; len(keys) != want {
		t.Errorf("expected %d questions, saw %d", want, len(keys))
	}
}

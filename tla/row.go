package tla

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/tla/tlc"
)

// What a configuration is expected to give stands at its head, in comments that
// TLC passes over: behind the question
//
//	\* expect: holds, 58920 generated, 20636 distinct, depth 84
//	\* asks: TypeOK POwned WorkRescuer
//	\* module: MCSched; set: gate; seconds: 8
//
// or, where a property must fall, expect: violates WorkRescuer, 45 states. What is asked stands
// there a second time, since a property that is gone changes no number. Behind
// the seconds there may be heap: MIB, and judge: machine. Of a new configuration that is
// expected to hold, expect: holds is enough until -update has written its numbers and what it asks.
const (
	expectMark = `\* expect: `
	asksMark   = `\* asks: `
	moduleMark = `\* module: `
)

var (
	holdsText    = regexp.MustCompile(`^holds, ([1-9]\d*) generated, ([1-9]\d*) distinct, depth ([1-9]\d*)$`)
	violatesText = regexp.MustCompile(`^violates (\w+), ([1-9]\d*) states$`)
)

// Models returns the rows of the configurations of dir, by name. A file whose head
// does not say what is expected has none.
func Models(dir fs.FS) ([]Model, error) {
	files, err := fs.Glob(dir, "cfg/*.cfg")
	if err != nil {
		return nil, err
	}
	var list []Model
	var bad []error
	for _, f := range files {
		m, err := Find(dir, nameOf(f))
		switch {
		case err != nil:
			bad = append(bad, err)
		case !m.Absent:
			list = append(list, *m)
		}
	}
	return list, errors.Join(bad...)
}

func nameOf(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, "cfg/"), ".cfg")
}

// Find returns the row of that name. It is Absent where the file does not say what
// is expected. Errors wrap fs.ErrNotExist where there is no file, and tlc.ErrFormat
// where its head is none, and then give the line.
func Find(dir fs.FS, name string) (*Model, error) {
	text, err := fs.ReadFile(dir, "cfg/"+name+".cfg")
	if err != nil {
		return nil, fmt.Errorf("tla: unknown model %q (%w); spindle tlc -list lists all", name, err)
	}
	return parseRow(name, string(text))
}

// parseRow reads the head of a configuration.
func parseRow(name, text string) (*Model, error) {
	m := &Model{Name: name, Absent: true}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		expect, isExpect := strings.CutPrefix(line, expectMark)
		asks, isAsks := strings.CutPrefix(line, asksMark)
		module, isModule := strings.CutPrefix(line, moduleMark)
		next := 1 // behind the question
		if !m.Absent {
			next++
		}
		if m.Asks != "" {
			next++
		}
		var err error
		switch {
		case !isExpect && !isAsks && !isModule:
			continue
		case i != next || isExpect && (!m.Absent || m.Asks != "") || isAsks && m.Asks != "" || m.Module != "":
			err = fmt.Errorf("expected the lines %s, %sand %sbehind the question, in this order and once, saw %q", expectMark, asksMark, moduleMark, line)
		case isExpect:
			m.Absent, err = false, m.parseExpect(expect)
		case isAsks:
			if m.Asks = asks; asks == "" || strings.Join(strings.Fields(asks), " ") != asks {
				err = fmt.Errorf("expected names with a blank between two behind %s, saw %q", asksMark, asks)
			}
		default:
			err = m.parseModule(module)
		}
		if err != nil {
			return nil, fmt.Errorf("tla: cfg/%s.cfg:%d: %w: %w", name, i+1, tlc.ErrFormat, err)
		}
	}
	if !m.Absent && m.Module == "" {
		return nil, fmt.Errorf("tla: cfg/%s.cfg:%d: %w: expected a line %#q, saw none", name, 3+min(1, len(m.Asks)), tlc.ErrFormat, moduleMark+"MODULE; set: SET; seconds: N")
	}
	return m, nil
}

func (m *Model) parseExpect(text string) error {
	numbers := func(texts []string, to ...*int64) (err error) {
		for i, t := range texts {
			if err == nil {
				*to[i], err = strconv.ParseInt(t, 10, 64)
			}
		}
		return err
	}
	var depth int64
	defer func() { m.Depth = int(depth) }()
	if found := holdsText.FindStringSubmatch(text); found != nil {
		return numbers(found[1:], &m.Generated, &m.Distinct, &depth)
	}
	if text == "holds" {
		return nil
	}
	if found := violatesText.FindStringSubmatch(text); found != nil {
		m.Violates = found[1]
		return numbers(found[2:], &depth)
	}
	return fmt.Errorf("expected %q or %q with numbers above 0, saw %q", "holds, N generated, N distinct, depth N", "violates PROPERTY, N states", text)
}

func (m *Model) parseModule(text string) error {
	seen := make(map[string]string)
	for field := range strings.SplitSeq("module: "+text, "; ") {
		key, value, ok := strings.Cut(field, ": ")
		if _, twice := seen[key]; !ok || twice || value == "" || strings.ContainsAny(value, " \t:;") || !slices.Contains([]string{"module", "set", "seconds", "heap", "judge"}, key) {
			return fmt.Errorf("expected module, set, seconds and perhaps heap and judge, each once and as NAME: VALUE with %q between, saw %q", "; ", field)
		}
		seen[key] = value
	}
	m.Module, m.Set = seen["module"], Set(seen["set"])
	if !slices.Contains(Sets(), m.Set) {
		return fmt.Errorf("set: expected one of %v, saw %q", Sets(), m.Set)
	}
	seconds, err := strconv.ParseUint(seen["seconds"], 10, 31)
	if err != nil || seconds == 0 {
		return fmt.Errorf("seconds: expected a number above 0, saw %q", seen["seconds"])
	}
	m.Seconds = float64(seconds)
	if heap, given := seen["heap"]; given {
		n, err := strconv.ParseUint(heap, 10, 31)
		if err != nil || n == 0 {
			return fmt.Errorf("heap: expected MiB above 0, saw %q", heap)
		}
		m.HeapMB = int(n)
	}
	judge, given := seen["judge"]
	if given && judge != "machine" {
		return fmt.Errorf("judge: expected machine, which is the Go machine alone, or nothing, saw %q", judge)
	}
	m.MachineAlone = given
	return nil
}

// asked returns in what the properties that a configuration asks are not those that its head notes.
// The order does not matter.
func (m *Model) asked(cfg *tlc.Config) []string {
	noted, asks := strings.Fields(m.Asks), cfg.Asks()
	if len(noted) == 0 {
		return []string{fmt.Sprintf("%s: expected a line %#q behind what it must give, saw none; -update writes it", m.Name, asksMark+strings.Join(asks, " "))}
	}
	var list []string
	for _, name := range noted {
		if !slices.Contains(asks, name) {
			list = append(list, fmt.Sprintf("%s: expected that it asks %s, as its head notes, saw that it does not", m.Name, name))
		}
	}
	for _, name := range asks {
		if !slices.Contains(noted, name) {
			list = append(list, fmt.Sprintf("%s: expected %s, which it asks, in its line %s, saw it not; -update writes it", m.Name, name, strings.TrimSpace(asksMark)))
		}
	}
	return list
}

// Counted reports whether it is said how many states there are, where it holds.
func (m *Model) Counted() bool { return m.Violates != "" || m.Generated > 0 }

// expect is the line of the head that says what is expected.
func (m *Model) expect() string {
	if m.Violates != "" {
		return fmt.Sprintf("%sviolates %s, %d states", expectMark, m.Violates, m.Depth)
	}
	return fmt.Sprintf("%sholds, %d generated, %d distinct, depth %d", expectMark, m.Generated, m.Distinct, m.Depth)
}

package lint

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// picture is the file that TestArchitecture holds against the code.
const picture = "docs/architecture.svg"

// A box is a group of folders in the picture. A folder stands for itself and for all below it that have no longer match.
type box struct {
	name       string
	x, y, w    int
	colour     string
	text       []string // the packages, as they are written in the box
	folders    []string
	transitive bool // a path through the box makes a direct arrow superfluous
}

const (
	height = 66
	grey   = "#d0d7de"
	blue   = "#b6e3ff"
	green  = "#aceebb"
	yellow = "#fae17d"
	purple = "#e2c5ff"
)

// The rows of the picture, from above: what is started, what is checked and with what, the methods, the contract.
const (
	row0 = 20 + 114*iota
	row1
	row2
	row3
	row4
	row5
)

var boxes = []box{
	{"your code", 20, row0, 340, grey, []string{"a queue, a scheduler,", "lock-free code of any kind"}, nil, true},
	{"command", 560, row0, 160, blue, []string{"cmd/spindle", "tla/command, findings"}, []string{"cmd", "tla/command", "tla/findings"}, true},
	{"conformance", 200, row1, 220, blue, []string{"conformance, conformance/property", "fuzz"}, []string{"conformance", "conformance/property", "fuzz"}, true},
	{"mutants", 740, row1, 160, grey, []string{"mutants", "conformance/hunt"}, []string{"mutants", "conformance/hunt"}, false},
	{"gate and reports", 200, row2, 160, green, []string{"gate, report, merge and", "show (in suite); ci"}, []string{"internal/suite/gate", "internal/suite/report", "internal/suite/merge", "internal/suite/show", "internal/childpage", "ci"}, true},
	{"targets", 560, row2, 160, grey, []string{"conformance/target", "and both folders designs"}, []string{"conformance/target", "conformance/designs", "conformance/scheduler/designs"}, true},
	{"checks and drivers", 380, row3, 340, green, []string{"queue/checks, queue/drive, scheduler/checks,", "scheduler/drive, model, trace in conformance"}, []string{"conformance/queue/checks", "conformance/queue/drive", "conformance/scheduler/checks", "conformance/scheduler/drive", "conformance/model", "conformance/trace"}, true},
	{"implementation", 740, row3, 160, grey, []string{"impl/runq, impl/sched,", "twolevel, walker"}, []string{"impl"}, true},
	{"explorer", 20, row4, 160, yellow, []string{"interleave"}, []string{"interleave"}, true},
	{"suite engine", 200, row4, 160, green, []string{"internal/suite"}, []string{"internal/suite"}, true},
	{"linearizability", 380, row4, 160, yellow, []string{"linearizability", "and its recorder"}, []string{"linearizability"}, true},
	{"interfaces", 560, row4, 160, blue, []string{"conformance/queue", "conformance/scheduler"}, []string{"conformance/queue", "conformance/scheduler"}, true},
	{"model in TLA+", 740, row4, 160, purple, []string{"tla, tla/tlc, machine,", "variant, drift"}, []string{"tla"}, true},
	{"contract", 20, row5, 620, purple, []string{"spec: requirements, contracts; spec/record: scenarios, histories, findings;", "spec/sequential: what each call may do"}, []string{"spec", "spec/record", "spec/sequential", "spec/mechanisms"}, true},
	{"model in Go", 740, row5, 160, purple, []string{"runqueue, sched, explore", "and others in spec"}, []string{"spec/runqueue", "spec/sched", "spec/twolevel", "spec/slices", "spec/wakes", "spec/explore", "spec/follow", "spec/constants"}, true},
}

// undrawn are folders of helpers that any package may use, of tests and of measurements.
var undrawn = []string{"internal/awake", "internal/benchmark", "internal/cachedir", "internal/cli", "internal/cputime", "internal/exit", "internal/frames", "internal/lint", "internal/overlay", "internal/printable", "internal/procgroup", "internal/schedtrace", "internal/strictjson", "internal/tier", "internal/valve", "internal/wholefile", "docs", "tools"}

// An arrow joins two boxes.
type arrow struct{ from, to string }

// byHand are the arrows that no import shows: the user's code imports what it is tested with.
var byHand = []arrow{{"your code", "conformance"}, {"your code", "explorer"}}

// held are pairs that tests hold against each other: each line of impl on shared memory names an action of the model.
var held = []arrow{{"implementation", "model in TLA+"}}

// routes says where an arrow leaves its box and turns: x, y, x, y, ..., x, alternately. It leaves at the bottom of its box and
// ends at the top of the other. An arrow without a route goes straight down or, in a row, from side to side.
var routes = map[arrow][]int{
	{"your code", "conformance"}:              {280},
	{"your code", "explorer"}:                 {60},
	{"command", "gate and reports"}:           {590, 216, 300},
	{"command", "mutants"}:                    {700, 110, 820},
	{"command", "targets"}:                    {640},
	{"conformance", "gate and reports"}:       {240},
	{"conformance", "checks and drivers"}:     {400},
	{"mutants", "gate and reports"}:           {790, 232, 340},
	{"mutants", "targets"}:                    {765, 216, 690},
	{"gate and reports", "suite engine"}:      {260},
	{"gate and reports", "explorer"}:          {220, 338, 120},
	{"targets", "checks and drivers"}:         {640},
	{"targets", "implementation"}:             {700, 338, 820},
	{"checks and drivers", "explorer"}:        {400, 442, 150},
	{"checks and drivers", "suite engine"}:    {425, 456, 320},
	{"checks and drivers", "linearizability"}: {470},
	{"checks and drivers", "interfaces"}:      {620},
	{"checks and drivers", "model in TLA+"}:   {690, 448, 780},
	{"explorer", "contract"}:                  {100},
	{"suite engine", "contract"}:              {280},
	{"linearizability", "contract"}:           {460},
	{"interfaces", "contract"}:                {600},
	{"model in TLA+", "model in Go"}:          {820},
	{"implementation", "model in TLA+"}:       {860},
}

// boxOf returns the box of a folder, by the longest match; "" for a folder that is not drawn.
func boxOf(dir string) (name string, known bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		for _, b := range boxes {
			if slices.Contains(b.folders, dir) {
				return b.name, true
			}
		}
		if slices.Contains(undrawn, dir) {
			return "", true
		}
	}
	return "", false
}

// used returns the arrows between boxes that the table of arrows allows and that the import of an ordinary file uses.
func used(t *testing.T) map[arrow]bool {
	t.Helper()
	for _, dir := range slices.Sorted(maps.Keys(arrows)) {
		if _, known := boxOf(dir); !known {
			t.Errorf("%s is in the table of arrows and in no box of %s", dir, picture)
		}
	}
	all := make(map[arrow]bool)
	walk(t, func(rel string) {
		if strings.HasSuffix(rel, "_test.go") {
			return
		}
		from, _ := boxOf(path.Dir(rel))
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, rel), nil, parser.ImportsOnly)
		if err != nil || from == "" {
			return // TestArrows reports the error
		}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			dir, own := strings.CutPrefix(p, module+"/")
			if to, _ := boxOf(dir); own && to != "" && to != from && allowed(path.Dir(rel), dir) {
				all[arrow{from, to}] = true
			}
		}
	})
	return all
}

// reduced leaves out each arrow that a longer path implies.
func reduced(all map[arrow]bool) (list []arrow) {
	through := make(map[string]bool)
	for _, b := range boxes {
		through[b.name] = b.transitive
	}
	var reaches func(from, to string, seen map[string]bool) bool
	reaches = func(from, to string, seen map[string]bool) bool {
		if from == to {
			return true
		}
		if seen[from] || !through[from] {
			return false
		}
		seen[from] = true
		for a := range all {
			if a.from == from && reaches(a.to, to, seen) {
				return true
			}
		}
		return false
	}
	for a := range all {
		implied := false
		for b := range all {
			implied = implied || b.from == a.from && b.to != a.to && reaches(b.to, a.to, map[string]bool{a.from: true})
		}
		if !implied {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return list
}

type point struct{ x, y int }

func find(name string) box {
	return boxes[slices.IndexFunc(boxes, func(b box) bool { return b.name == name })]
}

// line returns the corners of an arrow.
func line(a arrow) []point {
	from, to := find(a.from), find(a.to)
	if from.y == to.y {
		if from.x > to.x {
			return []point{{from.x, from.y + height/2}, {to.x + to.w, from.y + height/2}}
		}
		return []point{{from.x + from.w, from.y + height/2}, {to.x, from.y + height/2}}
	}
	route := routes[a]
	if route == nil {
		route = []int{from.x + from.w/2, (from.y + height + to.y) / 2, to.x + to.w/2}
	}
	at := point{route[0], from.y + height}
	points := []point{at}
	for i, v := range route[1:] {
		if i%2 == 0 {
			at.y = v
		} else {
			at.x = v
		}
		points = append(points, at)
	}
	return append(points, point{at.x, to.y})
}

// between reports whether two intervals have more than a point in common.
func between(a1, a2, b1, b2 int) bool {
	return max(min(a1, a2), min(b1, b2)) < min(max(a1, a2), max(b1, b2))
}

// wrong says what makes the picture hard to read: an arrow through a box, two arrows on one line, a text that is too long.
func wrong(list []arrow) (errors []string) {
	type segment struct {
		of   arrow
		a, b point
	}
	var segments []segment
	for _, a := range list {
		points := line(a)
		for i := range points[1:] {
			segments = append(segments, segment{a, points[i], points[i+1]})
		}
		from, to, first, last := find(a.from), find(a.to), points[0], points[len(points)-1]
		if from.y != to.y && (first.x < from.x || first.x > from.x+from.w || last.x < to.x || last.x > to.x+to.w || first.y > last.y) {
			errors = append(errors, fmt.Sprintf("the arrow from %s to %s does not join the boxes", a.from, a.to))
		}
	}
	for i, s := range segments {
		for _, b := range boxes {
			if min(s.a.x, s.b.x) < b.x+b.w && max(s.a.x, s.b.x) > b.x && min(s.a.y, s.b.y) < b.y+height && max(s.a.y, s.b.y) > b.y {
				errors = append(errors, fmt.Sprintf("the arrow from %s to %s crosses the box %s: give it a route", s.of.from, s.of.to, b.name))
			}
		}
		for _, o := range segments[:i] {
			if o.of != s.of && (s.a.x == s.b.x && o.a.x == o.b.x && s.a.x == o.a.x && between(s.a.y, s.b.y, o.a.y, o.b.y) ||
				s.a.y == s.b.y && o.a.y == o.b.y && s.a.y == o.a.y && between(s.a.x, s.b.x, o.a.x, o.b.x)) {
				errors = append(errors, fmt.Sprintf("the arrows from %s to %s and from %s to %s lie on each other: give one a route", o.of.from, o.of.to, s.of.from, s.of.to))
			}
		}
	}
	for _, b := range boxes {
		for i, text := range append([]string{b.name}, b.text...) {
			width := len(text) * 31 / 5 // of a wide font
			if i == 0 {
				width = len(text) * 9
			}
			if width > b.w-6 {
				errors = append(errors, fmt.Sprintf("%s: %q needs %d, the box has %d", b.name, text, width, b.w-6))
			}
		}
	}
	return errors
}

// draw returns the picture. The boxes have their own colours, and the lines a grey that is seen on white and on black.
func draw(list []arrow) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="920" height="%d" viewBox="0 0 920 %[1]d" font-family="Helvetica, Arial, sans-serif">
<!-- Drawn by TestArchitecture of internal/lint from the imports that its table of arrows allows. -->
<title>Spindle: groups of packages, and which uses which</title>
<defs><marker id="end" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 L10 5 L0 10 z" fill="#7d8590"/></marker></defs>
`, row5+height+44)
	path := func(a arrow, more string) {
		points := line(a)
		d := ""
		for i, p := range points {
			d += fmt.Sprintf(" %c%d %d", "ML"[min(i, 1)], p.x, p.y)
		}
		fmt.Fprintf(&s, "<path d=\"%s\" fill=\"none\" stroke=\"#7d8590\" stroke-width=\"1.5\"%s><title>%s to %s</title></path>\n", d[1:], more, a.from, a.to)
	}
	for _, a := range list {
		path(a, ` marker-end="url(#end)"`)
	}
	for _, a := range held {
		path(a, ` stroke-dasharray="5 4"`)
	}
	for _, b := range boxes {
		fmt.Fprintf(&s, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"#7d8590\"/>\n", b.x, b.y, b.w, height, b.colour)
		middle, top := b.x+b.w/2, b.y+22+(2-len(b.text))*7
		fmt.Fprintf(&s, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"14\" font-weight=\"bold\" fill=\"#1f2328\">%s</text>\n", middle, top, b.name)
		for i, text := range b.text {
			fmt.Fprintf(&s, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\" fill=\"#1f2328\">%s</text>\n", middle, top+18+15*i, text)
		}
	}
	fmt.Fprintf(&s, "<text x=\"20\" y=\"%d\" font-size=\"12\" fill=\"#7d8590\">An arrow: uses. What a longer path shows has no arrow of its own. Dashed: held against each other by tests. Small helpers are left out.</text>\n</svg>\n", row5+height+26)
	return s.String()
}

// TestArchitecture draws the picture of the packages and compares it with the file. SPINDLE_UPDATE=1 writes the file.
func TestArchitecture(t *testing.T) {
	list := slices.Concat(byHand, reduced(used(t)))
	for _, text := range wrong(slices.Concat(list, held)) {
		t.Error(text)
	}
	if t.Failed() {
		return
	}
	name, now := filepath.Join(root, picture), draw(list)
	if tier.Update() {
		if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != now {
		t.Errorf("%s is not the picture of the imports; to draw it anew: SPINDLE_UPDATE=1 go test ./internal/lint -run TestArchitecture", picture)
	}
}

func TestArchitectureCanFail(t *testing.T) {
	a, b, c := arrow{"a", "b"}, arrow{"b", "c"}, arrow{"a", "c"}
	for _, name := range []string{"explorer", "mutants"} {
		all := map[arrow]bool{{"command", name}: true, {name, "contract"}: true, {"command", "contract"}: true}
		if got, want := len(reduced(all)), map[string]int{"explorer": 2, "mutants": 3}[name]; got != want {
			t.Errorf("through %s: expected %d arrows, saw %d", name, want, got)
		}
	}
	if got := reduced(map[arrow]bool{a: true, b: true, c: true}); len(got) != 3 {
		t.Errorf("expected no path through a box that is not drawn, saw %v", got)
	}
	if got := wrong([]arrow{{"command", "contract"}}); len(got) == 0 {
		t.Error("expected an arrow through boxes to be refused")
	}
	if got := wrong([]arrow{{"targets", "checks and drivers"}, {"command", "targets"}, {"checks and drivers", "interfaces"}}); len(got) != 0 {
		t.Errorf("expected straight arrows to be accepted, saw %v", got)
	}
	if got := draw(nil); got == draw([]arrow{{"command", "targets"}}) {
		t.Error("expected another picture with an arrow more")
	}
}

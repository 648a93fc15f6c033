package goruntime

import (
	"fmt"
	"regexp"
	"strconv"
)

// A function is one of the runtime's functions that the wrappers call, with the
// signatures that they can be generated for.
type function struct {
	name  string
	forms map[string]func(*Shape) // by signature; "absent" if it may lack
}

const absent = "absent"

func (f function) optional() bool {
	_, ok := f.forms[absent]
	return ok
}

func plain(*Shape) {}

// functions is every function that the wrappers call. Go 1.25 moved the count
// of a queue's Gs from the callers into gQueue, and split globrunqget.
var functions = []function{
	{"runqempty", map[string]func(*Shape){"(*p) (bool)": plain}},
	{"runqput", map[string]func(*Shape){"(*p, *g, bool)": plain}},
	{"runqget", map[string]func(*Shape){"(*p) (*g, bool)": plain}},
	{"runqgrab", map[string]func(*Shape){"(*p, *[256]guintptr, uint32, bool) (uint32)": plain}},
	{"runqsteal", map[string]func(*Shape){"(*p, *p, bool) (*g)": plain}},
	{"runqdrain", map[string]func(*Shape){
		"(*p) (gQueue)":         plain,
		"(*p) (gQueue, uint32)": func(s *Shape) { s.DrainCounts = true },
	}},
	{"runqputbatch", map[string]func(*Shape){
		"(*p, *gQueue)":      plain,
		"(*p, *gQueue, int)": func(s *Shape) { s.PutBatchCounts = true },
	}},
	{"globrunqput", map[string]func(*Shape){"(*g)": plain}},
	{"globrunqputbatch", map[string]func(*Shape){
		"(*gQueue)":        plain,
		"(*gQueue, int32)": func(s *Shape) { s.GlobalCounts = true },
	}},
	{"globrunqgetbatch", map[string]func(*Shape){
		"(int32) (*g, gQueue)": func(s *Shape) { s.GlobalBatch = true },
		absent:                 plain,
	}},
	{"globrunqget", map[string]func(*Shape){
		"(*p, int32) (*g)": plain, // takes the batch when there is no globrunqgetbatch
		"() (*g)":          plain,
	}},
	{"*gQueue.pushBack", map[string]func(*Shape){"(*g)": plain}},
	{"*gQueue.pushBackAll", map[string]func(*Shape){"(gQueue)": plain}},
	{"*gQueue.pop", map[string]func(*Shape){"() (*g)": plain}},
	{"*gQueue.empty", map[string]func(*Shape){"() (bool)": plain}},
	{"acquirem", map[string]func(*Shape){"() (*m)": plain}},
	{"releasem", map[string]func(*Shape){"(*m)": plain}},
}

func (f function) match(d *decls, s *Shape) error {
	seen, ok := d.signatures[f.name]
	if !ok {
		seen = absent
	}
	set, known := f.forms[seen]
	if !known {
		if ok {
			seen = "func" + seen
		}
		return fmt.Errorf("%w: function %s: expected %s, saw %s", ErrShape, f.name, oneOf(f.forms), seen)
	}
	set(s)
	if f.name == "globrunqget" && !s.GlobalBatch && seen != "(*p, int32) (*g)" {
		return fmt.Errorf("%w: function globrunqget: expected func(*p, int32) (*g) where there is no globrunqgetbatch, saw func%s", ErrShape, seen)
	}
	return nil
}

// A field is a field or a package-level variable that the wrappers touch.
type field struct {
	name     string
	typ      *regexp.Regexp
	optional bool
	set      func(s *Shape, m []string)
}

var fields = []field{
	{name: "p.runqhead", typ: exactly(`uint32`)},
	{name: "p.runqtail", typ: exactly(`uint32`)},
	{name: "p.runq", typ: exactly(`\[(\d+)\]guintptr`), set: func(s *Shape, m []string) { s.Ring, _ = strconv.Atoi(m[1]) }},
	{name: "p.runnext", typ: exactly(`guintptr`)},
	{name: "p.status", typ: exactly(`uint32`)},
	{name: "p.m", typ: exactly(`muintptr`)},
	{name: "g.schedlink", typ: exactly(`guintptr`)},
	{name: "gQueue.head", typ: exactly(`guintptr`)},
	{name: "gQueue.size", typ: exactly(`int32`), optional: true, set: func(s *Shape, _ []string) { s.QueueSize = true }},
	{name: "schedt.lock", typ: exactly(`mutex`)},
	{name: "schedt.runq", typ: exactly(`gQueue`)},
	{name: "schedt.runqsize", typ: exactly(`int32`), optional: true, set: func(s *Shape, _ []string) { s.SchedSize = true }},
	{name: "gomaxprocs", typ: exactly(`int32`)},
	{name: "randomizeScheduler", typ: exactly(``)},
}

func exactly(re string) *regexp.Regexp { return regexp.MustCompile(`^` + re + `$`) }

func (f field) match(d *decls, s *Shape) error {
	seen, ok := d.fields[f.name]
	if !ok {
		if f.optional {
			return nil
		}
		return fmt.Errorf("%w: %s: expected type %s, saw no such field or variable", ErrShape, f.name, f.typ)
	}
	m := f.typ.FindStringSubmatch(seen)
	if m == nil {
		return fmt.Errorf("%w: %s: expected type %s, saw %s", ErrShape, f.name, f.typ, seen)
	}
	if f.set != nil {
		f.set(s, m)
	}
	return nil
}

package tlc

import (
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// threads are the variables that may say where each thread is, the first that a
// module has: functions of threads, to the place or to a record with a field pc. Every
// step of a thread changes that for it alone, apart from threads that it starts.
var threads = []string{"pc", "th", "M"}

// where returns the value of the state's variable of threads, or "".
func where(s *State) string {
	for _, name := range threads {
		if v := s.Get(name); v != "" {
			return v
		}
	}
	return ""
}

// unborn is where a thread is that another has still to start.
const unborn = `"unborn"`

// Actor returns which thread took the step from before to after: the only one whose place
// changed, apart from one that it started; or if no place changed, the only one of whom
// anything did. It returns "" where there is none, or more than one: then the step is
// nobody's, such as one of the environment.
func Actor(before, after *State) string {
	list := changed(where(before), where(after))
	moved := slices.DeleteFunc(slices.Clone(list), func(k string) bool {
		from, to := placeOf(before, k), placeOf(after, k)
		return from == to || from == unborn && len(list) > 1
	})
	if len(moved) > 0 {
		list = moved
	}
	if len(list) != 1 {
		return ""
	}
	return list[0]
}

// placeOf is where a thread is.
func placeOf(s *State, thread string) string {
	at, err := ParseValue(where(s))
	if err != nil {
		return ""
	}
	v, _ := at.Get(thread)
	if v.Kind == Record {
		v, _ = v.Get("pc")
	}
	return v.String()
}

// changed returns the arguments for which a function changed, or "" alone if the
// values differ and are not functions of the same arguments.
func changed(before, after string) []string {
	if before == after {
		return nil
	}
	a, errA := ParseValue(before)
	b, errB := ParseValue(after)
	keys := a.Domain()
	if errA != nil || errB != nil || a.Kind == Set || b.Kind == Set || len(keys) == 0 || strings.Join(keys, " ") != strings.Join(b.Domain(), " ") {
		return []string{""}
	}
	var list []string
	for _, k := range keys {
		x, _ := a.Get(k)
		y, _ := b.Get(k)
		if x.String() != y.String() {
			list = append(list, k)
		}
	}
	return list
}

// Execution returns the trace as an execution with a column for each thread.
// Each step says what it changed. Threads that are numbers get prefix in front,
// such as "M". The schedule is a word for each step: the thread, a dot, and the
// action.
func (r *Result) Execution(module, prefix string) *record.Execution {
	e := new(record.Execution)
	columns := make(map[string]int)
	column := func(actor string) int {
		i, ok := columns[actor]
		if !ok {
			i = len(e.Threads)
			columns[actor] = i
			e.Threads = append(e.Threads, name(actor, prefix))
		}
		return i
	}
	if len(r.Trace) > 0 { // all columns in the order of names, before any is used
		if v, err := ParseValue(where(&r.Trace[0])); err == nil {
			for _, k := range v.Domain() {
				column(k)
			}
		}
	}
	states := r.Trace
	if r.Back > 0 && r.Back <= len(states) { // the step that closes the circle
		last := states[r.Back-1]
		last.Action = r.BackAction
		states = append(states[:len(states):len(states)], last)
	}
	var words []string
	for i := 1; i < len(states); i++ {
		before, after := &states[i-1], &states[i]
		actor := Actor(before, after)
		s := record.Step{Thread: column(actor), Text: change(before, after, actor), Action: module + "!" + after.Action}
		if r.Back > 0 && i == r.Back {
			s.Switch = "from here on again and again"
		}
		e.Steps = append(e.Steps, s)
		words = append(words, name(actor, prefix)+"."+after.Action)
	}
	e.Schedule = strings.Join(words, " ")
	return e
}

func name(actor, prefix string) string {
	switch {
	case actor == "":
		return "others"
	case actor[0] >= '0' && actor[0] <= '9':
		return prefix + actor
	}
	return strings.Trim(actor, `"`)
}

// change says what a step of actor changed: the entries of functions and records
// alone that are other than before, and last, behind an arrow, where the actor is
// now. What is the actor's own is written .field.
func change(before, after *State, actor string) string {
	var list []string
	to := ""
	for _, v := range after.Vars {
		a, errA := ParseValue(before.Get(v.Name))
		b, errB := ParseValue(v.Value)
		if errA != nil || errB != nil {
			if old := before.Get(v.Name); old != v.Value {
				list = append(list, v.Name+" = "+v.Value)
			}
			continue
		}
		differences(v.Name, a, b, func(path string, value Value) {
			mine := actor != "" && slices.Contains(threads, v.Name)
			at := strings.TrimPrefix(path, v.Name+"["+actor+"]")
			switch {
			case mine && at == "" && value.Kind == String, mine && at == ".pc":
				to = "-> " + strings.Trim(value.String(), `"`)
				return
			case mine && strings.HasPrefix(at, "."):
				path = at
			}
			list = append(list, path+" = "+value.String())
		})
	}
	text := strings.Join(list, "; ")
	switch {
	case text == "" && to == "":
		return "(nothing)"
	case text == "" || to == "":
		return text + to
	}
	return text + "  " + to
}

// differences calls f with what is other in b than in a: the values themselves,
// or, of functions and records of the same arguments, what they give.
func differences(path string, a, b Value, f func(path string, value Value)) {
	if a.String() == b.String() {
		return
	}
	keys := b.Domain()
	same := len(keys) > 0 && a.Kind != Set && b.Kind != Set && strings.Join(keys, " ") == strings.Join(a.Domain(), " ")
	if !same || b.Kind == Tuple && len(keys) == 1 { // of a sequence of one, the whole says more
		f(path, b)
		return
	}
	for _, k := range keys {
		x, _ := a.Get(k)
		y, _ := b.Get(k)
		step := "[" + strings.Trim(k, `"`) + "]"
		if b.Kind == Record {
			step = "." + k
		}
		differences(path+step, x, y, f)
	}
}

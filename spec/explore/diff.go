package explore

import (
	"fmt"
	"strings"
)

// diff lists what changed: "head 0 → 1", and of a tuple, function or record only
// the elements that did, "pc[2] 0 → 3", "reg[m1].h 0 → 1".
func diff(before, after []Var) []string {
	var out []string
	for i, v := range after {
		if i < len(before) {
			out = diffValue(out, v.Name, before[i].Value, v.Value)
		}
	}
	return out
}

func diffValue(out []string, name, before, after string) []string {
	if before == after {
		return out
	}
	kind, old := elements(before)
	now, els := elements(after)
	if same := kind != atom && kind == now && len(old) == len(els); same {
		for i := range els {
			same = same && old[i].key == els[i].key
		}
		if same {
			for i := range els {
				at := name + "[" + els[i].key + "]"
				if kind == recordValue {
					at = name + "." + els[i].key
				}
				out = diffValue(out, at, old[i].value, els[i].value)
			}
			return out
		}
	}
	return append(out, fmt.Sprintf("%s %s → %s", name, before, after))
}

type valueKind int

const (
	atom valueKind = iota // and sets, whose elements have no names
	tuple
	function
	recordValue
)

type element struct{ key, value string }

// elements takes a value in TLA+ syntax apart: <<a, b>>, (k :> a @@ l :> b),
// [k |-> a, l |-> b].
func elements(v string) (valueKind, []element) {
	inside := func(open, end string) (string, bool) {
		s, ok := strings.CutPrefix(v, open)
		if !ok {
			return "", false
		}
		return strings.CutSuffix(s, end)
	}
	kind, between, arrow := atom, ",", ""
	s, ok := inside("<<", ">>")
	if ok {
		kind = tuple
	} else if s, ok = inside("(", ")"); ok {
		kind, between, arrow = function, "@@", ":>"
	} else if s, ok = inside("[", "]"); ok {
		kind, arrow = recordValue, "|->"
	} else {
		return atom, nil
	}
	var out []element
	for i, part := range split(s, between) {
		e := element{fmt.Sprint(i + 1), part}
		if arrow != "" {
			if e.key, e.value, ok = strings.Cut(part, arrow); !ok {
				return atom, nil
			}
			e.key, e.value = strings.TrimSpace(e.key), strings.TrimSpace(e.value)
		}
		out = append(out, e)
	}
	return kind, out
}

// split cuts s at sep where no bracket is open and no string.
func split(s, sep string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	var out []string
	start, depth, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted:
			if c == '\\' {
				i++
			} else if c == '"' {
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '(' || c == '[' || c == '{' || c == '<' && strings.HasPrefix(s[i:], "<<"):
			depth++
			if c == '<' {
				i++
			}
		case c == ')' || c == ']' || c == '}' || c == '>' && strings.HasPrefix(s[i:], ">>"):
			depth--
			if c == '>' {
				i++
			}
		case depth == 0 && strings.HasPrefix(s[i:], sep):
			out = append(out, strings.TrimSpace(s[start:i]))
			i += len(sep) - 1
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[start:]))
}

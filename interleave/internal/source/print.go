package source

import (
	"fmt"
	"regexp"
	"strings"
)

// printer writes a thread as Go source.
type printer struct {
	p     *Program
	t     int
	b     strings.Builder
	depth int
	label int
}

// Source returns the program as Go source: the type of its number, whose methods t0, t1 and
// so on are its threads, and a function that starts an execution.
func (p *Program) Source(number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "type p%d struct {\n\tx *interleave.Exec\n", number)
	for i, raw := range p.Raw {
		fmt.Fprintf(&b, "\tw%d %s\n", i, map[bool]string{true: "int32", false: "atomic.Int32"}[raw])
	}
	b.WriteString("\tm sync.Mutex\n\trw sync.RWMutex\n\twg sync.WaitGroup\n\ta, b things\n\tout [4]Observed\n}\n\n")
	for t := range p.Threads {
		b.WriteString(p.thread(number, t))
	}
	fmt.Fprintf(&b, "func body%d(x *interleave.Exec, seen map[Final]bool) {\n\tg := &p%d{x: x, a: newThings(), b: newThings()}\n", number, number)
	for t, th := range p.Threads {
		switch {
		case th.Child:
		case th.Bound:
			fmt.Fprintf(&b, "\tx.Go(\"t%d\", bind(g.t%d))\n", t, t)
		default:
			fmt.Fprintf(&b, "\tx.Go(\"t%d\", func() { g.t%d() })\n", t, t)
		}
	}
	var ws []string
	for i := range words {
		ws = append(ws, p.operation(&op{kind: load, word: i}))
	}
	fmt.Fprintf(&b, "\tx.Finally(func() { note(seen, g.out, [3]int32{%s}, &g.a, &g.b) })\n}\n\n", strings.Join(ws, ", "))
	return b.String()
}

var identifiers = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*(\.[A-Za-z_][A-Za-z_0-9]*)?`)

// The variables that a thread has only if it names them.
var variables = []struct{ name, typ, init string }{
	{"line", "[]byte", "make([]byte, 2, 4)"},
	{"sb", "strings.Builder", ""},
	{"bb", "bytes.Buffer", ""},
	{"xs", "[]int", "[]int{2, 0, 1}"},
	{"mp", "map[int32]int32", "map[int32]int32{}"},
	{"seq0", "iter.Seq[int]", ""},
	{"seq1", "iter.Seq2[int, int]", ""},
	{"seq2", "iter.Seq[int32]", ""},
	{"rd", "*bytes.Buffer", ""},
	{"locker", "sync.Locker", "&g.m"},
}

var fieldNames = map[rune][4]string{
	'l': {"line", "[]byte", "Line", "lineOf(line)"},
	's': {"sb", "", "SB", "textOf([]byte(sb.String()))"},
	'b': {"bb", "", "BB", "textOf(bb.Bytes())"},
	'x': {"xs", "[]int", "XS", "listOf(xs)"},
	'm': {"mp", "map[int32]int32", "MP", "mapOf(mp)"},
}

func (p *Program) thread(number, t int) string {
	th := p.Threads[t]
	w := &printer{p: p, t: t, depth: 1}
	w.list(th.Body)
	body := w.b.String()
	names := make(map[string]bool)
	for _, at := range identifiers.FindAllStringIndex(body, -1) {
		if name, _, _ := strings.Cut(body[at[0]:at[1]], "."); at[0] == 0 || body[at[0]-1] != '.' {
			names[name] = true
		}
	}
	var shows, results, types, params, zeros []string
	for i, shown := range th.Shown {
		l := fmt.Sprint("l", i)
		if shown {
			results, types = append(results, l), append(types, l+" int32")
			shows = append(shows, fmt.Sprintf("g.out[%d].L[%d] = %s", t, i, l))
		}
		if !shown || th.Form == plain {
			params, zeros = append(params, l), append(zeros, "0")
		}
	}
	declare := ""
	for _, v := range variables {
		letter := rune(0)
		for f, n := range fieldNames {
			if n[0] == v.name {
				letter = f
			}
		}
		shown := letter != 0 && strings.ContainsRune(th.Fields, letter)
		switch {
		case shown && th.Form != plain:
			declare += fmt.Sprintf("\t%s = %s\n", v.name, v.init)
		case !names[v.name] && !shown:
		case v.init != "" && v.name != "locker":
			declare += fmt.Sprintf("\t%s := %s\n", v.name, v.init)
		case v.init != "":
			declare += fmt.Sprintf("\tvar %s %s = %s\n", v.name, v.typ, v.init)
		default:
			declare += fmt.Sprintf("\tvar %s %s\n", v.name, v.typ)
		}
		if shown {
			n := fieldNames[letter]
			results, types = append(results, v.name), append(types, v.name+" "+n[1])
			shows = append(shows, fmt.Sprintf("g.out[%d].%s = %s", t, n[2], n[3]))
		}
	}
	declare += p.vias(th, names)
	all := ""
	if len(params) > 0 {
		all = strings.Join(params, ", ") + " int32"
	}
	var b strings.Builder
	if th.Form == named && len(results) == 0 {
		fmt.Fprintf(&b, "func (g *p%d) t%d() { g.f%d(%s) }\n\n", number, t, t, strings.Join(zeros, ", "))
		fmt.Fprintf(&b, "func (g *p%d) f%d(%s) {\n%s%s}\n\n", number, t, all, declare, body)
		return b.String()
	}
	if th.Form == plain {
		fmt.Fprintf(&b, "func (g *p%d) t%d() { g.f%d(%s) }\n\n", number, t, t, strings.Join(zeros, ", "))
		fmt.Fprintf(&b, "func (g *p%d) f%d(%s) {\n%s%s\t%s\n}\n\n", number, t, all, declare, body, strings.Join(shows, "\n\t"))
		return b.String()
	}
	if th.Form != named {
		results, types = append(results, "caught"), append(types, "caught bool")
		shows = append(shows, fmt.Sprintf("g.out[%d].Caught = caught", t))
		if th.Form == caught {
			declare = "\tdefer catch(&caught)\n" + declare
		} else {
			declare = "\tdefer func() {\n\t\tr := recover()\n\t\tif _, caught = r.(stop); !caught && r != nil {\n\t\t\tg.x.Fatalf(\"recovered %v\", r)\n\t\t}\n\t}()\n" + declare
		}
	}
	fmt.Fprintf(&b, "func (g *p%d) t%d() {\n\t%s := g.f%d(%s)\n\t%s\n}\n\n", number, t, strings.Join(results, ", "), t, strings.Join(zeros, ", "), strings.Join(shows, "\n\t"))
	fmt.Fprintf(&b, "func (g *p%d) f%d(%s) (%s) {\n%s%s\treturn\n}\n\n", number, t, all, strings.Join(types, ", "), declare, body)
	return b.String()
}

// vias declares the variables by which operations are reached.
func (p *Program) vias(th *Thread, names map[string]bool) (text string) {
	for w := range words {
		if name := fmt.Sprint("box", w); names[name] {
			text += fmt.Sprintf("\tvar %s word = %s\n", name, p.word(w))
		}
		for k := range opKinds {
			if name := fmt.Sprintf("do%s%d", opNames[k], w); names[name] {
				text += fmt.Sprintf("\t%s := %s.%s\n", name, strings.TrimPrefix(p.word(w), "&"), opNames[k])
			}
			if name := fmt.Sprintf("function%s", opNames[k]); w == 0 && names[name] {
				text += fmt.Sprintf("\t%s := atomic.%sInt32\n", name, opNames[k])
			}
		}
	}
	return text
}

// word is a word as something with methods.
func (p *Program) word(w int) string {
	if p.Raw[w] {
		return fmt.Sprintf("(*raw)(&g.w%d)", w)
	}
	return fmt.Sprintf("&g.w%d", w)
}

func (w *printer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("\t", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (x expr) String() string {
	switch x.of {
	case variable:
		return fmt.Sprint("l", x.at)
	case next:
		return fmt.Sprintf("(l%d+%d)%%3", x.at, x.n)
	}
	return fmt.Sprint(x.n)
}

// operation is the text of an operation, by the way that it is reached.
func (p *Program) operation(o *op) string {
	name := opNames[o.kind]
	var args []string
	switch o.kind {
	case load:
	case cas:
		args = []string{o.a.String(), o.b.String()}
	default:
		args = []string{o.b.String()}
	}
	list := strings.Join(args, ", ")
	with := func(first string) string { return strings.Join(append([]string{first}, args...), ", ") }
	field, raw, w := fmt.Sprint("g.w", o.word), p.Raw[o.word], p.word(o.word)
	switch o.via {
	case pointer:
		if raw {
			return fmt.Sprintf("atomic.%sInt32(%s)", name, with("itself(&"+field+")"))
		}
		return fmt.Sprintf("(&%s).%s(%s)", field, name, list)
	case converted:
		return fmt.Sprintf("word(%s).%s(%s)", w, name, list)
	case boxed:
		return fmt.Sprintf("box%d.%s(%s)", o.word, name, list)
	case typeParam:
		return fmt.Sprintf("do%s(%s)", name, with(w))
	case value:
		return fmt.Sprintf("do%s%d(%s)", name, o.word, list)
	case expression:
		if raw {
			return fmt.Sprintf("function%s(%s)", name, with("&"+field))
		}
		return fmt.Sprintf("(*atomic.Int32).%s(%s)", name, with("&"+field))
	}
	if raw {
		return fmt.Sprintf("atomic.%sInt32(%s)", name, with("&"+field))
	}
	return fmt.Sprintf("%s.%s(%s)", field, name, list)
}

// number is an operation as a number.
func (w *printer) number(o *op) string {
	text := w.p.operation(o)
	if o.kind == cas {
		return "b2i(" + text + ")"
	}
	return text
}

func (w *printer) cond(k *cond) string {
	if k.op != nil && k.op.kind == cas {
		if (k.n == 1) == k.equal {
			return w.p.operation(k.op)
		}
		return "!" + w.p.operation(k.op)
	}
	text := fmt.Sprint("l", k.local)
	if k.op != nil {
		text = w.p.operation(k.op)
	}
	return fmt.Sprintf("%s %s %d", text, map[bool]string{true: "==", false: "!="}[k.equal], k.n)
}

// simple is a statement that fits into the header of a loop, "" for none.
func (w *printer) simple(s *stmt) string {
	switch {
	case s == nil:
		return ""
	case s.kind == assign:
		return fmt.Sprintf("l%d = %v", s.dst, s.x)
	case s.kind == operate && s.dst >= 0:
		return fmt.Sprintf("l%d = %s", s.dst, w.number(s.op))
	case s.kind == operate:
		return w.p.operation(s.op)
	}
	panic(fmt.Sprintf("source: a statement of the kind %d in the header of a loop", s.kind))
}

package tlc

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A ValueKind says what a Value is.
type ValueKind byte

// The kinds of values. A tuple is a function over 1..n, and is printed as a
// tuple; a record is a function over strings.
const (
	Int      ValueKind = 'i' // Text is the number
	String   ValueKind = 's' // Text is what is between the quotes, as it is written
	Name     ValueKind = 'n' // a model value, TRUE or FALSE; Text is its name
	Set      ValueKind = '{' // Elems, in TLC's order of printing
	Tuple    ValueKind = '<' // Elems
	Record   ValueKind = '[' // Keys (of kind Name) and Elems
	Function ValueKind = '@' // Keys and Elems
	Range    ValueKind = '.' // Elems are the two ends
)

// A Value is a value as TLC prints it and as configurations have it.
type Value struct {
	Kind  ValueKind
	Text  string
	Keys  []Value
	Elems []Value
}

// String returns the value in one canonical form, on one line: elements of sets
// and arguments of functions are sorted, and functions over 1..n are tuples.
func (v Value) String() string {
	switch v.Kind {
	case Int, Name:
		return v.Text
	case String:
		return `"` + v.Text + `"`
	case Set:
		return "{" + strings.Join(texts(v.sorted().Elems), ", ") + "}"
	case Tuple:
		return "<<" + strings.Join(texts(v.Elems), ", ") + ">>"
	case Range:
		return v.expand().String()
	}
	v = v.sorted()
	list := texts(v.Elems)
	if v.overPrefix() {
		return "<<" + strings.Join(list, ", ") + ">>"
	}
	sign := " :> "
	if v.Kind == Record {
		sign = " |-> "
	}
	for i := range list {
		list[i] = v.Keys[i].String() + sign + list[i]
	}
	if v.Kind == Record {
		return "[" + strings.Join(list, ", ") + "]"
	}
	return "(" + strings.Join(list, " @@ ") + ")"
}

// expand returns the set that a range is, or a name where it has no ends.
func (v Value) expand() Value {
	from, errFrom := strconv.Atoi(v.Elems[0].Text)
	to, errTo := strconv.Atoi(v.Elems[1].Text)
	if errFrom != nil || errTo != nil || to-from > 1<<16 {
		return Value{Kind: Name, Text: v.Elems[0].String() + ".." + v.Elems[1].String()}
	}
	set := Value{Kind: Set}
	for i := from; i <= to; i++ {
		set.Elems = append(set.Elems, Value{Kind: Int, Text: strconv.Itoa(i)})
	}
	return set
}

// overPrefix reports whether the sorted function is over 1..n.
func (v Value) overPrefix() bool {
	for i, k := range v.Keys {
		if k.Kind != Int || k.Text != strconv.Itoa(i+1) {
			return false
		}
	}
	return v.Kind == Function
}

// Get returns what the function gives for the argument whose text is key.
func (v Value) Get(key string) (Value, bool) {
	if v.Kind == Tuple {
		i, err := strconv.Atoi(key)
		if err != nil || i < 1 || i > len(v.Elems) {
			return Value{}, false
		}
		return v.Elems[i-1], true
	}
	for i, k := range v.Keys {
		if k.String() == key {
			return v.Elems[i], true
		}
	}
	return Value{}, false
}

// Domain returns the texts of the arguments of a function, record or tuple, in
// canonical order, or nil.
func (v Value) Domain() []string {
	if v.Kind != Tuple {
		return texts(v.sorted().Keys)
	}
	list := make([]string, len(v.Elems))
	for i := range list {
		list[i] = strconv.Itoa(i + 1)
	}
	return list
}

func texts(list []Value) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.String())
	}
	return out
}

// sorted returns v with its keys, or the elements of a set, in order.
func (v Value) sorted() Value {
	switch v.Kind {
	case Set:
		v.Elems = slices.Clone(v.Elems)
		slices.SortStableFunc(v.Elems, compare)
	case Function, Record:
		order := make([]int, len(v.Keys))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return compare(v.Keys[a], v.Keys[b]) })
		keys, elems := v.Keys, v.Elems
		v.Keys, v.Elems = make([]Value, len(keys)), make([]Value, len(elems))
		for i, o := range order {
			v.Keys[i], v.Elems[i] = keys[o], elems[o]
		}
	}
	return v
}

// compare orders numbers by value and all else by text.
func compare(a, b Value) int {
	if a.Kind == Int && b.Kind == Int {
		x, errX := strconv.Atoi(a.Text)
		y, errY := strconv.Atoi(b.Text)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a.String(), b.String())
}

// ParseValue reads a value. Errors wrap ErrFormat and give the offset in bytes.
func ParseValue(text string) (Value, error) {
	p := &parser{text: text}
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	if p.skip(); p.at < len(text) {
		return Value{}, p.expected("the end")
	}
	return v, nil
}

type parser struct {
	text string
	at   int
}

func (p *parser) expected(what string) error {
	seen := p.text[min(p.at, len(p.text)):]
	if len(seen) > 20 {
		seen = seen[:20] + "..."
	}
	return fmt.Errorf("value, offset %d: expected %s, saw %q: %w", p.at, what, seen, ErrFormat)
}

func (p *parser) skip() {
	for p.at < len(p.text) && strings.ContainsRune(" \t\r\n", rune(p.text[p.at])) {
		p.at++
	}
}

// take goes past sign if it is next.
func (p *parser) take(sign string) bool {
	p.skip()
	if strings.HasPrefix(p.text[p.at:], sign) {
		p.at += len(sign)
		return true
	}
	return false
}

func (p *parser) value() (Value, error) {
	v, err := p.simple()
	if err == nil && p.take("..") {
		end, err := p.simple()
		return Value{Kind: Range, Elems: []Value{v, end}}, err
	}
	return v, err
}

func (p *parser) simple() (Value, error) {
	switch {
	case p.take("<<"):
		return p.list(Tuple, ">>")
	case p.take("{"):
		return p.list(Set, "}")
	case p.take("["):
		return p.pairs(Record, "|->", ",", "]")
	case p.take("("):
		return p.pairs(Function, ":>", "@@", ")")
	case p.take(`"`):
		return p.string()
	}
	begin := p.at
	if p.at < len(p.text) && p.text[p.at] == '-' {
		p.at++
	}
	for p.at < len(p.text) && (isWord(p.text[p.at])) {
		p.at++
	}
	word := p.text[begin:p.at]
	if word != "" && word[0] <= '9' { // no name begins so, and no error is made for each name
		if _, err := strconv.ParseInt(word, 10, 64); err == nil {
			return Value{Kind: Int, Text: word}, nil
		}
	}
	if word == "" || word[0] == '-' {
		p.at = begin
		return Value{}, p.expected("a value")
	}
	return Value{Kind: Name, Text: word}, nil
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *parser) string() (Value, error) {
	begin := p.at
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return Value{Kind: String, Text: p.text[begin : p.at-1]}, nil
		}
	}
	return Value{}, p.expected("the end of a string")
}

func (p *parser) list(kind ValueKind, end string) (Value, error) {
	v := Value{Kind: kind}
	if p.take(end) {
		return v, nil
	}
	for {
		e, err := p.value()
		if err != nil {
			return Value{}, err
		}
		v.Elems = append(v.Elems, e)
		if p.take(end) {
			return v, nil
		}
		if !p.take(",") {
			return Value{}, p.expected("a comma or " + end)
		}
	}
}

func (p *parser) pairs(kind ValueKind, arrow, sep, end string) (Value, error) {
	v := Value{Kind: kind}
	for {
		k, err := p.value()
		if err != nil {
			return Value{}, err
		}
		if !p.take(arrow) {
			return Value{}, p.expected(arrow)
		}
		e, err := p.value()
		if err != nil {
			return Value{}, err
		}
		v.Keys, v.Elems = append(v.Keys, k), append(v.Elems, e)
		if p.take(end) {
			return v, nil
		}
		if !p.take(sep) {
			return Value{}, p.expected(sep + " or " + end)
		}
	}
}

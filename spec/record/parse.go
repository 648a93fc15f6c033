package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ParseOp reads a call in its text form. Each call has one text: what is read
// prints as it was. Errors wrap ErrFormat.
func ParseOp(text string) (Op, error) {
	r := &reader{rest: text}
	o := r.op()
	r.end()
	if r.err != nil {
		return Op{}, fmt.Errorf("record: %w", r.err)
	}
	return o, nil
}

// A reader takes a line apart, from its left. After the first error it takes
// nothing more.
type reader struct {
	rest string
	err  error
}

func (r *reader) fail(expected string) {
	if r.err != nil {
		return
	}
	saw := "the end"
	if r.rest != "" {
		saw = strconv.Quote(r.rest[:min(len(r.rest), 24)])
	}
	r.err = fmt.Errorf("%w: expected %s, saw %s", ErrFormat, expected, saw)
}

// accept takes text off the line if it comes next.
func (r *reader) accept(text string) bool {
	rest, ok := strings.CutPrefix(r.rest, text)
	if ok = ok && r.err == nil; ok {
		r.rest = rest
	}
	return ok
}

func (r *reader) expect(text string) {
	if !r.accept(text) {
		r.fail(strconv.Quote(text))
	}
}

func (r *reader) end() {
	if r.rest != "" {
		r.fail("the end of the line")
	}
}

// unsigned takes a number, without a sign and without zeros before it.
func (r *reader) unsigned(what string, most uint64) uint64 {
	n := 0
	for n < len(r.rest) && '0' <= r.rest[n] && r.rest[n] <= '9' {
		n++
	}
	v, err := strconv.ParseUint(r.rest[:n], 10, 64)
	if err != nil || v > most || n > 1 && r.rest[0] == '0' {
		r.fail(what)
	}
	if r.err != nil {
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) id() ID { return r.unsigned("an id", math.MaxUint64) }

func (r *reader) stamp() int64 { return int64(r.unsigned("a stamp", math.MaxInt64)) }

// count takes a number of what there are never many of: threads, Ps, Gs.
func (r *reader) count(what string) int { return int(r.unsigned(what, math.MaxInt32)) }

// answer takes a number that a target gave: it may be anything.
func (r *reader) answer() int {
	if r.accept("-") {
		n := r.unsigned("a number below 0", math.MaxInt32)
		if n == 0 {
			r.fail("a number below 0")
		}
		return -int(n)
	}
	return int(r.unsigned("a number", math.MaxInt))
}

func (r *reader) p() int {
	r.expect("P")
	return r.count("the number of a P")
}

// list takes ids, each with a blank before it, and at least one.
func (r *reader) list() []ID {
	r.expect(" ")
	ids := []ID{r.id()}
	for r.accept(" ") {
		ids = append(ids, r.id())
	}
	return ids
}

// ids takes one id, or several in brackets.
func (r *reader) ids() []ID {
	if !r.accept("[") {
		return []ID{r.id()}
	}
	ids := []ID{r.id()}
	for r.accept(" ") {
		ids = append(ids, r.id())
	}
	if r.expect("]"); len(ids) == 1 {
		r.fail("brackets round several ids only")
	}
	return ids
}

// longest are the kinds, those first whose name begins with another's.
var longest = slices.SortedFunc(slices.Values(Kinds()), func(a, b Kind) int { return cmp.Compare(len(b.String()), len(a.String())) })

func (r *reader) kind() Kind {
	for _, k := range longest {
		if r.accept(k.String()) {
			return k
		}
	}
	r.fail("a kind of call")
	return 0
}

func (r *reader) op() Op {
	o := Op{P: None, Thief: None}
	r.expect("T")
	o.Thread = r.count("the number of a thread")
	r.expect(" ")
	o.Kind = r.kind()
	r.expect(" ")
	if o.Kind != GlobalPut || strings.HasPrefix(r.rest, "P") {
		o.P = r.p()
		if o.Kind.Steals() && r.accept("->") {
			o.Thief = r.p()
		}
		if o.Kind.Puts() {
			r.expect(" ")
		}
	}
	if o.Kind == GlobalGet {
		r.expect(" asking for ")
		o.Want = r.count("how many")
	}
	if o.Kind.Puts() {
		o.In = r.ids()
	}
	answered := r.accept(" = ")
	if answered {
		r.result(&o)
	}
	if r.accept(" [") {
		o.Call = r.stamp()
		r.expect("..")
		if !r.accept("?") {
			o.Return = r.stamp()
		}
		if r.expect("]"); o.Call == 0 {
			r.fail("a call stamped from 1 on")
		}
	}
	switch {
	case o.pending() && answered:
		r.fail("no answer of a call that did not return")
	case o.pending() || answered:
	case o.Kind.Puts():
		o.Count, o.OK = len(o.In), true
	case o.Kind == CloseQueue:
		o.OK = true
	default:
		r.fail("an answer")
	}
	for r.accept("; ") {
		if r.accept("then ") {
			o.After = r.contents()
			break
		}
		m := Move{From: r.place()}
		r.expect("->")
		m.To = r.place()
		m.IDs = r.list()
		o.Moved = append(o.Moved, m)
	}
	return o
}

// result takes what a call answered.
func (r *reader) result(o *Op) {
	switch {
	case o.Kind == Empty:
		if o.OK = r.accept("true"); !o.OK {
			r.expect("false")
		}
	case o.Kind == Len:
		o.Count, o.OK = r.answer(), true
	case o.Kind.Puts():
		r.expect("full after ")
		o.Count = r.answer()
	case !r.accept("none"):
		o.Out, o.OK = r.ids(), true
		o.FromRunnext = r.accept(" (runnext)")
	}
}

func (r *reader) place() Place {
	if r.accept("global") {
		return Place{Global, None}
	}
	p := Place{Ring, r.p()}
	if r.accept(".runnext") {
		p.Object = Runnext
	} else {
		r.expect(".ring")
	}
	return p
}

// contents takes what is where: every P, and the global queue if it holds
// something.
func (r *reader) contents() *Contents {
	c := new(Contents)
	for {
		if len(c.Ps) > 0 && r.accept("global") {
			c.Global = r.list()
			return c
		}
		r.expect("P" + strconv.Itoa(len(c.Ps)))
		var p PContents
		if r.accept(" runnext ") {
			if p.Runnext = r.id(); p.Runnext == 0 {
				r.fail("runnext only where it is filled")
			}
		}
		if r.accept(" ring") {
			p.Ring = r.list()
		}
		c.Ps = append(c.Ps, p)
		if !r.accept(", ") {
			return c
		}
	}
}

package record

import (
	"fmt"
	"strconv"
)

// The text form of a call: one line, whole, which ParseOp reads again.
//
//	T0 put P0 7 [1..2]
//	T0 put batch P0 [1 2 3] = full after 2 [3..4]
//	T0 put next P0 8 [5..6]; P0.runnext->P0.ring 7; then P0 runnext 8 ring 7, P1, global 5 6
//	T1 steal P0->P1 = 7 [5..8]; P0.ring->P1.ring 3 4
//	T0 global get P0 asking for 3 = none [9..10]
//	T1 get P1 [11..?]
//
// The last one did not return. After the stamps stand the moves, and after
// "then" what was where once the call had returned. It has what a call of that
// kind has a meaning for: no To but of a steal, no Arg but of a global get.

// Text returns the call in its text form, with nothing left out.
func (o Op) Text() string { return string(o.appendText(nil)) }

func (o *Op) appendText(b []byte) []byte {
	b = o.appendCall(b, appendIDs)
	if o.Call != 0 || o.Return != 0 {
		b = append(b, " ["...)
		b = strconv.AppendInt(b, o.Call, 10)
		b = append(b, ".."...)
		if o.Return == 0 {
			b = append(b, '?')
		} else {
			b = strconv.AppendInt(b, o.Return, 10)
		}
		b = append(b, ']')
	}
	for _, m := range o.Moved {
		b = append(b, "; "+m.From.String()+"->"+m.To.String()...)
		b = appendList(b, m.IDs)
	}
	if o.After != nil {
		b = append(b, "; then "...)
		b = o.After.appendText(b)
	}
	return b
}

// String shows the call and its result on one line, for people: long lists of
// ids are cut short, and stamps, moves and contents left out.
func (o Op) String() string {
	b := o.appendCall(nil, appendFewIDs)
	if o.pending() {
		b = append(b, " (did not return)"...)
	}
	return string(b)
}

func (o *Op) pending() bool { return o.Return == 0 && o.Call != 0 }

// appendCall writes the call and its result; ids writes a list of ids.
func (o *Op) appendCall(b []byte, ids func([]byte, []ID) []byte) []byte {
	b = append(b, 'T')
	b = strconv.AppendInt(b, int64(o.Thread), 10)
	b = append(b, ' ')
	b = append(b, o.Kind.String()...)
	if o.P != None || o.Kind != GlobalPut {
		b = append(b, " P"...)
		b = strconv.AppendInt(b, int64(o.P), 10)
	}
	if o.Kind.Steals() && o.Thief != None {
		b = append(b, "->P"...)
		b = strconv.AppendInt(b, int64(o.Thief), 10)
	}
	if o.Kind == GlobalGet {
		b = append(b, " asking for "...)
		b = strconv.AppendInt(b, int64(o.Want), 10)
	}
	if len(o.In) > 0 {
		b = ids(append(b, ' '), o.In)
	}
	switch {
	case o.pending():
	case o.Kind == Empty:
		b = strconv.AppendBool(append(b, " = "...), o.OK)
	case o.Kind == Len:
		b = strconv.AppendInt(append(b, " = "...), int64(o.Count), 10)
	case o.Kind.Takes() && len(o.Out) == 0:
		b = append(b, " = none"...)
	case o.Kind.Takes():
		b = ids(append(b, " = "...), o.Out)
		if o.FromRunnext {
			b = append(b, " (runnext)"...)
		}
	case !o.OK:
		b = strconv.AppendInt(append(b, " = full after "...), int64(o.Count), 10)
	}
	return b
}

// appendIDs writes one id alone, several in brackets.
func appendIDs(b []byte, ids []ID) []byte {
	if len(ids) == 1 {
		return strconv.AppendUint(b, ids[0], 10)
	}
	return fmt.Append(b, ids)
}

// appendFewIDs writes no more of a long list than its ends and its length.
func appendFewIDs(b []byte, ids []ID) []byte {
	if len(ids) <= 12 {
		return appendIDs(b, ids)
	}
	return fmt.Appendf(b, "[%d %d %d ... %d, %d ids]", ids[0], ids[1], ids[2], ids[len(ids)-1], len(ids))
}

// appendList writes each id with a blank before it.
func appendList(b []byte, ids []ID) []byte {
	for _, id := range ids {
		b = strconv.AppendUint(append(b, ' '), id, 10)
	}
	return b
}

// Text returns the contents in their text form: every P, and the global queue
// if it holds something.
//
//	P0 runnext 3 ring 1 2, P1, global 4 5
func (c *Contents) Text() string { return string(c.appendText(nil)) }

func (c *Contents) appendText(b []byte) []byte {
	for i := range c.Ps {
		p := &c.Ps[i]
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(append(b, 'P'), int64(i), 10)
		if p.Runnext != 0 {
			b = strconv.AppendUint(append(b, " runnext "...), p.Runnext, 10)
		}
		if len(p.Ring) > 0 {
			b = appendList(append(b, " ring"...), p.Ring)
		}
	}
	if len(c.Global) > 0 {
		b = appendList(append(b, ", global"...), c.Global)
	}
	return b
}

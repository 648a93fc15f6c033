package child

import (
	"encoding/json"

	"github.com/spindle-go/spindle/spec/record"
)

// Most of a history is lists of ids: a snapshot after each call holds every G
// there is. Reading them by reflection takes far longer than the run that they
// tell of, so the types here stand in for those of package record, with lists
// that read themselves; all other fields are theirs, promoted.

type wireAnswer struct {
	Answer
	History *wireHistory `json:"history"`
}

type wireHistory struct {
	record.History
	Ops   []wireOp     `json:"ops"`
	Final wireContents `json:"final"`
}

type wireOp struct {
	record.Op
	In    idList        `json:"in"`
	Out   idList        `json:"out"`
	Moved []wireMove    `json:"mv"`
	After *wireContents `json:"after"`
}

type wireMove struct {
	record.Move
	IDs idList `json:"ids"`
}

type wireContents struct {
	Ps []struct {
		record.PContents
		Ring idList `json:"ring"`
	} `json:"ps"`
	Global idList `json:"global"`
}

// idList is a []record.ID that reads the usual form of a JSON array by itself.
type idList []record.ID

func (l *idList) UnmarshalJSON(text []byte) error {
	ids, ok := parseIDs(text)
	if ok {
		*l = ids
		return nil
	}
	return json.Unmarshal(text, (*[]record.ID)(l)) // null, or an error to report
}

// parseIDs reads "[1,2,3]"; false for anything that it does not expect.
func parseIDs(text []byte) (ids []record.ID, ok bool) {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, false
	}
	text = text[1 : len(text)-1]
	n := 1
	for _, c := range text {
		if c == ',' {
			n++
		}
	}
	ids = make([]record.ID, 0, n)
	var id record.ID
	digits := 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9' && digits < 18: // 18 digits fit
			id = 10*id + record.ID(c-'0')
			digits++
		case c == ',' && digits > 0:
			ids = append(ids, id)
			id, digits = 0, 0
		default:
			return nil, false
		}
	}
	if digits == 0 {
		return nil, false // an empty list is rare enough
	}
	return append(ids, id), true
}

// parseAnswer reads one line of a child.
func parseAnswer(line []byte) (*Answer, error) {
	var w wireAnswer
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, err
	}
	a := w.Answer
	if w.History != nil {
		a.History = w.History.plain()
	}
	return &a, nil
}

func (w *wireHistory) plain() *record.History {
	h := w.History
	h.Final = w.Final.plain()
	h.Ops = make([]record.Op, len(w.Ops))
	for i := range w.Ops {
		wop := &w.Ops[i]
		op := &h.Ops[i]
		*op = wop.Op
		op.In, op.Out = wop.In, wop.Out
		for _, m := range wop.Moved {
			m.Move.IDs = m.IDs
			op.Moved = append(op.Moved, m.Move)
		}
		if wop.After != nil {
			after := wop.After.plain()
			op.After = &after
		}
	}
	return &h
}

func (w *wireContents) plain() record.Contents {
	c := record.Contents{Global: w.Global}
	for _, p := range w.Ps {
		p.PContents.Ring = p.Ring
		c.Ps = append(c.Ps, p.PContents)
	}
	return c
}

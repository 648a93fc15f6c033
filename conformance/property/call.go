package property

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// call makes one call and notes its result in op. A panic is the error.
func (s *Sequence) call(p int, in record.Instr, op *record.Op) (err error) {
	defer recovered(&err)
	q := s.ps[p]
	switch in.Kind {
	case record.Put, record.PutNext:
		op.In = s.ids(1)
		if in.Kind == record.Put {
			op.OK = q.Put(op.In[0])
		} else {
			op.OK = q.PutNext(op.In[0])
		}
		if op.OK {
			op.N = 1
		}
	case record.PutBatch:
		op.In = s.ids(max(1, in.Arg))
		op.N = q.PutBatch(slices.Clone(op.In))
		op.OK = op.N == len(op.In)
	case record.Get:
		id, next, ok := q.GetNext()
		op.Next = ok && next
		took(op, id, ok)
	case record.Steal, record.StealNext:
		op.P, op.To = s.Victim(p, in), p
		id, ok := s.ps[op.P].StealInto(q, in.Kind == record.StealNext)
		took(op, id, ok)
	case record.Drain:
		op.Out = q.Drain(nil)
		op.OK = len(op.Out) > 0
	case record.Empty:
		op.P = s.Victim(p, in)
		op.OK = s.ps[op.P].Empty()
	case record.Len:
		op.P = s.Victim(p, in)
		op.N, op.OK = s.ps[op.P].Len(), true
	case record.GlobalPut:
		op.P, op.In, op.N, op.OK = record.None, s.ids(1), 1, true
		s.set.GlobalPut(op.In[0])
	case record.GlobalGet:
		op.Arg = max(1, in.Arg)
		id, ok := s.set.GlobalGet(p, op.Arg)
		took(op, id, ok)
	default:
		return fmt.Errorf("property: call of kind %d", in.Kind)
	}
	if m := s.movers[p]; m != nil && in.Kind != record.Get {
		m.Moved(func(from, to record.Place, ids ...record.ID) {
			op.Moved = append(op.Moved, record.Move{From: from, To: to, IDs: slices.Clone(ids)})
		})
	}
	return nil
}

func took(op *record.Op, id record.ID, ok bool) {
	if op.OK = ok; ok {
		op.Out = []record.ID{id}
	}
}

// ids returns n new ids.
func (s *Sequence) ids(n int) []record.ID {
	ids := make([]record.ID, n)
	for i := range ids {
		s.last++
		ids[i] = s.last
	}
	return ids
}

// drain takes out what is left. It is bounded by what was put, twice: a queue
// that gives ids for ever is found out by the ids.
func (s *Sequence) drain() (final record.Contents, err error) {
	defer recovered(&err)
	final.Ps = make([]record.PContents, len(s.ps))
	for i, q := range s.ps {
		c := &final.Ps[i]
		for range 2*s.last + 1 {
			id, next, ok := q.GetNext()
			if !ok {
				break
			}
			if next && c.Runnext == 0 && len(c.Ring) == 0 {
				c.Runnext = id
			} else {
				c.Ring = append(c.Ring, id)
			}
		}
	}
	final.Global = s.set.GlobalContents()
	return final, nil
}

func recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v", v)
	}
}

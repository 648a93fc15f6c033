package strictjson

import (
	"encoding/json"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// history is what a child answers in a long run.
func history() []byte {
	h := record.History{Clock: record.ClockTime, Moves: true}
	for i := range 25_000 {
		op := record.Op{Thread: i % 4, Kind: record.Put, P: i % 4, Thief: record.None, In: []record.ID{record.ID(i + 1)}, Count: 1, OK: true, Call: int64(1000 * i), Return: int64(1000*i + 900)}
		switch i % 5 {
		case 1:
			op.Kind, op.In, op.Count, op.Out = record.Get, nil, 0, op.In
		case 2:
			op.Kind, op.In, op.Count, op.OK = record.Steal, nil, 0, false
		case 3:
			op.Moved = []record.Move{{From: record.Place{Object: record.Ring}, To: record.Place{Object: record.Global, P: record.None}, IDs: []record.ID{1, 2, 3, 4}}}
		}
		h.Ops = append(h.Ops, op)
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic(err)
	}
	return text
}

func BenchmarkHistory(b *testing.B) {
	text := history()
	for name, decode := range map[string]func(*record.History) error{
		"strict":        func(h *record.History) error { return Decode(text, h, Limits{}) },
		"encoding-json": func(h *record.History) error { return json.Unmarshal(text, h) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := decode(new(record.History)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

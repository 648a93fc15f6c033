package twolevel

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A program is a task and what it does: it spawns others and enters syscalls, in some order, and ends.
type program struct {
	text string
	main func(*Task)
}

// programs are all of so many spawns and syscalls.
func programs(spawns, calls int) (list []program) {
	if spawns+calls == 0 {
		return []program{{"", nothing}}
	}
	if calls > 0 {
		for _, rest := range programs(spawns, calls-1) {
			list = append(list, program{"call " + rest.text, does(call, rest.main)})
		}
	}
	for i := range spawns {
		for j := range calls + 1 {
			for _, child := range programs(i, j) {
				for _, rest := range programs(spawns-1-i, calls-j) {
					list = append(list, program{"spawn(" + child.text + ") " + rest.text, does(spawn(child.main), rest.main)})
				}
			}
		}
	}
	return list
}

// A wakesRow is a row of the table in tla/findings/two-levels.md.
type wakesRow struct {
	spawns, calls int
	model         uint64 // the most in the model, in any program with 3 Gs, 3 Ms and 2 Ps
	whole         bool   // all executions are explored
	program       string // of which this execution has as many, if no search finds one
	schedule      string
}

var wakesRows = []wakesRow{
	{spawns: 0, calls: 1, model: 1, whole: true},
	{spawns: 1, calls: 0, model: 2, whole: true},
	{spawns: 0, calls: 2, model: 2, whole: true},
	{spawns: 1, calls: 1, model: 4, program: "spawn() call ", schedule: "0a.12a1.29a1-1.40a.46a1-1.51a.55a1-1.60a1.71a1-1"},
	{spawns: 2, calls: 0, model: 4},
	{spawns: 1, calls: 2, model: 6},
	{spawns: 2, calls: 1, model: 6},
}

// counted is what came of counting wake-ups.
type counted struct {
	Failure                  string
	Most                     uint64
	Program                  string
	Programs, Of, Executions int
}

// TestWakes counts the wake-ups of every program with so many spawns and syscalls: the most of all executions that are explored. Of a row
// that is not explored as a whole, 100,000 executions of each program are looked at in order, 40,000 by chance, and one by hand.
func TestWakes(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WAKES")
	for _, row := range wakesRows {
		t.Run(fmt.Sprintf("%d spawns, %d syscalls", row.spawns, row.calls), func(t *testing.T) {
			if !row.whole {
				tier.OnlyFull(t)
			}
			payload, err := harness.Remote(t, func() ([]byte, error) { return row.count() })
			if err != nil {
				t.Fatal(err)
			}
			if payload == nil {
				return
			}
			var c counted
			if err := json.Unmarshal(payload, &c); err != nil {
				t.Fatal(err)
			}
			t.Logf("k %d, s %d: at most %d wake-ups, by %s; %d of %d programs explored as a whole, %d executions", row.spawns, row.calls, c.Most, c.Program, c.Programs, c.Of, c.Executions)
			if c.Failure != "" || c.Most > row.model || row.whole && c.Programs < c.Of || (row.whole || row.schedule != "") && c.Most < row.model {
				t.Errorf("DN-WAKES: expected %d wake-ups at most, saw %+v", row.model, c)
			}
		})
	}
}

func (row *wakesRow) count() ([]byte, error) {
	var c counted
	for _, p := range programs(row.spawns, row.calls) {
		body := func(x *interleave.Exec) {
			sc := scene{procs: 2, spawns: row.spawns, calls: row.calls, main: p.main}
			s := begun(x, sc)
			x.Finally(func() {
				atRest(x, s, sc)
				if n := s.idle.wakes; n > c.Most || c.Program == "" {
					c.Most, c.Program = n, p.text
				}
			})
		}
		c.Of++
		searches := [][]interleave.Option{
			{interleave.Exhaustive(), interleave.Executions(100_000)},
			{interleave.Walk(), interleave.Executions(20_000)},
			{interleave.PCT(), interleave.Executions(20_000)},
		}
		if p.text == row.program {
			searches = append(searches, []interleave.Option{interleave.Schedule(row.schedule)})
		}
		for _, opts := range searches {
			r, err := interleave.Explore(body, opts...)
			if err != nil {
				return nil, err
			}
			c.Executions += r.Certificate.Executions
			if r.Failure != nil {
				c.Failure = r.Text("")
			}
			if r.Certificate.Complete() {
				c.Programs++
				break
			}
		}
	}
	return json.Marshal(c)
}

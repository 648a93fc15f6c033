package strategy

import "github.com/spindle-go/spindle/interleave/internal/order"

// DFS runs all executions with at most Bound preemptions (switches away from a
// thread that could go on), with no reduction; a negative bound is none. With a
// small bound it finds most bugs, and finds them with the fewest switches.
type DFS struct {
	Bound   int
	Limited bool // something was left out because of the bound
	Done    bool // all were run
	path    []fork
}

type fork struct {
	thread uint8
	left   order.ThreadSet // still to be tried
	used   int             // preemptions before this point
	now    int8
	pick   uint16 // what the operation did, of picks
	picks  uint16
}

// Begin is of Chooser.
func (d *DFS) Begin(x *order.Execution) {
	x.Fresh = max(0, len(d.path)-1)
	x.Pairs = false
}

// Choose is of Chooser.
func (d *DFS) Choose(x *order.Execution, c Choice) (int, error) {
	at := len(x.Events)
	if c.Of > 0 {
		f := &d.path[at]
		if f.picks == 0 {
			f.picks = uint16(c.Of)
		}
		return RepeatPick(x, int(f.thread), int(f.pick), c)
	}
	if at < len(d.path) {
		return Repeat(x, int(d.path[at].thread), c)
	}
	f := fork{now: int8(c.Now)}
	if at > 0 {
		last := &d.path[at-1]
		f.used = last.used
		if last.now >= 0 && int(last.thread) != int(last.now) {
			f.used++
		}
	}
	t := c.Threads.Prefer(c.Now)
	f.thread = uint8(t)
	f.left = c.Threads &^ (1 << t)
	if d.Bound >= 0 && c.Now >= 0 && f.used >= d.Bound {
		d.Limited = d.Limited || f.left != 0
		f.left = 0
	}
	d.path = append(d.path, f)
	return t, nil
}

// End is of Chooser.
func (d *DFS) End(*order.Execution) bool {
	for len(d.path) > 0 {
		f := &d.path[len(d.path)-1]
		if f.pick+1 < f.picks {
			f.pick++
			return true
		}
		f.pick, f.picks = 0, 0
		if f.left != 0 {
			t := f.left.First()
			f.left &^= 1 << t
			f.thread = uint8(t)
			return true
		}
		d.path = d.path[:len(d.path)-1]
	}
	d.Done = true
	return false
}

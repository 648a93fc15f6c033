package strategy

import "github.com/spindle-go/spindle/interleave/internal/order"

// Script chooses by Bytes, so that a fuzzer can search schedules: pairs of a gap,
// how many steps the present thread goes on for (1 to 32), and a choice, which of
// the others that can go on is next. After the last pair a thread goes on as long
// as it can. Every sequence of bytes is a schedule, and a small change of it is a
// small change of the schedule.
type Script struct {
	Bytes []byte
	at    int
	left  int // steps before the next switch
	picks int // by operations that may do several things: each takes the next byte
}

// Begin is of Chooser.
func (b *Script) Begin(x *order.Execution) {
	b.at, b.picks = 0, 0
	b.next()
	x.Fresh, x.Pairs = 0, false
}

func (b *Script) next() {
	b.left = -1
	if b.at+1 < len(b.Bytes) {
		b.left = 1 + int(b.Bytes[b.at]%32)
	}
}

// Choose is of Chooser.
func (b *Script) Choose(_ *order.Execution, c Choice) (int, error) {
	if c.Of > 0 {
		if b.left < 0 {
			return 0, nil
		}
		b.picks++
		return int(b.Bytes[b.picks%len(b.Bytes)]) % c.Of, nil
	}
	if b.left > 0 && c.Now >= 0 {
		b.left--
		return c.Now, nil
	}
	if b.left < 0 {
		return c.Threads.Prefer(c.Now), nil
	}
	k := int(b.Bytes[b.at+1])
	b.at += 2
	b.next()
	others := c.Threads
	if c.Now >= 0 {
		others &^= 1 << c.Now
	}
	if others == 0 {
		return c.Now, nil
	}
	return others.Nth(k % others.Size()), nil
}

// End is of Chooser.
func (b *Script) End(*order.Execution) bool { return false }

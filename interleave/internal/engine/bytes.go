package engine

// script chooses by bytes, so that a fuzzer can search schedules: pairs of a gap,
// how many steps the present thread goes on for (1 to 32), and a choice, which of
// the others that can go on is next. After the last pair a thread goes on as long
// as it can. Every sequence of bytes is a schedule, and a small change of it is a
// small change of the schedule.
type script struct {
	bytes []byte
	at    int
	left  int // steps before the next switch
}

func (b *script) begin(s *scheduler) {
	b.at = 0
	b.next()
	s.fresh = 0
	s.pairs = false
}

func (b *script) next() {
	b.left = -1
	if b.at+1 < len(b.bytes) {
		b.left = 1 + int(b.bytes[b.at]%32)
	}
}

func (b *script) choose(s *scheduler, enabled threadSet, now int) int {
	if b.left > 0 && now >= 0 {
		b.left--
		return now
	}
	if b.left < 0 {
		return prefer(enabled, now)
	}
	k := int(b.bytes[b.at+1])
	b.at += 2
	b.next()
	others := enabled
	if now >= 0 {
		others &^= 1 << now
	}
	if others == 0 {
		return now
	}
	return others.nth(k % others.size())
}

func (b *script) end(*scheduler) bool { return false }

package sched

import (
	"testing"
	"unsafe"
)

// TestLines: what changes each time that a G is used again fills one cache line of 64 bytes, from the link and the number in queued up to the
// timer.
func TestLines(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("the lines are laid out for words of 64 bits")
	}
	var g G
	if from, to, size := unsafe.Offsetof(g.queued)+unsafe.Offsetof(g.queued.ID)+unsafe.Sizeof(g.queued.ID)-16, unsafe.Offsetof(g.timer), unsafe.Sizeof(g); from != 64 || to != 128 || size != 192 {
		t.Errorf("expected the second line from 64 to 128 of 192 bytes, saw it from %d to %d of %d", from, to, size)
	}
}

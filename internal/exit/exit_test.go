package exit

import (
	"slices"
	"testing"
)

func TestGravest(t *testing.T) {
	// Each of these hides all that come after it.
	order := []int{Usage, Error, Interrupted, Fail, Inconclusive, Pass}
	for i, graver := range order {
		for _, other := range order[i:] {
			for _, codes := range [][]int{{graver, other}, {other, graver}, {other, graver, other, Pass}} {
				if got := Gravest(codes...); got != graver {
					t.Errorf("%v: expected %d, saw %d", codes, graver, got)
				}
			}
		}
	}
	if got := Gravest(); got != Inconclusive {
		t.Errorf("nothing ran: expected %d, saw %d", Inconclusive, got)
	}
	for _, codes := range [][]int{{77}, {Pass, -1}, {256}, {Fail, 137}} {
		if got := Gravest(codes...); got != Error {
			t.Errorf("%v: expected %d, saw %d", codes, Error, got)
		}
	}
}

// The codes are what users write into their scripts.
func TestCodes(t *testing.T) {
	if codes := []int{Pass, Fail, Usage, Inconclusive, Error, Interrupted}; !slices.Equal(codes, []int{0, 1, 2, 3, 4, 130}) {
		t.Errorf("saw %v", codes)
	}
	if got, want := Footer(Fail, "1 of 2 models ended", "1 difference"), "fail: exit 1; 1 of 2 models ended, 1 difference\n"; got != want {
		t.Errorf("expected %q, saw %q", want, got)
	}
	// What compares nothing does not pass, and what goes wrong is called as ever.
	for code, want := range map[int]string{Pass: "measured: exit 0; x\n", Inconclusive: "inconclusive: exit 3; x\n", Fail: "fail: exit 1; x\n", Interrupted: "interrupted: exit 130; x\n"} {
		if got := Closing("measured", code, "x"); got != want {
			t.Errorf("expected %q, saw %q", want, got)
		}
	}
}

package chosen

import (
	"fmt"
	"strings"
	"testing"
)

func TestFirst(t *testing.T) {
	if a, b := first(""), first("12"); a != 0 || b != 12 {
		t.Errorf("expected 0 and 12, saw %d and %d", a, b)
	}
	for _, wrong := range []string{"x", "-1"} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, "expected a number from 0, saw") {
					t.Errorf("%q: expected a panic that says what was seen, saw %s", wrong, r)
				}
			}()
			first(wrong)
		}()
	}
}

func TestSet(t *testing.T) {
	defer Set(Number())
	if Set(3); Number() != 3 {
		t.Errorf("expected 3, saw %d", Number())
	}
	defer func() {
		if recover() == nil {
			t.Error("expected a panic, saw none")
		}
	}()
	Set(-1)
}

package show

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/printable"
)

func TestCalls(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", nil, ""},
		{"stamps from the first call on, a column for each thread that calls", []string{
			"T0 put P0 17 [1000..1096]; P0.ring->global 9 10 11 12",
			"T1 steal P0->P1 = 16 [1040..1260]; P0.ring->P1.ring 13 14; then P0, P1 ring 13 14",
			"T7 get P0 = 14 (runnext) [1100..?]",
		}, `
  call..return  T0                            T1                        T7
         0..96  put P0 17
                  P0.ring->global 9 10 11 12
       40..260                                steal P0->P1 = 16
                                                P0.ring->P1.ring 13 14
                                                then P0, P1 ring 13 14
        100..?                                                          get P0 = 14 (runnext)
`},
		{"no stamps", []string{"T2 add 3", "T2 read = 3"}, `
  call..return  T2
                add 3
                read = 3
`},
		{"the first call is the earliest, wherever it stands", []string{"T0 b [7..9]", "T0 a [5..6]"}, `
  call..return  T0
          2..4  b
          0..1  a
`},
		{"other lines are shown as they are", []string{"# seed 0x1", "T0 a [1..2]", "Tom", "T1", "T99999999999 x"}, `
  call..return  T0
  # seed 0x1
          0..1  a
  Tom
  T1
  T99999999999 x
`},
		{"no call at all", []string{"x = 3"}, `
  x = 3
`},
		{"of many numbers the middle is left out", []string{
			"T0 put batch P0 [1 2 3 4 5 6 7 8 9 10 11 12 13 14] [1..2]; a->b 1 2 3 4 5 6 7 8 9 10 11 12", "T0 drain = [1 2 3 4 5 6 7 8 9 10 11 12 13]",
		}, `
  call..return  T0
          0..1  put batch P0 [1 2 3 ... 14, 14 in all]
                  a->b 1 2 3 4 5 6 7 8 9 10 11 12
                drain = [1 2 3 ... 13, 13 in all]
`},
		{"what is no text is escaped", []string{"T0 put\x1b[2J [1..2]; ::error::x", "a\n::error::pwned", "T0 a\nb [1..2]"}, `
  call..return  T0
          0..1  put\x1b[2J
                  \x3a:error::x
  a\n::error::pwned
  T0 a\nb [1..2]
`},
		{"a line that is too long is no call", []string{"T0 " + strings.Repeat("x", maxParsed)}, `
  ` + printable.Line("T0 "+strings.Repeat("x", maxParsed), maxLine) + "\n"},
		{"a stamp that is no number of 64 bits is text", []string{"T0 a [99999999999999999999..1]", "T0 b [-1..2]"}, `
  call..return  T0
                a [99999999999999999999..1]
                b [-1..2]
`},
	} {
		if got, want := Calls(test.lines, "  ", nil), strings.TrimPrefix(test.want, "\n"); got != want {
			t.Errorf("%s: expected\n%s\nsaw\n%s", test.name, want, got)
		}
	}
}

func TestCallsAreBounded(t *testing.T) {
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("T%d put %d [%d..%d]", i%2, i, 2*i+1, 2*i+2))
	}
	got := Calls(lines, "", []int{3, 500, 998})
	if n := strings.Count(got, "\n"); n != 1+firstLines+1+lastLines {
		t.Errorf("expected a head, %d lines, a note and %d lines, saw %d", firstLines, lastLines, n)
	}
	if !strings.Contains(got, "\n... 880 lines\n") || !strings.Contains(got, "put 59\n") || strings.Contains(got, "put 60\n") || !strings.HasSuffix(got, "put 999\n") {
		t.Errorf("expected the first and the last lines, saw\n%s", got)
	}
	if strings.Count(got, mark) != 2 || !strings.Contains(got, "put 3"+mark+"\n") || !strings.Contains(got, "put 998"+mark+"\n") {
		t.Errorf("expected marks behind calls 3 and 998, saw\n%s", got)
	}
	// As many threads as calls are no table: its lines would be as long as all calls.
	for i := range lines {
		lines[i] = fmt.Sprintf("T%d get = %s", i, strings.Repeat("x", 1<<12))
	}
	if got = Calls(lines, "", nil); !strings.HasPrefix(got, "T0 get = x") || len(got) > (firstLines+lastLines+1)*(maxLine+1) {
		t.Errorf("expected plain lines of at most %d characters, saw %d in all: %.100q", maxLine, len(got), got)
	}
}

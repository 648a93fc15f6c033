package findings

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/tier"
)

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

func waits(list ...int) []time.Duration {
	var out []time.Duration
	for _, n := range list {
		out = append(out, time.Duration(n))
	}
	return out
}

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		waits []time.Duration
		want  Summary
		ok    bool
	}{
		{nil, Summary{}, false},
		{waits(5), Summary{5, 5, 5, 5}, true},
		{waits(9, 1), Summary{1, 9, 9, 9}, true},
		{waits(10, 9, 8, 7, 6, 5, 4, 3, 2, 1), Summary{1, 6, 10, 10}, true},
		{waits(20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), Summary{1, 11, 19, 20}, true},
	} {
		first := append(waits(), c.waits...)
		if got, ok := Summarize(c.waits); got != c.want || ok != c.ok {
			t.Errorf("%v: expected %v %v, saw %v %v", c.waits, c.want, c.ok, got, ok)
		}
		for i := range first {
			if first[i] != c.waits[i] {
				t.Fatal("Summarize changes what it is given")
			}
		}
	}
}

// TestCode: nothing tried is never a pass, nor is a flaw that was not seen where it must
// be, nor a mend that does not mend.
func TestCode(t *testing.T) {
	for _, c := range []struct {
		expect       Expect
		tries, shown int
		code         int
		verdict      string
	}{
		{Maybe, 0, 0, exit.Inconclusive, "nothing was tried"},
		{Shown, 0, 0, exit.Inconclusive, "nothing was tried"},
		{Never, 0, 0, exit.Inconclusive, "nothing was tried"},
		{Maybe, 9, 0, exit.Pass, "none"},
		{Maybe, 9, 1, exit.Pass, "shown"},
		{Shown, 9, 0, exit.Inconclusive, "not shown"},
		{Shown, 9, 1, exit.Pass, "shown"},
		{Never, 1, 0, exit.Inconclusive, "1 try, expected at least 5"},
		{Never, 4, 0, exit.Inconclusive, "4 tries, expected at least 5"},
		{Never, 5, 0, exit.Pass, "none"},
		{Never, 1, 1, exit.Fail, "NOT MENDED"},
		{Maybe, 1, 0, exit.Pass, "none"},
		{Never, 9, 0, exit.Pass, "none"},
		{Never, 9, 1, exit.Inconclusive, "seldom: a busy machine?"},
		{Never, 9, 4, exit.Inconclusive, "seldom: a busy machine?"},
		{Never, 9, 5, exit.Fail, "NOT MENDED"},
		{Never, 10, 5, exit.Fail, "NOT MENDED"},
	} {
		r := Result{Finding: &All[0], Variant: Variant{Expect: c.expect}, Tries: c.tries, Shown: c.shown}
		if r.Code() != c.code || r.verdict() != c.verdict {
			t.Errorf("%+v: saw %d %q", c, r.Code(), r.verdict())
		}
	}
}

// TestMissed: a try in which a gate was not passed says nothing of a mend.
func TestMissed(t *testing.T) {
	r := Result{Variant: Variant{Expect: Never}}
	if err := r.read(strings.NewReader("try false true 7\ntry false false 7\nend 2\n"), func() {}); err != nil {
		t.Fatal(err)
	}
	if r.Tries != 0 || r.Missed != 2 || r.Shown != 0 || len(r.Waits) != 0 || r.Code() != exit.Inconclusive {
		t.Errorf("saw %+v", r)
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"try true true 7\ntry true false 8\nend 2\n": "",
		"end 0\n":                  "",
		"":                         "expected a last line with the number of tries, 0, saw -1",
		"try true true 7\n":        "tries, 1, saw -1",
		"try true true 7\nend 2\n": "tries, 1, saw 2",
		"try true true\nend 1\n":   `expected a try or the end, saw "try true true"`,
		"end 0\ntry true true 7\n": "expected a try or the end",
		"fatal error: all goroutines are asleep\n": "expected a try or the end",
	} {
		var r Result
		err := r.read(strings.NewReader(text), func() {})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, saw %v", text, want, err)
		}
	}
}

func TestPrint(t *testing.T) {
	f := &Finding{Name: "name", Short: "what it is", Waits: "of whom", Shows: "when", Mend: "how"}
	var b bytes.Buffer
	err := Print(&b, f, []*Result{
		{Finding: f, Variant: Variant{Name: "shipped", built: asIs}, Tries: 3, Waits: []time.Duration{1500, 2 * time.Millisecond, 3 * time.Second}},
		{Finding: f, Variant: Variant{Name: "delayed", built: gated, Expect: Shown, args: []string{"-gates"}}, Missed: 4},
	}, "load 1.5")
	want := `name: what it is (load 1.5)
  waits:  of whom
  shown:  when
  mended: how
  VARIANT  RUNTIME       TRIES  MISSED  SHOWN  MIN     MEDIAN  90 %    MAX     
  shipped  as it is      3      0       0      1.5 µs  2.0 ms  3.00 s  3.00 s  none
  delayed  gates closed  0      4       0      -       -       -       -       nothing was tried
`
	if err != nil || b.String() != want {
		t.Errorf("expected\n%s\nsaw\n%s\n%v", want, b.String(), err)
	}
}

// fakeBench has a script in the place of all programs.
func fakeBench(t *testing.T, text string) *Bench {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script here")
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return &Bench{built: map[string]string{"program-0": path}}
}

var plain = Finding{Name: "plain", Variants: []Variant{{Name: "shipped", Weight: 1, built: asIs}}}

func TestRun(t *testing.T) {
	for text, want := range map[string]string{
		"echo try true true 7; echo end 1":             "",
		"echo try true true 7; exit 3":                 "exit status 3",
		"echo try true true 7; echo end 1; exit 3":     "exit status 3",
		"echo try true true 7":                         "expected a last line",
		"echo no; sleep 100":                           "expected a try or the end",
		"echo try true true 7; echo fatal >&2; exit 2": "fatal",
		"[ \"$*\" = '-for 1s plain' ]; echo end $?":    "",
	} {
		begin := time.Now()
		_, err := fakeBench(t, text).Run(t.Context(), &plain, 0, time.Second, func(string) {})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, saw %v", text, want, err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%q: expected the end at once, saw it after %v", text, took)
		}
	}
}

// TestInterrupt: what a reproducer has started ends with it.
func TestInterrupt(t *testing.T) {
	tier.OnlyFull(t)
	alive := filepath.Join(t.TempDir(), "alive")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	b := fakeBench(t, "(sleep 3; echo > "+alive+") & sleep 100")
	if _, err := b.Run(ctx, &plain, 0, time.Minute, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("expected context.Canceled, saw %v", err)
	}
	time.Sleep(3 * time.Second)
	if _, err := os.Stat(alive); err == nil {
		t.Error("what the reproducer had started went on")
	}
}

// TestClose: nothing is left.
func TestClose(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	b, err := NewBench(toolchain(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "spindle-findings-*")); err != nil || len(left) > 0 {
		t.Errorf("expected nothing, saw %v, %v", left, err)
	}
}

func TestSelect(t *testing.T) {
	if all, err := Select(nil); err != nil || len(all) != len(All) {
		t.Errorf("saw %d, %v", len(all), err)
	}
	if some, err := Select([]string{"timer", "wakep"}); err != nil || len(some) != 2 || some[0].Name != "timer" {
		t.Errorf("saw %v, %v", some, err)
	}
	if _, err := Select([]string{"wakeup"}); err == nil || !strings.Contains(err.Error(), `expected one of wakep, handoffp,`) {
		t.Errorf("saw %v", err)
	}
}

// TestShare: the parts are the whole.
func TestShare(t *testing.T) {
	for _, f := range All {
		sum := time.Duration(0)
		for i := range f.Variants {
			sum += f.Share(i, 75*time.Second)
		}
		if sum < 74*time.Second || sum > 75*time.Second {
			t.Errorf("%s: %v", f.Name, sum)
		}
	}
	if n := len(All); n < 9 {
		t.Errorf("%d findings", n)
	}
}

// What the user has set for the runtime of a program is not what a finding is shown on.
func TestUnset(t *testing.T) {
	got := unset([]string{"PATH=/bin", "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1", "GOGC=5", "GOMEMLIMIT=1", "GODEBUGGER=x", "TMPDIR=/tmp"})
	if want := "PATH=/bin GODEBUGGER=x TMPDIR=/tmp"; strings.Join(got, " ") != want {
		t.Errorf("expected %q, saw %q", want, got)
	}
}

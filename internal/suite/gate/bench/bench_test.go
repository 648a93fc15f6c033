package bench

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// output is what go test -bench prints.
func output(names []string, n int, ns func(name string, i int) float64) string {
	var b strings.Builder
	b.WriteString("goos: linux\npkg: example.org/q\n")
	for i := range n {
		for _, name := range names {
			fmt.Fprintf(&b, "Benchmark%s-2 100 %v ns/op\n", name, ns(name, i))
		}
	}
	return b.String() + "PASS\nok  \texample.org/q\t1s\n"
}

func set(t testing.TB, text string) *Set {
	t.Helper()
	s, err := Read("file", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func steady(ns float64) func(string, int) float64 {
	return func(_ string, i int) float64 { return ns + float64(i)/100 }
}

func TestCompare(t *testing.T) {
	old := set(t, output([]string{"Put", "Get", "Gone"}, 8, steady(100)))
	rows, err := Compare(old, set(t, output([]string{"Get", "Put", "Steal"}, 8, func(name string, i int) float64 {
		return map[string]float64{"Get": 100, "Put": 125, "Steal": 7}[name] + float64(i)/100
	})))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		says   string
		slower bool // than 1.10
	}{
		{`"example.org/q.Put-2": 1.25 times as long (100 ns to 125 ns, p=0.0002, n=8+8)`, true},
		{`"example.org/q.Get-2": 1 times as long (100 ns to 100 ns, p=1.0000, n=8+8)`, false},
		{`"example.org/q.Gone-2" disappeared`, false},
		{`"example.org/q.Steal-2" is new`, false},
	} {
		if i >= len(rows) || rows[i].String() != want.says || rows[i].Slower(1.10) != want.slower {
			t.Errorf("expected %q, slower %v, saw %+v", want.says, want.slower, rows)
		}
	}
	if rows[0].Slower(1.26) {
		t.Error("1.25 is slower than the limit 1.26")
	}
}

// TestNoise holds that what is beyond the limit by chance alone does not count: of
// samples of one distribution, with a spread of a half, hardly any are slower.
func TestNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := func(string, int) float64 { return 100 * math.Exp(rng.NormFloat64()/2) }
	slower, beyond := 0, 0
	for range 1000 {
		rows, err := Compare(set(t, output([]string{"Put"}, 10, noise)), set(t, output([]string{"Put"}, 10, noise)))
		if err != nil {
			t.Fatal(err)
		}
		if rows[0].Ratio > 1.1 {
			beyond++
		}
		if rows[0].Slower(1.1) {
			slower++
		}
	}
	if slower > 5 || beyond < 100 {
		t.Errorf("of 1000, %d are beyond the limit and %d slower", beyond, slower)
	}
}

// TestSamples holds that samples too few are an error exactly where no difference
// could show.
func TestSamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, m := rapid.IntRange(1, 20).Draw(rt, "n"), rapid.IntRange(1, 20).Draw(rt, "m")
		rows, err := Compare(set(t, output([]string{"Put"}, n, steady(100))), set(t, output([]string{"Put"}, m, steady(200))))
		if could := rows[0].P < Alpha; could != (err == nil) || err != nil && !errors.Is(err, ErrSamples) {
			rt.Fatalf("samples of %d and %d, all of one less than all of the other: p=%v, %v", n, m, rows[0].P, err)
		}
	})
	_, err := Compare(set(t, output([]string{"Put"}, 6, steady(100))), set(t, output([]string{"Put"}, 5, steady(100))))
	if err == nil || !strings.Contains(err.Error(), `"example.org/q.Put-2" has 6 and 5, a difference at p < 0.001 takes at least 7 of each`) {
		t.Errorf("saw %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	good := output([]string{"Put"}, 3, steady(100))
	for _, c := range []struct{ name, text, says string }{
		{"nothing", "", "saw no results"},
		{"no results", "PASS\nok  \tx\t1s\n", "saw no results"},
		{"failed", good + "--- FAIL: BenchmarkGet\nFAIL\n", "a run failed"},
		{"panic", good + "panic: no\n", "a run failed"},
		{"malformed", good + "BenchmarkGet-2 100 x ns/op\n", "file:"},
		{"zero", good + "BenchmarkGet-2 100 0 ns/op\n", "expected a positive number"},
		{"negative", good + "BenchmarkGet-2 100 -3 ns/op\n", "expected a positive number"},
		{"nan", good + "BenchmarkGet-2 100 NaN ns/op\n", "expected a positive number"},
		{"inf", good + "BenchmarkGet-2 100 +Inf ns/op\n", "expected a positive number"},
		{"no time", good + "BenchmarkGet-2 100 3 B/op\n", "expected a positive number"},
		{"large", strings.Repeat("\n", maxFile+1), "expected at most"},
	} {
		if _, err := Read("file", strings.NewReader(c.text)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: expected %v with %q, saw %v", c.name, ErrFormat, c.says, err)
		}
	}
}

// TestPackages holds that benchmarks of two packages are two.
func TestPackages(t *testing.T) {
	a := output([]string{"Put"}, 8, steady(100))
	s := set(t, a+strings.ReplaceAll(a, "example.org/q", "example.org/r"))
	if len(s.names) != 2 || len(s.samples[s.names[0]]) != 8 {
		t.Errorf("%v", s.names)
	}
}

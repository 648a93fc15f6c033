package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRatios(t *testing.T) {
	for _, c := range []struct {
		name, args, golden string
		exit               int
		says               string // in what is written, if that is not all in a golden file
	}{
		{"table", "testdata/ten.txt", "ten", exitOK, ""},
		{"without the runtime", "testdata/plain.txt", "plain", exitOK, ""},
		{"two files", "testdata/five.txt testdata/ten.txt", "", exitOK, "15\n"},
		{"limits held", "-max PutGet=1.5,PutGetNext=1.3 testdata/ten.txt", "", exitOK, ""},
		{"limit missed", "-max PutGet=1.3,PutGetNext=1.3 testdata/ten.txt", "missed", exitMissed, ""},
		{"missed and unknown", "-max PutGet=1.3,Put=1 testdata/ten.txt", "", exitMissed, "UNKNOWN Put: no such benchmark"},
		{"limit inside the interval", "-max PutGet=1.468 testdata/ten.txt", "", exitOK, ""},
		{"other variant", "-of mutex -max PutGet=1.5 testdata/ten.txt", "", exitMissed, "MISSED PutGet: expected at most 1.50, saw 2.0"},
		{"no such benchmark", "-max Put=1.5 testdata/ten.txt", "", exitUnknown, "UNKNOWN Put: no such benchmark"},
		{"no such variant", "-of other -max PutGet=1.5 testdata/ten.txt", "", exitUnknown, "no variant other"},
		{"no runtime", "-max PutGet=1.5 testdata/plain.txt", "", exitUnknown, "no variant runtime to compare with"},
		{"compared with itself", "-base impl -max PutGet=1.5 testdata/ten.txt", "", exitUnknown, "compared with itself"},
		{"too few samples", "-max PutGet=1.5 testdata/five.txt", "few", exitUnknown, ""},
		{"numbers differ", "-max PutGet=1.5 testdata/uneven.txt", "uneven", exitUnknown, ""},
		{"failed run", "testdata/failed.txt", "", exitUnknown, "a run failed: --- FAIL: BenchmarkSteal/8/impl"},
		{"malformed", "testdata/malformed.txt", "", exitUnknown, "malformed.txt:5"},
		{"nothing", "testdata/none.txt", "", exitUnknown, "no results"},
		{"missing file", "testdata/missing.txt", "", exitUnknown, "missing.txt"},
		{"bad limit", "-max PutGet testdata/ten.txt", "", exitUsage, "expected BENCHMARK=RATIO"},
		{"bad ratio", "-max PutGet=-1 testdata/ten.txt", "", exitUsage, "expected BENCHMARK=RATIO"},
		{"two limits", "-max PutGet=1,PutGet=2 testdata/ten.txt", "", exitUsage, "two limits for PutGet"},
		{"bad flag", "-x", "", exitUsage, "-x"},
		{"nothing to draw", "-svg no.svg -base none testdata/plain.txt", "", exitUnknown, "no.svg: no ratios to draw"},
		{"file that cannot be written", "-md no/such/folder testdata/ten.txt", "", exitUnknown, "no/such/folder"},
		{"help", "-h", "", exitOK, "-max"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			if exit := ratios(strings.Fields(c.args), strings.NewReader(""), &out, &out); exit != c.exit {
				t.Errorf("exit %d, want %d", exit, c.exit)
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("wrote %q, want %q in it", out.String(), c.says)
			}
			if c.golden != "" {
				golden(t, filepath.Join("testdata", c.golden+".golden"), out.String())
			}
			if t.Failed() {
				t.Logf("wrote:\n%s", &out)
			}
		})
	}
}

func TestStandardInput(t *testing.T) {
	f, err := os.Open("testdata/ten.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out strings.Builder
	if exit := ratios(nil, f, &out, &out); exit != exitOK {
		t.Errorf("exit %d, want %d: %s", exit, exitOK, &out)
	}
	golden(t, "testdata/ten.golden", out.String())
	if exit := ratios(nil, strings.NewReader(""), &out, &out); exit != exitUnknown {
		t.Errorf("empty input: exit %d, want %d", exit, exitUnknown)
	}
}

// TestPaired holds that ratios are taken sample by sample: here each round is
// slower than the last, and the ratio is the same in all.
func TestPaired(t *testing.T) {
	var in strings.Builder
	for ns := range 8 {
		fmt.Fprintf(&in, "BenchmarkX/runtime 1 %d ns/op\nBenchmarkX/impl 1 %d ns/op\n", 10<<ns, 15<<ns)
	}
	r, err := read(nil, strings.NewReader(in.String()))
	if err != nil {
		t.Fatal(err)
	}
	r.compare([]string{"runtime"})
	v := r.benchmarks[0].variant("impl")
	if near := func(x float64) bool { return 1.499 < x && x < 1.501 }; !near(v.ratio.lo) || !near(v.ratio.mid) || !near(v.ratio.hi) {
		t.Errorf("ratio %+v, want 1.5 without a spread", v.ratio)
	}
}

// TestDrawn holds the picture and the table of what five variants took, one of them with a name that XML and
// Markdown would take for their own, and one with too few samples.
func TestDrawn(t *testing.T) {
	dir := t.TempDir()
	svg, md := filepath.Join(dir, "x.svg"), filepath.Join(dir, "x.md")
	var out strings.Builder
	if exit := ratios([]string{"-base", "goroutines", "-of", "sched", "-svg", svg, "-md", md, "testdata/drawn.txt"}, strings.NewReader(""), &out, &out); exit != exitOK {
		t.Fatalf("exit %d: %s", exit, &out)
	}
	for file, want := range map[string]string{svg: "testdata/drawn.svg", md: "testdata/drawn.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, want, string(text))
	}
	text, err := os.Open(svg)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	said := ""
	for d := xml.NewDecoder(text); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
		if chars, ok := token.(xml.CharData); ok {
			said += string(chars)
		}
	}
	if !strings.Contains(said, "<b>&|") {
		t.Errorf("expected the name <b>&| in the text of the picture, saw %q", said)
	}
}

// TestAxis holds the places on the axis: equal factors are equal distances, and 1 lies between its ends.
func TestAxis(t *testing.T) {
	p := plot{min: 0.1, max: 10}
	if l, m, r := p.x(0.1), p.x(1), p.x(10); l != svgLeft || math.Abs(m-(svgLeft+svgRight)/2) > 1e-9 || r != svgRight {
		t.Errorf("0.1, 1 and 10 lie at %v, %v and %v", l, m, r)
	}
	if ticks := fmt.Sprintf("%.4g", p.ticks()); ticks != "[0.1 0.2 0.5 1 2 5 10]" {
		t.Errorf("the ticks are %s", ticks)
	}
	for seconds, want := range map[float64]string{1.5e-9: "1.50 ns", 17.61e-9: "17.6 ns", 999e-9: "999 ns", 17.61e-6: "17.6 µs", 0.25: "250 ms", 3: "3.00 s"} {
		if saw := duration(seconds); saw != want {
			t.Errorf("%v s: expected %s, saw %s", seconds, want, saw)
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("SPINDLE_UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

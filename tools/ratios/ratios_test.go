package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

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

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
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

package command

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/tla/tlc"
)

// rows are the lines of models, without the seconds, in an order that does not depend
// on them.
func rows(out string) string {
	lines := regexp.MustCompile(`(?m)^(ok|open|DIFF|error) .* depth +[0-9]+`).FindAllString(out, -1)
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A model that a limit ends is open, whatever is expected of it, and no row of the table
// is made of it. One that meets no limit is as ever, with any workers.
func TestModelLimits(t *testing.T) {
	// By a search that judges states, by one for a circle, and one that must fall.
	models := []string{"runqueue-batches", "sched-live", "sched-mended+no_needspinning"}
	model := func(flags ...string) (int, string) {
		code, out, errs := run(t.Context(), append([]string{"model"}, append(flags, models...)...)...)
		if errs != "" {
			t.Errorf("%v: %s", flags, errs)
		}
		return code, out
	}
	code, whole := model()
	if code != 0 || strings.Count(whole, "\nok ") != len(models) {
		t.Fatalf("%d\n%s", code, whole)
	}
	for _, flags := range [][]string{{"-max-states", "100"}, {"-max-memory", "100kB"}, {"-max-states", "100", "-measure"}, {"-max-memory", "1", "-measure", "-workers", "2"}} {
		code, out := model(flags...)
		if code != 3 || strings.Count(out, "\nopen ") != len(models) || strings.Count(out, " not ended: more than ") != len(models) ||
			regexp.MustCompile(`(?m)^(ok|DIFF|\{)|  holds  `).MatchString(out) || !strings.Contains(out, "inconclusive: exit 3; 0 of 3 models ended") {
			t.Errorf("%v: expected exit 3 and that no model ended, saw %d\n%s", flags, code, out)
		}
	}
	for _, flags := range [][]string{{"-max-states", "1000000"}, {"-max-memory", "1GB", "-workers", "1"}, {"-max-memory", "0", "-jobs", "1"}, {"-workers", "3"}} {
		if code, out := model(flags...); code != 0 || rows(out) != rows(whole) {
			t.Errorf("%v: expected as without, saw %d\n%s\nand\n%s", flags, code, out, whole)
		}
	}
	for _, flags := range [][]string{{"-max-states", "-1"}, {"-workers", "-1"}, {"-max-memory", "-1GB"}, {"-max-memory", "many"}} {
		if code, out, errs := run(t.Context(), append([]string{"model"}, flags...)...); code != 2 || errs == "" {
			t.Errorf("%v: expected exit 2, saw %d\n%s", flags, code, out)
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"0": 0, "1": 1, "7B": 7, "500MB": 5e8, "4GB": 4e9, "4g": 4e9, "1.5GB": 15e8, "2KiB": 2048, "1 GB": -1, "2GiB": 2 << 30, "1TiB": 1 << 40,
		"": -1, "GB": -1, "-1": -1, "-1GB": -1, "4PB": -1, "1e30": -1, "NaN": -1, "inf": -1, "0.5": -1, "4GBB": -1,
	} {
		got := size(-1)
		if err := got.Set(text); (err == nil) != (want >= 0) || got != want {
			t.Errorf("%q: expected %d, saw %d, %v", text, want, got, err)
		}
	}
	for n, want := range map[size]string{-1: "", 0: "", 5e8: "500 MB", 4e9: "4 GB", 18_340_000_000: "18.3 GB"} {
		if got := n.String(); got != want {
			t.Errorf("%d: expected %q, saw %q", n, want, got)
		}
	}
}

func TestFree(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  size
	}{
		{nil, 0},
		{map[string]string{"/proc/meminfo": "MemTotal: 9 kB\nMemAvailable:    5 kB\nBuffers: 1 kB\n"}, 5120},
		{map[string]string{"/proc/meminfo": "MemAvailable: 5 kB\n", "/sys/fs/cgroup/memory.max": "max\n"}, 5120},
		{map[string]string{"/proc/meminfo": "MemAvailable: 5 kB\n", "/sys/fs/cgroup/memory.max": "4000\n", "/sys/fs/cgroup/memory.current": "1000\n"}, 3000},
		{map[string]string{"/sys/fs/cgroup/memory.max": "4000\n"}, 4000},
		{map[string]string{"/sys/fs/cgroup/memory.max": "4000\n", "/sys/fs/cgroup/memory.current": "5000\n"}, 1},
	} {
		read := func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("none")
		}
		if got := free(read); got != c.want {
			t.Errorf("%v: expected %d, saw %d", c.files, c.want, got)
		}
	}
}

// One model has all processors, many have one each, and the last ones those of the
// others; never more than there are.
func TestProcessors(t *testing.T) {
	for _, c := range []struct {
		all, models, workers, each int
		spare                      string // after each model without a next
	}{
		{2, 1, 0, 2, "[0]"},
		{2, 2, 0, 1, "[1 1]"},
		{2, 4, 0, 1, "[0 0 1 1]"},
		{16, 4, 0, 4, "[4 8 12 12]"},
		{5, 2, 0, 2, "[3 3]"},
		{1, 1, 0, 1, "[0]"},
		{8, 2, 3, 3, "[0 0]"},
	} {
		p := newProcessors(c.all, c.models, c.workers)
		spare := []int{}
		for range c.models {
			p.idle()
			spare = append(spare, len(p.spare))
		}
		if p.each != c.each || fmt.Sprint(spare) != c.spare {
			t.Errorf("%+v: saw %d, %v", c, p.each, spare)
		}
	}
}

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		p    tlc.Progress
		want string
	}{
		{tlc.Progress{}, "12 s"},
		{tlc.Progress{Depth: 3, Distinct: 5000, Queue: 70, Liveness: true}, "12 s; at the last report depth 3, 5000 distinct states, 70 to go, checking liveness"},
		{tlc.Progress{Depth: 3, Distinct: 5000, Queue: 70, Rate: 1_930_000, Memory: 250_000_000},
			"12 s; at the last report depth 3, 5000 distinct states, 70 to go, 1.9 million/s, 250 MB"},
	} {
		if got := progressText(c.p, 12*time.Second); got != c.want {
			t.Errorf("expected %q, saw %q", c.want, got)
		}
	}
	if got := rate(3e6, 2*time.Second, 2e-7); !strings.HasSuffix(got, "2.0 s of CPU; 3000000 distinct states, 1.5 million a CPU second; the chance that one was missed, for two had one fingerprint, is 2e-07") {
		t.Errorf("saw %q", got)
	}
}

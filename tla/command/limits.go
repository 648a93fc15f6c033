package command

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
)

// A size is bytes of memory, as a flag; below 0 is what is not said.
type size int64

// Set reads a number with a unit: kB, MB, GB and TB, or KiB, MiB, GiB and TiB.
func (s *size) Set(text string) error {
	number := strings.TrimRight(text, "BKMGTikmgt")
	n, err := strconv.ParseFloat(number, 64)
	unit, known := map[string]float64{
		"": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	}[strings.ToLower(text[len(number):])]
	if n *= unit; err != nil || !known || !(n >= 0 && n < math.MaxInt64) || n > 0 && n < 1 {
		return fmt.Errorf("expected a size such as 500MB or 4GB, or 0 for no limit, saw %q", text)
	}
	*s = size(n)
	return nil
}

func (s *size) String() string {
	switch n := float64(*s); {
	case n <= 0:
		return ""
	case n < 1e9:
		return fmt.Sprintf("%.3g MB", n/1e6)
	default:
		return fmt.Sprintf("%.3g GB", n/1e9)
	}
}

// free returns how much memory a new process could have, in bytes, where Linux tells
// it: what is available, of the machine and of its control group. Elsewhere it is 0.
func free(read func(string) ([]byte, error)) size {
	least := int64(math.MaxInt64)
	if text, err := read("/proc/meminfo"); err == nil {
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var kib int64
			if _, err := fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &kib); err == nil {
				least = min(least, kib<<10)
			}
		}
	}
	number := func(name string) (int64, bool) {
		text, err := read("/sys/fs/cgroup/" + name)
		n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // or "max"
		return n, err == nil && bad == nil
	}
	if most, ok := number("memory.max"); ok {
		used, _ := number("memory.current")
		least = min(least, max(1, most-used))
	}
	if least == math.MaxInt64 {
		return 0
	}
	return size(least)
}

// share gives each of the models that are explored at a time its part of the memory,
// if nobody said how much, and of the processors.
func (o *modelOptions) share(models int) *processors {
	o.jobs = max(1, min(o.jobs, models))
	if o.maxMemory < 0 {
		o.maxMemory = free(os.ReadFile) / 4 * 3 / size(o.jobs)
	}
	return newProcessors(runtime.GOMAXPROCS(0), o.jobs, o.workers)
}

// limits says what ends a model.
func (o *modelOptions) limits() string {
	text := fmt.Sprintf("a model ends after %v", o.timeout)
	if o.maxStates > 0 {
		text += ", or " + cli.Plural(o.maxStates, "state")
	}
	if o.maxMemory > 0 {
		text += fmt.Sprintf(", or %v of memory", &o.maxMemory)
	}
	return text
}

// processors are those of the machine, and what of them has nothing to do.
type processors struct {
	each  int           // model's workers
	spare chan struct{} // one for each that no model has; nil: each keeps what it has
	all   int
	busy  int // of those that explore one model after another
	lent  int
}

// newProcessors shares all processors among models at a time. If workers is not 0, so
// many have each.
func newProcessors(all, models, workers int) *processors {
	if workers > 0 {
		return &processors{each: workers}
	}
	p := &processors{each: max(1, all/models), all: all, busy: models}
	p.spare = make(chan struct{}, all)
	if p.each == all { // a search keeps work ready for all that may come
		p.spare = make(chan struct{})
	}
	return p
}

// idle says that there is one model less from now on, so that others may have its
// processors. Calls must not overlap.
func (p *processors) idle() {
	if p.spare == nil {
		return
	}
	p.busy--
	for p.busy > 0 && p.busy*p.each+p.lent < p.all {
		p.lent++
		p.spare <- struct{}{}
	}
}

func (p *processors) String() string {
	if p.spare == nil {
		return cli.Plural(p.each, "worker") + " each"
	}
	return "on " + cli.Plural(p.all, "processor")
}

package findings

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/procgroup"
)

// Errors of a reproducer.
var (
	ErrRun      = errors.New("running a reproducer")
	ErrPlatform = errors.New("expected a unix, which the reproducers need")
)

// Supported returns ErrPlatform where the reproducers do not run.
func Supported() error {
	if !procgroup.Supported {
		return fmt.Errorf("%w, saw %s", ErrPlatform, runtime.GOOS)
	}
	return nil
}

// A Result is what one variant has shown.
type Result struct {
	Finding *Finding
	Variant Variant
	// Tries are those that count: the schedule was met, with gates, all were passed.
	// Missed are the others.
	Tries, Missed int
	Shown         int             // tries in which the flaw was seen
	Waits         []time.Duration // of each try that counts, sorted by Summarize
	Took          time.Duration
	odd           bool // the reproducer has printed what is no result
}

// grace is how long a reproducer may go on when its time is up: the longest try has a
// computation of 2 s.
const grace = 20 * time.Second

// Run builds variant i of f and runs it for the time. say is told what goes on.
func (b *Bench) Run(ctx context.Context, f *Finding, i int, limit time.Duration, say func(string)) (*Result, error) {
	v := f.Variants[i]
	say(fmt.Sprintf("%s, %s: building; the first time this compiles the standard library, up to half a minute", f.Name, v.Name))
	path, err := b.program(ctx, f, v.built)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	args := append([]string{"-for", limit.String()}, v.args...)
	cmd := exec.CommandContext(ctx, path, append(args, f.Name)...)
	cmd.Env = unset(os.Environ())
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd) }
	cmd.WaitDelay = buildGrace
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRun, err)
	}
	r := &Result{Finding: f, Variant: v}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRun, err)
	}
	told := time.Time{}
	read := r.read(out, func() {
		if time.Since(told) > 200*time.Millisecond {
			told = time.Now()
			say(fmt.Sprintf("%s, %s: %d of %d tries, %v of %v", f.Name, v.Name, r.Shown, r.Tries, time.Since(begin).Round(time.Second), limit))
		}
	})
	if r.odd {
		_ = cmd.Cancel()
	}
	err = cmd.Wait()
	r.Took = time.Since(begin)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: %s, %s: expected an end after %v, saw none %v later", ErrRun, f.Name, v.Name, limit, grace)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case read != nil && (err == nil || r.odd):
		err = read
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s, %s: %w\n%s", ErrRun, f.Name, v.Name, err, ends(stderr.String()))
	}
	return r, nil
}

// unset is an environment without what changes how a runtime schedules: the one that is
// shown is to be as it is, and a collection is none of the steps of a schedule.
func unset(env []string) []string {
	return slices.DeleteFunc(env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains([]string{"GODEBUG", "GOMAXPROCS", "GOGC", "GOMEMLIMIT"}, name)
	})
}

// read reads what a reproducer prints. It is cut off if the last line is not there.
func (r *Result) read(from io.Reader, each func()) error {
	lines := bufio.NewScanner(from)
	n, end := 0, -1
	for lines.Scan() {
		var met, shown bool
		var wait int64
		if _, err := fmt.Sscanf(lines.Text(), "end %d", &end); err == nil {
			continue
		}
		if _, err := fmt.Sscanf(lines.Text(), "try %t %t %d", &met, &shown, &wait); err != nil || end >= 0 {
			r.odd = true
			return fmt.Errorf("expected a try or the end, saw %.80q", lines.Text())
		}
		n++
		r.count(met, shown, time.Duration(wait))
		each()
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if n != end {
		return fmt.Errorf("expected a last line with the number of tries, %d, saw %d", n, end)
	}
	return nil
}

func (r *Result) count(met, shown bool, wait time.Duration) {
	if !met {
		r.Missed++
		return
	}
	r.Tries++
	r.Waits = append(r.Waits, wait)
	if shown {
		r.Shown++
	}
}

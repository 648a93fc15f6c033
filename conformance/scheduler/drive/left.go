package drive

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/internal/frames"
)

// Goroutines inherit the labels of those that start them. By a label of its own each run knows the goroutines of its
// scheduler, whatever else goes on in the process.
const label = "spindle-run"

var runs atomic.Int64

// labelled calls f with a label that all goroutines have that it starts.
func labelled(f func(id string)) {
	id := strconv.FormatInt(runs.Add(1), 10)
	pprof.Do(context.Background(), pprof.Labels(label, id), func(context.Context) { f(id) })
}

// A stand is where some goroutines stand, all at the same place.
type stand struct {
	count  int
	thread bool     // they are threads outside
	frames []string // "pool.(*worker).run (pool.go:75)": the scheduler's, the innermost first, and then those of the standard library
}

// String returns the stand on a line.
func (s stand) String() string {
	const most = 6 // frames
	text := "1 goroutine at "
	if s.count > 1 {
		text = fmt.Sprintf("%d goroutines, each at ", s.count)
	}
	return text + strings.Join(s.frames[:min(most, len(s.frames))], ", ")
}

// lines returns the stands as lines.
func lines(list []stand) string {
	var b []string
	for _, s := range list {
		b = append(b, s.String())
	}
	return strings.Join(b, "\n")
}

// total counts the goroutines of stands.
func total(list []stand) (n int) {
	for _, s := range list {
		n += s.count
	}
	return n
}

// left returns where the goroutines stand that have the label, and are no threads outside; nil if there are none.
func left(id string) (list []stand) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return nil
	}
	_, records, _ := strings.Cut(b.String(), "\n") // behind the line that says how many there are
	for _, record := range strings.Split(records, "\n\n") {
		if strings.Contains(record, fmt.Sprintf("%q:%q", label, id)) && !strings.Contains(record, "drive.labelled") {
			if s := standOf(record); !s.thread {
				list = append(list, s)
			}
		}
	}
	return list
}

// standOf reads a record of the text form of the profile of goroutines, which begins with how many there are.
func standOf(record string) (s stand) {
	count, _, _ := strings.Cut(record, " ")
	s.count, _ = strconv.Atoi(count)
	var library []string
	for _, f := range frames.Of(record) {
		own, isOwn := strings.CutPrefix(f.Func, "github.com/spindle-go/spindle/conformance/scheduler/drive.(*Program).")
		switch {
		case strings.HasPrefix(own, "task"):
			s.frames = append(s.frames, "a task of the suite")
		case isOwn:
			s.thread = s.thread || strings.HasPrefix(own, "Thread")
		case f.Library():
			library = append(library, f.String())
		default:
			s.frames = append(s.frames, f.String())
		}
	}
	s.frames = append(s.frames, library...)
	return s
}

// fewer reports whether there are no more goroutines than before, which spares a longer look.
func fewer(before int) bool { return runtime.NumGoroutine() <= before }

// goroutinesOf counts the goroutines that a run has started, without the threads outside. While there are more than most, it
// looks again, since some may be about to end. It stops when their number has stayed the same for half a second, or after
// ten seconds. It reads stacks only if the whole process has more than most new goroutines.
func goroutinesOf(id string, before, most int) (n int) {
	last, same := 0, 0
	for began := time.Now(); same < 10 && time.Since(began) < 10*time.Second; {
		if n = runtime.NumGoroutine() - before; n <= most {
			return max(n, 0)
		}
		if n = total(left(id)); n <= most {
			return n
		}
		if same++; n != last {
			last, same = n, 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	return n
}

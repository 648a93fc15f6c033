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

// left returns the stacks of the goroutines that have the label, "" if there are none.
func left(id string) string {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return ""
	}
	var found []string
	_, records, _ := strings.Cut(b.String(), "\n") // behind the line that says how many there are
	for _, record := range strings.Split(records, "\n\n") {
		if strings.Contains(record, fmt.Sprintf("%q:%q", label, id)) && !strings.Contains(record, "drive.labelled") {
			found = append(found, record)
		}
	}
	return strings.Join(found, "\n\n")
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
		n = 0
		for _, stack := range strings.Split(left(id), "\n\n") {
			// A record stands for as many goroutines as it begins with.
			count, _, _ := strings.Cut(stack, " ")
			if k, err := strconv.Atoi(count); err == nil && !strings.Contains(stack, "drive.(*Program).Thread") {
				n += k
			}
		}
		if n <= most {
			return n
		}
		if same++; n != last {
			last, same = n, 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	return n
}

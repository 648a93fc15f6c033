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
	for _, record := range strings.Split(b.String(), "\n\n") {
		if strings.Contains(record, fmt.Sprintf("%q:%q", label, id)) && !strings.Contains(record, "drive.labelled") {
			found = append(found, record)
		}
	}
	return strings.Join(found, "\n\n")
}

// fewer reports whether there are no more goroutines than before, which spares a longer look.
func fewer(before int) bool { return runtime.NumGoroutine() <= before }

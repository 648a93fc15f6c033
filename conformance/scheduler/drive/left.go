package drive

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"runtime"
	"runtime/pprof"
	"slices"
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

// A stand is where some goroutines stand, all at the same place.
type stand struct {
	count  int
	thread bool     // they are threads outside
	frames []string // "pool.(*worker).run pool.go:75": the scheduler's, the innermost first, and then those of the standard library
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

// standOf reads a record of the text form of the profile of goroutines: how many there are, and a line for each frame, the innermost first,
//
//	#	0x4a1b2c	example.org/pool.(*worker).run+0x8c	/home/user/pool/pool.go:75
func standOf(record string) (s stand) {
	first, rest, _ := strings.Cut(record, "\n")
	count, _, _ := strings.Cut(first, " ")
	s.count, _ = strconv.Atoi(count)
	var library []string
	for line := range strings.Lines(rest) {
		fields := slices.DeleteFunc(strings.Split(strings.TrimSpace(line), "\t"), func(s string) bool { return s == "" }) // they stand in columns
		if len(fields) < 4 || fields[0] != "#" {
			continue // the labels
		}
		fn := fields[2]
		if i := strings.LastIndex(fn, "+0x"); i > 0 {
			fn = fn[:i]
		}
		whole := fn
		fn = path.Base(fn)
		text := fn + " " + path.Base(strings.ReplaceAll(fields[3], `\`, "/"))
		switch host, _, deep := strings.Cut(whole, "/"); {
		case strings.Contains(whole, "conformance/scheduler/drive."):
			s.thread = s.thread || strings.HasPrefix(fn, "drive.(*Program).Thread")
			if strings.HasPrefix(fn, "drive.(*Program).task") {
				s.frames = append(s.frames, "a task of the suite")
			}
		case deep && isLibrary(host), strings.Contains(whole, "/spindle/interleave/"), !deep && isLibrary(strings.Split(fn, ".")[0]):
			library = append(library, text)
		default:
			s.frames = append(s.frames, text)
		}
	}
	s.frames = append(s.frames, library...)
	return s
}

// isLibrary reports whether the first element of the path of a package is one of the standard library that goroutines wait in.
func isLibrary(first string) bool {
	switch first {
	case "runtime", "sync", "internal", "time", "context", "os", "net", "syscall", "io":
		return true
	}
	return false
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

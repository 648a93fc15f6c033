package engine

import (
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

// Packages of the standard library of which the operations are no steps: what they do for themselves is to keep things for later, or to guard
// what they write to, and in which order threads come there shows nowhere else. What they read and write is seen, as that of others.
var oneStepStd = []string{
	"fmt", "reflect", "strconv", "unicode", "regexp", "text", "html", "encoding", "mime", "unique", "weak", // tables and pools
	"log", "testing", "time", "os", "syscall", "runtime", "internal", "vendor", // locks round the system, or the explorer's own time
	"crypto", "hash", "math", "compress", "archive", "image", "go", "debug", "embed", // made at first use
}

// stepsStd are below these, and are steps all the same.
var stepsStd = map[string]bool{"os/exec": true, "os/signal": true}

// oneStep reports whether the operations of a package are no steps.
func oneStep(pkg string, std bool) bool {
	top, _, _ := strings.Cut(pkg, "/")
	return std && list.Contains(oneStepStd, top) && !stepsStd[pkg]
}

// isOneStep reports whether the operations of a package are no steps, by the list or by the test.
func (s *scheduler) isOneStep(pkg string) bool {
	return oneStep(pkg, !strings.Contains(strings.SplitN(pkg, "/", 2)[0], ".")) || list.Contains(s.oneStep, pkg)
}

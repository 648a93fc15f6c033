package mutants

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// The windows of some bugs are a nanosecond wide and half a microsecond must
// happen in them: threads that run freely do not meet there in a day. Noise
// puts a delay in front of each statement of the queue, mostly none, rarely
// long. It changes no result of correct code, which the baseline shows, and
// makes all windows wide. Where in a schedule a delay helps is left to chance;
// a schedule that is constructed is the explorer's business.

// noiseFile is added to the package. Lengths are drawn so that each order of
// magnitude, from one nanosecond to several microseconds, is as likely as the
// next, because it is not known beforehand how wide the window must be.
const noiseFile = `package runq

import (
	"math/rand/v2"
	"runtime"
)

func noise() {
	x := rand.Uint32()
	if x%8 != 0 {
		return
	}
	if x>>3%1024 == 0 {
		runtime.Gosched()
	}
	for range 1 << (x >> 16 % 13) {
	}
}
`

// noisy puts delays into the package in dir, mutants' edits included.
func noisy(set *overlay.Set, dir string) error {
	files, err := filepath.Glob(filepath.Join(set.Root(), filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		file := path.Join(dir, filepath.Base(f))
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := set.Text(file)
		if err != nil {
			return err
		}
		if text, err = overlay.BeforeStatements(file, text, "noise(); "); err != nil {
			return err
		}
		if err := set.Put(file, text); err != nil {
			return err
		}
	}
	return set.Put(path.Join(dir, "zz_noise.go"), []byte(noiseFile))
}

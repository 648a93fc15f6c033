package cli

import (
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// Streams are the three standard streams.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Broken returns the first error of writing to Out.
func (s Streams) Broken() error {
	if out, ok := s.Out.(*sticky); ok {
		return out.err
	}
	return nil
}

// sticky remembers the first error of writing: a report that was not written
// must not look like a good one. Progress is written beside the report, perhaps to
// the same place: they share mu.
type sticky struct {
	w   io.Writer
	err error
	mu  *sync.Mutex
}

func (s *sticky) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// terminal returns the file that w writes to if that is a terminal, else nil.
func terminal(w io.Writer) *os.File {
	if s, ok := w.(*sticky); ok {
		w = s.w
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Colored reports whether w gets colours: it is a terminal and nobody said no
// (https://no-color.org).
func Colored(w io.Writer) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

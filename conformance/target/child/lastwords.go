package child

import (
	"strings"
	"sync"
)

// lastWords finds in the standard error of a dead program what it died of: the
// first lines of a throw or a panic in Go, which are the whole story, or else the
// first line that is not blank.
func lastWords(stderr string) (text string, whole bool) {
	var words []string
	first := ""
	for l := range strings.Lines(stderr) {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "fatal error: "), strings.HasPrefix(l, "panic: "), strings.HasPrefix(l, "runtime: "):
			words = append(words, l)
		case len(words) > 0 && (l == "" || strings.HasPrefix(l, "goroutine ")):
			return strings.Join(words, "; "), true
		case first == "":
			first = l
		}
	}
	if len(words) > 0 {
		return strings.Join(words, "; "), true
	}
	return first, false
}

// head keeps the beginning of what a child writes to its standard error: a
// throw says first what it is about.
type head struct {
	mu   sync.Mutex
	text []byte
}

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, b[:min(len(b), mostStack-len(h.text))]...)
	return len(b), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}

func (h *head) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = h.text[:0]
}

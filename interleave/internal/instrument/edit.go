package instrument

import (
	"bytes"
	"slices"
)

// An edit puts text in the place of n bytes. Edits of one file do not overlap,
// but many may be at one place: what ends there comes first, the innermost
// first of all; then what begins there, the outermost first.
type edit struct {
	at, n  int
	text   string
	closes bool
	seq    int // in the order in which the nodes are visited, parents first
}

type edits []edit

func (e *edits) open(at int, text string)       { *e = append(*e, edit{at, 0, text, false, len(*e)}) }
func (e *edits) close(at int, text string)      { *e = append(*e, edit{at, 0, text, true, len(*e)}) }
func (e *edits) replace(at, n int, text string) { *e = append(*e, edit{at, n, text, false, len(*e)}) }

// apply returns text with the edits made.
func (e edits) apply(text []byte) []byte {
	sorted := slices.Clone(e)
	slices.SortFunc(sorted, func(a, b edit) int {
		switch {
		case a.at != b.at:
			return a.at - b.at
		case a.closes != b.closes && a.closes:
			return -1
		case a.closes != b.closes:
			return 1
		case a.closes:
			return b.seq - a.seq
		}
		return a.seq - b.seq
	})
	var out bytes.Buffer
	last := 0
	for _, e := range sorted {
		out.Write(text[last:e.at])
		out.WriteString(e.text)
		last = e.at + e.n
	}
	out.Write(text[last:])
	return out.Bytes()
}

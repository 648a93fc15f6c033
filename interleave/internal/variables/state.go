//go:build spindle_runtime

package variables

import (
	"bytes"
	"cmp"
	"os"
	"sort"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

//go:linkname spindleSections runtime.spindleSections
func spindleSections() [4][2]uintptr

//go:linkname spindleEdges runtime.spindleEdges
func spindleEdges(at unsafe.Pointer, size uintptr, f func(p unsafe.Pointer))

//go:linkname spindleObject runtime.spindleObject
func spindleObject(p unsafe.Pointer) (object unsafe.Pointer, size uintptr)

//go:linkname spindleHeld runtime.spindleHeld
func spindleHeld(f func(p unsafe.Pointer))

//go:linkname spindlePut runtime.spindlePut
func spindlePut(to, from unsafe.Pointer, size uintptr)

// variables are those of the binary.
var known struct {
	done        bool
	unread      error      // why it is not known where they are
	kept, other []variable // of packages whose state is put back, and of this project
	begins      []uintptr  // where variables begin, and what they point to that has no name: composite literals of package level
	ends        map[uintptr]uintptr
	named       []uintptr // where those begin that have a name
}

func read() {
	if known.done {
		return
	}
	known.done = true
	file := os.Getenv(FileVar)
	if file == "" {
		return // a binary that was started by hand
	}
	text, err := os.ReadFile(file)
	if err != nil {
		known.unread = err
		return
	}
	known.ends = make(map[uintptr]uintptr)
	var std []variable
	known.kept, known.other, std = parse(string(text), uintptr(unsafe.Pointer(&Anchor)))
	for _, all := range [][]variable{known.kept, known.other, std} {
		for _, v := range all {
			known.begins = append(known.begins, uintptr(v.At))
			known.named = append(known.named, uintptr(v.At))
			known.ends[uintptr(v.At)] = uintptr(v.At) + v.Size
		}
	}
	if len(known.kept) == 0 {
		return
	}
	sections := spindleSections()
	for _, s := range sections[:2] {
		spindleEdges(unsafe.Add(unsafe.Pointer(nil), s[0]), s[1]-s[0], func(p unsafe.Pointer) {
			if inSections(uintptr(p)) {
				known.begins = append(known.begins, uintptr(p))
			}
		})
	}
	for _, s := range sections {
		known.begins = append(known.begins, s[1])
	}
	list.Sort(known.begins, cmp.Compare[uintptr])
	list.Sort(known.named, cmp.Compare[uintptr])
}

func inSections(p uintptr) bool {
	for _, s := range spindleSections() {
		if s[0] <= p && p < s[1] {
			return true
		}
	}
	return false
}

// unnamed returns what has no name at p, nil if there is nothing.
func unnamed(p unsafe.Pointer) (at unsafe.Pointer, size uintptr) {
	if !inSections(uintptr(p)) {
		return nil, 0
	}
	behind := func(all []uintptr) int { return sort.Search(len(all), func(i int) bool { return all[i] > uintptr(p) }) }
	if i := behind(known.named); i > 0 && known.ends[known.named[i-1]] > uintptr(p) {
		return nil, 0 // a variable
	}
	b := known.begins
	i := behind(b)
	if i == len(b) {
		return nil, 0
	}
	return p, b[i] - uintptr(p)
}

// mostHeld bounds the bytes that are kept, and compared after each execution: that takes some 50 microseconds for each MB.
const mostHeld = 8 << 20

// A State is what memory was like before the first execution.
type State struct {
	Over    bool // there is more than is kept
	regions []Region
	size    uintptr                 // bytes
	seen    map[unsafe.Pointer]bool // objects that were met
	keep    []unsafe.Pointer        // what it points to
	theirs  map[unsafe.Pointer]bool // objects that the standard library reaches, too; nil: not known yet
}

// A Region is a variable, or an object that is reached from one.
type Region struct {
	variable
	Was []byte
}

// Now is what it is like.
func (r *Region) Now() []byte { return unsafe.Slice((*byte)(r.At), r.Size) }

// Unread is why it is not known where variables are, nil if it is.
func Unread() error { return known.unread }

// Keep keeps what package-level variables hold, and what is reached from there.
func (h *State) Keep() {
	read()
	*h = State{seen: make(map[unsafe.Pointer]bool)}
	h.follow()
}

// follow keeps the package-level variables, and what is reached from them and from what is kept by now.
func (h *State) follow() {
	for _, v := range known.kept {
		h.add(v)
	}
	for i := 0; i < len(h.regions); i++ {
		v := h.regions[i].variable
		spindleEdges(v.At, v.Size, func(p unsafe.Pointer) { h.object(p, v.Name) })
	}
}

// object keeps what a pointer points into, if it was not met. Name is that of the variable from which it is reached.
func (h *State) object(p unsafe.Pointer, name string) {
	object, n := spindleObject(p)
	if object == nil {
		object, n = unnamed(p)
	}
	if object == nil || h.seen[object] {
		return
	}
	h.seen[object] = true
	h.keep = append(h.keep, object)
	h.add(variable{object, n, name})
}

func (h *State) add(v variable) {
	if h.size += v.Size; h.size > mostHeld {
		h.Over = true
		return
	}
	r := Region{variable: v}
	r.Was = bytes.Clone(r.Now())
	h.regions = append(h.regions, r)
}

// PutBack puts it back, but for memory that the standard library reaches, too, or that is shared: left is called of that which has changed.
func (h *State) PutBack(shared func(*Region) bool, left func(*Region)) {
	for i := range h.regions {
		r := &h.regions[i]
		if bytes.Equal(r.Was, r.Now()) {
			continue
		}
		if h.theirs == nil {
			h.findTheirs()
		}
		if h.theirs[r.At] || shared(r) {
			left(r)
			continue
		}
		spindlePut(r.At, unsafe.Pointer(unsafe.SliceData(r.Was)), r.Size)
	}
}

// findTheirs finds what the package-level variables of the standard library reach.
func (h *State) findTheirs() {
	h.theirs = make(map[unsafe.Pointer]bool)
	mine := make(map[uintptr]uintptr) // where variables end that are none of the standard library's, by where they begin
	for _, all := range [][]variable{known.kept, known.other} {
		for _, v := range all {
			mine[uintptr(v.At)] = uintptr(v.At) + v.Size
		}
	}
	for i := range h.regions {
		mine[uintptr(h.regions[i].At)] = uintptr(h.regions[i].At) + h.regions[i].Size
	}
	var found []unsafe.Pointer
	note := func(p unsafe.Pointer) {
		if object, _ := spindleObject(p); object != nil && !h.theirs[object] {
			h.theirs[object] = true
			found = append(found, object)
		}
	}
	spindleHeld(func(p unsafe.Pointer) { h.theirs[p] = true }) // and nothing that goroutines reach
	sections := spindleSections()
	for _, section := range sections[:2] {
		for word := section[0]; word+8 <= section[1]; {
			if end := mine[word]; end > word {
				word = (end + 7) &^ 7
				continue
			}
			spindleEdges(unsafe.Add(unsafe.Pointer(nil), word), 8, note)
			word += 8
		}
	}
	for i := 0; i < len(found); i++ {
		_, size := spindleObject(found[i])
		spindleEdges(found[i], size, note)
	}
}

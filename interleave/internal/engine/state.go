//go:build spindle_runtime

package engine

import (
	"bytes"
	"cmp"
	"os"
	"sort"
	"strconv"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

// What package-level variables hold, and what can be reached from there, is put back after each execution: the next one is of the same program. This
// is so of all packages but those of the standard library, and of this project: these have what the process needs, and go on with it.
//
// Which variables there are, the symbols of the binary say; what they point to, the collector's maps say. No type is looked at: a map, a lock, or a
// channel is memory as any other.

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
var variables struct {
	read        bool
	unread      error          // why it is not known where they are
	kept, other []heldVariable // of packages whose state is put back, and of this project
	begins      []uintptr      // where variables begin, and what they point to that has no name: composite literals of package level
	ends        map[uintptr]uintptr
	named       []uintptr // where those begin that have a name
}

type heldVariable struct {
	at   unsafe.Pointer
	size uintptr
	name string
}

func readVariables() {
	if variables.read {
		return
	}
	variables.read = true
	file := os.Getenv(StateVar)
	if file == "" {
		return // a binary that was started by hand
	}
	text, err := os.ReadFile(file)
	if err != nil {
		variables.unread = err
		return
	}
	variables.ends = make(map[uintptr]uintptr)
	var moved uintptr
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		at, err1 := strconv.ParseUint(f[1], 16, 64)
		size, err2 := strconv.ParseUint(f[2], 16, 64)
		if err1 != nil || err2 != nil {
			continue
		}
		v := heldVariable{unsafe.Add(unsafe.Pointer(nil), uintptr(at)+moved), uintptr(size), f[3]}
		switch f[0] {
		case "at":
			moved = uintptr(unsafe.Pointer(&Anchor)) - uintptr(at)
			continue
		case "kept":
			variables.kept = append(variables.kept, v)
		case "other":
			variables.other = append(variables.other, v)
		}
		variables.begins = append(variables.begins, uintptr(v.at))
		variables.named = append(variables.named, uintptr(v.at))
		variables.ends[uintptr(v.at)] = uintptr(v.at) + v.size
	}
	if len(variables.kept) == 0 {
		return
	}
	sections := spindleSections()
	for _, s := range sections[:2] {
		spindleEdges(unsafe.Add(unsafe.Pointer(nil), s[0]), s[1]-s[0], func(p unsafe.Pointer) {
			if inSections(uintptr(p)) {
				variables.begins = append(variables.begins, uintptr(p))
			}
		})
	}
	for _, s := range sections {
		variables.begins = append(variables.begins, s[1])
	}
	list.Sort(variables.begins, cmp.Compare[uintptr])
	list.Sort(variables.named, cmp.Compare[uintptr])
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
	if i := behind(variables.named); i > 0 && variables.ends[variables.named[i-1]] > uintptr(p) {
		return nil, 0 // a variable
	}
	b := variables.begins
	i := behind(b)
	if i == len(b) {
		return nil, 0
	}
	return p, b[i] - uintptr(p)
}

// mostHeld bounds the bytes that are kept, and compared after each execution: that takes some 50 microseconds for each MB.
const mostHeld = 8 << 20

// A heldState is what memory was like before the first execution.
type heldState struct {
	regions []heldRegion
	keep    []unsafe.Pointer        // what it points to
	theirs  map[unsafe.Pointer]bool // objects that the standard library reaches, too; nil: not known yet
	over    bool                    // there is more than is kept
}

type heldRegion struct {
	heldVariable
	was []byte
}

// hold keeps what package-level variables hold.
func (s *scheduler) holdState() {
	readVariables()
	h := &s.house.held
	*h = heldState{}
	size := uintptr(0)
	seen := make(map[unsafe.Pointer]bool)
	add := func(v heldVariable) {
		if size += v.size; size > mostHeld {
			h.over = true
			return
		}
		h.regions = append(h.regions, heldRegion{v, bytes.Clone(unsafe.Slice((*byte)(v.at), v.size))})
	}
	for _, v := range variables.kept {
		add(v)
	}
	for i := 0; i < len(h.regions); i++ {
		v := h.regions[i].heldVariable
		spindleEdges(v.at, v.size, func(p unsafe.Pointer) {
			object, n := spindleObject(p)
			if object == nil {
				object, n = unnamed(p)
			}
			if object == nil || seen[object] {
				return
			}
			seen[object] = true
			h.keep = append(h.keep, object)
			add(heldVariable{object, n, v.name})
		})
	}
}

// putState puts it back.
func (s *scheduler) putState() {
	h := &s.house.held
	o := &s.house.others
	s.meetsOthers()
	for i := range h.regions {
		r := &h.regions[i]
		if bytes.Equal(r.was, unsafe.Slice((*byte)(r.at), r.size)) {
			continue
		}
		if h.theirs == nil {
			h.findTheirs()
		}
		if h.theirs[r.at] || o.accesses(r) {
			if !o.leaves(r) {
				s.changedForGood(r.name, "")
			}
			continue
		}
		spindlePut(r.at, unsafe.Pointer(unsafe.SliceData(r.was)), r.size)
	}
	if h.over {
		s.doubts.add(NotCompared, "all that package-level variables hold", "")
	}
	if err := variables.unread; err != nil {
		s.doubts.add(NotCompared, "package-level variables: "+err.Error(), "")
	}
}

// findTheirs finds what the package-level variables of the standard library reach.
func (h *heldState) findTheirs() {
	h.theirs = make(map[unsafe.Pointer]bool)
	mine := make(map[uintptr]uintptr) // where variables end that are none of the standard library's, by where they begin
	for _, all := range [][]heldVariable{variables.kept, variables.other} {
		for _, v := range all {
			mine[uintptr(v.at)] = uintptr(v.at) + v.size
		}
	}
	for i := range h.regions {
		mine[uintptr(h.regions[i].at)] = uintptr(h.regions[i].at) + h.regions[i].size
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

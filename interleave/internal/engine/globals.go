package engine

import (
	"bytes"
	"fmt"
	"reflect"
	"unsafe"
)

// Package-level state that an execution changes makes the next one another
// program. The instrumented packages say which variables there are; they are
// compared, bytes by bytes, with what they were before the first execution; what
// they point to, in leftover.go.

// StateVar names the file that says where package-level variables are: a line for each, "kind address size name", with numbers in hexadecimal. Of kind "at"
// there is one, of this variable.
const StateVar = "SPINDLE_INTERNAL_STATE"

// Anchor is a variable whose place is known.
var Anchor byte

var globals []Global

func registerGlobals(g []Global) { globals = append(globals, g...) }

type snapshot []copied

// A copied is what was copied of memory: its bytes, to be compared, and its value, so that it can be put back.
type copied struct {
	bytes   []byte
	of, was reflect.Value
}

func takeSnapshot() snapshot {
	s := make(snapshot, len(globals))
	for i, g := range globals {
		s[i].bytes = bytes.Clone(g.bytes())
		if g.Pointer != nil {
			s[i].of = reflect.ValueOf(g.Pointer).Elem()
			s[i].copy()
		}
	}
	return s
}

// copy keeps what is there.
func (c *copied) copy() {
	c.was = reflect.New(c.of.Type()).Elem()
	c.was.Set(c.of)
}

// differs reports whether memory is not as it was.
func (c *copied) differs(at unsafe.Pointer) bool {
	return !bytes.Equal(c.bytes, unsafe.Slice((*byte)(at), len(c.bytes)))
}

// putBack undoes what an execution that was not followed to its end has done to package-level variables and to what they point to: it may be
// in the middle of what it would undo itself.
func (s *scheduler) putBack() {
	for i := range s.before0 {
		if g := &s.before0[i]; g.of.IsValid() && g.differs(globals[i].Addr) {
			g.of.Set(g.was)
		}
	}
	if s.reached == nil {
		return
	}
	for i := range s.reached.regions {
		if g := &s.reached.regions[i]; g.foreign == "" && g.differs(g.at) {
			g.of.Set(g.was)
		}
	}
	for i := range s.reached.maps {
		if m := &s.reached.maps[i]; m.put != nil && m.sum() != m.was {
			m.put()
		}
	}
}

func (g *Global) bytes() []byte { return unsafe.Slice((*byte)(g.Addr), g.Size) }

func (s *scheduler) checkGlobals() {
	for i := range s.before0 {
		if s.before0[i].differs(globals[i].Addr) {
			s.fail(&Failure{Kind: LeftOver, Message: fmt.Sprintf("the package-level variable %s was changed by the execution, so the next one would be of another program: give it its value in the body, or use it once before the test", globals[i].Name)})
			return
		}
	}
	if s.reached == nil {
		return
	}
	switch name, foreign := s.reached.changed(); {
	case foreign != "":
		s.doubts.add(NotCompared, "what package "+foreign+" has in package-level variable "+name+", which was changed", "")
	case name != "":
		s.fail(&Failure{Kind: LeftOver, Message: fmt.Sprintf("what the package-level variable %s points to was changed by the execution, so the next one would be of another program: make it in the body, or use it once before the test", name)})
	}
}

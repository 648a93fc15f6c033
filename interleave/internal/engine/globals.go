package engine

import (
	"bytes"
	"fmt"
	"unsafe"
)

// Package-level state that an execution changes makes the next one another
// program. The instrumented packages say which variables there are; they are
// compared, bytes by bytes, with what they were before the first execution; what
// they point to, in leftover.go.

var globals []Global

func registerGlobals(g []Global) { globals = append(globals, g...) }

type snapshot [][]byte

func takeSnapshot() snapshot {
	s := make(snapshot, len(globals))
	for i, g := range globals {
		s[i] = bytes.Clone(g.bytes())
	}
	return s
}

func (g *Global) bytes() []byte { return unsafe.Slice((*byte)(g.Addr), g.Size) }

func (s *scheduler) checkGlobals() {
	for i := range s.before0 {
		if !bytes.Equal(s.before0[i], globals[i].bytes()) {
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

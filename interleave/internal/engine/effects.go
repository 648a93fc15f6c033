package engine

import (
	"reflect"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// Does says that the running thread passes v, at site, to code that was not seen and
// that does e with it.
func Does(site Site, v any, e std.Effect) {
	defer handsBack(takesOver())
	if PlainAccesses && Controlled() && current.failure == nil && !current.unwinding {
		current.does(site, reflect.ValueOf(v), e, nil)
	}
}

// does is Does. Seen are objects that are not to be looked at again.
func (s *scheduler) does(site Site, v reflect.Value, e std.Effect, seen map[reached]bool) {
	outer := s.may
	touch := func(may bool, r reacher) {
		r.s, r.site, r.seen = s, site, seen
		s.may = may
		r.value(v, 0)
		s.may = outer
	}
	surely, may := e.Parts()
	switch surely {
	case std.Reads:
		touch(outer, reacher{flat: true})
	case std.Writes:
		touch(outer, reacher{flat: true, write: true})
	}
	switch may {
	case std.MayReadAll:
		touch(true, reacher{deep: true})
	case std.Formats:
		touch(true, reacher{words: true})
	case std.MayWriteAll, std.Calls:
		touch(true, reacher{write: true, deep: true, spare: true})
	case std.MayRead:
		touch(true, reacher{})
	case std.MayWrite:
		touch(true, reacher{write: true})
	case std.MayExtend:
		touch(true, reacher{write: true, spare: true})
	case std.MayAppend:
		touch(true, reacher{})
		if v.Kind() == reflect.Slice && v.Cap() > v.Len() {
			v = v.Slice3(v.Len(), v.Cap(), v.Cap())
			touch(true, reacher{write: true, spare: true})
		}
	}
}

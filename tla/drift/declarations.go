package drift

import (
	"go/ast"
	"slices"
	"strings"
)

// declarations are what else the model rests on, as modelled functions use it: constants
// (with the whole group), types, variables and fields of structs; and the build
// constraints of the files, which say whether what is read is what is built.
var declarations = []struct{ file, kind, names, why string }{
	{"proc.go", "const", "forcePreemptNS", "sysmon preempts a G that began its slice a tick before: SysRetake and Preempt rest on it"},
	{"proc.go", "const", "haveSysmon", "the model has a sysmon, and runqput uses runnext only where there is one"},
	{"proc.go", "const", "freezeStopWait", "exitsyscall takes a stop that waits for so many Ps for a crash, which is not modelled"},
	{"proc.go", "type", "gQueue gList", "the global queue and the batches are these lists"},
	{"proc.go", "type", "pMask", "the mask of idle Ps has one bit for each P"},
	{"proc.go", "type", "sysmontick", "sysmon remembers of each P the slice and the syscall that it saw"},
	{"proc.go", "type", "syscallingThread", "who takes a P from a syscall holds its G, M and P by this"},
	{"runtime2.go", "const", "_Pidle", "a P is idle, runs, has stopped or is gone in the model as in these states; the zero status is that of an idle P"},
	{"runtime2.go", "const", "_Gidle", "whether a G is in a syscall, and held there, is in these states and their bit _Gscan"},
	{"runtime2.go", "type", "guintptr puintptr muintptr", "runnext and the ring, the list of idle Ps, and what an M is given are words without a write barrier"},
	{"runtime2.go", "var", "sched allp gomaxprocs", "the shared state of the model is in these"},
	{"runtime2.go", "var", "idlepMask timerpMask", "who looks a second time, without a P, looks at these masks"},
	{"runtime2.go", "field", "p.runqhead p.runqtail p.runq", "a ring has a fixed number of places, a power of two, and indices that wrap: half of it overflows, and a batch must fit"},
	{"runtime2.go", "field", "p.runnext", "runnext is one G, which is taken by a compare-and-swap"},
	{"runtime2.go", "field", "p.status p.link p.m", "whose a P is, and its place on the list of idle ones"},
	{"runtime2.go", "field", "p.schedtick p.syscalltick p.sysmontick", "sysmon compares these from tick to tick"},
	{"runtime2.go", "field", "p.preempt p.runSafePointFn p.timers", "what a P is asked to do, and its timers"},
	{"runtime2.go", "field", "m.p m.nextp m.oldp m.spinning m.park m.schedlink m.idleNode", "an M has a P or is given one, spins, or sleeps on its note and on a list"},
	{"runtime2.go", "field", "m.lockedg m.lockedExt m.lockedInt g.lockedm", "which G is locked to which M"},
	{"runtime2.go", "field", "m.allpSnapshot m.syscalltick", "the Ps that an M without one looks at, and the syscall that it is in"},
	{"runtime2.go", "field", "g.preempt g.stackguard0 g.atomicstatus g.schedlink g.m", "how a G is asked to yield, its status, and its place in a list"},
	{"runtime2.go", "field", "schedt.lock schedt.midle schedt.nmidle schedt.nmidlelocked schedt.nmsys", "the lock, and the idle Ms under it"},
	{"runtime2.go", "field", "schedt.pidle schedt.npidle schedt.nmspinning schedt.needspinning", "idle Ps and spinning Ms are counted, without the lock, by atomics"},
	{"runtime2.go", "field", "schedt.runq schedt.disable", "the global queue; no G is barred from running"},
	{"runtime2.go", "field", "schedt.gcwaiting schedt.stopwait schedt.stopnote", "a stop of the world waits on these"},
	{"runtime2.go", "field", "schedt.sysmonwait schedt.sysmonnote", "sysmon sleeps on these"},
	{"runtime2.go", "field", "schedt.lastpoll schedt.pollUntil schedt.pollingNet", "whether an M polls, and until when it waits"},
	{"runtime2.go", "field", "schedt.safePointFn schedt.safePointWait schedt.safePointNote", "forEachP waits on these"},
	{"mgc.go", "var", "gcBlackenEnabled", "the further source of work is there while this is not 0"},
	{"mgcpacer.go", "field", "gcControllerState.idleMarkWorkers", "how many idle workers there may be is in one word"},
	{"netpoll.go", "const", "pdNil", "a descriptor's word is one of these, or the G that waits"},
	{"netpoll.go", "var", "netpollWaiters", "an M polls only if this is not 0"},
	{"time.go", "const", "timerHeaped", "whether a timer is in a heap is a bit of its state"},
	{"time.go", "field", "timers.heap timers.minWhenHeap timers.minWhenModified", "when a P's next timer is due is read without its lock"},
}

// whyOf says why the model needs a declaration. Of each file that a function or a declaration
// is in, the build constraint is one.
var whyOf = whys()

func whys() map[string]string {
	of := make(map[string]string)
	add := func(file, kind, name, why string) {
		fileOf[kind+" "+name] = file
		of[kind+" "+name] = why
	}
	files := make(map[string]bool)
	for _, in := range inFiles {
		files[in.file] = true
	}
	for _, d := range declarations {
		files[d.file] = true
		for _, name := range strings.Fields(d.names) {
			add(d.file, d.kind, name, d.why)
		}
	}
	for file := range files {
		add(file, "build", file, "what is compared must be what is built")
	}
	return of
}

// Declarations are what is compared besides [Functions], sorted, with their kinds: "const
// forcePreemptNS" (a constant stands for its whole group), "type gQueue", "var allp",
// "field p.runq" and "build proc.go", which is the build constraint of a file.
func Declarations() []string { return named(true) }

// declare adds what a declaration of constants, types or variables declares.
func (f *sourceFile) declare(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, n := range spec.Names {
				var node ast.Node = spec
				if d.Tok.String() == "const" {
					node = d // iota, and what is repeated, come from the group
				}
				f.add(d.Tok.String()+" "+n.Name, node)
			}
		case *ast.TypeSpec:
			f.add("type "+spec.Name.Name, spec)
			if st, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range st.Fields.List {
					for _, n := range field.Names {
						f.add("field "+spec.Name.Name+"."+n.Name, field)
					}
				}
			}
		}
	}
}

// statements are those of a function; of another declaration they are its lines, and it
// has one digest of its text as a function has.
func statements(node ast.Node) []statement {
	var s skeletons
	switch n := node.(type) {
	case *ast.FuncDecl:
		return skeleton(n)
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			s.add(n.Tok.String(), spec.Pos(), spec)
		}
	case *ast.Field:
		s.add("field", n.Pos(), n.Type, n.Tag)
	default:
		s.add("declare", n.Pos(), n)
	}
	return s.all
}

// again are modelled functions and declarations that are there once more than the table
// knows, in whichever file of the package: which of them is built, the text does not say.
func (t *table) again(s *runtimeSource, names ...string) ([]Difference, error) {
	var list []Difference
	for _, name := range names {
		if name != declared(name) {
			continue // with its first body
		}
		modelled, lacks := false, false
		for _, entry := range bodies(name) {
			first, err := s.find(entry)
			if err != nil {
				return nil, err
			}
			if t.functions[entry].modelled() != "" {
				modelled, lacks = true, lacks || first == nil
			}
		}
		strays, err := s.strays(name)
		switch {
		case err != nil:
			return nil, err
		case !modelled:
			continue
		case lacks && len(strays) > 0:
			strays = strays[1:] // it has moved, and was compared
		}
		for _, other := range strays {
			d := Difference{Function: name, How: Twin, Now: other.constraint}
			d.File, d.Line = s.place(other.node.Pos())
			list = append(list, d)
		}
	}
	return list, nil
}

// named are the functions of the list, or the declarations, sorted.
func named(declared bool) []string {
	var list []string
	for name := range fileOf {
		if _, ok := whyOf[name]; ok == declared {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

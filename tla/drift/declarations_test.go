package drift

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is named when a declaration is changed, and that nothing is for what is no change.
func TestDeclarations(t *testing.T) {
	const (
		preempt = "const forcePreemptNS = 10 * 1000 * 1000"
		unused  = "\t_Psyscall_unused\n"
		ring    = "\trunq     [256]guintptr\n"
		next    = "\trunnext guintptr\n"
	)
	for _, tt := range []struct{ name, old, new, want string }{
		{"a comment", preempt, preempt + " // so\n", ""},
		{"a group of one, and parentheses", preempt, "const (\n\tforcePreemptNS = (10 * 1000) * 1000\n)", ""},
		{"a comment within a group", unused, "\t// Hello\n\n" + unused, ""},
		{"a comment at a field", next, "\t// Hello\n" + next, ""},
		{"a field that is not modelled", ring, "\thello int\n" + ring, ""},
		{"fields in one line", "\trunqhead uint32\n\trunqtail uint32\n", "\trunqhead, runqtail uint32\n", ""},

		{"a constant", preempt, "const forcePreemptNS = 20 * 1000 * 1000", "const forcePreemptNS changed: changed"},
		{"a constant that is none", preempt, "var forcePreemptNS int64 = 10 * 1000 * 1000", "const forcePreemptNS missing: removed"},
		{"a constant's type", preempt, "const forcePreemptNS int64 = 10 * 1000 * 1000", "const forcePreemptNS changed: changed"},
		{"one status more", unused, unused + "\t_Phello\n", "const _Pidle changed: added"},
		{"a status less", unused, "", "const _Pidle changed: removed"},
		{"the statuses begin at 1", "_Pidle = iota", "_Pidle = iota + 1", "const _Pidle changed: changed"},
		{"a status with a value of its own", unused, "\t_Psyscall_unused = 7\n", "const _Pidle changed: changed"},
		{"the ring's size", ring, "\trunq [128]guintptr\n", "field p.runq changed: changed"},
		{"the type of runnext", next, "\trunnext uintptr\n", "field p.runnext changed: changed"},
		{"runnext gone", next, "", "field p.runnext missing: removed"},
		{"an index of 16 bits", "\trunqhead uint32\n", "\trunqhead uint16\n", "field p.runqhead changed: changed"},
		{"a counter without atomics", "\tneedspinning atomic.Uint32", "\tneedspinning uint32", "field schedt.needspinning changed: changed"},
		{"a type that is another", "type guintptr uintptr", "type guintptr uint64", "type guintptr changed: changed"},
		{"an alias", "type guintptr uintptr", "type guintptr = uintptr", "type guintptr changed: changed"},
		{"a mask of bytes", "type pMask []uint32", "type pMask []uint8", "type pMask changed: changed"},
	} {
		t.Run(tt.name, func(t *testing.T) { differ(t, copied(t, tt.old, tt.new), tt.want) })
	}
	// The last two in the other order.
	differ(t, copied(t, "\t_Pgcstop\n", "\t_Pdead\n", "\t_Pdead\n)", "\t_Pgcstop\n)"), "const _Pidle changed: removed added")
}

// differ compares a tree, and says of what is no function why it counts.
func differ(t *testing.T, root, want string) {
	t.Helper()
	r, err := Compare(root)
	if err != nil {
		t.Fatal(err)
	}
	if saw := brief(r); saw != want {
		t.Errorf("expected %q, saw %q", want, saw)
	}
	if r.Functions != len(Functions()) || r.Declarations != len(Declarations()) || r.Declarations < 80 {
		t.Errorf("saw %d functions and %d declarations", r.Functions, r.Declarations)
	}
	for _, d := range r.Differ {
		if kind := strings.Contains(d.Function, " "); kind != strings.Contains(d.Text(), "the model needs it: ") || d.File == "" || d.Line == 0 != (d.How == Missing) {
			t.Errorf("saw %+v: %s", d, d.Text())
		}
	}
	if s := r.String(); (want == "") != strings.Contains(s, " is as it was modelled, in all ") {
		t.Errorf("%q: saw %s", want, s)
	}
}

// prefixed puts a text before a file of a copied tree.
func prefixed(t *testing.T, file, text string) string {
	t.Helper()
	root := copied(t)
	old, err := os.ReadFile(filepath.Join(root, "src/runtime", file))
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "src/runtime/"+file, text+string(old))
	return root
}

// A build constraint that comes, goes or changes is named, of each file that is read.
func TestConstraints(t *testing.T) {
	differ(t, prefixed(t, "proc.go", "// Hello.\n\n"), "")
	for _, line := range []string{"//go:build ignore\n\n", "// +build ignore\n\n", "//go:build go1.20\n", "// Hello\n//go:build !windows\n"} {
		root := prefixed(t, "proc.go", line)
		differ(t, root, "build proc.go changed: changed")
		if saw, err := Differing(root, "wakep", "netpollblock"); err != nil || !slices.Equal(saw, []string{"wakep"}) {
			t.Errorf("expected wakep, saw %q, %v", saw, err)
		}
	}
	differ(t, prefixed(t, "runtime2.go", "//go:build linux\n"), "build runtime2.go changed: changed")
	differ(t, copied(t, "//go:build unix || (js && wasm) || wasip1 || windows\n", "//go:build unix\n"), "build netpoll.go changed: changed")
	differ(t, copied(t, "//go:build unix || (js && wasm) || wasip1 || windows\n", ""), "build netpoll.go changed: changed")
	differ(t, copied(t, "func mspinning() {", "//go:build ignore\nfunc mspinning() {"), "") // there it means nothing
	if _, err := Compare(prefixed(t, "proc.go", "//go:build (\n")); err == nil {
		t.Error("a constraint that does not parse has no error")
	}
	// A file of another package is not the runtime's.
	root := copied(t)
	write(t, root, "src/runtime/time.go", "package main\nfunc goroutineReady() {}\n")
	if r, err := Compare(root); err != nil || !strings.Contains(brief(r), "build time.go missing") || !strings.Contains(brief(r), "goroutineReady missing") {
		t.Errorf("saw %v, %v", r, err)
	}
}

// What is declared a second time is named, whichever of the two would be built.
func TestTwins(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"for another system", "other.go", "//go:build plan9\n\npackage runtime\nfunc wakep() {}", "wakep twinplan9:"},
		{"by the file's name", "proc_windows.go", "package runtime\nfunc wakep() {}", "wakep twin:"},
		{"for none", "other.go", "//go:build ignore\n\npackage runtime\nfunc wakep() {}", "wakep twinignore:"},
		{"a method", "other.go", "package runtime\nfunc (pp *p) destroy() {}", "p.destroy twin:"},
		{"a constant", "other.go", "package runtime\nconst hello, forcePreemptNS = 1, 2", "const forcePreemptNS twin:"},
		{"a variable", "other.go", "package runtime\nvar allp []*p", "var allp twin:"},
		{"a struct", "other.go", "package runtime\ntype p struct { runnext guintptr }", "field p.runnext twin:"},
		{"in the file without a poller", "netpoll_stub.go", "package runtime\nfunc netpollAnyWaiters() bool { return true }\nfunc netpollblock() {}", "netpollAdjustWaiters@netpoll_stub.go missing: removed; netpollAnyWaiters@netpoll_stub.go changed: changed; netpollblock twinplan9:"},
		{"a third body", "other.go", "package runtime\nfunc gcMarkWorkAvailable() bool { return true }", "gcMarkWorkAvailable twin:"},
		{"where older versions have it", "mgc.go", "package runtime\nfunc gcMarkWorkAvailable() bool { return true }", "gcBgMarkWorker missing: removed ExtraDone; gcMarkWorkAvailable new:; gcShouldScheduleWorker missing: removed; var gcBlackenEnabled missing: removed"},
		{"in another one", "other.go", "package runtime\nfunc netpollAnyWaiters() bool { return true }", "netpollAnyWaiters twin:"},

		{"in a test", "other_test.go", "package runtime\nfunc wakep() {}", ""},
		{"in a program", "other.go", "//go:build ignore\n\npackage main\nfunc wakep() {}", ""},
		{"a method of another type", "other.go", "package runtime\nfunc (h hello) wakep() {}", ""},
		{"a function that is not modelled", "other.go", "package runtime\nfunc mStackIsSystemAllocated() bool { return false }", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := copied(t)
			old, _ := os.ReadFile(filepath.Join(root, "src/runtime", tt.file))
			head, _, _ := strings.Cut(string(old), "package runtime") // an edited file keeps its constraint
			write(t, root, "src/runtime/"+tt.file, head+tt.text+"\n")
			differ(t, root, tt.want)
			name := declared(strings.Fields(tt.want + " stopm")[0])
			if slices.Contains(Functions(), name) && tt.want != "" {
				if saw, err := Differing(root, name, "stopm"); err != nil || !slices.Equal(saw, []string{name}) {
					t.Errorf("expected %s, saw %q, %v", name, saw, err)
				}
			}
		})
	}
	differ(t, copied(t, "type pMask ", "func wakep() {}\ntype pMask "), "wakep twin:") // after the other
	// Two that are elsewhere: one has moved, and the other is its twin.
	root := copied(t, "func mspinning() {\n", "func hello() {\n")
	for _, file := range []string{"a.go", "b.go"} {
		write(t, root, "src/runtime/"+file, "package runtime\nfunc mspinning() {}\n")
	}
	differ(t, root, "mspinning moved: removed; mspinning twin:")
}

// Each variable and field is one that a modelled function mentions, and each row has a reason.
func TestDeclarationsAreUsed(t *testing.T) {
	s := readOf(t, "")
	if s.version != modelled {
		t.Skipf("the list is of %s, and the toolchain at hand is %s", modelled, s.version)
	}
	used := make(map[string]bool)
	for _, f := range Functions() {
		all, err := s.skeleton(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range all {
			for name := range st.names {
				used[name] = true
			}
		}
	}
	for _, d := range Declarations() {
		kind, name, _ := strings.Cut(d, " ")
		if (kind == "var" || kind == "field") && !used[name[strings.Index(name, ".")+1:]] {
			t.Errorf("no modelled function mentions %s", d)
		}
		if whyOf[d] == "" {
			t.Errorf("%s: expected a reason", d)
		}
	}
}

package rerun

import (
	"flag"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
)

// dropped are flags of a test binary that the child gets otherwise or must not
// have: it runs one test once, and writes no file of the parent's.
var dropped = map[string]bool{
	"test.run": true, "test.count": true, "test.v": true, "test.timeout": true, "test.cpu": true,
	"test.paniconexit0": true, "test.list": true, "test.shuffle": true, "test.testlogfile": true,
	"test.bench": true, "test.benchmem": true, "test.benchtime": true,
	"test.coverprofile": true, "test.gocoverdir": true, "test.outputdir": true, "test.artifacts": true,
	"test.cpuprofile": true, "test.memprofile": true, "test.memprofilerate": true,
	"test.blockprofile": true, "test.blockprofilerate": true,
	"test.mutexprofile": true, "test.mutexprofilefraction": true, "test.trace": true,
	"test.fuzz": true, "test.fuzztime": true, "test.fuzzminimizetime": true, "test.fuzzcachedir": true,
}

// childFlags returns the arguments for a child that runs one test. The other
// flags of the parent, such as -short and those of the test's own, are kept.
func childFlags(name string, timeout time.Duration) []string {
	args := []string{
		"-test.run=" + pattern(name), "-test.count=1", "-test.v", "-test.paniconexit0",
		fmt.Sprintf("-test.timeout=%v", timeout), fmt.Sprintf("-test.cpu=%d", runtime.GOMAXPROCS(0)),
	}
	flag.Visit(func(f *flag.Flag) {
		if !dropped[f.Name] {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	if flag.NArg() > 0 {
		args = append(append(args, "--"), flag.Args()...)
	}
	return args
}

// pattern returns the expression for -run that matches this test and no other.
// Quotes by \Q and \E would not do: the parts are split at slashes outside of
// brackets, and a bracket of a name counts as one unless a backslash is before.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// buildFlags returns the flags that this binary was built with and that go test
// and go list are to have again. Those of GOFLAGS reach them anyway; tags may be others
// than when the binary was built.
func buildFlags(info *debug.BuildInfo) (flags, env []string) {
	flags = append(flags, "-tags="+setting(info, "-tags"))
	for _, s := range info.Settings {
		switch s.Key {
		case "-ldflags", "-gcflags", "-asmflags", "-compiler":
			if s.Value != "" && s.Value != "gc" {
				flags = append(flags, s.Key+"="+s.Value)
			}
		default:
			if s.Value != "" && strings.ToUpper(s.Key) == s.Key && !strings.HasPrefix(s.Key, "-") { // CGO_ENABLED, GOARCH, GOEXPERIMENT
				env = append(env, s.Key+"="+s.Value)
			}
		}
	}
	return append(flags, always...), env
}

// always are flags of each second binary.
var always = []string{"-race=false", "-cover=false", "-msan=false", "-asan=false", "-buildvcs=false"}

// setting returns a setting of the build.
func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// testFlag returns the value of a flag of package testing, and whether it has
// one.
func testFlag(name string) (string, bool) {
	f := flag.Lookup("test." + name)
	if f == nil {
		return "", false
	}
	v := f.Value.String()
	return v, v != "" && v != "false"
}

// A compilerFlag is a flag -gcflags: the packages that it is for, "" for the one under test, and what it says.
type compilerFlag struct{ pattern, flags, under string }

// compilerFlags returns the flag -gcflags, if there is one, and the others. A flag -gcflags on the command line hides that of GOFLAGS.
func (s *subject) compilerFlags(here goEnv) (f compilerFlag, others []string) {
	f.under = s.path
	f.flags, _ = here.flag("gcflags")
	for _, flag := range s.flags {
		if v, ok := strings.CutPrefix(flag, "-gcflags="); ok {
			f.flags = v
			continue
		}
		others = append(others, flag)
	}
	if p, rest, ok := strings.Cut(f.flags, "="); ok && !strings.HasPrefix(f.flags, "-") {
		f.pattern, f.flags = p, rest
	}
	return f, others
}

// reporting returns the flags by which all packages report what they do, but the explorer's.
func (f compilerFlag) reporting() (all []string) {
	add := func(pattern, flags string) { all = append(all, "-gcflags="+pattern+"="+strings.TrimSpace(flags)) }
	everywhere := ""
	if f.pattern == "all" {
		everywhere = f.flags
	}
	add("all", goroot.Reporting+" "+everywhere)
	if everywhere != "" {
		add("reflect", goroot.Reporting) // where functions may not grow the stack, there is room for those that are optimized
	}
	if f.flags != "" && f.pattern != "all" && f.pattern != "" {
		add(f.pattern, goroot.Reporting+" "+f.flags)
	}
	for _, path := range goroot.Silent {
		if goroot.Project+path != f.under { // its external tests have the flags of a package
			add(goroot.Project+path, everywhere)
		}
	}
	if f.flags != "" && f.pattern == "" {
		add(f.under, goroot.Reporting+" "+f.flags)
		add(f.under+"_test", goroot.Reporting+" "+f.flags)
	}
	return all
}

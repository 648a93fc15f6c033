package rerun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The second binary must be of the code that is under test. The build information of a
// test binary lacks some flags, such as -overlay, and the source may have changed since.
// So the go command is asked to build this binary again, up to the linker: the linker
// would get a build ID, which is a hash of all that goes in. It must be this binary's.

// toolVar has a test binary stand between the go command and its tools (go help build,
// -toolexec), and names the file that is to have what the linker was asked for.
const toolVar = "SPINDLE_INTERNAL_TOOL"

// A link is what the linker is asked for.
type link struct {
	ID      string // the build ID, but for the hash of the outcome
	Modinfo string // the build information, as debug.ParseBuildInfo reads it
}

// tool runs a tool of the go command, or notes in file what the linker is asked for and
// fails in its place. It returns the status to exit with.
func tool(file string, args []string) int {
	if len(args) == 0 {
		return 2
	}
	l, ok := linker(args)
	if !ok {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		return cmd.ProcessState.ExitCode()
	}
	text, err := json.Marshal(l)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return 1
}

// linker reads the arguments of a linker. It reports false for those of other tools, and
// for a question after the version.
func linker(args []string) (l link, ok bool) {
	if name := filepath.Base(args[0]); strings.TrimSuffix(name, ".exe") != "link" {
		return l, false
	}
	for i, a := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch {
		case !strings.HasPrefix(a, "-"):
		case name == "buildid": // the last one counts, which may be the user's
			l.ID, ok = value[:strings.LastIndex(value, "/")+1], true
		case name == "importcfg" && i+1 < len(args):
			text, _ := os.ReadFile(args[i+1])
			for line := range strings.Lines(string(text)) {
				quoted, is := strings.CutPrefix(strings.TrimSpace(line), "modinfo ")
				if info, err := strconv.Unquote(quoted); is && err == nil && len(info) > 32 {
					l.Modinfo = info[16 : len(info)-16] // there are marks around it
				}
			}
		}
	}
	return l, ok
}

// sure reports that the go command builds this binary from what it sees now, with the
// flags of the second one. Doubt says why that is not known, if it is not. Err is a
// binary of other code.
func (s *subject) sure(ctx context.Context, here goEnv) (doubt string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "it is not known where it is", nil
	}
	if _, ok := here.flag("toolexec"); ok {
		return "a tool of GOFLAGS=-toolexec stands between the go command and the compiler", nil
	}
	flags, weak := asBuilt(s.info)
	if s.fuzz != "" {
		flags = append(flags, "-fuzz="+s.fuzz)
	}
	// A test that is run by the go command lacks what a debugger reads. If it is
	// compiled, or a profile is asked for, it has that.
	kinds := [][]string{{"test", "-count=1", "-run=^$"}, {"test", "-c", "-o", os.DevNull}}
	if _, ok := testFlag("testlogfile"); !ok {
		slices.Reverse(kinds)
	}
	var seen link
	for _, kind := range kinds {
		l, said, err := s.linked(ctx, self, slices.Concat(kind, s.flags, flags))
		if err != nil {
			return fmt.Sprintf("the go command does not say what it would build: %v: %s", err, said), nil
		}
		if l.ID == "" {
			return "it has no build ID (-ldflags=-buildid)", nil
		}
		has, err := contains(self, []byte(l.ID))
		switch {
		case err != nil:
			return err.Error(), nil
		case has:
			return "", nil
		}
		seen = l
	}
	if weak != "" {
		return weak, nil
	}
	return "", &Error{Problem: Differs, Detail: differs(s.info, here.version, seen),
		Do:      "Some flags are not in the build information: give -overlay, -mod, -modfile and -toolexec in GOFLAGS. A compiled test needs the source,\nthe flags and the environment that it was compiled with. This explores what it tests:",
		Command: "cd " + shell(s.dir) + " && GOFLAGS='<those flags>' " + shell(s.again...)}
}

// linked has the go command build up to the linker.
func (s *subject) linked(ctx context.Context, self string, args []string) (l link, said string, err error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return l, "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "link")
	cmd := exec.CommandContext(ctx, s.command, slices.Concat(args, []string{"-vet=off", "-toolexec=" + strconv.Quote(self), s.path})...)
	cmd.Dir, cmd.Env = s.dir, append(slices.Clone(s.env), toolVar+"="+file)
	out, err := cmd.CombinedOutput() // it fails
	text, missing := os.ReadFile(file)
	if missing != nil {
		if err == nil {
			err = missing
		}
		return l, strings.TrimSpace(string(out)), err
	}
	return l, "", json.Unmarshal(text, &l)
}

// asBuilt returns flags that this binary was built with and the second one is not. If it
// differs nevertheless, and weak is not "", that may be why.
func asBuilt(info *debug.BuildInfo) (flags []string, weak string) {
	for _, key := range []string{"-race", "-msan", "-asan"} {
		if setting(info, key) == "true" {
			flags = append(flags, key)
		}
	}
	if setting(info, "-cover") == "true" {
		flags = append(flags, "-cover", "-covermode="+testing.CoverMode())
		weak = "it was built with -cover, perhaps with -coverpkg"
	}
	if mode := setting(info, "-buildmode"); mode != "" && mode != "exe" {
		flags = append(flags, "-buildmode="+mode)
	}
	if setting(info, "vcs") != "" {
		flags = append(flags, "-buildvcs=true")
	}
	if file := setting(info, "-pgo"); file != "" {
		flags = append(flags, "-pgo="+file)
		weak = "it was built with -pgo, which may depend on what else was built"
	}
	for _, key := range []string{"-gcflags", "-asmflags"} {
		if v := setting(info, key); v != "" && !strings.HasPrefix(v, "all=") {
			weak = "it was built with " + key + " for some packages, which depend on what else was built"
		}
	}
	return flags, weak
}

// differs says what is different about what would be linked. That of a test has no modules.
func differs(info *debug.BuildInfo, version string, l link) string {
	would, err := debug.ParseBuildInfo(l.Modinfo)
	if err != nil {
		would = info
	}
	is, other := map[string]string{"the version of Go": runtime.Version()}, map[string]string{"the version of Go": version}
	for _, s := range info.Settings {
		is[s.Key] = s.Value
	}
	for _, s := range would.Settings {
		other[s.Key] = s.Value
	}
	for _, k := range slices.Sorted(maps.Keys(is)) {
		if is[k] != other[k] {
			return fmt.Sprintf("%s: this binary was built with %q, a build now has %q", k, is[k], other[k])
		}
	}
	return "the settings that it names are the same, so the source is another (-overlay, -toolexec, another version of a module, or a change since the build)"
}

// contains reports whether a file has text in it.
func contains(name string, text []byte) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for kept := 0; ; {
		n, err := io.ReadFull(f, buf[kept:])
		if bytes.Contains(buf[:kept+n], text) {
			return true, nil
		}
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return false, nil
		case err != nil:
			return false, err
		}
		kept = copy(buf, buf[len(buf)-len(text)+1:])
	}
}

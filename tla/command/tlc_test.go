package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/cli/clitest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

const lockDir = "../tlc/testdata/model"

// lockTables makes the mutants those of the lock, a small module for tests.
func lockTables(t *testing.T) {
	mutants := tla.Mutants
	t.Cleanup(func() { tla.Mutants = mutants })
	tla.Mutants = []tla.Mutant{
		{Bugs: []string{"no_lock"}, Model: "lock", Violates: "Exclusive", Depth: 5},
		{Bugs: []string{"no_leave"}, Model: "lock", Violates: "Free", Depth: 4},
		{Bugs: []string{"overrun"}, Model: "lock", Violates: "Short", Depth: 7},
	}
}

// lockCopy returns a copy of the lock's folder in which old, in one of the
// configurations, is new.
func lockCopy(t *testing.T, config, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(lockDir)); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "cfg", config+".cfg"), old, new)
	return dir
}

func edit(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s: expected %q, saw\n%s", file, old, text)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// fakeJava makes Java a script that gives its version and runs text otherwise.
func fakeJava(t *testing.T, version, text string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Java is a shell script here")
	}
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nlast=; for a; do last=$a; done\ncase \"$last\" in\n-version) echo 'openjdk version \"" + version + "\"' >&2;;\n" +
		"tlc2.TLC) echo 'TLC2 Version 0.0 of a script';;\n*) " + text + ";;\nesac\n"
	jar := filepath.Join(home, "x.jar")
	for name, data := range map[string]string{filepath.Join(home, "bin", "java"): script, jar: ""} {
		if err := os.WriteFile(name, []byte(data), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("JAVA_HOME", home)
	t.Setenv(tlc.JarVariable, jar)
}

// program has the commands of this package alone.
var program = cli.Program{Name: "spindle", Commands: []*cli.Command{&TLC, &Model}}

func run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = program.Run(ctx, args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func runTLC(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	return run(ctx, append([]string{"tlc", "-dir", lockDir}, args...)...)
}

// TestTLC runs TLC on the lock and holds what is printed against the golden text,
// in which three dots stand for whatever is there.
func TestTLC(t *testing.T) {
	tlctest.Find(t)
	for _, c := range tier.Some(t, []struct {
		name, args string
		old, new   string // what is changed in lock.cfg
		change     func() // of the mutants
		code       int
		golden     string
	}{
		{"pass", "-coverage", "", "", nil, 0, "pass"},
		{"mutants", "-mutants -jobs 1", "", "", nil, 0, "mutants"},
		{"a count", "lock", "28", "29", nil, 1, "count"},
		{"a mutant that falls elsewhere", "lock+no_lock", "", "", func() { tla.Mutants[0].Violates = "Short" }, 1, "elsewhere"},
		{"a circle", "-v served", "", "", nil, 0, "circle"},
		{"a property without a mutant", "", "", "", func() { tla.Mutants = tla.Mutants[1:] }, 1, "unkilled"},
		{"nothing expected", "lock", "\\* expect: holds, 53 generated, 28 distinct, depth 9\n", "", nil, 1, "absent"},
		{"a file that says nothing", "lock", "\\* expect: holds, 53 generated, 28 distinct, depth 9\n\\* asks: Exclusive Short Free\n\\* module: Lock; set: gate; seconds: 1\n", "", nil, 1, "norow"},
		{"a simulation", "-simulate 20 lock", "", "", nil, 3, "simulated"},
		{"measured", "-measure -jobs 1 lock Lock:lock+no_lock+overrun", "", "", nil, 0, "measured"},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			lockTables(t)
			if c.change != nil {
				c.change()
			}
			dir := lockDir
			if c.old != "" {
				dir = lockCopy(t, "lock", c.old, c.new)
			}
			code, out, errs := run(t.Context(), append([]string{"tlc", "-dir", dir}, strings.Fields(c.args)...)...)
			out = strings.ReplaceAll(out, dir, lockDir)
			checkGolden(t, c.golden, out+errs)
			if code != c.code {
				t.Errorf("expected exit code %d, saw %d", c.code, code)
			}
		})
	}
}

// varies is what differs from run to run.
var varies = regexp.MustCompile(` *[0-9]+\.[0-9] s|Seconds: [0-9.]+| *[0-9]+ generated +0 distinct|2\.18 of 20 March 2023|[0-9]+ at a time`)

// checkGolden writes the golden text instead where UPDATE is set.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "tlc", name+".golden")
	if tier.Update() {
		got = varies.ReplaceAllString(got, "...")
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !clitest.Pattern(string(want)).MatchString(got) {
		t.Errorf("expected %s\n%s\nsaw\n%s", file, want, got)
	}
}

func TestTLCNeedsNoJavaToList(t *testing.T) {
	lockTables(t)
	t.Setenv("JAVA_HOME", "/nowhere")
	for args, want := range map[string]string{
		"-list":                      "lock    gate  holds            53         28        9      1        Is one thread at a time in the section?",
		"-list -mutants":             "lock+no_lock   full  violates Exclusive",
		"-list -markdown":            "| lock | gate | holds | 53 | 28 | 9 | 1 | Is one thread",
		"-list -set gate -mutants":   "MODEL  SET",
		"-list lock+no_leave":        "violates Free",
		"-list -mutants lock -v":     "violates Short",
		"-list lock+overrun -jobs 3": "violates Short",
	} {
		code, out, errs := runTLC(t.Context(), strings.Fields(args)...)
		if code != 0 || !strings.Contains(out, want) || errs != "" {
			t.Errorf("%s: expected %q, saw %d\n%s%s", args, want, code, out, errs)
		}
	}
}

func TestTLCUsage(t *testing.T) {
	lockTables(t)
	for args, want := range map[string]string{
		"lokc":                      `unknown model "lokc"`,
		"-set all":                  `unknown set: expected one of gate, full, night, saw "all"`,
		"-workers 0":                "expected numbers above 0",
		"-distributed":              "-distributed runs one model, saw 0",
		"-listen-all lock":          "-listen-all goes with -distributed",
		"-distributed -host h lock": "-host goes with -listen-all",
		"-worker lock":              "-worker takes no models",
		"-worker -listen-all":       "-listen-all goes with -distributed",
		"-simulate 3 -measure lock": "-simulate explores not all states",
		"-markdown":                 "-markdown goes with -list",
		"-dir /nowhere":             "expected modules *.tla and cfg/*.cfg in it, saw none",
		"-mutants served":           "model served has no mutants",
		"-update -workers 2 lock":   "-update needs -workers 1",
		"-update lock+no_lock":      "the row of mutant lock+no_lock is in tla/mutants_*.go",
		"-update -mutants":          "-update goes with none of -measure, -mutants, -list, -simulate and -distributed",
		"-update -list":             "-update goes with none of",
		"-update -measure":          "-update goes with none of",
		"-update -simulate 3 lock":  "-update goes with none of",
	} {
		code, out, errs := runTLC(t.Context(), strings.Fields(args)...) // the last -dir counts
		if code != 2 || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: expected %q and exit code 2, saw %d\n%s%s", args, want, code, out, errs)
		}
	}
}

// TestTLCHarness is about what keeps TLC from a verdict: exit code 4.
func TestTLCHarness(t *testing.T) {
	output, err := filepath.Abs("../tlc/testdata/output")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, version, text, want string
	}{
		{"Java too old", "1.8.0_202", "", "a Java that is too old: expected version 11 or later, saw 8"},
		{"a parse error", "17", "cat " + output + "/parse.txt; exit 150", "a module does not parse (exit code 150)\n\tEncountered \"Beginning of definition\" at line 6"},
		{"a wrong configuration", "17", "cat " + output + "/unknown.txt; exit 151", "The invariant Unknown specified in the configuration file\n\tis not defined"},
		{"a full disk", "17", "cat " + output + "/disk.txt; exit 1", "the disk is full (exit code 1)\n\tjava.io.IOException: No space left on device"},
		{"memory", "17", "cat " + output + "/memory.txt; exit 255", "out of memory in Java (exit code 255)"},
		{"a crash", "17", "echo SIGSEGV >&2; exit 134", "TLC failed (exit code 134)\n\tSIGSEGV"},
		{"no verdict", "17", "exit 0", "TLC failed\n\tit said nothing of it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lockTables(t)
			fakeJava(t, c.version, c.text)
			code, out, errs := runTLC(t.Context(), "lock")
			if code != 4 || !strings.Contains(out+errs, c.want) {
				t.Errorf("expected %q and exit code 4, saw %d\n%s%s", c.want, code, out, errs)
			}
		})
	}
	t.Run("no Java", func(t *testing.T) {
		t.Setenv("JAVA_HOME", "/nowhere")
		if code, _, errs := runTLC(t.Context(), "Lock:lock"); code != 4 || !strings.Contains(errs, "no Java: JAVA_HOME is /nowhere") {
			t.Errorf("saw %d, %s", code, errs)
		}
	})
	t.Run("no jar", func(t *testing.T) {
		fakeJava(t, "17", "")
		t.Setenv(tlc.JarVariable, "/nowhere.jar")
		if code, _, errs := runTLC(t.Context(), "Lock:lock"); code != 4 || !strings.Contains(errs, "no jar of TLC: TLA2TOOLS_JAR is /nowhere.jar") {
			t.Errorf("saw %d, %s", code, errs)
		}
	})
}

// An interrupt in the middle of a run ends Java and what it started.
func TestTLCInterrupted(t *testing.T) {
	lockTables(t)
	begun := filepath.Join(t.TempDir(), "begun")
	fakeJava(t, "17", "sleep 60 & echo $! >"+begun+"; wait")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if b, _ := os.ReadFile(begun); len(b) > 0 {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	code, out, errs := runTLC(ctx, "lock")
	if code != 130 || !strings.Contains(out, "interrupted: exit 130; 0 of 1 model ended") || !strings.Contains(errs, "interrupted; the results are partial") {
		t.Errorf("saw %d\n%s%s", code, out, errs)
	}
	pid, err := os.ReadFile(begun)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		left := "/proc/" + strings.TrimSpace(string(pid))
		for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if b, err := os.ReadFile(left + "/stat"); errors.Is(err, os.ErrNotExist) || strings.Contains(string(b), ") Z ") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("what Java started is still there: %s", left)
			}
		}
	}
}

// freePort is one that nobody listens at.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// A server in the command, and a worker that its output tells how to start.
func TestTLCDistributed(t *testing.T) {
	tier.OnlyFull(t)
	tlctest.FindServer(t)
	lockTables(t)
	port := strconv.Itoa(freePort(t))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := []string{"tlc", "-worker", "-port", port, "-workers", "1"}
	worked := make(chan string, 1)
	go func() { // a worker waits for its server
		code, out, errs := run(ctx, command...)
		worked <- fmt.Sprint(code, out, errs)
	}()
	code, out, errs := runTLC(ctx, "-distributed", "-port", port, "lock3")
	if code != 0 || !strings.Contains(out, "  spindle "+strings.Join(command, " ")+"\n") || !strings.Contains(out, "ok    lock3 ") || !strings.Contains(out, " 80 distinct") {
		t.Errorf("saw %d\n%s%s", code, out, errs)
	}
	if want := "on the loopback alone, 127.0.0.1 port " + port; !strings.Contains(out, want) {
		t.Errorf("expected %q, saw %s", want, out)
	}
	if said := <-worked; !strings.HasPrefix(said, "0worked: exit 0; ") || !strings.HasSuffix(said, " states generated\n") {
		t.Errorf("the worker: saw %s", said)
	}
	if code, _, errs := runTLC(ctx, "-distributed", "lock"); code != 4 || !strings.Contains(errs, "checks no PROPERTY") {
		t.Errorf("saw %d, %s", code, errs)
	}
}

// Without a compiler nothing listens, unless it may listen everywhere, which is said.
func TestTLCDistributedWithoutACompiler(t *testing.T) {
	lockTables(t)
	begun := filepath.Join(t.TempDir(), "begun")
	fakeJava(t, "17", "echo java.base; case $last in Lock|127.0.0.1) touch "+begun+"; exit 1;; esac")
	for _, args := range []string{"-distributed lock3", "-worker"} {
		code, _, errs := runTLC(t.Context(), strings.Fields(args)...)
		if code != 4 || !strings.Contains(errs, "a Java without a compiler: expected the module jdk.compiler in ") {
			t.Errorf("%s: saw %d, %s", args, code, errs)
		}
		if _, err := os.Stat(begun); err == nil {
			t.Errorf("%s: expected that nothing is started, saw TLC", args)
		}
	}
	_, out, _ := runTLC(t.Context(), "-distributed", "-listen-all", "-host", "here.example", "lock3")
	for _, want := range []string{"at all addresses of this machine, port 10997 and another that Java picks; any client is accepted.", "tlc2.tool.distributed.TLCWorker here.example\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q, saw %s", want, out)
		}
	}
	if _, err := os.Stat(begun); err != nil {
		t.Error("expected the server to be started, saw nothing")
	}
}

// What cannot be printed ends the run.
func TestTLCWhenNobodyReads(t *testing.T) {
	lockTables(t)
	fakeJava(t, "17", "exit 0")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	var errs bytes.Buffer
	code := program.Run(t.Context(), []string{"tlc", "-dir", lockDir, "-jobs", "1", "-set", "night"}, strings.NewReader(""), w, &errs)
	if code == 0 || !strings.Contains(errs.String(), "interrupted") && !strings.Contains(errs.String(), "not whole") {
		t.Errorf("saw %d, %s", code, errs.String())
	}
}

func TestTLCTimeIsUp(t *testing.T) {
	lockTables(t)
	fakeJava(t, "17", "exec sleep 60")
	code, out, errs := runTLC(t.Context(), "-timeout", "200ms", "lock")
	if code != 3 || !strings.Contains(out, "open  lock ") || !strings.Contains(out, "timed out") {
		t.Errorf("saw %d\n%s%s", code, out, errs)
	}
}

// A time that is too short for Java itself says nothing of whether there is one.
func TestTLCTimeIsTooShort(t *testing.T) {
	lockTables(t)
	fakeJava(t, "17", "exit 0")
	code, out, errs := runTLC(t.Context(), "-timeout", "1ns", "lock")
	if code != 4 || out != "" || !strings.Contains(errs, "spindle tlc: the time, -timeout 1ns, was over before Java answered; nothing ran (") || strings.Contains(errs, "within 0s") {
		t.Errorf("saw %d\n%s%s", code, out, errs)
	}
}

// A Java that hangs when it is asked for its version ends with the time, too.
func TestTLCTimeIsUpBeforeItBegins(t *testing.T) {
	within := regexp.MustCompile(`no answer within ([5-9][0-9][0-9]ms|1s)`) // what was left of the time when it was asked
	for _, asked := range tier.Some(t, []string{"-version", "tlc2.TLC"}, 1) {
		t.Run(asked, func(t *testing.T) {
			lockTables(t)
			fakeJava(t, "17", "exit 0")
			java := filepath.Join(os.Getenv("JAVA_HOME"), "bin", "java")
			text, err := os.ReadFile(java)
			if err != nil {
				t.Fatal(err)
			}
			hangs := strings.Replace(string(text), asked+") ", asked+`) trap "" TERM; sleep 8;; x) `, 1)
			if err := os.WriteFile(java, []byte(hangs), 0o777); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			code, out, errs := runTLC(t.Context(), "-timeout", "1s", "lock")
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("expected an end within 5 s, saw %v", took)
			}
			if code != 4 || out != "" || !within.MatchString(errs) || !strings.Contains(errs, java) && !strings.Contains(errs, "x.jar") {
				t.Errorf("expected no answer and exit code 4, saw %d\n%s%s", code, out, errs)
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/conformance/target/child/hostile"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
)

func TestMain(m *testing.M) {
	hostile.Sleep()
	testscript.Main(m, map[string]func(){
		"spindle":  main,
		"stuck":    stuck,
		"plain":    plainQueue,
		"liar":     liar,
		"hostile":  hostileChild,
		"hostiles": hostileScheduler,
		"measured": measured,
	})
}

// TestScript runs testdata/script: every command, every exit code. Commands
// besides those of testscript are at the end of this file.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               userCaches,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "interrupt": interrupt, "same-verdicts": sameVerdicts, "cut": cut, "sub": sub,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "unread" { // who fetches a new Go is not to blame
				r, err := treeOf("")
				return err == nil && len(r.Unread) > 0, nil
			}
			if path, ok := strings.CutPrefix(cond, "exists:"); ok {
				_, err := os.Stat(path)
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

// scripts are those of testdata/script, and of the slow ones some.
func scripts(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	slow := func(file string) bool {
		return slices.Contains([]string{"check_exec.txt", "check_go.txt", "check_model.txt", "check_pass.txt", "model.txt", "mutants.txt"}, filepath.Base(file))
	}
	some := tier.Some(t, slices.DeleteFunc(slices.Clone(all), func(file string) bool { return !slow(file) }), 1)
	return append(slices.DeleteFunc(all, slow), some...)
}

// userCaches lets a script use what the user has built already.
func userCaches(env *testscript.Env) error {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return nil // the scripts that need the go command skip themselves
	}
	if dirs := strings.Fields(string(out)); len(dirs) == 2 {
		env.Setenv("GOCACHE", dirs[0])
		env.Setenv("GOMODCACHE", dirs[1])
	}
	if dir, err := os.UserCacheDir(); err == nil {
		env.Setenv("XDG_CACHE_HOME", dir)
	}
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	env.Setenv("CHECKOUT", checkout)
	return err
}

// stuck is a command that an interrupt asks to end and that does not.
func stuck() {
	os.Exit(cli.Interruptible(func(ctx context.Context) int {
		_ = os.WriteFile("log", []byte("begun\n"), 0o666)
		<-ctx.Done()
		_ = os.WriteFile("log", []byte("begun\nasked to end\n"), 0o666)
		time.Sleep(time.Minute)
		return 0
	}))
}

// plainQueue serves the smallest queue there can be: four methods, a lock.
func plainQueue() {
	hello := child.Hello{Name: "plain", Version: "1", Profile: "fifo"}
	if err := child.Serve(os.Stdin, os.Stdout, hello, queue.Single(func() queue.Queue { return bare{new(designs.Locked)} })); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bare hides what a queue can do beyond the four methods.
type bare struct{ queue.Queue }

// code runs a command and requires its exit code: code N COMMAND ARG...
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case err == nil && want == 0:
	case err == nil:
		ts.Fatalf("expected exit code %d, saw 0", want)
	case !errors.As(err, &exit):
		ts.Fatalf("%v", err)
	case exit.ExitCode() != want:
		ts.Fatalf("expected exit code %d, saw %v", want, err)
	}
}

// saw reports whether one of the files that fit the pattern has the text in it.
func saw(pattern, text string) bool {
	files, _ := filepath.Glob(pattern)
	return slices.ContainsFunc(files, func(file string) bool {
		b, _ := os.ReadFile(file)
		return bytes.Contains(b, []byte(text))
	})
}

// interrupt starts a command, interrupts it each time a file that fits FILE has the next of
// some texts in it, and requires how it ends: interrupt HOW FILE TEXT,TEXT
// COMMAND ARG... where HOW is as in "exit status 130" with hyphens for blanks.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: interrupt HOW FILE TEXT,TEXT COMMAND ARG...")
	}
	how, file, texts := strings.ReplaceAll(args[0], "-", " "), ts.MkAbs(args[1]), strings.Split(args[2], ",")
	path, err := exec.LookPath(args[3])
	ts.Check(err)
	cmd := exec.Command(path, args[4:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "TMPDIR="+ts.Getenv("TMPDIR"))
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(cmd.Start())
	kill := time.AfterFunc(40*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	for _, text := range texts {
		for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if saw(file, text) {
				break
			}
			if time.Since(begin) > 20*time.Second {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				ts.Fatalf("%s does not have %q in it after 20 s", args[1], text)
			}
		}
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	if err := cmd.Wait(); fmt.Sprint(err) != how {
		ts.Fatalf("expected %q, saw %v", how, err)
	}
}

// sameVerdicts requires two files of events to agree on every check and
// requirement: same-verdicts FILE FILE.
func sameVerdicts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same-verdicts FILE FILE")
	}
	said := func(name string) (list []string) {
		err := suite.ReadEvents(strings.NewReader(ts.ReadFile(name)), func(e suite.Event) {
			switch e.Event {
			case suite.CheckEvent:
				list = append(list, fmt.Sprint(e.Check, e.Result.Ended, e.Result.Scenarios, e.Result.Calls))
			case suite.RequirementEvent:
				list = append(list, fmt.Sprint(e.Requirement.ID, e.Requirement.Standing, e.Requirement.Judged))
			}
		})
		ts.Check(err)
		return list
	}
	if a, b := said(args[0]), said(args[1]); !reflect.DeepEqual(a, b) || len(a) == 0 {
		ts.Fatalf("expected the same, saw\n%s\nand\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

// cut copies a file without its last N bytes: cut N FROM TO.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut N FROM TO")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := ts.ReadFile(args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text[:max(0, len(text)-n)]), 0o666))
}

// sub copies a file with the first OLD replaced by NEW: sub OLD NEW FROM TO.
func sub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: sub OLD NEW FROM TO")
	}
	text := ts.ReadFile(args[2])
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("%s does not have %q in it", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), []byte(strings.Replace(text, args[0], args[1], 1)), 0o666))
}

//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/tla/tlc"
)

// A started is a run of the built command in a folder of its own, which has begun what
// it does: the file pids has the processes that it started.
type started struct {
	*testing.T
	cmd    *exec.Cmd
	out    bytes.Buffer
	dir    string
	exited chan error
}

// start starts spindle, or a command that execs it. Files are shell scripts.
func start(t *testing.T, files map[string]string, argv ...string) *started {
	t.Helper()
	s := &started{T: t, dir: t.TempDir(), exited: make(chan error, 1)}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// Under nohup this process ignores hangups, and so would what it starts. A handler here
	// puts an end to that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Dir = s.dir
	s.cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(s.dir, "tmp"), "JAVA_HOME="+s.dir, tlc.JarVariable+"="+filepath.Join(s.dir, "jar"))
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	if err := os.Mkdir(filepath.Join(s.dir, "tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.exited <- s.cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		for _, pid := range s.pids() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	for end := time.Now().Add(20 * time.Second); len(s.pids()) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("expected that it begins, saw %s", s.out.String())
		}
	}
	return s
}

// pids returns the processes that were started, once they all are noted.
func (s *started) pids() (list []int) {
	text, err := os.ReadFile(filepath.Join(s.dir, "pids"))
	if err != nil || !strings.HasSuffix(string(text), "\n") {
		return nil
	}
	for _, word := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

func (s *started) send(sig syscall.Signal) {
	s.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.Fatal(err)
	}
}

// ends requires that it ends as after an interrupt, and leaves nothing.
func (s *started) ends() {
	s.Helper()
	select {
	case <-s.exited:
	case <-time.After(15 * time.Second):
		s.Fatalf("expected an end within 15 s, saw none; %v", s.pids())
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(s.out.String(), "exit 130; ") || !strings.Contains(s.out.String(), "the results are partial") {
		s.Errorf("expected exit code 130 and a report, saw %v\n%s", s.cmd.ProcessState, s.out.String())
	}
	for _, pid := range s.pids() {
		for end := time.Now().Add(5 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				s.Fatalf("expected that all it started has ended, saw process %d", pid)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "tmp", "*")); len(left) > 0 {
		s.Errorf("expected nothing in the temporary folder, saw %v", left)
	}
}

// alive reports whether a process runs: one that has ended and that nobody has waited
// for does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// java starts what sleeps. It has a process group of its own, and does not heed what
// comes from a terminal: spindle must end it.
const java = `trap "" INT HUP
last=; for a; do last=$a; done
case "$last" in
-version) echo 'openjdk version "17"' >&2;;
tlc2.TLC) echo 'TLC2 Version 0.0 of a script';;
*) sleep 60 & echo $$ $! >"$JAVA_HOME/pids"; wait;;
esac`

// deaf introduces itself and does not see that its input ends.
const deaf = `trap "" INT TERM HUP
echo '{"hello": {"protocol": 2, "name": "deaf", "profile": "fifo", "capabilities": {}}}'
echo $$ >pids
while :; do sleep 1; done`

var signals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

func TestSignalsEndTLC(t *testing.T) {
	t.Parallel()
	for _, sig := range signals {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := start(t, map[string]string{"bin/java": java, "jar": ""}, "spindle", "tlc", "runqueue-batches")
			s.send(sig)
			s.ends()
		})
	}
}

func TestSignalsEndCheck(t *testing.T) {
	t.Parallel()
	for _, sig := range signals {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := start(t, map[string]string{"deaf.sh": deaf}, "spindle", "check", "-run", "^sequence/order$", "exec:sh deaf.sh")
			s.send(sig)
			s.ends()
		})
	}
}

// A hangup that was to be ignored (nohup) is ignored, and a later signal is not.
func TestNohup(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"bin/java": java, "jar": ""}, "sh", "-c", `trap "" HUP; exec spindle tlc runqueue-batches`)
	s.send(syscall.SIGHUP)
	select {
	case err := <-s.exited:
		t.Fatalf("expected that it goes on, saw %v\n%s", err, s.out.String())
	case <-time.After(500 * time.Millisecond):
	}
	s.send(syscall.SIGTERM)
	s.ends()
}

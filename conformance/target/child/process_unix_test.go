//go:build unix

package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

func init() {
	behaviours["start"] = startAnother
	behaviours["suite"] = func(string) { beTheSuite() }
}

// startAnother is what children do that start others. what is "setsid" or "group",
// and then what the child itself does.
func startAnother(what string) {
	session, then, _ := strings.Cut(what, " ")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_CHILD=sleep")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session == "setsid"}
	if err := cmd.Start(); err != nil {
		os.Exit(9)
	}
	_ = os.WriteFile(os.Getenv("SPINDLE_INTERNAL_PID"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
	if then == "serve" {
		_ = Serve(os.Stdin, os.Stdout, Hello{Name: "x"}, queue.Single(func() *fifo { return &fifo{} }))
		return
	}
	fmt.Println(hello)
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
	switch then {
	case "hang":
		time.Sleep(time.Minute)
	case "die":
		os.Exit(3)
	}
}

// beginFamily starts a child that starts another, and returns the other's number.
func beginFamily(t *testing.T, behave string, o Options) (*Client, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pid")
	c, err := Start(t.Context(), func() *exec.Cmd {
		cmd := command("start:" + behave)()
		cmd.Env = append(cmd.Env, "SPINDLE_INTERNAL_PID="+file)
		return cmd
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	for range 100 {
		if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
			pid, _ = strconv.Atoi(string(text))
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if pid == 0 {
		t.Fatal("expected the number of a grandchild, saw none")
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	return c, pid
}

// alive reports whether a process is there after a while in which it may end.
func alive(pid int) bool {
	for range 100 {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return false
		}
		time.Sleep(10 * time.Millisecond)
	}
	return true
}

// Whatever a child leaves behind, nobody waits for it.
func TestGrandchild(t *testing.T) {
	for _, c := range []struct {
		behave, want string
		limit        time.Duration
	}{
		{"setsid hang", "no answer within 200ms", 200 * time.Millisecond},
		{"setsid die", "exit status 3, though something that it started holds its output open", 0},
		{"setsid end", "status 0 though something that it started holds its output open", 0},
		{"setsid serve", "", 0},
		{"group hang", "no answer within 200ms", 200 * time.Millisecond},
		{"group die", "exit status 3, ", 0},
		{"group end", "status 0, ", 0},
		{"group serve", "", 0},
	} {
		t.Run(c.behave, func(t *testing.T) {
			t.Parallel()
			client, pid := beginFamily(t, c.behave, Options{Timeout: c.limit})
			begun := time.Now()
			_, err := client.Run(t.Context(), ordered)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			client.Close()
			if took := time.Since(begun); took > c.limit+3*time.Second {
				t.Errorf("it took %v", took)
			}
			if strings.HasPrefix(c.behave, "group") && runtime.GOOS == "linux" && alive(pid) {
				t.Errorf("what the child started in its group lives on")
			}
		})
	}
}

// TestSuiteStopped stops the suite for longer than a scenario may take: the
// child, which answers later, does not hang.
func TestSuiteStopped(t *testing.T) {
	suite := exec.Command(os.Args[0])
	suite.Env = append(os.Environ(), "SPINDLE_INTERNAL_CHILD=suite")
	out, err := suite.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := suite.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = suite.Process.Kill()
		_ = suite.Wait()
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() == "asked" {
		time.Sleep(50 * time.Millisecond)
		_ = suite.Process.Signal(syscall.SIGSTOP)
		time.Sleep(time.Second)
		_ = suite.Process.Signal(syscall.SIGCONT)
	}
	if lines.Text() != "answered" {
		t.Errorf("got %q, want an answer", lines.Text())
	}
}

// beTheSuite asks a child that needs longer than it may, in time of the wall.
func beTheSuite() {
	c, err := Start(context.Background(), command("queue:slow"), Options{Timeout: 700 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	fmt.Println("asked")
	s := record.Scenario{Ps: 1, Threads: []record.Thread{{Script: "g"}}, Order: []int{0}}
	if _, err = c.Run(context.Background(), s); err != nil {
		var hang *queue.HangError
		fmt.Println(errors.As(err, &hang), err)
		return
	}
	fmt.Println("answered")
}

//go:build unix

package hostile

import (
	"os"
	"os/exec"
	"syscall"
)

// families are the deeds of a child that starts others, which hold its streams.
func families() []deed {
	start := func(session bool, n int, then func(c *actor, line []byte)) func(*actor, []byte) {
		return func(c *actor, line []byte) {
			for range n {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), sleeper+"=1")
				cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
				_ = cmd.Start()
			}
			then(c, line)
		}
	}
	serve := func(c *actor, line []byte) { c.say(line) }
	silent := func(*actor, []byte) { hang() }
	end := func(status int) func(*actor, []byte) { return func(*actor, []byte) { os.Exit(status) } }
	return []deed{
		{"a stop of itself", Silent, false, false, func(*actor, []byte) { _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP); hang() }},
		{"a daemon, and right answers", None, false, false, start(true, 1, serve)},
		{"a daemon, and silence", Silent, false, false, start(true, 1, silent)},
		{"a daemon, and status 0", Wrong, false, false, start(true, 1, end(0))},
		{"a daemon, and status 1", Wrong, false, false, start(true, 1, end(1))},
		{"children, and right answers", None, false, false, start(false, 5, serve)},
		{"children, and silence", Silent, false, false, start(false, 5, silent)},
		{"children, and status 0", Wrong, false, false, start(false, 5, end(0))},
	}
}

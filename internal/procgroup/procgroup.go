// Package procgroup puts a child in a process group of its own, so that what it starts ends
// with it, and an interrupt at the terminal is told to us alone. Where there are no process
// groups the child alone is ended.
package procgroup

import "os/exec"

// Own puts cmd in a group of its own. It is called before cmd is started.
func Own(cmd *exec.Cmd) { own(cmd) }

// Interrupt asks the group to end. Without groups the child is killed.
func Interrupt(cmd *exec.Cmd) error { return interrupt(cmd) }

// Terminate tells the group to end. Without groups the child is killed.
func Terminate(cmd *exec.Cmd) error { return terminate(cmd) }

// Kill kills the group, or what is left of it when the child has ended. A command that was
// not started is left alone.
func Kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return kill(cmd)
}

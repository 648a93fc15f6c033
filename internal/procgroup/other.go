//go:build !unix

package procgroup

import "os/exec"

// Supported says whether a child can have a group of its own.
const Supported = false

func own(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }
func terminate(cmd *exec.Cmd) error { return cmd.Process.Kill() }
func kill(cmd *exec.Cmd) error      { return cmd.Process.Kill() }

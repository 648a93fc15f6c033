//go:build !unix

package mutants

import "os/exec"

// Without process groups the child alone is ended, and not asked first.

func ownGroup(*exec.Cmd) {}

func interruptGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

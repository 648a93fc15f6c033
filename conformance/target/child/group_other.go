//go:build !unix

package child

import "os/exec"

func own(*exec.Cmd) {}

func killOwn(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

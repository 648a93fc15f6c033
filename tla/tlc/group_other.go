//go:build !unix

package tlc

import (
	"os/exec"
	"time"
)

func group(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }

func endGroup(*exec.Cmd) {}

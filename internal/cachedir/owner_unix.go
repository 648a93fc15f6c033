//go:build unix

package cachedir

import (
	"io/fs"
	"os"
	"syscall"
)

// hasModes reports whether modes say who may write.
const hasModes = true

// mine reports whether this user owns the file.
func mine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

package cputime

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// threads reads the files schedstat, which have the nanoseconds that a thread ran, and that it could have run and did not, and the files stat, which
// have its state behind its name.
func threads() map[int]thread {
	const folder = "/proc/self/task"
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	all := make(map[int]thread, len(names))
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		text, err := os.ReadFile(folder + "/" + name + "/schedstat")
		if err != nil {
			continue // it has just ended
		}
		var ran, waited int64
		if _, err := fmt.Sscan(string(text), &ran, &waited); err != nil {
			continue
		}
		state, _ := os.ReadFile(folder + "/" + name + "/stat")
		can := bytes.HasPrefix(state[bytes.LastIndexByte(state, ')')+1:], []byte(" R "))
		all[id] = thread{time.Duration(ran), time.Duration(waited), can}
	}
	return all
}

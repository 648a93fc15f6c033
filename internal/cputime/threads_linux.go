package cputime

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// threads reads the files schedstat: the nanoseconds that a thread ran, and that it could have run and did not.
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
		if _, err := fmt.Sscan(string(text), &ran, &waited); err == nil {
			all[id] = thread{time.Duration(ran), time.Duration(waited)}
		}
	}
	return all
}

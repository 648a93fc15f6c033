package child

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// seesRest says that the system shows what the threads of another process do.
const seesRest = true

// A glance is what the threads of a process do at some time, without those of its language's runtime.
type glance struct {
	seen    bool                     // the system has shown it
	rests   bool                     // all sleep
	given   uint64                   // how often they were given a processor, in all
	threads int                      // how many they are
	house   int                      // how many threads of the runtime there are besides
	busy    bool                     // one of those runs, or could run
	wanted  map[string]time.Duration // by thread: how long it ran, or could have run
	ran     map[string]time.Duration // by thread: how long it ran
}

// same reports whether nothing has run between two glances at rest.
func (g glance) same(last glance) bool {
	return g.seen && last.seen && g.rests && last.rests && g.given == last.given && g.threads == last.threads
}

// look looks at a process. Between two glances at which all its threads sleep, and were given a processor as often, there was a time at which none ran: the
// first has read all numbers before the second has read one.
func look(pid int, housekeeping []string) (g glance) {
	folder := "/proc/" + strconv.Itoa(pid) + "/task"
	f, err := os.Open(folder)
	if err != nil {
		return g
	}
	names, _ := f.Readdirnames(-1)
	f.Close()
	g.seen, g.rests = len(names) > 0, true
	g.wanted, g.ran = make(map[string]time.Duration, len(names)), make(map[string]time.Duration, len(names))
	for _, name := range names {
		stat, err := os.ReadFile(folder + "/" + name + "/stat")
		if err != nil {
			g.rests = false // it has just ended
			continue
		}
		open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		if open < 0 || end < open || end+2 >= len(stat) {
			return glance{}
		}
		if keepsHouse(string(stat[open+1:end]), housekeeping) {
			g.house++
			g.busy = g.busy || stat[end+2] == 'R'
			continue
		}
		g.threads++
		if stat[end+2] != 'S' {
			g.rests = false
		}
		text, err := os.ReadFile(folder + "/" + name + "/schedstat")
		if err != nil {
			g.rests = false
			continue
		}
		fields := bytes.Fields(text)
		if len(fields) != 3 {
			return glance{}
		}
		ran, _ := strconv.ParseInt(string(fields[0]), 10, 64)
		waited, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		given, _ := strconv.ParseUint(string(fields[2]), 10, 64)
		g.wanted[name], g.ran[name] = time.Duration(ran+waited), time.Duration(ran)
		g.given += given
	}
	if g.threads == 0 { // it keeps house alone: nothing is known of what it does
		return glance{}
	}
	return g
}

// nameOf returns the name of a thread.
func nameOf(pid int, thread string) string {
	name, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + thread + "/comm")
	return strconv.Quote(strings.TrimSpace(string(name)))
}

func keepsHouse(name string, housekeeping []string) bool {
	for _, h := range housekeeping {
		if strings.HasPrefix(name, h) {
			return true
		}
	}
	return false
}

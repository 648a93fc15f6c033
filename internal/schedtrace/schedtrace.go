// Package schedtrace reads what a Go program prints with GODEBUG=schedtrace=X, and with scheddetail=1: what its scheduler had at
// moments at which sched.lock was held.
package schedtrace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Moment is one SCHED line, with the lines of each P, M and G if there are any.
type Moment struct {
	Line       int                 // of the text, from 1
	Ms         int64               // since the program began
	Gomaxprocs int                 // Ps
	Idle       int                 // on the list of idle Ps
	Threads    int                 // Ms
	Spinning   int                 // Ms that look for work, and tokens
	IdleMs     int                 // on the list of idle Ms
	Queued     int                 // Gs in the global queue
	Ps         []map[string]string // by key, with "id"; in order, from 0 on
	Gs         int                 // lines of Gs
	Detailed   bool                // there are lines of Ps
}

// Read reads moments. Lines of other kinds are passed over: the program prints to the same place. An error is the reader's, or says which line
// is not as the runtime prints it.
func Read(r io.Reader) (list []Moment, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		if at := strings.LastIndex(text, "SCHED "); at > 0 && strings.Contains(text[at:], "ms: gomaxprocs=") {
			text = text[at:] // behind a line of the program's that has no end
		}
		switch {
		case strings.HasPrefix(text, "SCHED "):
			m, err := moment(text)
			if err != nil {
				return list, fmt.Errorf("schedtrace: line %d: %w", n, err)
			}
			m.Line = n
			list = append(list, m)
		case len(list) == 0:
		case strings.HasPrefix(text, "  P"):
			id, fields, ok := detail(text)
			m := &list[len(list)-1]
			if !ok || id != strconv.Itoa(len(m.Ps)) || len(m.Ps) == m.Gomaxprocs || !number(fields["status"]) || !number(fields["runqsize"]) {
				continue // the program's own, or one before it is lost
			}
			fields["id"] = id
			m.Ps, m.Detailed = append(m.Ps, fields), true
		case strings.HasPrefix(text, "  G"):
			if _, fields, ok := detail(text); ok && fields["status"] != "" {
				list[len(list)-1].Gs++
			}
		}
	}
	if err := lines.Err(); err != nil {
		return list, fmt.Errorf("schedtrace: %w", err)
	}
	return list, nil
}

// moment reads a SCHED line.
func moment(text string) (m Moment, err error) {
	time, rest, ok := strings.Cut(strings.TrimPrefix(text, "SCHED "), "ms: ")
	if m.Ms, err = strconv.ParseInt(time, 10, 64); !ok || err != nil {
		return m, fmt.Errorf("expected \"SCHED TIMEms: \", saw %q", text)
	}
	rest, _, _ = strings.Cut(rest, " [") // the lengths of the Ps' queues
	fields := keys(rest)
	for name, to := range map[string]*int{"gomaxprocs": &m.Gomaxprocs, "idleprocs": &m.Idle, "threads": &m.Threads,
		"spinningthreads": &m.Spinning, "idlethreads": &m.IdleMs, "runqueue": &m.Queued} {
		if *to, err = strconv.Atoi(fields[name]); err != nil {
			return m, fmt.Errorf("expected a number for %s, saw %q in %q", name, fields[name], text)
		}
	}
	return m, nil
}

// detail reads "  P0: status=1 ...".
func detail(text string) (id string, fields map[string]string, ok bool) {
	name, rest, ok := strings.Cut(strings.TrimLeft(text, " "), ": ")
	if !ok || len(name) < 2 {
		return "", nil, false
	}
	return name[1:], keys(rest), true
}

func number(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// Whole reports whether there is a line of each P: else the queues of idle Ps are not judged.
func (m *Moment) Whole() bool { return m.Detailed && len(m.Ps) == m.Gomaxprocs }

func keys(text string) map[string]string {
	fields := make(map[string]string)
	for _, f := range strings.Fields(text) {
		if name, value, ok := strings.Cut(f, "="); ok {
			fields[name] = value
		}
	}
	return fields
}

// A Finding is what a moment shows that no scheduler of the runtime's kind may come to.
type Finding struct {
	Requirement        string
	Line               int
	Expected, Observed string
}

// Judge judges a moment. A P is on the idle list only while its status is idle; one that is handed to another M has that status
// for a moment, and is not on the list. So the queues of idle Ps are judged only where their number is that of the list.
func (m *Moment) Judge() (list []Finding) {
	find := func(id, expected, format string, args ...any) {
		list = append(list, Finding{id, m.Line, expected, fmt.Sprintf(format, args...)})
	}
	if m.Idle > m.Gomaxprocs {
		find("DN-IDLE-COUNT", fmt.Sprintf("at most %d idle Ps", m.Gomaxprocs), "%d", m.Idle)
	}
	if m.IdleMs > m.Threads {
		find("DN-IDLE-COUNT", fmt.Sprintf("at most %d idle threads", m.Threads), "%d", m.IdleMs)
	}
	if !m.Whole() {
		return list
	}
	idle := 0
	for _, p := range m.Ps {
		if p["status"] == "0" {
			idle++
		}
	}
	if m.Idle > idle {
		find("DN-IDLE-COUNT", fmt.Sprintf("%d Ps that are idle, as many as idleprocs says", m.Idle), "%d", idle)
	}
	for _, p := range m.Ps {
		if p["status"] == "0" && p["runqsize"] != "0" && idle == m.Idle {
			find("DN-IDLE-EMPTY", fmt.Sprintf("that the queue of P%s, which is idle, is empty", p["id"]), "%s Gs in it", p["runqsize"])
		}
	}
	return list
}

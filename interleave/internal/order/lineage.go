package order

import (
	"strconv"
	"strings"
)

// A thread is named by who made it: those that were there from the beginning are
// letters, in the order of their making; a2 is the second that a has started, a2-1
// the first that this one has; a+ is what empties a's store buffer. So a name means
// the same thread in every execution, however a search came to it.

const letters = "abcdefghijklmnopqrstuvwxyzABCDEF"

// Lineage returns the name of the thread with an ID.
func (x *Execution) Lineage(id int) string {
	t := x.Threads[id]
	switch {
	case t == nil:
		return "?"
	case t.Owner != nil:
		return x.Lineage(t.Owner.ID) + "+"
	case t.Parent < 0:
		return letters[t.Nth : t.Nth+1]
	}
	up := x.Lineage(t.Parent)
	if len(up) > 1 {
		up += "-"
	}
	return up + strconv.Itoa(t.Nth+1)
}

// Named returns the ID of the thread with a name: a valid one. To be called when
// the threads that are there from the beginning have theirs.
func (x *Execution) Named(name string) int {
	body, buffer := strings.CutSuffix(name, "+")
	id := x.IDOf(-1, strings.IndexByte(letters, body[0]))
	if body = body[1:]; body != "" {
		for _, nth := range strings.Split(body, "-") {
			n, _ := strconv.Atoi(nth)
			if id >= 0 {
				id = x.IDOf(id, n-1)
			}
		}
	}
	if buffer && id >= 0 {
		id = x.IDOf(id, -1)
	}
	return id
}

// ValidName reports whether a thread may be called so.
func ValidName(name string) bool {
	body, _ := strings.CutSuffix(name, "+")
	if body == "" || strings.IndexByte(letters, body[0]) < 0 {
		return false
	}
	if body = body[1:]; body == "" {
		return true
	}
	for _, nth := range strings.Split(body, "-") {
		if n, err := strconv.Atoi(nth); err != nil || n < 1 || n > MaxThreads || nth[0] == '+' {
			return false
		}
	}
	return true
}

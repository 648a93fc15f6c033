package talks

import "sync"

var (
	lock  sync.Mutex
	inUse int
	names = map[int]string{}
	users sync.Map
	all   = &struct {
		by   map[string]bool
		uses []int
	}{make(map[string]bool), make([]int, 1)}
)

// use notes who uses something, while f runs.
func use(f func()) {
	lock.Lock()
	inUse++
	names[inUse] = "a"
	users.Store("a", inUse)
	all.by["a"] = true
	all.uses[0]++
	lock.Unlock()
	f()
	lock.Lock()
	delete(names, inUse)
	users.Delete("a")
	delete(all.by, "a")
	all.uses[0]--
	inUse--
	lock.Unlock()
}

// used is how often.
func used() int { return inUse + len(names) + len(all.by) + all.uses[0] }

// holds has the lock while f runs.
func holds(f func()) {
	lock.Lock()
	f()
	lock.Unlock()
}

var places = make(chan int, 2)

// takes has a place while f runs.
func takes(f func()) {
	places <- 1
	f()
	<-places
}

// keeps does not give it back.
func keeps() { places <- 1 }

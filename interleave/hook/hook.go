// Package hook is what a binary that explores calls besides what its source says. It is not for use by hand: the
// calls are put into a temporary copy of the source by interleave, which passes
// it to the go command as an overlay.
package hook

import (
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

var registered bool

// Register says that this binary explores. The init function of one
// package calls it.
func Register() { registered = true }

// Registered reports whether anything called [Register].
func Registered() bool { return registered }

// Explored names a package that is explored.
func Explored(path string) { place.Explore(path) }

// A Name is what an operation of a line is on.
type Name = place.Name

// Names says the names of a file of a package that is explored.
func Names(file string, all ...Name) { place.Register(file, all...) }

// Unseen says of which package not all is reported, and what is not.
func Unseen(path, what string) { unseen.Packages[path] = what }

// Hiding says that from a package code may be called that writes without a report.
func Hiding(path string) { unseen.Hiding[path] = true }

// NoRace says that a function, as the runtime names it without type arguments, says //go:norace.
func NoRace(name string) { unseen.NoRace[name] = true }

// Go is a go statement in code that is not explored, and whose goroutines are threads: f has no arguments.
func Go(f func()) {
	site := engine.Here()
	if engine.Controlled() {
		engine.Spawn(site, f)
		return
	}
	if engine.SpawnOutside(site, f) {
		return
	}
	engine.RefuseOutside(site, "a go statement of the body, or of a function given to Finally: threads are started by Go of the Exec,")
	go f()
}

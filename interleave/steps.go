package interleave

import "github.com/spindle-go/spindle/interleave/internal/engine"

// A Step is an operation that a thread has carried out, with the values that it
// read and wrote: see Exec.Taken.
type Step = engine.Step

// A Site is a place in the source that makes an operation, 0 if it is unknown.
type Site = engine.Site

// A Place says what a site is: file, line, function, and the comment at the end
// of the line.
type Place = engine.Place

// PlaceOf returns what a site is, the zero Place if it is unknown.
func PlaceOf(s Site) Place { return engine.PlaceOf(s) }

// Package settings has what the options of package interleave set: for that package,
// and for those beside it that take the same options.
package settings

import "github.com/spindle-go/spindle/interleave/internal/engine"

// Settings are what a test asked for.
type Settings struct {
	engine.Options
	NoRaces bool // plain accesses are not looked at
	// MustFail turns a test round: it is called with the interleave.Report of a failure,
	// a type that this package cannot name.
	MustFail func(report any)
}

// Of returns what options set, one after the other.
func Of[Option ~func(*Settings)](options []Option) Settings {
	var s Settings
	for _, set := range options {
		set(&s)
	}
	return s
}

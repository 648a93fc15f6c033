// Package tla is the contract in TLA+: the modules, a configuration for each
// question, at whose head stands what it must give (Models), and the known-bad
// variants that must be caught (Mutants).
//
// Nothing here is believed because it passes. Counts of states are written down
// and compared; each property is killed by a mutant, or by a model that must
// fail; each action happens, or onlyWith says why it does not; a configuration
// that does not say what it must give is an error. Package tla/tlc runs TLC; the
// command is spindle tlc.
//
//interleave:off
package tla

import "embed"

// Files are the modules (NAME.tla) and their configurations (cfg/NAME.cfg).
//
//go:embed *.tla cfg/*.cfg
var Files embed.FS

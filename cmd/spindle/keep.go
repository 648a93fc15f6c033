package main

import "github.com/spindle-go/spindle/internal/suite"

// keeper writes the histories of findings to files.
type keeper struct {
	dir    string // "": the one bounded folder of the user's
	failed func(error)
	err    error
}

// keep is an Options.Keep.
func (k *keeper) keep(name string, data []byte) string {
	if k.dir == "" {
		return suite.KeepHistory(name, data)
	}
	path, err := suite.KeepNew(k.dir, name, data)
	if err != nil {
		if k.err == nil {
			k.err = err
			k.failed(err)
		}
		return ""
	}
	return path
}

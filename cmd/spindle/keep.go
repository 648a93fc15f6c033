package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/spec/record"
)

// keeper writes the histories of failures to files.
type keeper struct {
	dir    string // "" until there is one
	seed   uint64
	failed func(error)
	err    error
}

// keep writes h and returns the file's name as a shell takes it, or "".
func (k *keeper) keep(target, check string, h *record.History) string {
	path, err := k.write(target, check, h)
	if err != nil {
		if k.err == nil {
			k.err = fmt.Errorf("history of %s: %w", check, err)
			k.failed(k.err)
		}
		return ""
	}
	return cli.Quote(path)
}

func (k *keeper) write(target, check string, h *record.History) (string, error) {
	if k.dir == "" {
		dir, err := os.MkdirTemp("", "spindle-")
		if err != nil {
			return "", err
		}
		k.dir = dir
	}
	text, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s-%s-%#x.json", target, check, k.seed)
	path := filepath.Join(k.dir, strings.Map(plain, name))
	return path, os.WriteFile(path, append(text, '\n'), 0o666)
}

// plain maps what does not belong in a file's name to a hyphen.
func plain(r rune) rune {
	if r == '.' || r == '_' || cli.Alphanumeric(r) {
		return r
	}
	return '-'
}

// Package wholefile writes files as a whole or not at all: there is the old one or the
// new one, never a part.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A File takes the place of the file of its name when it is committed.
type File struct {
	*os.File
	name string // "": what is no file is written as it is
}

// Create makes a new file for name. A link stays, and what it leads to is replaced.
// What is no file, such as a pipe or /dev/stderr, is opened and written as it is.
func Create(name string) (*File, error) {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, &fs.PathError{Op: "create", Path: name, Err: errors.New("expected a file, saw a folder")}
		}
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &File{f, ""}, err
	}
	// Not os.CreateTemp: its files are for their owner alone.
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".spindle-%x", rand.Uint64()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return &File{f, name}, err
}

// Commit ends the file and gives it its name. After an error nothing of it is left.
func (f *File) Commit() error {
	err := f.Close()
	if f.name == "" {
		return err
	}
	if err == nil {
		err = os.Rename(f.Name(), f.name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Discard ends the file, and leaves what was there before.
func (f *File) Discard() {
	f.Close()
	if f.name != "" {
		os.Remove(f.Name())
	}
}

// Write writes a file by one function.
func Write(name string, write func(io.Writer) error) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}

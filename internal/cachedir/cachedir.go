// Package cachedir finds a folder for what is kept between runs and then run or
// believed: programs, jars.
//
// Whoever can write to such a folder decides what this user runs. So it must be
// the user's own: a directory, no link to one, with the user as its owner, and
// nobody else may write to it. The system's temporary folder is open to all, and a
// name in it may have been taken by anybody. A folder that is not one's own is left
// alone, and a fresh one, which ends with the run, stands in.
//
// The folders above are not looked at. If others may rename things in one of these,
// nothing in it is anybody's own; a temporary folder with the sticky bit is not so.
package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Dir is a folder that nobody else can write to.
type Dir struct {
	Path string
	// Why says why nothing is kept: no folder could be used. "" for a folder that
	// stays.
	Why string
}

// Open returns the user's folder of that name: in the user's cache folder, else in
// the temporary one, else a fresh one. It makes what is not there. Close must be
// called when nothing in the folder is needed any more.
func Open(name string) (*Dir, error) {
	var places []string
	var refused []error
	if base, err := os.UserCacheDir(); err == nil {
		places = append(places, filepath.Join(base, name))
	} else {
		refused = append(refused, err)
	}
	places = append(places, filepath.Join(os.TempDir(), fmt.Sprintf("%s-%d", name, os.Getuid())))
	for _, path := range places {
		err := claim(path, mine)
		if err == nil {
			return &Dir{Path: path}, nil
		}
		refused = append(refused, err)
	}
	d, err := Fresh(name)
	if err != nil {
		return nil, errors.Join(append(refused, err)...)
	}
	var why []string
	for _, err := range refused {
		why = append(why, err.Error())
	}
	d.Why = strings.Join(why, "; ")
	return d, nil
}

// Fresh returns a new folder that Close removes.
func Fresh(name string) (*Dir, error) {
	path, err := os.MkdirTemp("", name+"-")
	return &Dir{Path: path, Why: "not asked for"}, err
}

// Close removes the folder unless it is one that stays.
func (d *Dir) Close() error {
	if d.Why == "" {
		return nil
	}
	return os.RemoveAll(d.Path)
}

// Has reports whether the user's own file of that name is in the folder: a file, no
// link to one, with the user as its owner. Somebody may have put another there as
// long as the folder was open to him.
func (d *Dir) Has(name string) bool { return has(filepath.Join(d.Path, name), mine) }

func has(path string, mine func(fs.FileInfo) bool) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && mine(info)
}

// closed is the mode of a folder that is nobody else's business, and open the bits
// of one that others may have written to.
const (
	closed = 0o700
	open   = 0o022
)

// claim makes the folder at path if there is none, and holds that it is the user's
// own. One that others may read but never could write to is closed to them.
func claim(path string, mine func(fs.FileInfo) bool) error {
	// Mkdir, unlike MkdirAll, follows no link and takes nothing for its own.
	err := os.MkdirAll(filepath.Dir(path), closed)
	if err == nil {
		err = os.Mkdir(path, closed)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: expected a folder, saw %v", path, info.Mode())
	case !mine(info):
		return fmt.Errorf("%s: expected a folder of this user, saw another's", path)
	case hasModes && info.Mode()&open != 0:
		return fmt.Errorf("%s: expected a folder that nobody else can write to, saw %v", path, info.Mode())
	case hasModes && info.Mode().Perm() != closed:
		return os.Chmod(path, closed)
	}
	return nil
}

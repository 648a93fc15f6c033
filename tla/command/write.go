package command

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla"
)

// writeModules writes what TLC gets for one model into a folder: the modules, with the
// edits that its configuration asks for, and MODULE.cfg. A file that is there already is not
// written over.
func writeModules(out io.Writer, folder string, files fs.FS, tasks []*tla.Task) (int, error) {
	if len(tasks) != 1 {
		return exit.Usage, fmt.Errorf("-write writes one model, saw %s", cli.Plural(len(tasks), "model"))
	}
	t := tasks[0]
	job, err := t.Job(files, 1)
	if err != nil {
		return exit.Usage, err
	}
	names, err := fs.Glob(job.Files, "*.tla")
	if err != nil {
		return exit.Error, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return exit.Usage, err
	}
	put := func(name string, text []byte) error {
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			f.Close()
			return err
		}
		return f.Close()
	}
	for _, name := range names {
		text, err := fs.ReadFile(job.Files, name)
		if err != nil {
			return exit.Error, err
		}
		if err := put(name, text); err != nil {
			return exit.Usage, err
		}
	}
	if err := put(t.Module+".cfg", []byte(t.Config)); err != nil {
		return exit.Usage, err
	}
	fmt.Fprintf(out, "%s: %s and %s.cfg in %s\n", t.Name, cli.Plural(len(names), "module"), t.Module, folder)
	return exit.Pass, nil
}

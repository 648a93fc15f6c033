package goruntime

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/frames"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// modulePath is the name of this module. The generated one bears it too, so
// that the sources in it import each other as they do here.
const modulePath = "github.com/spindle-go/spindle"

// driverTag is the build tag of code that needs the wrappers in package
// runtime.
const driverTag = "spindle_overlay"

//go:embed driver/*.go
var driver embed.FS

// sources is where the generated module's packages come from. They import only
// the standard library and each other. They are embedded, not read from a
// checkout, so that an installed command can build them in any folder.
var sources = []struct {
	dir  string // in the module
	fs   fs.FS
	from string // in fs
}{
	{"spec/record", record.Source, "."},
	{"linearizability/recorder", recorder.Source, "."},
	{"internal/frames", frames.Source, "."},
	{"conformance/queue", queue.Source, "."},
	{"conformance/queue/drive", drive.Source, "."},
	{"conformance/target/child", child.Source, "."},
	{"driver", driver, "driver"},
}

// moduleFiles returns the generated module: path in it → text.
func moduleFiles() (map[string][]byte, error) {
	files := map[string][]byte{
		"go.mod": fmt.Appendf(nil, "module %s\n\ngo %s\n", modulePath, strings.TrimPrefix(Oldest, "go")),
	}
	for _, src := range sources {
		entries, err := fs.ReadDir(src.fs, src.from)
		if err != nil {
			return nil, fmt.Errorf("the embedded sources of %s: %w", src.dir, err)
		}
		for _, e := range entries {
			name := e.Name()
			// embed.go would embed the sources once more.
			if strings.HasSuffix(name, "_test.go") || name == "embed.go" {
				continue
			}
			text, err := fs.ReadFile(src.fs, path.Join(src.from, name))
			if err != nil {
				return nil, err
			}
			files[path.Join(src.dir, name)] = text
		}
	}
	return files, nil
}

// writeModule writes the files below dir.
func writeModule(dir string, files map[string][]byte) error {
	for name, text := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spindle-go/spindle/internal/suite/gate"
)

// maxHeads bounds how many streams are judged together.
const maxHeads = 256

// readHeads reads the files of events, and those of the folders among the names.
func readHeads(ctx context.Context, g *gate.Several, names []string, stdin io.Reader) error {
	files, err := heads(names)
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := open(ctx, name, stdin, func(r io.Reader) error { g.Read(name, r); return nil }); err != nil {
			return err
		}
	}
	return nil
}

// heads returns the files. All that lies in a folder counts, under whatever name: the
// events of a test that was killed are still under the name of a temporary file, and
// must not be passed over.
func heads(names []string) (files []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if name == "-" || err == nil && !info.IsDir() {
			files = append(files, name)
			continue
		}
		if err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(name)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() {
				return nil, fmt.Errorf("%s: expected files of events alone, saw the folder %q", name, e.Name())
			}
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if len(files) > maxHeads {
		return nil, fmt.Errorf("expected at most %d files of events, saw %d", maxHeads, len(files))
	}
	return files, nil
}

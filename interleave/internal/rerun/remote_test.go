package rerun

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTestFile holds that the test file is found behind a helper of another package, for
// which sync.Once stands, and that without one it is the helper's.
func TestTestFile(t *testing.T) {
	var found string
	remote := func() { found = testFile() }
	exported := func() { remote() }
	new(sync.Once).Do(exported)
	if filepath.Base(found) != "remote_test.go" {
		t.Errorf("expected this file; observed %s", found)
	}
	var g sync.WaitGroup
	g.Go(exported)
	g.Wait()
	if !strings.HasSuffix(filepath.ToSlash(found), "sync/waitgroup.go") {
		t.Errorf("expected the file of package sync; observed %s", found)
	}
}

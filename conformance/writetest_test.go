package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWritable holds that what cannot stand in another function is refused, before
// anything runs.
func TestWritable(t *testing.T) {
	const closure = "a closure means nothing elsewhere"
	for _, c := range []struct{ body, queue, want string }{
		{"conformance.TestQueue(t, New)", "queue.Single(New)", ""},
		{"conformance.TestSet(t, New)", "New", ""},
		{"conformance.TestQueue(t, ring.New)", "queue.Single(ring.New)", ""},
		{"conformance.TestQueue(t, func() *Q { return New(3) })", "", closure},
		{"conformance.TestQueue(t, maker(3))", "", closure},
		{"make := func() *Q { return New(3) }\n\tconformance.TestQueue(t, make)", "", closure},
		{"var make = func() *Q { return New(3) }\n\tconformance.TestQueue(t, make)", "", closure},
		{"for _, make := range makers { conformance.TestQueue(t, make) }", "", closure},
		{"func(make func() *Q) { conformance.TestQueue(t, make) }(New)", "", closure},
		{"pool := newPool()\n\tconformance.TestQueue(t, pool.New)", "", closure},
		{"conformance.TestQueue(t, pools[0].New)", "", closure},
		{"run(t)", "", "expected a call of TestQueue or TestSet there"},
	} {
		file := filepath.Join(t.TempDir(), "q_test.go")
		text := "package q\n\nimport \"example.com/ring\"\n\nfunc TestQ(t *testing.T) {\n\t" + c.body + "\n}\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		at := caller{file, 6 + strings.Count(c.body, "\n")}
		err := at.writable()
		if c.want == "" {
			if m, err := at.parse(); err != nil || m.queue != c.queue {
				t.Errorf("%s: expected %s, saw %+v, %v", c.body, c.queue, m, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "conformance: SPINDLE_TEST_FILE: ") {
			t.Errorf("%s: expected an error with %q, saw %v", c.body, c.want, err)
		}
	}
}

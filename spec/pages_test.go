package spec_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
)

var choiceOnPage = regexp.MustCompile("`([a-z]+)=([a-z-]+)`")

// TestChoicesOfPages: the pages for schedulers of other languages name choices and values that there are, and what they say of pool is so.
func TestChoicesOfPages(t *testing.T) {
	for _, page := range []string{"conformance/target/child/SCHEDULERS.md", "children/README.md", "docs/from-other-languages.md"} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range choiceOnPage.FindAllStringSubmatch(string(text), -1) {
			if _, err := (spec.SchedulerContract{m[1]: m[2]}).Profile(); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			n++
		}
		if n == 0 {
			t.Errorf("%s: expected that the page names a choice", page)
		}
		_, promises, ok := strings.Cut(string(text), "It promises\n")
		if !ok {
			continue
		}
		promises, _, _ = strings.Cut(promises, "and what")
		pool, _ := spec.Pool.Scheduler()
		for _, m := range choiceOnPage.FindAllStringSubmatch(promises, -1) {
			if !pool.Is(m[1], m[2]) {
				t.Errorf("%s: expected of pool %s=%s, saw %s", page, m[1], pool.Of(m[1]).Name, m[2])
			}
		}
	}
}

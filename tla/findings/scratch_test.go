package findings

import (
	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"os"
	"strings"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	tc, err := goruntime.Find("")
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBench(tc)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	d, _ := time.ParseDuration(os.Getenv("D"))
	fs, err := Select(strings.Fields(os.Getenv("NAMES")))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fs {
		var all []*Result
		for i := range f.Variants {
			r, err := b.Run(t.Context(), &f, i, f.share(i, d), func(string) {})
			if err != nil {
				t.Error(err)
				continue
			}
			all = append(all, r)
		}
		Print(os.Stdout, &f, all)
	}
}

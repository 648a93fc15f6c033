package variant

import (
	"os"
	"testing"
)

// TestEachApplies makes each edit in the modules by itself, each bug also in the mended ones.
func TestEachApplies(t *testing.T) {
	all, err := Sched()
	if err != nil {
		t.Fatal(err)
	}
	mended := []string{"undo_first", "handoff_need", "batch_wakep", "rescan", "stop_again", "safe_again", "poll_need", "enlist_always"}
	for _, v := range all {
		if !v.Bug {
			if _, err := Apply(os.DirFS(".."), []string{v.Name}, nil); err != nil {
				t.Error(err)
			}
			continue
		}
		for _, fixes := range [][]string{nil, mended} {
			if _, err := Apply(os.DirFS(".."), fixes, []string{v.Name}); err != nil {
				t.Errorf("with fixes %v: %v", fixes, err)
			}
		}
	}
}

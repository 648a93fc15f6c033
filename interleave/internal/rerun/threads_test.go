package rerun

import (
	"slices"
	"testing"
)

func TestWithTag(t *testing.T) {
	for _, c := range []struct{ flags, want []string }{
		{[]string{"-tags=", "-race=false"}, []string{"-tags=x", "-race=false"}},
		{[]string{"-race=false", "-tags=a,b"}, []string{"-race=false", "-tags=a,b,x"}},
	} {
		before := slices.Clone(c.flags)
		if got := withTag(c.flags, "x"); !slices.Equal(got, c.want) || !slices.Equal(c.flags, before) {
			t.Errorf("%q: expected %q, saw %q", before, c.want, got)
		}
	}
}

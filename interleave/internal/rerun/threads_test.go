package rerun

import (
	"slices"
	"testing"
)

// TestWithTag: the tags of GOFLAGS count too, as they did before there was a flag.
func TestWithTag(t *testing.T) {
	for _, c := range []struct{ flags, goflags, want []string }{
		{nil, nil, []string{"-tags=x"}},
		{[]string{"-race=false"}, nil, []string{"-race=false", "-tags=x"}},
		{[]string{"-tags=a,b"}, []string{"-mod=mod", "-tags=c"}, []string{"-tags=a,b", "-tags=a,b,x"}},
		{nil, []string{"--tags=c"}, []string{"-tags=c,x"}},
	} {
		if got := withTag(c.flags, c.goflags, "x"); !slices.Equal(got, c.want) {
			t.Errorf("%q, %q: expected %q, saw %q", c.flags, c.goflags, c.want, got)
		}
	}
}

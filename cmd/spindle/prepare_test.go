package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/exit"
)

// TestPrepareNothing: where no test explores, nothing is ready; a package that is not there is an error.
func TestPrepareNothing(t *testing.T) {
	for pattern, want := range map[string]struct {
		code int
		says string
	}{
		"../../internal/exit": {exit.Inconclusive, "saw none in ../../internal/exit"},
		"./nosuch":            {exit.Error, "go vet ./nosuch"},
	} {
		var out, errs bytes.Buffer
		code := spindle(t.Context(), []string{"prepare", pattern}, nil, &out, &errs)
		if code != want.code || !strings.Contains(errs.String(), want.says) || out.Len() > 0 {
			t.Errorf("%s: expected %d and %q, saw %d, %s%s", pattern, want.code, want.says, code, &out, &errs)
		}
	}
}

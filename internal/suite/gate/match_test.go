package gate

import (
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

func TestMatch(t *testing.T) {
	list := []suite.Known{
		{Fingerprint: "RQ-FIFO/get", Target: "a", Reason: "first"},
		{Fingerprint: "RQ-FIFO", Target: "a", From: "go1.23", Reason: "second"},
		{Fingerprint: "RQ-LOST", Target: "b", Reason: "third"},
	}
	for _, test := range []struct{ target, version, fingerprint, want string }{
		{"a", "go1.22", "RQ-FIFO/get", "first"},
		{"a", "go1.22", "RQ-FIFO/get/deep", "first"},
		{"a", "go1.22", "RQ-FIFO/getter", ""},
		{"a", "go1.22", "RQ-FIFO/steal", ""},
		{"a", "go1.24", "RQ-FIFO/steal", "second"},
		{"b", "go1.24", "RQ-FIFO/steal", ""},
		{"a", "v1", "RQ-LOST", ""},
		{"b", "v1", "RQ-LOST", "third"},
	} {
		got := ""
		if k := Match(list, &suite.Description{Name: test.target, Version: test.version}, &record.Finding{Fingerprint: test.fingerprint}); k != nil {
			got = k.Reason
		}
		if got != test.want {
			t.Errorf("%s %s %s: expected %q, saw %q", test.target, test.version, test.fingerprint, test.want, got)
		}
	}
}

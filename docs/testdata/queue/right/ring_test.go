package ring

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
)

func TestRing(t *testing.T) { conformance.TestQueue(t, New) }

package queue

import (
	"testing"

	"github.com/spindle-go/spindle/conformance"
)

func TestQueue(t *testing.T) { conformance.TestQueue(t, New) }

package sched

import (
	"testing"

	"github.com/spindle-go/spindle/internal/valve"
)

// TestValves plays the scenes that check sched plays.
func TestValves(t *testing.T) {
	for _, scene := range valve.Scenes {
		t.Run(scene.Requirement, func(t *testing.T) {
			t.Attr("req", scene.Requirement)
			if err := scene.Play(); err != nil {
				t.Errorf("%s: %v", scene.Requirement, err)
			}
		})
	}
}

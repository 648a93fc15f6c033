//go:build unix

package awake

import (
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/awake/awaketest"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestStopped stops a process for longer than its limit: its time is not over
// when it goes on, but later.
func TestStopped(t *testing.T) {
	tier.OnlyFull(t)
	const limit = time.Second
	text := awaketest.Stopped(t, func(begin func()) string {
		ctx, cancel := WithTimeout(t.Context(), limit)
		defer cancel()
		began := time.Now()
		begin()
		<-ctx.Done()
		return time.Since(began).String()
	})
	// A tick of 15 ms may have come before the stop, and one counts for two.
	least := awaketest.Pause + limit - 100*time.Millisecond
	if took, err := time.ParseDuration(text); err != nil || took < least {
		t.Errorf("over after %s, %v, want at least %v: the pause counted", text, err, least)
	}
}

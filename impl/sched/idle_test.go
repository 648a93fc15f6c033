//go:build unix

package sched

import (
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/cputime"
)

// BenchmarkIdle reports how much of a core a scheduler uses that has run 1,000 Gs, of which one sleeps now and one
// waits for ever, while a second goes by.
func BenchmarkIdle(b *testing.B) {
	s := begin(b, Config{Procs: 2})
	var waits *G
	began := make(chan bool)
	start(b, s, func(g *G) {
		waits = g
		for range 1000 {
			g.Go(func(*G) {})
		}
		g.Go(func(g *G) { g.Sleep(time.Hour) })
		close(began)
		g.Park("the end", nil)
	})
	<-began
	time.Sleep(100 * time.Millisecond)
	used := cputime.Used()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(100*float64(cputime.Used()-used)/float64(b.Elapsed()), "%core")
	if err := s.Ready(waits); err != nil {
		b.Error(err)
	}
	_ = s.CloseWithin(1) // one sleeps
}

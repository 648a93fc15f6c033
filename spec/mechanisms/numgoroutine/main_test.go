package main

import (
	"testing"
	"time"
)

// TestMeasure: what is counted is sure, but for how many goroutines there are after Wait.
func TestMeasure(t *testing.T) {
	c, err := measure(200, 10, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if c.runs != 200 || c.parked != 0 || c.after < 0 || c.after > c.runs {
		t.Errorf("expected 200 runs, each with 10 goroutines more while they wait, saw %+v", c)
	}
	if c, err = measure(200, 10, 0); err != nil || c.runs != 0 {
		t.Errorf("no time: expected no run, saw %+v, %v", c, err)
	}
}

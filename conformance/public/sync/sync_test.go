// Package sync_test explores programs that use golang.org/x/sync, as it lies in the module cache.
package sync_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
)

// nested has two functions of a group that start one more each. At most limit run at a time.
func nested(limit int) func(*interleave.Exec) {
	return func(x *interleave.Exec) {
		x.Go("main", func() {
			var g errgroup.Group
			g.SetLimit(limit)
			for range 2 {
				g.Go(func() error {
					g.Go(func() error { return nil })
					return nil
				})
			}
			g.Wait()
		})
	}
}

// firstError has a group of three, of which one fails and two wait until the context ends.
func firstError(x *interleave.Exec) {
	broken := errors.New("broken")
	x.Go("main", func() {
		g, ctx := errgroup.WithContext(context.Background())
		g.Go(func() error { return broken })
		for range 2 {
			g.Go(func() error {
				<-ctx.Done()
				return ctx.Err()
			})
		}
		if err := g.Wait(); err != broken {
			x.Fatalf("expected %v; observed %v", broken, err)
		}
	})
}

// all has two threads that take all of a semaphore of 2, by calls that ask for so much each.
func all(calls ...int64) func(*interleave.Exec) {
	return func(x *interleave.Exec) {
		s := semaphore.NewWeighted(2)
		for range 2 {
			x.Go("", func() {
				for _, n := range calls {
					if err := s.Acquire(context.Background(), n); err != nil {
						x.Fatalf("%v", err)
					}
				}
				s.Release(2)
			})
		}
	}
}

// flight has two threads that ask for one key. Each has the value, of one call or of two.
func flight(x *interleave.Exec) {
	var g singleflight.Group
	ask := func() {
		if v, err, _ := g.Do("k", func() (any, error) { return 42, nil }); v != 42 || err != nil {
			x.Fatalf("expected 42; observed %v, %v", v, err)
		}
	}
	x.Go("one", ask)
	x.Go("two", ask)
}

// flights is flight with a body that expects one call, which singleflight does not promise.
func flights(x *interleave.Exec) {
	var g singleflight.Group
	calls := make(chan int, 2)
	ask := func() { g.Do("k", func() (any, error) { calls <- 1; return nil, nil }) }
	x.Go("one", ask)
	x.Go("two", ask)
	x.Finally(func() {
		if len(calls) != 1 {
			x.Fatalf("expected one call; observed %d", len(calls))
		}
	})
}

var programs = []struct {
	name  string
	body  func(*interleave.Exec)
	finds string // of the failure; empty if there is none
}{
	{"errgroup, limit 2, Go in Go", nested(2), `^deadlock: .*main\.1.* waits at .*errgroup\.go:71.*main\.2.* waits at .*errgroup\.go:71`},
	{"errgroup, limit 3, Go in Go", nested(3), ""},
	{"errgroup, context, three", firstError, ""},
	{"semaphore, 1 and 1 of 2", all(1, 1), `^deadlock: .*T0 waits at select .*semaphore\.go:74.*T1 waits at select .*semaphore\.go:74`},
	{"semaphore, 2 of 2", all(2), ""},
	{"singleflight, two", flight, ""},
	{"singleflight, two, one call", flights, `^assertion.*expected one call; observed 2`},
}

// result is what the explorer said of a program.
type result struct{ Failure, Certificate string }

// TestSync: a program that is wrong is found. Of one that is right all orders are explored.
func TestSync(t *testing.T) {
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var results []result
		for _, p := range programs {
			report, err := interleave.Explore(p.body, interleave.Exhaustive())
			if err != nil {
				return nil, err
			}
			r := result{Certificate: report.Certificate.String()}
			if f := report.Failure; f != nil {
				r.Failure = string(f.Kind) + ": " + f.Message
			}
			results = append(results, r)
		}
		return json.Marshal(results)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var results []result
	if err := json.Unmarshal(payload, &results); err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			r := results[i]
			t.Log(r.Certificate)
			if p.finds != "" {
				if t.Log(r.Failure); !regexp.MustCompile(p.finds).MatchString(r.Failure) {
					t.Errorf("expected the failure %q, saw %q", p.finds, r.Failure)
				}
				return
			}
			const want = `^complete: [1-9]\d* executions, no bound, [^;]*$`
			if r.Failure != "" || !regexp.MustCompile(want).MatchString(r.Certificate) {
				t.Errorf("expected no failure, and %q; saw %q, %q", want, r.Failure, r.Certificate)
			}
		})
	}
}

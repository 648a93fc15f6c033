package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

const variable = "SPINDLE_HOSTILE_SEED"

func TestMain(m *testing.M) {
	Sleep()
	if seed, err := strconv.ParseUint(os.Getenv(variable), 10, 64); err == nil {
		if os.Getenv(ofSchedulers) != "" {
			OfScheduler(seed).Be()
		} else {
			Of(seed).Be()
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// small is for most children, large for those that say much: its answer may be.
var small = record.Scenario{
	Name: "small", Ps: 2, Threads: []record.Thread{{P: 0, Script: "pppgel"}, {P: 1, Script: "s0pge"}},
	Order: []int{0, 0, 0, 1, 0, 1, 1, 0, 0, 1},
}
var pair = record.Scenario{
	Name: "pair", Ps: 1, Before: "T0:p", After: "T0:pg T1:s0", Threads: []record.Thread{{P: 0, Script: "pg"}, {P: record.None, Script: "s0e0"}},
}
var large = record.Scenario{Name: "large", Ps: 1, Threads: []record.Thread{{P: 0, Script: "ppgel", Repeat: 5000}}}

const (
	short = time.Second // the time of a scenario, where it is expected to be needed
	long  = 30 * time.Second
	slack = 2 * time.Second // beyond it, until the suite goes on
	most  = 256 << 20       // bytes of the suite
)

// TestHostileChildren: whatever a child does, the suite ends in time and within
// its memory, and a history that it believes is the true one.
func TestHostileChildren(t *testing.T) {
	tier.OnlyFull(t)
	all := make([]uint64, max(120, Deeds()))
	for i := range all {
		all[i] = uint64(i)
	}
	seeds := tier.Some(t, all, 15)
	peak := watchMemory(t)
	var behaviours [2][]Behaviour
	for _, seed := range seeds {
		b, i := Of(seed), 1
		if b.Large {
			i = 0
		}
		behaviours[i] = append(behaviours[i], b)
	}
	// What is large comes alone, so that the memory is that of one child. Of the
	// others most wait most of the time.
	for i, at := range []int{1, 8} {
		var next atomic.Int64
		var group sync.WaitGroup
		for range at {
			group.Go(func() {
				for n := int(next.Add(1)) - 1; n < len(behaviours[i]); n = int(next.Add(1)) - 1 {
					b := behaviours[i][n]
					t.Run(b.Deed, func(t *testing.T) { judge(t, b) })
				}
			})
		}
		group.Wait()
	}
	if p := peak(); p > most {
		t.Errorf("the suite took %d MiB, want at most %d", p>>20, most>>20)
	} else {
		t.Logf("%d children; the suite took at most %d MiB", len(seeds), p>>20)
	}
}

// judge runs scenarios on one child and holds it to what its behaviour says.
func judge(t *testing.T, b Behaviour) {
	scenario := small
	if b.Large {
		scenario = large
	}
	run := func(c *child.Client) ([]*record.History, error) {
		h, err := c.Run(t.Context(), scenario)
		return []*record.History{h}, err
	}
	one, err := drive.Run(t.Context(), queue.Single(right), scenario)
	want := []*record.History{one}
	if b.Explores() {
		run = func(c *child.Client) ([]*record.History, error) {
			x, err := c.Explore(t.Context(), pair, 100)
			if err != nil {
				return nil, err
			}
			return x.Histories, nil
		}
		var x *queue.Exploration
		if x, err = Explore(pair); err == nil {
			want = x.Histories
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	limit := long
	if b.Harm == Silent || b.Harm == Later {
		limit = short
	}
	o := child.Options{StartTimeout: long, Timeout: limit, ExploreTimeout: limit}
	if b.At == 0 {
		o.StartTimeout = limit
	}
	timed := func(what string, limit time.Duration, f func()) {
		begin := time.Now()
		if f(); time.Since(begin) > limit+slack {
			t.Errorf("%v: %s took %v, want at most %v and %v", b, what, time.Since(begin), limit, slack)
		}
	}
	var c *child.Client
	timed("the start", o.StartTimeout, func() { c, err = child.Start(t.Context(), command(b.Seed), o) })
	believed := 0
	if err == nil {
		for range 5 {
			var list []*record.History
			timed("a scenario", o.Timeout, func() { list, err = run(c) })
			if err != nil {
				break
			}
			if believed++; !slices.EqualFunc(list, want, alike) && b.Harm != Lies {
				t.Errorf("%v: believed another history than the true one", b)
			}
		}
		timed("the end", 0, func() { c.Close() })
	}
	var hang *queue.HangError
	silent := errors.As(err, &hang) || err != nil && strings.Contains(err.Error(), "hello within")
	if err != nil && (len(err.Error()) > 5000 || strings.ContainsAny(err.Error(), "\x1b\n\x00")) {
		t.Errorf("%v: an error of %d bytes, or with what cannot be shown: %.200q", b, len(err.Error()), err)
	}
	t.Logf("%v: %d believed, then %.150v", b, believed, err)
	ok := false
	switch b.Harm {
	case None, Lies:
		ok = err == nil
	case Later:
		ok = err != nil && believed == b.At
	case Wrong:
		ok = err != nil && believed == max(b.At-1, 0) && !silent
	case Silent:
		ok = silent && believed == max(b.At-1, 0)
	}
	if !ok {
		t.Errorf("%v: %d histories believed, and then %v", b, believed, err)
	}
}

func command(seed uint64) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), variable+"="+strconv.FormatUint(seed, 10))
		return cmd
	}
}

// alike compares two histories besides the stamps of clocks.
func alike(a, b *record.History) bool {
	var texts [2]string
	for i, h := range []*record.History{a, b} {
		c := *h
		c.Scenario = record.Scenario{} // what was asked
		if c.Ops = slices.Clone(h.Ops); c.Clock != record.ClockOrder {
			for j := range c.Ops {
				c.Ops[j].Call, c.Ops[j].Return = 0, 0
			}
		}
		text, _ := json.Marshal(c)
		texts[i] = string(text)
	}
	return texts[0] == texts[1]
}

// watchMemory returns a function that says how much memory this process took at
// most since.
func watchMemory(t *testing.T) func() uint64 {
	runtime.GC()
	ctx, stop := context.WithCancel(t.Context())
	var peak atomic.Uint64
	var group sync.WaitGroup
	group.Go(func() {
		samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for ctx.Err() == nil {
			metrics.Read(samples)
			peak.Store(max(peak.Load(), samples[0].Value.Uint64()-samples[1].Value.Uint64()))
			time.Sleep(2 * time.Millisecond)
		}
	})
	return func() uint64 {
		stop()
		group.Wait()
		return peak.Load()
	}
}

// A seed is one behaviour, and many seeds are many.
func TestOf(t *testing.T) {
	seen := make(map[Behaviour]bool)
	deeds := make(map[string]bool)
	for seed := range uint64(200) {
		b := Of(seed)
		if !reflect.DeepEqual(b, Of(seed)) {
			t.Errorf("seed %d: two behaviours", seed)
		}
		b.Seed = 0
		seen[b] = true
		deeds[b.Deed] = true
	}
	if len(deeds) != Deeds() || len(seen) < 150 {
		t.Errorf("%d deeds of %d, %d behaviours of 200 seeds", len(deeds), Deeds(), len(seen))
	}
}

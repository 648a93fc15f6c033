package sched

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/conformance/trace/recording"
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
	spec "github.com/spindle-go/spindle/spec/sched"
)

// recordVar says to a binary that records how many records are to be made.
const recordVar = "SPINDLE_INTERNAL_TIE_RECORD"

// A program is run at will, by real threads, again and again.
type program struct {
	name   string
	gs     int // at a time, at most
	rounds int // of a run
	main   func(g *G, rounds int)
}

var programs = []program{
	{"fork and join", 8, 500, forkJoin},
	{"ping-pong", 4, 1000, pingPong},
	{"yield", 6, 1000, yields},
}

// forkJoin has five Gs do something, and waits for them.
func forkJoin(g *G, rounds int) {
	for range rounds {
		var left atomic.Int32
		left.Store(6)
		for i := range 5 {
			g.Go(func(c *G) {
				if i%2 == 0 {
					c.Yield()
				}
				if left.Add(-1) == 0 {
					c.Ready(g)
				}
			})
		}
		g.Park("join", func() bool { return left.Add(-1) != 0 })
	}
}

// A baton is handed from G to G.
type baton struct {
	mu    sync.Mutex
	here  bool
	waits *G
}

func (b *baton) take(g *G) {
	b.mu.Lock()
	if b.here {
		b.here = false
		b.mu.Unlock()
		return
	}
	b.waits = g
	g.Park("baton", func() bool { b.mu.Unlock(); return true })
}

func (b *baton) hand(g *G) {
	b.mu.Lock()
	waits := b.waits
	b.waits, b.here = nil, waits == nil
	b.mu.Unlock()
	if waits != nil {
		g.Ready(waits)
	}
}

// pingPong has two Gs wake each other.
func pingPong(g *G, rounds int) {
	var ping, pong, end baton
	g.Go(func(g *G) {
		for range rounds {
			ping.take(g)
			pong.hand(g)
		}
	})
	g.Go(func(g *G) {
		for range rounds {
			ping.hand(g)
			pong.take(g)
		}
		end.hand(g)
	})
	end.take(g)
}

// yields has four Gs yield.
func yields(g *G, rounds int) {
	var left atomic.Int32
	left.Store(5)
	for range 4 {
		g.Go(func(c *G) {
			for range rounds {
				c.Yield()
			}
			if left.Add(-1) == 0 {
				c.Ready(g)
			}
		})
	}
	g.Park("join", func() bool { return left.Add(-1) != 0 })
}

// recorded runs a program, and returns what each M did, until all sleep.
func recorded(p program, rounds int, shipped Shipped) ([]*recording.Thread, *trace.DanceWords, error) {
	recording.Reset()
	s, err := newIn(Config{Procs: 2, Ring: 2, Unwatched: true, Shipped: shipped}, realTime{})
	if err != nil {
		return nil, nil, err
	}
	s.runnext = true
	lock, ok := any(&s.global.Mutex).(interface{ Peek(func()) })
	if !ok {
		return nil, nil, errors.New("expected a build that records, saw sync.Mutex")
	}
	m := s.newm()
	m.born, m.nextp = true, s.pidleget()
	gp := s.newG()
	s.know(gp)
	ended := make(chan struct{})
	gp.init(func(g *G) { p.main(g, rounds); close(ended) }, 1)
	m.nextp.runq.Put(&gp.queued, true)
	words := s.words()
	s.ms.Add(1)
	recording.Start()
	go m.mstart()
	<-ended
	for quiet := false; !quiet; time.Sleep(50 * time.Microsecond) {
		lock.Peek(func() { quiet = s.nmidle == len(s.allm) })
	}
	recording.Stop()
	return recording.Reset(), words, s.Close()
}

// recordings is what came of recorded runs.
type recordings struct {
	Runs, Records, Operations, Stutters, Ms, Sets, Transitions int
	TooMany                                                    int    // runs with more Ms than the machine has
	Flawed                                                     string // how a flawed scheduler was refused
	Recording, Merging                                         time.Duration
	Wrong                                                      []string
	Damaged                                                    map[string]int // what was damaged, and what has refused it
}

// atTheLostWakeup is how a scheduler with Shipped.Wakep is refused: at one of the two lines that wakep has then
// alone. If needspinning is set already, to set it says nothing, and the other is the first that can be seen.
var atTheLostWakeup = regexp.MustCompile(`expected .*WakepGet of M.*, saw (with WakepGet: Store 1 of s\.needspinning|WakepUndo: Add \d+ -> \d+ of s\.nmspinning) `)

// TestTieRecorded runs programs on real threads and holds what they did against the model.
func TestTieRecorded(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	tier.OnlyFull(t)
	if most := os.Getenv(recordVar); most != "" {
		var n int
		if _, err := fmt.Sscan(most, &n); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(record(n))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("\n%s%s\n", recordVar, text)
		return
	}
	n := tier.N(t, 300_000, 10_000_000)
	r := recordsIn(t, n)
	t.Logf("%d runs of %d Ms, %d records; %v to run and record, %v to find an order and follow; %d operations from the first G on, %d of which say nothing to the model; %d sets of states, %d transitions",
		r.Runs, r.Ms, r.Records, r.Recording.Round(time.Millisecond), r.Merging.Round(time.Millisecond), r.Operations, r.Stutters, r.Sets, r.Transitions)
	t.Logf("damaged: %v; the flawed one: %s", r.Damaged, r.Flawed)
	for _, text := range r.Wrong {
		t.Error(text)
	}
	damaged := 0
	for _, n := range r.Damaged {
		damaged += n
	}
	if damaged < 4*eachDamage {
		t.Errorf("expected %d damages of each kind, saw %v", eachDamage, r.Damaged)
	}
	if !atTheLostWakeup.MatchString(r.Flawed) {
		t.Errorf("expected that a scheduler with the lost wakeup of Go 1.26 is refused where its wakep has the wrong order, saw %q", r.Flawed)
	}
	if r.Records < n || r.Operations-r.Stutters < n/10 || r.Runs < len(programs) {
		t.Errorf("expected %d records, saw %+v", n, r)
	}
}

// recordsIn has a binary that records make so many records.
func recordsIn(t *testing.T, n int) *recordings {
	t.Helper()
	binary := recorder(t)
	cmd := exec.Command(binary, "-test.run=^TestTieRecorded$", "-test.timeout=9m")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", recordVar, n))
	out, err := cmd.CombinedOutput()
	_, text, ok := strings.Cut(string(out), "\n"+recordVar)
	if err != nil || !ok {
		t.Fatalf("%v: %s", err, out)
	}
	text, _, _ = strings.Cut(text, "\n")
	r := new(recordings)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// recorder builds this test with package recording in place of sync and sync/atomic, in the scheduler and
// its queues.
func recorder(t *testing.T) string {
	t.Helper()
	set, err := overlay.New(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if err := asBuilt(set); err != nil {
		t.Fatal(err)
	}
	const with = `"github.com/spindle-go/spindle/conformance/trace/recording"`
	for _, dir := range []string{"impl/sched", "impl/runq"} {
		files, err := filepath.Glob(filepath.Join(set.Root(), filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			file = dir + "/" + filepath.Base(file)
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := set.Text(file)
			if err != nil {
				t.Fatal(err)
			}
			replaced := strings.NewReplacer("\t\"sync/atomic\"\n", "\tatomic "+with+"\n", "\t\"sync\"\n", "\tsync "+with+"\n",
				"import \"sync/atomic\"\n", "import atomic "+with+"\n", "import \"sync\"\n", "import sync "+with+"\n").Replace(string(text))
			if err := set.Put(file, []byte(replaced)); err != nil {
				t.Fatal(err)
			}
		}
	}
	// An M has a thread, and whoever runs for it records there. Lines keep their numbers.
	if err := set.Apply(
		overlay.Edit{File: "impl/sched/state.go", Old: "	random   uint32 ", New: "	rec *atomic.Thread; random uint32 "},
		overlay.Edit{File: "impl/sched/state.go", Func: "M.wake", Old: "	m.born = true\n", New: "	m.born = true; atomic.HandOver(m.rec)\n"},
		overlay.Edit{File: "impl/sched/state.go", Func: "M.mstart", Old: "	defer m.mexit()\n", New: "	atomic.Begin(m.rec); defer m.mexit()\n"},
		overlay.Edit{File: "impl/sched/sched.go", Func: "Scheduler.newm", Old: "&M{s: s, ", New: "&M{s: s, rec: atomic.NewThread(), "},
		overlay.Edit{File: "impl/sched/g.go", Func: "G.mcall", Old: "scheduler has closed\n\t}\n", New: "scheduler has closed\n\t}; atomic.On(g.m.rec)\n"},
		overlay.Edit{File: "impl/sched/g.go", Func: "G.run", Old: "\tg.f(g)\n", New: "\tatomic.On(g.m.rec); g.f(g)\n"},
	); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	flag, err := set.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "recorder.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", flag, "-o", binary, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return binary
}

// asBuilt puts in set what this binary was built with in place of the files of the checkout, as GOFLAGS has it.
func asBuilt(set *overlay.Set) error {
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		file, ok := strings.CutPrefix(flag, "-overlay=")
		if !ok {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var list struct{ Replace map[string]string }
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		for path, by := range list.Replace {
			name, err := filepath.Rel(set.Root(), path)
			if err != nil {
				return err
			}
			text, err := os.ReadFile(by)
			if err == nil {
				err = set.Put(filepath.ToSlash(name), text)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// held holds a recorded run against the machine.
func held(log *trace.DanceLog, threads []*recording.Thread) error {
	if err := recording.Merge(threads, func(thread int, record *recording.Record) error {
		op, err := log.Operation(thread, record)
		if err == nil {
			err = log.See(&op)
		}
		return err
	}); err != nil {
		return err
	}
	return log.End()
}

// record runs programs until there are so many records, and follows them.
func record(n int) (r recordings) {
	r.Damaged = make(map[string]int)
	wrong := func(format string, args ...any) { r.Wrong = append(r.Wrong, fmt.Sprintf(format, args...)) }
	for i, p := range programs {
		c := machine(Config{Procs: 2, Ring: 2}, p.gs)
		c.Features, c.Sysmon, c.Ms = []string{"yield", "tick"}, 0, spec.MaxMs
		d, err := trace.NewDance(c)
		if err != nil {
			wrong("%v", err)
			return r
		}
		for r.Records < n*(i+1)/len(programs) && len(r.Wrong) == 0 {
			from := time.Now()
			threads, words, err := recorded(p, p.rounds, Shipped{})
			if err != nil {
				wrong("%s: %v", p.name, err)
				return r
			}
			r.Recording += time.Since(from)
			if len(threads) > spec.MaxMs { // one was late to sleep, and another was made: the machine has no more
				if r.TooMany++; r.TooMany > 10+r.Runs/10 {
					wrong("%s: in %d runs there were more than %d Ms", p.name, r.TooMany, spec.MaxMs)
				}
				continue
			}
			r.Runs++
			r.Ms += len(threads)
			from = time.Now()
			log := d.Log(words)
			if err := held(log, threads); err != nil {
				wrong("%s: %v", p.name, err)
			}
			r.Merging += time.Since(from)
			for _, t := range threads {
				r.Records += len(t.Records)
			}
			r.Operations += log.Operations
			r.Stutters += log.Stutters
		}
		if p.name == "fork and join" {
			c.Fixes = butWakep(Config{Procs: 2, Ring: 2}, p.gs).Fixes
			but, err := trace.NewDance(c)
			if err != nil {
				wrong("%v", err)
				return r
			}
			for tries := 0; tries < 10 && r.Flawed == ""; tries++ { // until wakep has found no idle P
				threads, words, err := recorded(p, p.rounds, Shipped{Wakep: true})
				if err == nil {
					err = held(but.Log(words), threads)
				}
				if err != nil {
					r.Flawed = err.Error()
				}
			}
		}
		if err := damageRecords(d, p, &r); err != nil {
			wrong("%s: %v", p.name, err)
		}
		sets, transitions := d.Sets()
		r.Sets += sets
		r.Transitions += transitions
	}
	return r
}

package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spindle-go/spindle/conformance/target/child"
)

// The kinds of lines of a child that is a scheduler.
const (
	OfHello   = "hello"
	OfRun     = "run"
	OfLook    = "look"
	OfRelease = "release"
)

// A schedDeed is a deed of a child that is a scheduler, at a line of one of these kinds.
type schedDeed struct {
	deed
	kinds []string
	flaw  string // of its scheduler
}

// OfScheduler returns the behaviour of a child that is a scheduler that seed stands for. As many seeds in a row as there are deeds have each deed once.
func OfScheduler(seed uint64) Behaviour {
	b, _ := ofScheduler(seed)
	return b
}

func ofScheduler(seed uint64) (Behaviour, *schedDeed) {
	r := rand.New(rand.NewPCG(seed, 1))
	deeds := schedDeeds()
	d := &deeds[seed%uint64(len(deeds))]
	b := Behaviour{Seed: seed, Deed: d.name, Large: d.large, Harm: d.harm, Kind: d.kinds[r.IntN(len(d.kinds))], Flaw: d.flaw, Chunk: []int{1 << 30, 1 << 12, 64}[r.IntN(3)], Noise: []string{"", "", "\x1b[2J::error::x\n", "much"}[r.IntN(4)]}
	if b.Kind == OfRun && b.Flaw == "" && r.IntN(2) == 0 {
		b.At = r.IntN(20)
	}
	return b, d
}

// SchedulerDeeds is how many there are.
func SchedulerDeeds() int { return len(schedDeeds()) }

var anywhere = []string{OfHello, OfRun, OfLook, OfRelease}

// schedDeeds are those of a line's text and of conduct, and those of the log.
var schedDeeds = sync.OnceValue(func() (list []schedDeed) {
	ofAny := []string{"another seq", "no seq", "a seq in quotes", "a seq with an exponent", "a hello instead"}
	for _, d := range texts() {
		switch {
		case !d.answers:
			list = append(list, schedDeed{d, anywhere, ""})
		case slices.Contains(ofAny, d.name):
			list = append(list, schedDeed{d, anywhere[1:], ""})
		}
	}
	for _, d := range conducts() {
		kinds := anywhere
		if d.answers {
			kinds = []string{OfRun, OfRelease}
		}
		list = append(list, schedDeed{d, kinds, ""})
	}
	return append(list, logDeeds()...)
})

// all are names that hide each thread there is.
func all() (names []string) {
	for c := 'a'; c <= 'z'; c++ {
		names = append(names, string(c))
	}
	return append(names, "0", "1", "S", ".", "_", "-")
}

// logDeeds are the deeds that are no matter of lines.
func logDeeds() (list []schedDeed) {
	both, run, looked, release := []string{OfRun, OfLook}, []string{OfRun}, []string{OfLook}, []string{OfRelease}
	add := func(name string, harm Harm, kinds []string, change func(a map[string]any) map[string]any) {
		list = append(list, schedDeed{deed{name, harm, true, strings.Contains(name, "huge"), func(c *actor, line []byte) { c.say(changed(line, change)) }}, kinds, ""})
	}
	// events changes the log.
	events := func(name string, harm Harm, kinds []string, change func(log []any) []any) {
		add(name, harm, kinds, func(a map[string]any) map[string]any {
			for _, key := range []string{"events", "sofar"} {
				if log, ok := a[key].([]any); ok {
					a[key] = change(log)
				}
			}
			return a
		})
	}
	// value changes one value of the first event.
	value := func(name string, at int, to any) {
		events(name, Wrong, both, func(log []any) []any { log[0].([]any)[at] = to; return log })
	}
	value("another what", 0, "dances")
	value("what is a number", 0, 7)
	value("another thread", 1, -5000)
	value("another task", 1, 5000)
	value("a number of 40 bits", 1, 1<<40)
	value("a number of 80 bits", 1, json.Number("1208925819614629174706176"))
	value("a fraction", 1, json.Number("0.5"))
	value("another step", 2, "s9999")
	value("a step of control characters", 2, "s0\x1b[2J\n::error::x")
	value("a huge step", 2, strings.Repeat("s", 5<<20))
	value("a negative time", 3, -5)
	value("a time in quotes", 3, "5")
	value("a time of 65 bits", 3, json.Number("18446744073709551616"))
	event := func(values ...any) []any { return values }
	events("times fall", Wrong, both, func(log []any) []any { log[len(log)-1].([]any)[3] = 0; return log })
	events("two events change places", Wrong, both, func(log []any) []any {
		a, b := log[0].([]any), log[1].([]any)
		a[0], b[0] = b[0], a[0]
		return log
	})
	events("the first event is missing", Wrong, both, func(log []any) []any { return log[1:] })
	events("the first event twice", Wrong, both, func(log []any) []any { return append([]any{log[0]}, log...) })
	events("a task begins unasked", Wrong, both, func(log []any) []any { return append([]any{event("begins", 0, "", 0)}, log...) })
	events("a release unasked", Wrong, both, func(log []any) []any {
		return append([]any{event("release", -1<<30, "", 0), event("release", -1<<30, "", 0)}, log...)
	})
	events("a close before all", Wrong, both, func(log []any) []any { return append([]any{event("does", -1<<30, "c", 0)}, log...) })
	events("an event behind the end", Wrong, run, func(log []any) []any { return append(log, event("ends", -1, "", json.Number("9000000000000000000"))) })
	events("ten times the events", Wrong, both, func(log []any) []any { return slices.Repeat(log, 10) })
	events("a text where none is", Wrong, both, func(log []any) []any { log[0] = append(log[0].([]any), "x"); return log })
	events("a huge text", Wrong, both, func(log []any) []any { log[0] = append(log[0].([]any), strings.Repeat("x", 20<<20)); return log })
	events("an event of three", Wrong, both, func(log []any) []any { log[0] = log[0].([]any)[:3]; return log })
	events("an event of six", Wrong, both, func(log []any) []any { log[0] = append(log[0].([]any), "", ""); return log })
	events("an event is null", Wrong, both, func(log []any) []any { log[0] = nil; return log })
	events("an event is an object", Wrong, both, func(log []any) []any { log[0] = map[string]any{"what": "does"}; return log })
	events("half of the log", Wrong, run, func(log []any) []any { return log[:len(log)/2] })
	events("no log", Wrong, run, func([]any) []any { return []any{} })
	events("no end of a task", Wrong, run, func(log []any) []any {
		i := slices.IndexFunc(log, func(e any) bool {
			return e.([]any)[0] == "ends" && !strings.HasPrefix(string(e.([]any)[1].(json.Number)), "-")
		})
		if i < 0 { // all were refused
			return nil
		}
		return slices.Delete(log, i, i+1)
	})
	events("no end of a thread", Wrong, run, func(log []any) []any {
		return slices.DeleteFunc(log, func(e any) bool { return e.([]any)[0] == "ends" && e.([]any)[1] == json.Number("-1") })
	})
	events("no close", Wrong, run, func(log []any) []any {
		return slices.DeleteFunc(log, func(e any) bool { return e.([]any)[2] == "c" })
	})
	events("the log of another graph", Wrong, run, func([]any) []any {
		return []any{event("ends", -1, "", 1), event("does", -1<<30, "c", 2), event("did", -1<<30, "c", 3)}
	})
	events("a Close with an error of control characters", None, run, func(log []any) []any {
		for i, e := range log {
			if e := e.([]any); e[0] == "did" && e[2] == "c" {
				log[i] = append(e[:4:4], "\x1b[2J\x07\n::error::x")
			}
		}
		return log
	})
	events("a task begins twice", Lies, run, func(log []any) []any {
		i := slices.IndexFunc(log, func(e any) bool { return e.([]any)[0] == "begins" })
		if i < 0 {
			return log
		}
		return slices.Insert(log, i, log[i])
	})
	set := func(name string, harm Harm, kinds []string, key string, to any) {
		add(name, harm, kinds, func(a map[string]any) map[string]any { a[key] = to; return a })
	}
	set("an error, and more", Wrong, anywhere[1:], "error", "no")
	set("a log so far, unasked", Wrong, []string{OfRun, OfRelease}, "sofar", []any{})
	set("events, unasked", Wrong, []string{OfLook, OfRelease}, "events", []any{})
	set("full, and more", Wrong, run, "full", true)
	set("a clock that stands", Wrong, looked, "now", 0)
	set("a negative clock", Wrong, looked, "now", -1<<62)
	set("turns beyond all", None, looked, "turns", json.Number("9223372036854775807"))
	set("negative turns", None, looked, "turns", json.Number("-9223372036854775808"))
	whole := func(name string, harm Harm, kinds []string, to func(seq any) map[string]any) {
		add(name, harm, kinds, func(a map[string]any) map[string]any { return to(a["seq"]) })
	}
	whole("full, and it is not", Wrong, run, func(seq any) map[string]any { return map[string]any{"seq": seq, "full": true} })
	whole("an error", Wrong, run, func(seq any) map[string]any { return map[string]any{"seq": seq, "error": "no\x1b[2J\n::error::x"} })
	whole("an error in place of a log", Wrong, looked, func(seq any) map[string]any { return map[string]any{"seq": seq, "error": "no"} })
	whole("an error of a release", Wrong, release, func(seq any) map[string]any { return map[string]any{"seq": seq, "error": "no"} })
	whole("nothing but the number", Wrong, both, func(seq any) map[string]any { return map[string]any{"seq": seq} })

	list = append(list, schedDeed{deed{"no answer, and all else", Silent, true, false, func(*actor, []byte) {}}, anywhere[1:], ""})

	hello := func(name string, harm Harm, flaw string, change func(h map[string]any)) {
		list = append(list, schedDeed{deed{name, harm, false, false, func(c *actor, line []byte) {
			c.say(changed(line, func(a map[string]any) map[string]any {
				change(a["hello"].(map[string]any))
				return a
			}))
		}}, []string{OfHello}, flaw})
	}
	key := func(name string, harm Harm, key string, to any) {
		hello(name, harm, "", func(h map[string]any) { h[key] = to })
	}
	key("a contract of control characters", Wrong, "contract", map[string]string{"closes\x1b[2J\n::error::x": "\x1b[31m"})
	key("a value of control characters", Wrong, "contract", map[string]string{"closes": "\x1b[31m\n::error::x"})
	key("an unknown choice", Wrong, "contract", map[string]string{"color": "red"})
	key("a choice of another", Wrong, "contract", map[string]string{"closes": "alone,order=fifo"})
	key("a profile of queues", Wrong, "profile", "fifo")
	key("a name of control characters", Wrong, "name", "a\n::error::b")
	key("notes of control characters", None, "notes", []string{"\x1b[2J", "\n::error::x", strings.Repeat("x", 5000)})
	key("another subject", Wrong, "subject", "scheduler2")
	key("protocol 4", Wrong, "protocol", 4)
	key("no workers", Wrong, "workers", []int{0})
	key("workers that fall", Wrong, "workers", []int{2, 1})
	key("too many workers", Wrong, "workers", []int{1, 1025})
	key("housekeeping without a name", Wrong, "housekeeping", []string{""})
	key("too many names", Wrong, "housekeeping", slices.Repeat([]string{"x"}, 41))
	key("an idle time of a day", Wrong, "idle_times", []int64{86_400_000_000})
	key("one worker alone", None, "workers", []int{1})
	key("capabilities that it has not", Wrong, "capabilities", map[string]bool{"spawn": true, "park": true, "ready": true, "block": true, "yield": true, "sleep": true, "join": true, "wait": true, "resize": true})
	hello("names that hide all threads", None, "", func(h map[string]any) { h["housekeeping"] = all() })
	hello("workers that spin, and hide", Lies, spins, func(h map[string]any) { h["housekeeping"] = all() })
	hello("workers that spin", Lies, spins, func(map[string]any) {})
	hello("tasks that are lost, and hidden threads", Lies, Loses, func(h map[string]any) { h["housekeeping"] = all() })
	hello("tasks that are lost", Lies, Loses, func(map[string]any) {})
	hello("threads that are left, and hide", Lies, leaves, func(h map[string]any) {
		h["housekeeping"] = all()
		delete(h, "light_workers")
	})
	hello("threads that are left", Lies, leaves, func(h map[string]any) { delete(h, "light_workers") })
	return list
}

// changed returns a line that was changed as a value.
func changed(line []byte, change func(a map[string]any) map[string]any) []byte {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var a map[string]any
	if err := d.Decode(&a); err != nil {
		panic("hostile: " + err.Error())
	}
	return encode(change(a))
}

// beScheduler is Be, of a scheduler.
func (b Behaviour) beScheduler() {
	_, d := ofScheduler(b.Seed)
	c := &actor{Behaviour: b, out: os.Stdout}
	c.noise()
	t := &tampered{c: c, d: d, asked: make(map[int]string), seen: make(map[string]int)}
	in, questions := io.Pipe()
	go func() {
		defer questions.Close()
		for r := bufio.NewReader(os.Stdin); ; {
			line, err := r.ReadBytes('\n')
			var q child.Request
			if err != nil || json.Unmarshal(line, &q) != nil {
				return
			}
			t.asks(q.Seq, q.Cmd)
			_, _ = questions.Write(line)
		}
	}()
	_ = child.ServeScheduler(in, t, child.SchedulerHello{Name: "hostile", Profile: "pool", Contract: map[string]string{"close": "waits", "closes": "beside"}}, newPool(b.Flaw))
}

// tampered is the output of a right driver: its lines are said as they are, but for one.
type tampered struct {
	c *actor
	d *schedDeed

	mu    sync.Mutex
	asked map[int]string // by number

	part []byte
	seen map[string]int // by kind of line
}

func (t *tampered) asks(seq int, cmd string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked[seq] = cmd
}

// Write takes parts of lines.
func (t *tampered) Write(text []byte) (int, error) {
	t.part = append(t.part, text...)
	for {
		line, rest, whole := bytes.Cut(t.part, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		t.part = bytes.Clone(rest)
		var a struct{ Seq int }
		_ = json.Unmarshal(line, &a)
		t.mu.Lock()
		kind := t.asked[a.Seq]
		t.mu.Unlock()
		if a.Seq == 0 {
			kind = OfHello
		}
		n := t.seen[kind]
		if t.seen[kind]++; kind == t.c.Kind && n == t.c.At {
			t.c.asked.Seq = a.Seq
			t.d.do(t.c, line)
		} else {
			t.c.say(line)
		}
	}
}

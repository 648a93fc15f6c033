// Package hostile is children that do not keep to the protocol, generated: each
// seed gives another one. It is for tests: whatever a child does, the suite ends
// in time and within its memory, and believes nothing that was not earned.
//
// A behaviour is one deed out of tables (text.go, conduct.go) at one moment, in
// one manner. Until then, and afterwards if the deed lets it, the child is right:
// a queue first in, first out, whose answers are true.
//
//interleave:off
package hostile

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/spec/record"
)

// A Behaviour is what one child does wrong, if anything.
type Behaviour struct {
	Seed uint64
	Deed string
	// At is the line at which it is done: 0 is the hello, n the n-th answer.
	At int
	// Chunk is how many bytes are written at a time, and Noise what goes to the
	// standard error meanwhile.
	Chunk int
	Noise string
	Large bool // it may say as much as the answer to a large scenario
	// Kind is the kind of the line, of a child that is a scheduler; "" is a queue. At counts the lines of that kind.
	Kind string
	Flaw string // of its scheduler
	Harm
}

// Harm says what is to be expected of a behaviour.
type Harm int

const (
	None   Harm = iota // a right child with odd manners: its histories are to be believed
	Later              // right up to that line, and an error, soon or when its time is over, at the next
	Wrong              // it breaks the protocol, or dies: an error, and soon
	Silent             // it must be waited for until its time is over
	Lies               // it keeps to the protocol, but its histories are not true
)

// deed is one way to be hostile.
type deed struct {
	name string
	harm Harm
	// answers says that it makes no sense at the hello.
	answers bool
	large   bool
	do      func(c *actor, line []byte)
}

// Of returns the behaviour that seed stands for. As many seeds in a row as there
// are deeds have each deed once.
func Of(seed uint64) Behaviour {
	b, _ := of(seed)
	return b
}

func of(seed uint64) (Behaviour, *deed) {
	r := rand.New(rand.NewPCG(seed, 0))
	deeds := allDeeds()
	d := &deeds[seed%uint64(len(deeds))]
	b := Behaviour{Seed: seed, Deed: d.name, Large: d.large, Harm: d.harm, At: r.IntN(4), Chunk: []int{1 << 30, 1 << 12, 7}[r.IntN(3)], Noise: []string{"", "", "\x1b[2J::error::x\n", "much"}[r.IntN(4)]}
	if d.answers {
		b.At = 1 + r.IntN(3)
	}
	if d.large {
		b.At = min(b.At, 1) // right answers before it would cost time
	}
	return b, d
}

// Deeds is how many there are.
func Deeds() int { return len(allDeeds()) }

var allDeeds = sync.OnceValue(func() []deed { return slices.Concat(texts(), conducts(), explorations()) })

func (b Behaviour) String() string {
	return fmt.Sprintf("seed %d: %s at %s line %d, %d bytes at a time, noise %q", b.Seed, b.Deed, b.Kind, b.At, b.Chunk, b.Noise)
}

// Be is the child. It returns when its input ends, or does not return.
func (b Behaviour) Be() {
	if b.Kind != "" {
		b.beScheduler()
		return
	}
	_, d := of(b.Seed)
	c := &actor{Behaviour: b, out: os.Stdout}
	c.noise()
	say := func(line []byte) {
		// Who lies of what he has explored goes on: of some scenarios there is but one history.
		if c.line == b.At || c.line > b.At && b.Explores() && b.Harm == Lies {
			d.do(c, line)
		} else {
			c.say(line)
		}
		c.line++
	}
	hello := child.Hello{Protocol: child.Version, Name: "hostile", Profile: "fifo", Capabilities: queue.Capabilities{Len: true}}
	if b.Explores() {
		hello.Explores, hello.Capabilities = "whole-calls", queue.Capabilities{Quiet: true}
	}
	say(encode(child.Greeting{Hello: &hello}))
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q child.Request
		if json.Unmarshal(line, &q) != nil || q.Scenario == nil {
			return
		}
		c.asked = q
		if q.Cmd == child.Explore {
			x, err := Explore(*q.Scenario)
			if err != nil {
				panic("hostile: " + err.Error())
			}
			say(encode(child.Answer{Seq: q.Seq, Histories: x.Histories, Executions: x.Executions, Complete: x.Complete}))
			continue
		}
		h, err := drive.Run(context.Background(), queue.Single(right), *q.Scenario)
		a := child.Answer{Seq: q.Seq, History: h}
		if err != nil {
			a.Error = err.Error()
		} else {
			h.Scenario = record.Scenario{}
		}
		say(encode(a))
	}
}

// right is the queue of a child that does nothing wrong.
func right() *designs.Locked { return new(designs.Locked) }

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("hostile: " + err.Error())
	}
	return text
}

// actor is a child at work.
type actor struct {
	Behaviour
	out   io.Writer
	line  int // the next one
	asked child.Request
}

// noise begins what goes to the standard error.
func (c *actor) noise() {
	if c.Noise != "much" {
		fmt.Fprint(os.Stderr, c.Noise)
		return
	}
	go func() {
		for {
			fmt.Fprintln(os.Stderr, "\x1b[31mnoise\n::error::noise")
			time.Sleep(time.Millisecond)
		}
	}()
}

// say writes a line in the child's manner.
func (c *actor) say(line []byte) { c.write(append(line[:len(line):len(line)], '\n')) }

func (c *actor) write(text []byte) {
	for chunk := c.Chunk; len(text) > 0; {
		// However long the text, at most a hundred pauses.
		n := min(max(chunk, len(text)/100), len(text))
		if _, err := c.out.Write(text[:n]); err != nil {
			os.Exit(0)
		}
		if text = text[n:]; len(text) > 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

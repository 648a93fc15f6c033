package hostile

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// sleeper is the environment's name for a process that a deed starts: it holds
// what it inherited, and is gone after a while.
const sleeper = "SPINDLE_INTERNAL_HOSTILE_SLEEPER"

// Sleep is called first thing by a program that is such a child: it does not
// return in a process that a deed started.
func Sleep() {
	if os.Getenv(sleeper) != "" {
		time.Sleep(10 * time.Second)
		os.Exit(0)
	}
}

// hang is silence for longer than anybody waits; not for ever, since a suite that is
// wrong does not end it.
func hang() { time.Sleep(time.Minute) }

// flood says a text without end.
func flood(text string) func(*actor, []byte) {
	return func(c *actor, _ []byte) {
		for block := bytes.Repeat([]byte(text), max(1, 1<<16/len(text))); ; {
			if _, err := c.out.Write(block); err != nil {
				os.Exit(0)
			}
		}
	}
}

// conducts are the deeds that are no matter of a line's text.
func conducts() []deed {
	half := func(then func()) func(*actor, []byte) {
		return func(c *actor, line []byte) {
			c.write(line[:len(line)/2])
			then()
		}
	}
	deeds := []deed{
		{"silence", Silent, false, false, func(*actor, []byte) { hang() }},
		{"half a line and silence", Silent, false, false, half(hang)},
		{"half a line and status 0", Wrong, false, false, half(func() { os.Exit(0) })},
		{"half a line and status 1", Wrong, false, false, half(func() { os.Exit(1) })},
		{"half a line and a panic", Wrong, false, false, half(func() { panic("hostile\x1b[2J\n::error::x") })},
		{"status 0", Wrong, false, false, func(*actor, []byte) { os.Exit(0) }},
		{"status 1", Wrong, false, false, func(*actor, []byte) { os.Exit(1) }},
		{"a kill", Wrong, false, false, func(*actor, []byte) { p, _ := os.FindProcess(os.Getpid()); _ = p.Kill(); hang() }},
		{"output closed, input open", Wrong, false, false, func(*actor, []byte) { os.Stdout.Close(); hang() }},
		{"a byte at a time", Silent, false, false, func(c *actor, line []byte) {
			for _, b := range line {
				c.write([]byte{b})
				time.Sleep(100 * time.Millisecond)
			}
			hang()
		}},
		{"a line without end", Wrong, false, true, flood("x")},
		{"blanks without end", Wrong, false, true, flood(" ")},
		{"lines without end", Wrong, false, true, flood("\n")},
		{"open brackets without end", Wrong, false, true, flood("[")},
		{"the line again and again", Later, true, false, func(c *actor, line []byte) { c.say(line); c.say(line); go flood(string(line)+"\n")(c, nil) }},
		{"the next answer, unasked", Later, true, false, func(c *actor, line []byte) {
			c.say(line)
			c.say(bytes.Replace(line, []byte(fmt.Sprint(`"seq":`, c.asked.Seq)), []byte(fmt.Sprint(`"seq":`, c.asked.Seq+1)), 1))
		}},
		{"the end after an answer", Later, true, false, func(c *actor, line []byte) { c.say(line); os.Exit(0) }},
		{"no ear for signals", Silent, false, false, func(*actor, []byte) { signal.Ignore(); hang() }},
		{"no ear for the end", Later, true, false, func(c *actor, line []byte) { c.say(line); os.Stdin.Close(); hang() }},
		{"standard error closed", None, false, false, func(c *actor, line []byte) { os.Stderr.Close(); c.say(line) }},
		{"standard error without end", Silent, false, true, func(c *actor, line []byte) { c.out = os.Stderr; flood("noise\n")(c, nil) }},
	}
	return append(deeds, families()...)
}

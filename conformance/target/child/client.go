package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/spec/record"
)

// Options are the bounds of a child. The zero value is good.
type Options struct {
	// StartTimeout bounds the time from the start to the hello; 30 s if zero.
	StartTimeout time.Duration
	// Timeout bounds each scenario; 10 s if zero. Only time in which the suite
	// itself ran counts.
	Timeout time.Duration
	// ExploreTimeout bounds each exploration in the same way; two minutes if zero.
	ExploreTimeout time.Duration
	// MaxAnswer bounds one line of the child, in bytes; 32 MiB if zero. What a
	// scenario can need bounds its answer besides.
	MaxAnswer int
}

// A Client is a child process, started again whenever it has died. Its methods
// may be called by several goroutines; the child works on one scenario at a
// time.
type Client struct {
	command func() *exec.Cmd
	o       Options
	hello   Hello

	mu     sync.Mutex
	p      *process // nil when none runs
	starts int
	closed bool
}

// Start starts the child that command describes and waits for its hello.
// command makes a fresh exec.Cmd for each start, with standard streams unset.
// Errors wrap ErrStart, ErrProtocol or the context's.
func Start(ctx context.Context, command func() *exec.Cmd, o Options) (*Client, error) {
	c := &Client{command: command, o: o.whole()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.start(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Hello returns how the child introduced itself.
func (c *Client) Hello() Hello { return c.hello }

// Starts returns how many processes were started so far.
func (c *Client) Starts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.starts
}

// Close ends the child. Its input is closed first, so that it can end by
// itself.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.p != nil {
		c.p.close()
		c.p = nil
	}
	return nil
}

// Run has the child run s. Errors: a *queue.CrashError when a call panicked or
// the child died; a *queue.HangError when Options.Timeout passed, and ctx's
// error when ctx ended, whether by its deadline or otherwise; one that wraps
// ErrRefused for a scenario that the child says it cannot run; ErrProtocol for
// an answer that is none; ErrStart when a new child was needed and did not
// start. After all but a panic and ErrRefused the child was ended. The history
// that comes with a crash is what is known of the run, nil if nothing is.
func (c *Client) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	a, err := c.answer(ctx, Request{Cmd: Run, Scenario: &s}, c.o.Timeout)
	if err != nil {
		return nil, err
	}
	return a.result()
}

// Explore has the child explore s, up to so many executions. Errors are those of Run. What
// comes with a crash are the histories before it.
func (c *Client) Explore(ctx context.Context, s record.Scenario, executions int) (*queue.Exploration, error) {
	a, err := c.answer(ctx, Request{Cmd: Explore, Scenario: &s, Executions: executions}, c.o.ExploreTimeout)
	if err != nil {
		return nil, err
	}
	_, err = a.result()
	return &queue.Exploration{Histories: a.Histories, Executions: a.Executions, Complete: a.Complete}, err
}

// answer has the child answer q, whose scenario and command are given, within a time.
func (c *Client) answer(ctx context.Context, q Request, within time.Duration) (*Answer, error) {
	if err := q.Scenario.Check(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.p == nil {
		if err := c.start(ctx); err != nil {
			return nil, err
		}
	}
	// Nobody can answer what he was not asked: he would have to guess seq.
	q.Seq = 1 + rand.IntN(1<<31-1)
	a, err := c.ask(ctx, &q, within)
	if err != nil {
		c.p.kill()
		c.p = nil
	}
	return a, err
}

// ask sends a question to the living child and reads the answer. c.mu is held.
func (c *Client) ask(ctx context.Context, q *Request, within time.Duration) (*Answer, error) {
	limited, cancel := awake.WithTimeout(ctx, within)
	defer cancel()
	b := boundsOf(q.Scenario, c.hello.Capabilities, c.o.MaxAnswer)
	if q.Cmd == Explore {
		b = b.times(mostHistories, c.o.MaxAnswer)
	}
	var a *Answer
	err := c.p.ask(limited, q, b.line, func(line []byte) (err error) {
		a, err = readAnswer(line, q, c.hello.Capabilities, b)
		return err
	})
	switch {
	case err == nil:
		return a, nil
	case limited.Err() == nil:
		return nil, err
	case ctx.Err() != nil:
		// Whatever the child did meanwhile, nobody waited for its end.
		return nil, ctx.Err()
	case errors.Is(err, limited.Err()):
		return nil, &queue.HangError{After: within}
	}
	return nil, err
}

// start starts a process and reads its hello, which must be the first one's again:
// what another program does says nothing of this one. c.mu is held.
func (c *Client) start(ctx context.Context) error {
	c.starts++
	p, hello, err := greet(ctx, c.command, c.o, func(line []byte) (Hello, error) {
		hello, err := readHello(line)
		if err == nil && c.starts > 1 {
			err = c.hello.same(&hello)
		}
		return hello, err
	})
	if err == nil {
		c.hello, c.p = hello, p
	}
	return err
}

// same returns an error if another describes another target. Notes are for people, and
// may be others.
func (h *Hello) same(another *Hello) error {
	was, is := *h, *another
	was.Notes, is.Notes = nil, nil
	if reflect.DeepEqual(was, is) {
		return nil
	}
	return fmt.Errorf("%w: expected the hello as before, saw another: %.200s instead of %.200s", ErrProtocol, is.line(), was.line())
}

// line is the hello in one line.
func (h *Hello) line() string {
	text, err := json.Marshal(h)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

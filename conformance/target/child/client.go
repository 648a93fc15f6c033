package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

var (
	// ErrProtocol is wrapped by errors about a child that did not keep to the
	// protocol: expected and seen are in the text.
	ErrProtocol = errors.New("child: broken protocol")
	// ErrStart is wrapped by errors about a child that could not be started or
	// did not introduce itself.
	ErrStart = errors.New("child: did not start")
	// ErrRefused is wrapped by the errors that a child answers.
	ErrRefused = errors.New("child: refused")
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("child: closed")
)

// Options are the bounds of a child. The zero value is good.
type Options struct {
	// StartTimeout bounds the time from the start to the hello; 30 s if zero.
	StartTimeout time.Duration
	// Timeout bounds each scenario, besides its context; none if zero.
	Timeout time.Duration
	// MaxAnswer bounds one line of the child, in bytes; 1 GiB if zero.
	MaxAnswer int
	// Stderr gets a copy of what the child writes to its standard error; nil
	// for nothing.
	Stderr io.Writer
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
	if o.StartTimeout == 0 {
		o.StartTimeout = 30 * time.Second
	}
	if o.MaxAnswer == 0 {
		o.MaxAnswer = 1 << 30
	}
	c := &Client{command: command, o: o}
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
// the child died; a *queue.HangError when ctx's deadline or Options.Timeout
// passed, and ctx's error when it was cancelled, the child being ended in both
// cases; one that wraps ErrRefused for a scenario that the child says it cannot
// run; ErrProtocol for an answer that is none; ErrStart when a new child was
// needed and did not start. The history that comes with a crash is what is
// known of the run, nil if nothing is.
func (c *Client) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	a, err := c.ask(ctx, Request{Cmd: Run, Scenario: &s})
	if err != nil {
		return nil, err
	}
	switch {
	case a.Crash != nil:
		e := &queue.CrashError{Text: a.Crash.Text, Stack: a.Crash.Stack}
		if a.Crash.Op != nil {
			e.Op = *a.Crash.Op
		}
		return a.History, e
	case a.Error != "":
		return nil, fmt.Errorf("%w: %s", ErrRefused, a.Error)
	case a.History == nil:
		return nil, fmt.Errorf("%w: expected a history, a crash or an error in the answer to run, saw none", ErrProtocol)
	}
	return a.History, nil
}

// Probe asks the child what it can do. Errors are those of Run.
func (c *Client) Probe(ctx context.Context) (queue.Capabilities, error) {
	a, err := c.ask(ctx, Request{Cmd: Probe})
	if err != nil {
		return queue.Capabilities{}, err
	}
	if a.Error != "" {
		return queue.Capabilities{}, fmt.Errorf("%w: %s", ErrRefused, a.Error)
	}
	if a.Capabilities == nil {
		return queue.Capabilities{}, fmt.Errorf("%w: expected capabilities in the answer to probe, saw none", ErrProtocol)
	}
	return *a.Capabilities, nil
}

// ask sends one question to a living child and reads the answer. After any
// error the child is gone.
func (c *Client) ask(ctx context.Context, q Request) (*Answer, error) {
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
	if c.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.o.Timeout)
		defer cancel()
	}
	begin := time.Now()
	a, err := c.p.ask(ctx, q)
	if err == nil {
		return a, nil
	}
	c.p.kill()
	c.p = nil
	if errors.Is(err, context.DeadlineExceeded) {
		err = &queue.HangError{After: time.Since(begin).Round(time.Millisecond)}
	}
	return nil, err
}

// start starts a process and reads its hello. c.mu is held.
func (c *Client) start(parent context.Context) error {
	ctx, cancel := context.WithTimeout(parent, c.o.StartTimeout)
	defer cancel()
	p, err := startProcess(c.command(), c.o)
	if err != nil {
		return err
	}
	c.starts++
	a, err := p.read(ctx)
	switch {
	case parent.Err() != nil:
		err = parent.Err()
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%w: no hello within %v", ErrStart, c.o.StartTimeout)
	case err != nil:
		err = fmt.Errorf("%w: %w", ErrStart, err)
	case a.Hello == nil:
		err = fmt.Errorf("%w: %w: expected a hello in the first line, saw none", ErrStart, ErrProtocol)
	case a.Hello.Protocol != Version:
		err = fmt.Errorf("%w: %w: expected protocol %d, saw %d", ErrStart, ErrProtocol, Version, a.Hello.Protocol)
	}
	if err != nil {
		p.kill()
		return err
	}
	c.hello, c.p = *a.Hello, p
	return nil
}

package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/strictjson"
)

// whole returns the options with what is not given.
func (o Options) whole() Options {
	if o.StartTimeout == 0 {
		o.StartTimeout = 30 * time.Second
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.ExploreTimeout == 0 {
		o.ExploreTimeout = 2 * time.Minute
	}
	if o.MaxAnswer == 0 {
		o.MaxAnswer = 32 << 20
	}
	return o
}

// Open starts the child that command describes, as Start does, and finds from its hello what it is: one of q and s is nil.
func Open(ctx context.Context, command func() *exec.Cmd, o Options) (q *Client, s *Scheduler, err error) {
	o = o.whole()
	p, line, err := greet(ctx, command, o, func(line []byte) ([]byte, error) { return bytes.Clone(line), nil })
	if err != nil {
		return nil, nil, err
	}
	var what struct {
		Hello *struct {
			Subject string `json:"subject"`
		} `json:"hello"`
	}
	if err := strictjson.Decode(line, &what, strictjson.Limits{Memory: 4 * mostHello}); err == nil && what.Hello != nil && what.Hello.Subject == SchedulerSubject {
		h, err := readSchedulerHello(line)
		if err != nil {
			p.kill()
			return nil, nil, fmt.Errorf("%w: %w", ErrStart, err)
		}
		return nil, &Scheduler{command: command, o: o, hello: h, unknown: unknownCapabilities(line), t: newTalk(p, mostHello), starts: 1}, nil
	}
	h, err := readHello(line)
	if err != nil {
		p.kill()
		return nil, nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	return &Client{command: command, o: o, hello: h, p: p, starts: 1}, nil, nil
}

// unknownCapabilities returns the keys of a sound hello's capabilities that the suite ignores, sorted.
func unknownCapabilities(line []byte) (list []string) {
	var g struct {
		Hello struct {
			Capabilities map[string]json.RawMessage `json:"capabilities"`
		} `json:"hello"`
	}
	if json.Unmarshal(line, &g) != nil {
		return nil
	}
	for key := range g.Hello.Capabilities {
		if !slices.Contains(SchedulerCapabilities, key) {
			list = append(list, printable.Line(key, 40))
		}
	}
	slices.Sort(list)
	return list
}

// greet starts a process, and has read take its first line.
func greet[H any](ctx context.Context, command func() *exec.Cmd, o Options, read func(line []byte) (H, error)) (p *process, hello H, err error) {
	limited, cancel := awake.WithTimeout(ctx, o.StartTimeout)
	defer cancel()
	if p, err = startProcess(command()); err != nil {
		return nil, hello, err
	}
	err = p.hear(limited, mostHello, func(line []byte) (err error) {
		hello, err = read(line)
		return err
	})
	switch {
	case err == nil:
		return p, hello, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil && errors.Is(err, limited.Err()):
		err = fmt.Errorf("%w: expected a hello within %v, saw none", ErrStart, o.StartTimeout)
	default:
		err = fmt.Errorf("%w: %w", ErrStart, err)
	}
	p.kill()
	return nil, hello, err
}

package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
)

// Serve answers the questions that it reads from r until r ends, with fresh
// sets of f. It fills in hello's protocol and, where they are zero, its
// capabilities. It returns nil at the end of r, and an error when f gives no
// set, when a line cannot be understood or w cannot be written.
func Serve(r io.Reader, w io.Writer, hello Hello, f queue.Factory) error {
	hello.Protocol = Version
	if hello.Capabilities == (queue.Capabilities{}) {
		var err error
		if hello.Capabilities, err = drive.Probe(f); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	say := func(a any) error {
		if err := enc.Encode(a); err != nil {
			return fmt.Errorf("child: writing an answer: %w", err)
		}
		return out.Flush()
	}
	// Not an Answer: a hello has no seq.
	if err := say(map[string]Hello{"hello": hello}); err != nil {
		return err
	}
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if err == io.EOF && len(line) == 0 {
				return nil
			}
			return fmt.Errorf("child: expected a line of JSON, saw %.80q and then %w", line, err)
		}
		var q Request
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("child: expected a line of JSON, saw %.80q: %w", line, err)
		}
		if err := say(answer(q, f)); err != nil {
			return err
		}
	}
}

func answer(q Request, f queue.Factory) Answer {
	a := Answer{Seq: q.Seq}
	switch {
	case q.Cmd == Probe:
		c, err := drive.Probe(f)
		if err != nil {
			a.Error = err.Error()
		}
		a.Capabilities = &c
	case q.Cmd == Run && q.Scenario != nil:
		h, err := drive.Run(context.Background(), f, *q.Scenario)
		a.History = h
		var crash *queue.CrashError
		switch {
		case errors.As(err, &crash):
			a.Crash = &Crash{Text: crash.Text, Stack: crash.Stack}
			if crash.Op.Kind != 0 {
				a.Crash.Op = &crash.Op
			}
		case err != nil:
			a.Error = err.Error()
		}
	case q.Cmd == Run:
		a.Error = `child: "run" without a scenario`
	default:
		a.Error = fmt.Sprintf("child: expected the cmd %q or %q, saw %q", Probe, Run, q.Cmd)
	}
	return a
}

package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/spec/record"
)

// Serve answers the questions that it reads from r until r ends, with fresh
// sets of f. It fills in hello's protocol and, where they are zero, its
// capabilities; quiet, misses and holds are always among them. It returns nil at the end of r,
// and an error when f gives no set, when a line cannot be understood or w cannot be
// written.
func Serve(r io.Reader, w io.Writer, hello Hello, f queue.Factory) error {
	hello.Protocol = Version
	if reflect.DeepEqual(hello.Capabilities, queue.Capabilities{}) {
		var err error
		if hello.Capabilities, err = drive.Probe(f); err != nil {
			return err
		}
	}
	hello.Capabilities.Quiet = true // drive.Run makes these calls
	hello.Capabilities.Misses = true
	hello.Capabilities.Holds = true
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	say := func(a any) error {
		if err := enc.Encode(a); err != nil {
			return fmt.Errorf("child: writing an answer: %w", err)
		}
		return out.Flush()
	}
	if err := say(Greeting{&hello}); err != nil {
		return err
	}
	return eachQuestion(r, func(q *Request) error { return say(answer(*q, f)) })
}

// eachQuestion reads questions, a line of JSON each, until r ends or answer returns an error.
func eachQuestion[Q any](r io.Reader, answer func(*Q) error) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if err == io.EOF && len(line) == 0 {
				return nil
			}
			return fmt.Errorf("child: expected a line of JSON, saw %.80q and then %w", line, err)
		}
		q := new(Q)
		if err := json.Unmarshal(line, q); err != nil {
			return fmt.Errorf("child: expected a line of JSON, saw %.80q: %w", line, err)
		}
		if err := answer(q); err != nil {
			return err
		}
	}
}

func answer(q Request, f queue.Factory) Answer {
	a := Answer{Seq: q.Seq}
	switch {
	case q.Cmd != Run:
		a.Error = fmt.Sprintf("child: expected the cmd %q, saw %.40q", Run, q.Cmd)
		return a
	case q.Scenario == nil:
		a.Error = `child: expected a scenario with "run", saw none`
		return a
	}
	h, err := drive.Run(context.Background(), f, *q.Scenario)
	var crash *queue.CrashError
	switch {
	case errors.As(err, &crash):
		a.Crash = &Crash{Text: cut(crash.Text, mostText), Stack: cut(crash.Stack, mostStack)}
		if crash.Op.Kind != 0 {
			a.Crash.Op = &crash.Op
		}
	case err != nil:
		a.Error = cut(err.Error(), mostText)
		return a
	}
	if a.History = h; h != nil {
		h.Scenario = record.Scenario{} // the suite knows what it asked
	}
	return a
}

// cut returns the first most bytes of s.
func cut(s string, most int) string { return s[:min(len(s), most)] }

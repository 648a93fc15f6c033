package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/procgroup"
	"github.com/spindle-go/spindle/internal/strictjson"
)

// process is one run of the child's program.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *os.File // our end of its standard output
	lines *strictjson.Lines
	said  *head         // on its standard error
	gone  chan struct{} // closed when it has been waited for

	mu    sync.Mutex
	ended bool // its number may be another's
}

// How long one waits at most for a child
const (
	toDie   = 2 * time.Second        // after it has closed its output; some runtimes take a second
	toEnd   = time.Second            // after its input has ended
	toLetGo = 500 * time.Millisecond // of its streams, after it has ended or was killed: others may hold them
)

func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, said: new(head), gone: make(chan struct{})}
	procgroup.Own(cmd)
	cmd.Stderr = p.said
	cmd.WaitDelay = toLetGo
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	// A pipe of our own, which we can close whoever holds its other end.
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	cmd.Stdout = theirs
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		out.Close()
		p.in.Close()
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	p.out, p.lines = out, strictjson.NewLines(out)
	go func() {
		if awaitEnd(cmd) {
			p.end(true) // nobody has waited for it yet, so its number is its own
		}
		_ = cmd.Wait()
		p.mu.Lock()
		p.ended = true
		p.mu.Unlock()
		close(p.gone)
	}()
	return p, nil
}

// ask sends q and has read take the answer, a line of at most most bytes.
// Errors are those of hear.
func (p *process) ask(ctx context.Context, q any, most int, read func(line []byte) error) error {
	if early := p.lines.Ahead(); len(early) > 0 {
		return protocolError("expected silence until the next question, saw %.80q", early)
	}
	p.said.reset()
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	sent := make(chan struct{})
	go func() {
		// A child that does not read holds nobody: the pipe is closed when it is
		// killed, which ends the write.
		_, _ = p.in.Write(append(text, '\n'))
		close(sent)
	}()
	if err := p.hear(ctx, most, read); err != nil {
		return err
	}
	select {
	case <-sent:
		return nil
	case <-ctx.Done():
		return protocolError("expected a child that reads its question before it answers, saw one that did not read all of it")
	}
}

// hear has read take the next line, which is at most most bytes long. Errors:
// ctx's; a *queue.CrashError when the child died; ErrProtocol; read's.
func (p *process) hear(ctx context.Context, most int, read func(line []byte) error) error {
	heard, whole := make(chan error, 1), make(chan struct{})
	go func() {
		line, err := p.lines.Next(most)
		close(whole)
		if err == nil {
			err = read(line) // of a bounded line, hence soon over
		} else {
			err = worded(line, err)
		}
		heard <- err
	}()
	gone := p.gone
	var late <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-gone: // what it said before its end is on its way
			gone, late = nil, time.After(toLetGo)
		case <-whole:
			gone, late, whole = nil, nil, nil
		case <-late:
			return p.death(ctx, "though something that it started holds its output open")
		case err := <-heard:
			return p.silence(ctx, err)
		}
	}
}

// worded returns the error of a line that could not be read.
func worded(line []byte, err error) error {
	switch {
	case errors.Is(err, strictjson.ErrLimit):
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	case err == io.ErrUnexpectedEOF:
		return &cutOff{string(line[:min(len(line), 80)])}
	}
	return err
}

// silence returns what the end of the child's output means, which err says. Other errors stay.
func (p *process) silence(ctx context.Context, err error) error {
	var cut *cutOff
	switch {
	case err == io.EOF:
		return p.death(ctx, "without an answer")
	case errors.As(err, &cut):
		return p.death(ctx, cut.Error())
	}
	return err
}

// cutOff is a line without its end.
type cutOff struct{ text string }

func (e *cutOff) Error() string { return fmt.Sprintf("in the middle of a line: %q", e.text) }

// death says how a child whose output ended came to its end, and when: with the
// text of the throw or panic, if there is one. A child that ended in order but
// in the middle of a line broke the protocol; otherwise it crashed.
func (p *process) death(ctx context.Context, when string) error {
	select {
	case <-p.gone:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(toDie):
		return protocolError("expected an answer, saw the child close its output, %s, and live on", when)
	}
	said := p.said.String()
	how := "the child ended by itself with status 0"
	if state := p.cmd.ProcessState; !state.Success() {
		how = "the child died: " + state.String()
	} else if when != "without an answer" {
		return protocolError("expected an answer, saw that %s %s", how, when)
	}
	text := how + ", " + when
	if words, whole := lastWords(said); whole {
		text = words
	} else if words != "" {
		text += "; it said " + words
	}
	return &queue.CrashError{Text: printable.Line(text, mostText), Stack: printable.Lines(said, mostStack)}
}

// end ends the process, and what it started in its group, at once. The last
// call says so.
func (p *process) end(last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		_ = procgroup.Kill(p.cmd)
	}
	p.ended = p.ended || last
}

// kill ends the process and lets go of it, whoever still holds its streams.
func (p *process) kill() {
	p.end(false)
	_ = p.in.Close()
	_ = p.out.Close()
	select {
	case <-p.gone:
	case <-time.After(toLetGo):
	}
}

// close lets the process end by itself, or else kills it.
func (p *process) close() {
	_ = p.in.Close()
	select {
	case <-p.gone:
	case <-time.After(toEnd):
	}
	p.kill()
}

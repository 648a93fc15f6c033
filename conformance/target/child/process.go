package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
)

// process is one run of the child's program.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan line // what it said; closed at the end of its output
	stderr *head
	gone   chan struct{} // closed when it has been waited for
	state  error         // how it ended; valid once gone
	seq    int
}

type line struct {
	text []byte
	err  error
}

// grace is how long a child may take to end by itself, and to be seen dead
// after its output ended.
const grace = 2 * time.Second

func startProcess(cmd *exec.Cmd, o Options) (*process, error) {
	p := &process{cmd: cmd, stderr: &head{copy: o.Stderr}, lines: make(chan line), gone: make(chan struct{})}
	own(cmd)
	cmd.Stderr = p.stderr
	cmd.WaitDelay = grace // a grandchild may hold the streams open
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	go func() {
		p.readLines(stdout, o.MaxAnswer)
		p.state = cmd.Wait()
		close(p.gone)
	}()
	return p, nil
}

// readLines passes on what the child says until it ends, or says too much at
// once.
func (p *process) readLines(r io.Reader, most int) {
	defer close(p.lines)
	in := bufio.NewReaderSize(r, 1<<16)
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > most:
			p.lines <- line{err: fmt.Errorf("%w: expected lines of at most %d bytes, saw a longer one", ErrProtocol, most)}
			_, _ = io.Copy(io.Discard, r)
			return
		case err == nil:
			p.lines <- line{text: text}
			text = nil
		case err != bufio.ErrBufferFull:
			if len(text) > 0 {
				p.lines <- line{err: fmt.Errorf("%w: expected a line of JSON, saw the output end within one: %.80q", ErrProtocol, text)}
			}
			return
		}
	}
}

// ask sends q and returns the answer to it.
func (p *process) ask(ctx context.Context, q Request) (*Answer, error) {
	p.seq++
	q.Seq = p.seq
	p.stderr.reset()
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	// A child that does not read must not hold us: the pipe is closed when it
	// is killed, which ends the write.
	go func() { _, _ = p.stdin.Write(append(text, '\n')) }()
	a, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	if a.Seq != q.Seq {
		return nil, fmt.Errorf("%w: expected the answer to seq %d, saw seq %d", ErrProtocol, q.Seq, a.Seq)
	}
	return a, nil
}

// read returns the next line. Errors: ctx's; a *queue.CrashError when the child
// died; ErrProtocol.
func (p *process) read(ctx context.Context) (*Answer, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case l, ok := <-p.lines:
		if !ok {
			return nil, p.death()
		}
		if l.err != nil {
			if e := p.died(); e != nil { // it died while it spoke
				return nil, e
			}
			return nil, l.err
		}
		a, err := parseAnswer(l.text)
		if err != nil {
			return nil, fmt.Errorf("%w: expected a line of JSON, saw %.80q: %w", ErrProtocol, l.text, err)
		}
		return a, nil
	}
}

// died returns the crash of a child that came to a bad end by itself, or nil.
func (p *process) died() error {
	select {
	case <-p.gone:
	case <-time.After(grace):
		return nil
	}
	if p.state == nil {
		return nil
	}
	return p.death()
}

// death says how a child whose output ended came to its end: with the text of
// the throw or panic, if there is one.
func (p *process) death() error {
	select {
	case <-p.gone:
	case <-time.After(grace):
		return fmt.Errorf("%w: expected an answer, saw the child close its output and live on", ErrProtocol)
	}
	said := p.stderr.String()
	e := &queue.CrashError{Text: lastWords(said), Stack: said}
	how := "it ended with status 0"
	var exit *exec.ExitError
	switch {
	case errors.As(p.state, &exit):
		how = exit.ProcessState.String()
	case p.state != nil:
		how = p.state.Error()
	}
	if e.Text == "" {
		e.Text = "the child died without an answer: " + how
	}
	return e
}

// lastWords finds in the standard error of a dead program what it died of: the
// first lines of a throw or a panic in Go, or else the first line that is not
// blank.
func lastWords(stderr string) string {
	var words []string
	first := ""
	for l := range strings.Lines(stderr) {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "fatal error: "), strings.HasPrefix(l, "panic: "), strings.HasPrefix(l, "runtime: "):
			words = append(words, l)
		case l == "" && len(words) > 0, strings.HasPrefix(l, "goroutine "):
			return strings.Join(words, "; ")
		case first == "":
			first = l
		}
	}
	if len(words) > 0 {
		return strings.Join(words, "; ")
	}
	return first
}

// kill ends the process, and what it started, at once.
func (p *process) kill() {
	select {
	case <-p.gone: // its number may be another's by now
	default:
		killOwn(p.cmd)
	}
	p.finish()
}

// close lets the process end by itself, or else kills it.
func (p *process) close() {
	_ = p.stdin.Close()
	timer := time.AfterFunc(grace, func() { killOwn(p.cmd) })
	defer timer.Stop()
	p.finish()
}

// finish takes what the process still says until it is gone.
func (p *process) finish() {
	for range p.lines {
	}
	<-p.gone
}

// head keeps the beginning of what a child writes to its standard error: a
// throw says first what it is about.
type head struct {
	copy io.Writer
	mu   sync.Mutex
	text []byte
}

const headSize = 64 << 10

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	h.text = append(h.text, b[:min(len(b), headSize-len(h.text))]...)
	h.mu.Unlock()
	if h.copy != nil {
		_, _ = h.copy.Write(b)
	}
	return len(b), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}

func (h *head) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = h.text[:0]
}

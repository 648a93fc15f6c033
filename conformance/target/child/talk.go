package child

import (
	"bytes"
	"context"
	"encoding/json"
	"sync/atomic"
	"time"
)

// A talk is a process that is asked while it has not yet answered another question. Its lines come in a channel. A line that is not read yet keeps
// the next ones back.
type talk struct {
	*process
	most      atomic.Int64 // bytes of the next lines
	lines     chan []byte  // closed after the last one
	err       error        // why it was the last one; set before that
	questions chan []byte
	stop      chan struct{}
}

// mostUnread is how many questions a child need not have read.
const mostUnread = 4

func newTalk(p *process, most int) *talk {
	t := &talk{process: p, lines: make(chan []byte), questions: make(chan []byte, mostUnread), stop: make(chan struct{})}
	t.most.Store(int64(most))
	go func() {
		defer close(t.lines)
		for {
			p.lines.Wait() // the bound is that of the question that was asked meanwhile
			line, err := p.lines.Next(int(t.most.Load()))
			if err != nil {
				t.err = worded(line, err)
				return
			}
			select {
			case t.lines <- bytes.Clone(line):
			case <-t.stop:
				return
			}
		}
	}()
	go func() { // a child that does not read keeps this goroutine alone, until it is ended
		for {
			select {
			case q := <-t.questions:
				_, _ = t.in.Write(q)
			case <-t.stop:
				return
			}
		}
	}()
	return t
}

// say sends a question.
func (t *talk) say(q any) error {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	select {
	case t.questions <- append(text, '\n'):
		return nil
	default:
		return protocolError("expected a child that reads its questions, saw %d unread", mostUnread)
	}
}

// next returns the next line that comes before late, or nil. Errors: ctx's; a *queue.CrashError when the child died; ErrProtocol.
func (t *talk) next(ctx context.Context, late <-chan time.Time) ([]byte, error) {
	select {
	case line, ok := <-t.lines:
		if !ok {
			return nil, t.silence(ctx, t.err)
		}
		return line, nil
	case <-t.gone:
		// What it said before its end is on its way.
		select {
		case line, ok := <-t.lines:
			if !ok {
				return nil, t.silence(ctx, t.err)
			}
			return line, nil
		case <-time.After(toLetGo):
			return nil, t.death(ctx, "though something that it started holds its output open")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late:
		return nil, nil
	}
}

// early returns an error if the child has said something that was not asked.
func (t *talk) early() error {
	select {
	case line, ok := <-t.lines:
		if ok {
			return protocolError("expected silence until the next question, saw %.80q", line)
		}
	default:
	}
	return nil
}

// kill ends the process.
func (t *talk) kill() {
	close(t.stop)
	t.process.kill()
}

// close lets the process end by itself, or else kills it.
func (t *talk) close() {
	close(t.stop)
	t.process.close()
}

package strictjson

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Lines reads lines of bounded length, as streams of JSON have them.
type Lines struct {
	in  *bufio.Reader
	buf []byte
}

// NewLines reads the lines of r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReaderSize(r, 1<<16)} }

// Next returns the next line without its end; it is valid until the next call.
// A line of more than most bytes is an error that wraps ErrLimit, and only a
// little more of it was read. At the end the error is io.EOF, and
// io.ErrUnexpectedEOF where the last line has no end: what there is of it is
// returned, too. Other errors are the reader's.
func (l *Lines) Next(most int) ([]byte, error) {
	const keep = 1 << 20 // a buffer of more than that is given back
	if l.buf = l.buf[:0]; cap(l.buf) > keep {
		l.buf = nil
	}
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.buf)+len(part) > most+1 || len(l.buf)+len(part) > most && err != nil {
			return nil, fmt.Errorf("%w: expected lines of at most %d bytes, saw a longer one", ErrLimit, most)
		}
		if err == nil && len(l.buf) == 0 {
			return part[:len(part)-1], nil
		}
		if need := len(l.buf) + len(part); need > cap(l.buf) {
			l.buf = slices.Grow(l.buf, min(max(need, 2*cap(l.buf)), most+1)-len(l.buf))
		}
		l.buf = append(l.buf, part...)
		switch {
		case err == nil:
			return l.buf[:len(l.buf)-1], nil
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(l.buf) > 0:
			return l.buf, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// Wait waits until something of the next line is there, or the reader ends.
func (l *Lines) Wait() { _, _ = l.in.Peek(1) }

// Ahead returns what of the next lines was read already.
func (l *Lines) Ahead() []byte {
	ahead, _ := l.in.Peek(l.in.Buffered())
	return ahead
}

package suite

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/spindle-go/spindle/spec/record"
)

// The bounds of a stream that is read.
const (
	MaxLine  = 16 << 20
	MaxLines = 1 << 20
	// MaxWeight bounds what a stream may take in memory. A line weighs its bytes,
	// and more for each part: a few bytes of JSON may become a large value.
	MaxWeight = 64 << 20
)

func weight(line []byte) int {
	return len(line) + 128*bytes.Count(line, []byte("{")) + 64*bytes.Count(line, []byte(","))
}

// WriteEvents returns a sink that writes each event as a line of JSON, and a
// function that returns the first error of writing: an event that was not written
// is a report that is not whole. The footer gets the digest.
func WriteEvents(w io.Writer) (sink func(Event), err func() error) {
	var failed error
	sum := sha256.New()
	return func(e Event) {
			if failed != nil || e.Event == ProgressEvent {
				return
			}
			var line []byte
			if e.Event == FooterEvent {
				f := *e.Footer
				f.Digest = ""
				e.Footer = &f
				if line, failed = json.Marshal(e); failed == nil {
					sum.Write(append(line, '\n'))
					f.Digest = digest(sum)
				}
			}
			line, err := json.Marshal(e)
			if err == nil {
				line = append(line, '\n')
				sum.Write(line)
				_, err = w.Write(line)
			}
			if err != nil {
				failed = fmt.Errorf("suite: write events: %w", err)
			}
		}, func() error {
			return failed
		}
}

func digest(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// ReadEvents reads a stream of events and hands each to sink. The stream must be
// whole, as Stream says, and its digest that of its lines. Where each requirement
// stands must follow from the checks and findings of its target, if they were
// written for this version of the contract. Errors wrap ErrTruncated, ErrSchema,
// ErrDamaged, record.ErrFormat or the reader's; sink has then got a part of the
// events.
func ReadEvents(r io.Reader, sink func(Event)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var s Stream
	sum, left := sha256.New(), MaxWeight
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err == io.EOF {
			return fmt.Errorf("suite: line %d: %w: expected a newline at its end, saw the end of the file", n, ErrTruncated)
		}
		if err != nil {
			return fmt.Errorf("suite: line %d: %w", n, err)
		}
		if left -= weight(line); left < 0 || n > MaxLines {
			return fmt.Errorf("suite: line %d: %w: expected at most %d lines, and parts that weigh %d MiB, saw more", n, record.ErrFormat, MaxLines, MaxWeight>>20)
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("suite: line %d: %w: expected an event in JSON: %w", n, record.ErrFormat, err)
		}
		footer := e.Event == FooterEvent && e.Footer != nil
		if footer {
			line = bytes.Replace(line, []byte(`"digest":"`+e.Footer.Digest+`"`), []byte(`"digest":""`), 1)
		}
		sum.Write(line)
		if err := s.Add(&e); err != nil {
			return fmt.Errorf("suite: line %d: %w", n, err)
		}
		if footer && e.Footer.Digest != digest(sum) {
			return fmt.Errorf("suite: line %d: %w: the footer has digest %q, the lines have %q", n, ErrDamaged, e.Footer.Digest, digest(sum))
		}
		sink(e)
	}
	if err := s.End(); err != nil {
		return fmt.Errorf("suite: %w", err)
	}
	return nil
}

// readLine returns the next line with its newline.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > MaxLine {
			return nil, fmt.Errorf("%w: expected at most %d bytes, saw more", record.ErrFormat, MaxLine)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
)

func TestProgressIsOneLineThatGoesAway(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, width: func() int { return 20 }}
	p.event(suite.Event{Event: suite.ProgressEvent, Target: "go", Text: "building the run queue"})
	p.event(suite.Event{Event: suite.ProgressEvent, Target: "go", Check: "a/b", Text: "1 of 2"})
	p.event(suite.Event{Event: suite.CheckEvent})
	p.clear()
	want := "\r\x1b[Kgo: building the ru" + "\r\x1b[Kgo: a/b, 1 of 2" + "\r\x1b[K"
	if b.String() != want {
		t.Errorf("expected %q, saw %q", want, b.String())
	}
}

func TestNoProgressAndNoColorWithoutATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := newProgress(w)
	p.event(suite.Event{Event: suite.ProgressEvent, Target: "go", Text: "building"})
	p.clear()
	w.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 0 {
		t.Errorf("expected nothing in a pipe, saw %q", b.String())
	}
	if colored(w) || colored(&b) {
		t.Error("expected no colour in a pipe or a buffer")
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"ref": "ref", "exec:./x": "exec:./x", "exec:a b": "'exec:a b'", "it's": `'it'\''s'`, "": "''", "$x": "'$x'", "^a$": "'^a$'",
	} {
		if got := suite.Quote(in); got != want {
			t.Errorf("suite.Quote(%q): expected %s, saw %s", in, want, got)
		}
	}
}

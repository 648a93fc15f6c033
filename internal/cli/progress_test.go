package cli

import (
	"bytes"
	"os"
	"testing"
)

func TestProgressIsOneLineThatGoesAway(t *testing.T) {
	var b bytes.Buffer
	p := &Progress{w: &b, width: func() int { return 20 }}
	p.Show("go: building the run queue")
	p.Show("go: a/b, 1 of 2")
	p.Clear()
	p.Clear()
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
	p := NewProgress(w)
	p.Show("go: building")
	p.Clear()
	w.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 0 {
		t.Errorf("expected nothing in a pipe, saw %q", b.String())
	}
	if Colored(w) || Colored(&b) {
		t.Error("expected no colour in a pipe or a buffer")
	}
}

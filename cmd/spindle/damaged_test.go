package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestReplayOfDamage: the verdict is derived again from what is there. Whatever is
// done to a stream, and even if its counts and digest are made to fit, replay does
// not exit 0 where the run did not; and damage that nobody hid is noticed.
func TestReplayOfDamage(t *testing.T) {
	stream := func(want int, args ...string) [][]byte {
		var events, out bytes.Buffer
		if code := spindle(t.Context(), append([]string{"check", "-seed", "1", "-json", "-"}, args...), strings.NewReader(""), &events, &out); code != want {
			t.Fatalf("%v: exit %d\n%s", args, code, out.String())
		}
		return bytes.SplitAfter(bytes.TrimSuffix(events.Bytes(), nil), []byte("\n"))
	}
	replay := func(lines [][]byte) int {
		var out bytes.Buffer
		return spindle(t.Context(), []string{"replay", "-"}, bytes.NewReader(bytes.Join(lines, nil)), &out, &out)
	}
	bad := stream(1, "-run", "^sequence/order$", "-out", t.TempDir(), "control")
	good := stream(0, "-run", "^sequence/(order|steal)$", "ref")
	for _, lines := range [][][]byte{bad, good} {
		if lines = slices.DeleteFunc(lines, func(l []byte) bool { return len(l) == 0 }); !bytes.Equal(bytes.Join(seal(t, lines), nil), bytes.Join(lines, nil)) {
			t.Fatal("expected a footer as the command writes it")
		}
		failed := replay(lines) != 0
		for i := range lines {
			for what, edited := range map[string][][]byte{
				"without": slices.Delete(slices.Clone(lines), i, i+1),
				"twice":   slices.Insert(slices.Clone(lines), i, lines[i]),
			} {
				if code := replay(edited); code != 4 {
					t.Errorf("line %d %s: expected exit 4, saw exit %d: %.100s", i, what, code, lines[i])
				}
				if i == len(lines)-1 {
					continue // there is no footer to seal
				}
				if code := replay(seal(t, edited)); code == 0 {
					t.Errorf("line %d %s, sealed: expected another exit than 0: %.100s", i, what, lines[i])
				}
			}
		}
		// One bit of the footer, which the digest does not cover, or of any line.
		r := rand.New(rand.NewPCG(1, 0))
		last := len(lines) - 1
		for n := range 400 {
			at := r.IntN(len(lines))
			if n%2 == 0 {
				at = last
			}
			flipped := slices.Clone(lines)
			flipped[at] = bytes.Clone(lines[at])
			flipped[at][r.IntN(len(flipped[at]))] ^= 1 << r.IntN(8)
			if code := replay(flipped); code != 4 {
				t.Errorf("a bit of line %d: expected exit 4, saw exit %d: %.200s", at, code, flipped[at])
			}
		}
		if !failed {
			continue
		}
		// Who makes it look better, and seals it, contradicts himself.
		for old, new := range map[string]string{
			`"standing":"broken"`:    `"standing":"kept"`,
			`"standing":"unknown"`:   `"standing":"kept"`,
			`"event":"finding"`:      `"event":"progress"`,
			`"ended":"completed"`:    `"ended":"skipped"`,
			`"requirement":"RQ-LOST`: `"requirement":"RQ-LIFO`,
			`"targets":["control"]`:  `"targets":[]`,
			`"schema":3`:             `"schema":4`,
			`"contract":"4"`:         `"contract":"1"`,
			`"seed":"0x1"`:           `"seed":"0x2"`,
		} {
			edited := make([][]byte, len(lines))
			for i := range lines {
				edited[i] = bytes.ReplaceAll(lines[i], []byte(old), []byte(new))
			}
			if slices.EqualFunc(edited, lines, bytes.Equal) && old != `"standing":"unknown"` {
				t.Errorf("there is no %s", old)
			} else if code := replay(seal(t, edited)); code == 0 {
				t.Errorf("%s for %s, sealed: expected another exit than 0", new, old)
			}
		}
	}
}

// seal gives the stream a footer that counts its lines and has their digest.
func seal(t *testing.T, lines [][]byte) [][]byte {
	t.Helper()
	lines = slices.Clone(lines)
	counts := make(map[string]int)
	sum := sha256.New()
	for _, line := range lines[:len(lines)-1] {
		var e struct{ Event string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		counts[e.Event]++
		sum.Write(line)
	}
	var footer struct {
		Event  string `json:"event"`
		Footer struct {
			Events  map[string]int `json:"events"`
			Elapsed int64          `json:"elapsed_ns"`
			Digest  string         `json:"digest"`
		} `json:"footer"`
	}
	if err := json.Unmarshal(lines[len(lines)-1], &footer); err != nil {
		t.Fatal(err)
	}
	footer.Footer.Events, footer.Footer.Digest = counts, ""
	text, err := json.Marshal(footer)
	if err != nil {
		t.Fatal(err)
	}
	sum.Write(append(text, '\n'))
	footer.Footer.Digest = fmt.Sprintf("sha256:%x", sum.Sum(nil))
	if text, err = json.Marshal(footer); err != nil {
		t.Fatal(err)
	}
	lines[len(lines)-1] = append(text, '\n')
	return lines
}

package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// bases are streams with every exit code, of targets with names of their own.
func bases(t *testing.T) [][]byte {
	kept := suitetest.Done("sequence/x", 5, "RQ-LOST", "RQ-TWICE", "RQ-LEN")
	kept.Complete, kept.Executions, kept.Note = true, 146, "every class"
	broken := kept
	broken.Findings = []string{"RQ-TWICE/get", "RQ-TWICE/steal"}
	stopped := kept
	stopped.Ended, stopped.Reason = suite.Inconclusive, "the budget ended"
	failed := broken
	failed.Ended, failed.Reason = suite.Error, "it did not work"
	skipped := suitetest.Done("linearizability/z", 1, "RQ-CRASH")
	skipped.Lacks = "it has none"
	other := suitetest.Done("stress/y", 7, "RQ-TWICE", "RQ-INVENTED")
	controls := func(c ...suitetest.Control) map[spec.Witness][]suitetest.Control {
		return map[spec.Witness][]suitetest.Control{spec.Sequence: c}
	}
	var list [][]byte
	for i, targets := range [][]*suitetest.Target{
		{{Checks: []suitetest.Check{kept, other, skipped}}, {Checks: []suitetest.Check{other}}},
		{{Checks: []suitetest.Check{kept, other}, NotOffered: map[string]string{"RQ-TWICE": "it has no such thing"}}},
		{{Checks: []suitetest.Check{broken, other, skipped}}},
		{{Checks: []suitetest.Check{broken, other}, Version: "known"}},
		{{Checks: []suitetest.Check{broken, other}, Version: "one known"}},
		{{Checks: []suitetest.Check{stopped, other}}},
		{{Checks: []suitetest.Check{failed, other}, Version: "known"}},
		{{Checks: []suitetest.Check{kept, other}, Controls: controls(suitetest.Caught, suitetest.Missed)}},
		{{Checks: []suitetest.Check{kept, other}, Controls: controls(suitetest.Broken)}},
		{{Checks: []suitetest.Check{kept}}, {Err: errors.New("it is not there")}},
	} {
		var known []suite.Known
		for k, target := range targets {
			target.Name = fmt.Sprintf("tiny%d.%d", i, k)
			entry := suite.Known{Fingerprint: "RQ-TWICE/get", Target: target.Name, URL: "https://example.org/1", Reason: "it is so"}
			if strings.Contains(target.Version, "known") {
				known = append(known, entry)
			}
			if entry.Fingerprint = "RQ-TWICE/steal"; target.Version == "known" {
				known = append(known, entry)
			}
		}
		list = append(list, suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{Known: known}, targets...)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return append(list, suitetest.Encode(suitetest.Run(ctx, t, suite.Options{}, &suitetest.Target{Name: "stopped", Checks: []suitetest.Check{kept}})))
}

// read returns what the gate makes of a file.
func read(file io.Reader) (r Result, err error) {
	g := new(Gate)
	err = g.Read(file)
	r = g.Result()
	if err != nil && r.Exit != 4 {
		panic("gate: a file that cannot be read has another exit code")
	}
	return r, err
}

// rests returns what a verdict rests on: what was asked for, which checks ended how,
// where each requirement stands and why, and which controls were caught. Times,
// counters, notes, evidence and the sentences for people are not in it.
func rests(r *Result) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Header.Contract, r.Header.Select, r.Header.Shard, r.Header.Strict)
	for _, k := range r.Header.Known {
		fmt.Fprintln(&b, k.Fingerprint, k.Target, k.From, k.To)
	}
	for _, t := range r.Targets {
		fmt.Fprintln(&b, t.Target, t.Error, t.Ended)
		for _, name := range t.Checks {
			fmt.Fprintln(&b, name, t.Results[name].Ended, t.Results[name].Requirements)
		}
		for _, row := range t.Rows {
			fmt.Fprintln(&b, row.ID, row.Level, row.Standing, row.Checks, row.Complete, row.Fingerprints)
		}
	}
	return b.String()
}

// TestDamagedFiles damages 2,000 streams. Half of them get the footer that they
// should have then: the right counts, and the right digest. Exit 0 comes of a file
// only where all that a verdict rests on is that of a file that passes.
func TestDamagedFiles(t *testing.T) {
	if os.Getenv("SPINDLE_INTERNAL_CHILD") == "" {
		inChild(t, 60*time.Second)
		return
	}
	rng := rand.New(rand.NewPCG(11, 7))
	files := bases(t)
	passing := make(map[string]bool)
	exits := make(map[int]int)
	for _, f := range files {
		r, err := read(bytes.NewReader(f))
		if err != nil {
			t.Fatal(err)
		}
		if exits[r.Exit]++; r.Exit == 0 {
			passing[rests(&r)] = true
		}
	}
	if exits[0] < 3 || exits[1] < 2 || exits[3] < 2 || exits[4] < 2 || exits[130] != 1 {
		t.Fatalf("exits of the files before: %v", exits)
	}
	refused, same := 0, 0
	for n := range 2000 {
		at := rng.IntN(len(files))
		was := files[at]
		how := damages[n/2%len(damages)]
		now := how.do(rng, was, files)
		forged := n%2 == 1
		if forged {
			if now = refoot(now); now == nil {
				continue
			}
		}
		r, err := read(bytes.NewReader(now))
		switch {
		case err != nil:
			refused++
		case !forged && !bytes.Equal(now, was) && how.name != "nothing":
			t.Fatalf("%d: %s: file %d is accepted, with its digest:\n%s", n, how.name, at, now)
		case r.Exit == 0 && !passing[rests(&r)]:
			t.Fatalf("%d: %s: file %d: exit 0:\n%s\nwas\n%s", n, how.name, at, now, was)
		case r.Exit == 0:
			same++
		}
	}
	t.Logf("refused %d, exit 0 as before %d", refused, same)
	if refused < 1500 || same < 20 {
		t.Errorf("refused %d, exit 0 as before %d: the damages do not try much", refused, same)
	}
}

// damages are ways to damage a stream.
var damages = []struct {
	name string
	do   func(rng *rand.Rand, was []byte, others [][]byte) []byte
}{
	{"bit", func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		now := slices.Clone(was)
		now[rng.IntN(len(now))] ^= 1 << rng.IntN(8)
		return now
	}},
	{"byte", func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		at := rng.IntN(len(was))
		return slices.Concat(was[:at], []byte{byte(rng.IntN(256))}, was[at+rng.IntN(2):])
	}},
	{"line removed", func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		l := lines(was)
		at := rng.IntN(len(l))
		return bytes.Join(slices.Delete(l, at, at+1), nil)
	}},
	{"lines removed", func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		return bytes.Join(slices.DeleteFunc(lines(was), func(line []byte) bool { return !bytes.Contains(line, []byte(`"header"`)) && rng.IntN(6) == 0 }), nil)
	}},
	{"line doubled", func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		l := lines(was)
		at := rng.IntN(len(l))
		return bytes.Join(slices.Insert(l, rng.IntN(len(l)), l[at]), nil)
	}},
	{"lines swapped", func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		l := lines(was)
		a, b := rng.IntN(len(l)), rng.IntN(len(l))
		l[a], l[b] = l[b], l[a]
		return bytes.Join(l, nil)
	}},
	{"cut off", func(rng *rand.Rand, was []byte, _ [][]byte) []byte { return was[:rng.IntN(len(was))] }},
	{"two spliced", func(rng *rand.Rand, was []byte, others [][]byte) []byte {
		l, o := lines(was), lines(others[rng.IntN(len(others))])
		return bytes.Join(slices.Concat(l[:1+rng.IntN(len(l))], o[rng.IntN(len(o)):]), nil)
	}},
	{"line of another", func(rng *rand.Rand, was []byte, others [][]byte) []byte {
		l, o := lines(was), lines(others[rng.IntN(len(others))])
		l[rng.IntN(len(l))] = o[1+rng.IntN(len(o)-1)]
		return bytes.Join(l, nil)
	}},
	{"field removed", fields(func(_ *rand.Rand, parent map[string]any, key string, _ []any) { delete(parent, key) })},
	{"field changed", fields(func(rng *rand.Rand, parent map[string]any, key string, words []any) {
		parent[key] = words[rng.IntN(len(words))]
	})},
	{"field of another kind", fields(func(rng *rand.Rand, parent map[string]any, key string, _ []any) {
		parent[key] = []any{nil, true, 1, "", []any{}, map[string]any{}}[rng.IntN(6)]
	})},
	{"number", fields(func(rng *rand.Rand, parent map[string]any, key string, _ []any) {
		if _, ok := parent[key].(json.Number); ok {
			parent[key] = json.Number([]string{"0", "-1", "1", "9223372036854775807", "1e300", "99999999999999999999", "-9007199254740993"}[rng.IntN(7)])
		}
	})},
}

func lines(stream []byte) [][]byte { return slices.Collect(bytes.Lines(stream)) }

// fields changes one field of one line, at any depth.
func fields(change func(rng *rand.Rand, parent map[string]any, key string, words []any)) func(*rand.Rand, []byte, [][]byte) []byte {
	return func(rng *rand.Rand, was []byte, _ [][]byte) []byte {
		l := lines(was)
		type place struct {
			parent map[string]any
			key    string
		}
		var values []map[string]any
		var places []place
		var words []any // all values of the stream
		for i, line := range l {
			var v map[string]any
			in := json.NewDecoder(bytes.NewReader(line))
			in.UseNumber()
			if err := in.Decode(&v); err != nil {
				panic(err)
			}
			values = append(values, v)
			var walk func(m map[string]any)
			walk = func(m map[string]any) {
				for _, key := range slices.Sorted(mapsKeys(m)) {
					// Which failures are known, and how strict the gate is, is an order that
					// somebody gave; a forged one is not damage.
					if key != "known" && key != "strict" && key != "interrupted" {
						words = append(words, frozen(m[key]))
						if rng.IntN(len(l)) == i || len(places) == 0 {
							places = append(places, place{m, key})
						}
						if sub, ok := m[key].(map[string]any); ok {
							walk(sub)
						}
					}
				}
			}
			walk(v)
		}
		p := places[rng.IntN(len(places))]
		change(rng, p.parent, p.key, words)
		var b bytes.Buffer
		for _, v := range values {
			text, err := json.Marshal(v)
			if err != nil {
				panic(err)
			}
			b.Write(append(text, '\n'))
		}
		return b.Bytes()
	}
}

// frozen returns v as it is now: a part of the stream that is put into itself would
// have no end.
func frozen(v any) any {
	switch v.(type) {
	case map[string]any, []any:
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return json.RawMessage(text)
	}
	return v
}

func mapsKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// refoot gives a stream the counts and the digest that it should have: whoever
// damaged it knows the format, but not what follows from it.
func refoot(stream []byte) []byte {
	l := lines(stream)
	counts := make(map[string]int)
	sum := sha256.New()
	var b bytes.Buffer
	for i, line := range l {
		var e map[string]any
		in := json.NewDecoder(bytes.NewReader(line))
		in.UseNumber()
		if in.Decode(&e) != nil {
			return nil
		}
		footer, ok := e["footer"].(map[string]any)
		if i < len(l)-1 || !ok {
			b.Write(line)
			sum.Write(line)
			kind, _ := e["event"].(string)
			counts[kind]++
			continue
		}
		footer["events"], footer["digest"] = counts, ""
		text, err := json.Marshal(e)
		if err != nil {
			return nil
		}
		sum.Write(append(text, '\n'))
		footer["digest"] = "sha256:" + hex.EncodeToString(sum.Sum(nil))
		text, _ = json.Marshal(e)
		b.Write(append(text, '\n'))
	}
	return b.Bytes()
}

// inChild runs the test in a process of its own, which may take that long and 256
// MiB.
func inChild(t *testing.T, limit time.Duration) {
	t.Helper()
	info, _ := debug.ReadBuildInfo()
	race := info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
	if race { // which takes time and memory of its own
		limit *= 5
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_CHILD=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v, in %v:\n%s", err, limit, out)
	}
	if mib := resident(cmd.ProcessState); mib > 256 && !race {
		t.Errorf("expected at most 256 MiB, saw %d", mib)
	}
}

// TestHugeFiles holds that files that are made to fill the memory do not.
func TestHugeFiles(t *testing.T) {
	tier.OnlyFull(t)
	if os.Getenv("SPINDLE_INTERNAL_CHILD") == "" {
		inChild(t, 60*time.Second)
		return
	}
	header, _, _ := bytes.Cut(bases(t)[0], []byte("\n"))
	line := func(begin, text, end string, n int64) io.Reader {
		return io.MultiReader(bytes.NewReader(append(header, '\n')), strings.NewReader(begin), io.LimitReader(again(text), n/int64(len(text))*int64(len(text))), strings.NewReader(end+"\n"))
	}
	const finding = `{"event":"finding","target":"tiny0.0","check":"sequence/x","finding":{"requirement":"RQ-LOST","fingerprint":"RQ-LOST","evidence":[`
	for name, file := range map[string]io.Reader{
		"zeros":        io.LimitReader(zeros{}, 1<<31),
		"a long line":  line(`{"event":"`, "x", `"}`, 1<<30),
		"a whole line": line(`{"event":"`, "x", `"}`, 15<<20),
		"steps":        line(finding+`{"kind":"steps","execution":{"steps":[`, "{},", `{}]}}]}}`, 15<<20),
		"fewer steps":  line(finding+`{"kind":"steps","execution":{"steps":[`, "{},", `{}]}}]}}`, 1400<<10),
		"evidence":     line(finding, "{},", `{}]}}`, 1400<<10),
		"texts":        line(finding+`{"lines":[`, `"",`, `""]}]}}`, 4<<20),
		"depth":        line(`{"x":`, "[", "}", 15<<20),
		"judged":       line(`{"event":"check","result":{"judged":{`, `"":1,`, `"a":1}}}`, 7<<20),
		"many lines":   io.MultiReader(bytes.NewReader(append(header, '\n')), again(finding+"]}}\n")),
		"findings":     io.MultiReader(line(`{"event":"target","target":"a","checks":["sequence/x"],"description":{"name":"a"`, " ", "}}", 1), again(`{"event":"finding","target":"a","check":"sequence/x","finding":{"requirement":"A","fingerprint":"A"}}`+"\n")),
		"known":        line(`{"event":"header","header":{"schema":3,"known":[`, "{},", "{}]}}", 1400<<10),
		"no newline":   again("{"),
	} {
		begin := time.Now()
		if r, err := read(file); err == nil || r.Exit != 4 {
			t.Errorf("%s: expected an error, saw exit %d", name, r.Exit)
		} else {
			t.Logf("%s: %v: %.200v", name, time.Since(begin).Round(time.Millisecond), err)
		}
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// again repeats a text without end.
func again(text string) io.Reader { return &repeated{text: strings.Repeat(text, 1+4096/len(text))} }

type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(b []byte) (n int, err error) {
	for n < len(b) {
		k := copy(b[n:], r.text[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.text)
	}
	return n, nil
}

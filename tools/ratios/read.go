package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A benchmark is one benchmark in all its variants, in the order of the input.
type benchmark struct {
	name     string // PutGet
	procs    string // -2, or nothing
	variants []*variant
}

// A variant is what one kind of queue took.
type variant struct {
	name    string
	seconds []float64 // per operation, in the order of the input
	summary interval
	ratio   interval // to the base; zero if there is none
	why     string   // why there is no ratio
}

func (b *benchmark) variant(name string) *variant {
	for _, v := range b.variants {
		if v.name == name {
			return v
		}
	}
	return nil
}

// results are all benchmarks of the input, and where they were run.
type results struct {
	machine    []string
	benchmarks []*benchmark
}

// failure is a line that go test writes when something went wrong. What was
// measured before it may be right, but is not all.
var failure = regexp.MustCompile(`(?m)^(--- FAIL|FAIL|panic:|fatal error:).*$`)

// read reads the files, or stdin if there are none.
func read(files []string, stdin io.Reader) (*results, error) {
	r := new(results)
	if len(files) == 0 {
		if err := r.add(stdin, "standard input"); err != nil {
			return nil, err
		}
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		err = r.add(f, name)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	if len(r.benchmarks) == 0 {
		return nil, errors.New("no results in the input; expected the output of go test -bench")
	}
	return r, nil
}

func (r *results) add(in io.Reader, file string) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if line := failure.Find(text); line != nil {
		return fmt.Errorf("%s: a run failed: %s", file, line)
	}
	reader := benchfmt.NewReader(bytes.NewReader(text), file)
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return rec
		case *benchfmt.Result:
			if err := r.addResult(rec); err != nil {
				name, line := rec.Pos()
				return fmt.Errorf("%s:%d: %w", name, line, err)
			}
		}
	}
	return reader.Err()
}

func (r *results) addResult(rec *benchfmt.Result) error {
	seconds, ok := rec.Value("sec/op")
	if !ok || !(seconds > 0) {
		return fmt.Errorf("%s: expected a positive number of ns/op", rec.Name)
	}
	name, procs := rec.Name.Full(), []byte(nil)
	if _, parts := rec.Name.Parts(); len(parts) > 0 && parts[len(parts)-1][0] == '-' {
		procs = parts[len(parts)-1]
		name = name[:len(name)-len(procs)]
	}
	slash := bytes.LastIndexByte(name, '/')
	if slash < 0 {
		return nil // it has no variants
	}
	b := r.benchmark(string(name[:slash]), string(procs))
	v := b.variant(string(name[slash+1:]))
	if v == nil {
		v = &variant{name: string(name[slash+1:])}
		b.variants = append(b.variants, v)
	}
	v.seconds = append(v.seconds, seconds)
	r.ranOn(rec)
	return nil
}

func (r *results) benchmark(name, procs string) *benchmark {
	for _, b := range r.benchmarks {
		if b.name == name && b.procs == procs {
			return b
		}
	}
	b := &benchmark{name: name, procs: procs}
	r.benchmarks = append(r.benchmarks, b)
	return b
}

// ranOn remembers the machine, or each of them.
func (r *results) ranOn(rec *benchfmt.Result) {
	var parts []string
	for _, key := range []string{"goos", "goarch", "cpu"} {
		if v := rec.GetConfig(key); v != "" {
			parts = append(parts, v)
		}
	}
	machine := strings.Join(parts, " ")
	for _, m := range r.machine {
		if m == machine {
			return
		}
	}
	if machine != "" {
		r.machine = append(r.machine, machine)
	}
}

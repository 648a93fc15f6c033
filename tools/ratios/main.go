// Ratios says how many times as long one kind of queue takes as another, from
// the output of go test -bench.
//
// Usage:
//
//	ratios [-base runtime,impl] [-of impl] [-max BENCHMARK=RATIO,...] [-svg FILE] [-md FILE] [file...]
//
// It reads the files, or else the standard input. The last part of a benchmark's
// name is taken for the variant: PutGet/impl and PutGet/runtime are two variants
// of PutGet. For each variant the table has the median of its samples with a 95%
// confidence interval, and the median of the ratios to the base with theirs. The
// base is the first variant of -base that the benchmark has.
//
// Ratios are taken sample by sample, the first of one variant to the first of
// the other and so on: samples of one round were taken within a second of each
// other, so that a machine that was slow for a while was slow for both. A
// confidence interval of the median supposes nothing about the distribution and
// takes at least six samples.
//
// -svg draws the ratios, those of -of first, and -md writes them as a table in Markdown.
//
// -max gives limits to the ratio of the variant -of to the first variant of
// -base. A limit is missed when the whole confidence interval lies above it.
//
// The exit code is 0 if no limit is missed, 1 if one is, 2 for wrong usage, and
// 3 if there is no telling: no results, a failed or malformed run in the input,
// or, for a limit, a benchmark or a variant that is not there, numbers of samples
// that differ, or too few; nothing to draw, or a file that cannot be written.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

const (
	exitOK = iota
	exitMissed
	exitUsage
	exitUnknown
)

func main() {
	os.Exit(ratios(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func ratios(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("ratios", flag.ContinueOnError)
	flags.SetOutput(stderr)
	base := flags.String("base", "runtime,impl", "compare with the first of these `variants` that there is")
	of := flags.String("of", "impl", "the `variant` that -max is about")
	limits := make(limits)
	flags.Var(limits, "max", "comma-separated `BENCHMARK=RATIO`: the most that the ratio may be")
	svg := flags.String("svg", "", "draw the ratios in this `FILE`")
	md := flags.String("md", "", "write the ratios as a table in Markdown in this `FILE`")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return exitOK
		}
		return exitUsage
	}
	bases := strings.Split(*base, ",")
	results, err := read(flags.Args(), stdin)
	if err != nil {
		fmt.Fprintln(stderr, "ratios:", err)
		return exitUnknown
	}
	results.compare(bases)
	results.print(stdout)
	for file, write := range map[string]func(io.Writer, []string, string) error{*svg: results.svg, *md: results.markdown} {
		if err := writeFile(file, func(out io.Writer) error { return write(out, bases, *of) }); err != nil {
			fmt.Fprintln(stderr, "ratios:", err)
			return exitUnknown
		}
	}
	missed, unknown := results.judge(limits, *of, bases[0])
	for _, s := range append(missed, unknown...) {
		fmt.Fprintln(stdout, s)
	}
	switch {
	case len(missed) > 0:
		return exitMissed
	case len(unknown) > 0:
		return exitUnknown
	}
	return exitOK
}

// writeFile has write write a file, if it has a name.
func writeFile(file string, write func(io.Writer) error) error {
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// limits are the most that the ratio of a benchmark may be.
type limits map[string]float64

func (l limits) String() string { return "" }

func (l limits) Set(text string) error {
	for _, s := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(s, "=")
		max, err := strconv.ParseFloat(number, 64)
		if err != nil || name == "" || !(max > 0) {
			return fmt.Errorf("expected BENCHMARK=RATIO such as PutGet=1.5, saw %q", s)
		}
		if _, ok := l[name]; ok {
			return fmt.Errorf("two limits for %s", name)
		}
		l[name] = max
	}
	return nil
}

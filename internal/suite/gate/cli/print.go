package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/gate/bench"
)

// printer remembers the first error of writing.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *printer) printf(format string, args ...any) {
	_, err := fmt.Fprintf(p.w, format+"\n", args...)
	p.keep(err)
}

// result prints a line for whatever there is to say: what is wrong first.
func (p *printer) result(r *gate.Result, rows []bench.Row) {
	for _, reason := range r.Reasons {
		p.printf("%s", reason)
	}
	for _, d := range r.Decisions {
		switch d.Ruling {
		case gate.AsBefore, gate.Known, gate.NotSeen:
			p.printf("%s: %q: %s: %.200q", d.Ruling, d.Target, d.Row.ID, d.Text)
		}
	}
	for _, d := range r.Differences {
		if d.Severity == gate.Note {
			p.printf("note: %s", d)
		}
	}
	for _, k := range r.Unused {
		p.printf("unused: known failure %.100q of %.100q (%.200q) fits nothing here", k.Fingerprint, k.Target, k.URL)
	}
	for i := range rows {
		if text := rows[i].String(); !slices.ContainsFunc(r.Reasons, func(reason string) bool { return strings.Contains(reason, text) }) {
			p.printf("benchmark %s", text)
		}
	}
}

// last prints the verdict with its counts.
func (p *printer) last(r *gate.Result) {
	var counts []string
	for _, standing := range []suite.Standing{suite.Kept, suite.Broken, suite.Unknown, suite.NotOffered, suite.NotRun} {
		n := 0
		for _, d := range r.Decisions {
			if d.Row.Standing == standing {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, standing.Word()))
		}
	}
	if known := r.Count(gate.Known) + r.Count(gate.AsBefore); known > 0 {
		counts = append(counts, fmt.Sprintf("%d of the broken known or as in the baseline", known))
	}
	if counts == nil {
		counts = []string{"nothing checked"}
	}
	shard := ""
	if h := r.Header; h != nil && h.Shard != "" {
		shard = fmt.Sprintf("shard %s, not the whole: ", printable.Line(h.Shard, 40))
	}
	p.printf("%s: exit %d; %s%s: %s", r.Verdict, r.Exit, shard, cli.Plural(len(r.Targets), "target"), strings.Join(counts, ", "))
}

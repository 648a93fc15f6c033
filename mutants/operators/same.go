package operators

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Same returns the mutants whose machine code is that of another: by a mutant's
// number the lowest number with the same code, which is 0 for the function as it
// was. Such a mutant is the same program, and need not be run. It is the
// compiler that says so, for this version of it and this architecture, by the
// rules for code without data races: it reads a plain variable once where the
// text reads it twice. Of a generic function it says nothing.
func (d *Design) Same(ctx context.Context) (map[int]int, error) {
	dir, err := os.MkdirTemp("", "spindle-operators-")
	if err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	defer os.RemoveAll(dir)
	set, err := d.pkg.replaced()
	if err != nil {
		return nil, err
	}
	for _, file := range d.files {
		if text := d.text(file, "", true); text != nil {
			if err := set.Put(file.path, text); err != nil {
				return nil, err
			}
		}
	}
	at, err := set.Write(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay="+at, "-gcflags=-S", "-o", filepath.Join(dir, "out"), ".")
	cmd.Dir = d.pkg.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		text := out.String()
		return nil, fmt.Errorf("operators: go build of the mutants of %s: %w: %s", d.pkg.path, err, text[max(0, len(text)-2000):])
	}
	code := listing(out.String())
	same := make(map[int]int)
	first := make(map[string]int)
	for _, m := range d.mutants {
		key := m.File + " " + m.Func + "\n"
		own := d.symbol(m.fn)
		was, is := code[own(0)], code[own(m.Number)]
		if was == "" || is == "" {
			continue
		}
		first[key+was] = 0
		if n, ok := first[key+is]; ok {
			same[m.Number] = n
		} else {
			first[key+is] = m.Number
		}
	}
	return same, nil
}

// symbol returns what the compiler calls the copies of f.
func (d *Design) symbol(f *function) func(number int) string {
	recv := ""
	if r := f.decl.Recv; r != nil {
		recv, _, _ = strings.Cut(f.name, ".")
		if strings.HasPrefix(strings.TrimSpace(f.src(r.List[0].Type)), "*") {
			recv = "(*" + recv + ")"
		}
		recv += "."
	}
	return func(number int) string { return recv + copyName(f.decl.Name.Name, number) }
}

var (
	// A symbol of the listing: example.com/p.(*T).zzGet_5 STEXT size=...
	symbolLine = regexp.MustCompile(`^\S*?([^/\s]+) (S[A-Z]+)\b`)
	// A copy's name anywhere: its own, that of a function literal inside it.
	copied = regexp.MustCompile(`\bzz(\w+?)_\d+\b`)
	// An instruction: 0x0012 00018 (/file.go:12)	MOVQ	AX, BX
	instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ (\d+) \([^)]*\)\t(.*)$`)
)

// listing returns the code of each copy in what the compiler prints, with that
// of the function literals inside it, by the copy's symbol. Names of copies have
// no numbers there, and there are no lines and no tables for the collector.
func listing(text string) map[string]string {
	code := make(map[string]string)
	owner, kind := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "\t") {
			owner = ""
			m := symbolLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			name := m[1]
			if _, in, ok := strings.Cut(name, "."); ok { // behind the package's
				name = in
			}
			at := copied.FindStringIndex(name)
			if at == nil || slices.ContainsFunc(tables, func(t string) bool { return strings.HasSuffix(name, t) }) {
				continue
			}
			owner, kind = name[:at[1]], m[2]
			code[owner] += "= " + copied.ReplaceAllString(name, "zz$1") + " " + kind + "\n"
			continue
		}
		if owner == "" {
			continue
		}
		if kind == "STEXT" {
			m := instruction.FindStringSubmatch(line)
			if m == nil || strings.HasPrefix(m[2], "PCDATA") || strings.HasPrefix(m[2], "FUNCDATA") {
				continue
			}
			line = strconv.Quote(m[1] + " " + m[2])
		}
		code[owner] += copied.ReplaceAllString(line, "zz$1") + "\n"
	}
	return code
}

// tables are symbols about a function that are not its code.
var tables = []string{".arginfo0", ".arginfo1", ".argliveinfo", ".stkobj", ".opendefer", ".wrapinfo", ".args_stackmap"}

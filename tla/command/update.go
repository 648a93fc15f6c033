package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// updatable says what keeps -update from writing.
func (o *options) updatable(tasks []*tla.Task) error {
	switch {
	case !o.update:
		return nil
	case o.written == "":
		return errors.New("-update writes the cfg of a checkout, or of -dir: expected one of them, saw none")
	case o.measure || o.mutants || o.list || o.simulate > 0 || o.distributed:
		return errors.New("-update goes with none of -measure, -mutants, -list, -simulate and -distributed")
	case o.command == "tlc" && o.workers > 1:
		return errors.New("-update needs -workers 1: with more TLC's depth is not exact")
	}
	for _, t := range tasks {
		if t.Mutant != nil {
			return fmt.Errorf("-update writes configurations; the row of mutant %s is in tla/mutants_*.go, and -measure prints it", t.Name)
		}
	}
	return nil
}

// rewrite writes what was found into the configuration. What was not written is a
// difference.
func (r *runner) rewrite(t *tla.Task, res *tlc.Result) {
	file := filepath.Join(r.o.written, "cfg", t.Name+".cfg")
	text, err := t.Update(res)
	if err == nil && text != t.Config {
		err = replace(file, t.Config, text)
	}
	switch {
	case err != nil:
		r.differs = append(r.differs, err.Error())
		r.row("DIFF", t, res)
		fmt.Fprintln(r.std.Out, "      "+err.Error())
	case text == t.Config:
		r.row("same", t, res)
	default:
		r.wrote++
		r.row("wrote", t, res)
		was, now := noted(t.Config), noted(text)
		for i := range was {
			if was[i] != now[i] {
				fmt.Fprintf(r.std.Out, "      was: %s\n      now: %s\n", cmp.Or(was[i], "nothing"), now[i])
			}
		}
	}
}

// noted is what the head of a configuration says of what is expected, and of what it asks.
func noted(config string) (list [2]string) {
	for line := range strings.Lines(config) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), `\* `)
		switch {
		case strings.HasPrefix(line, "expect: "):
			list[0] = line
		case strings.HasPrefix(line, "asks: "):
			list[1] = line
		}
	}
	return list
}

// replace writes a file that still is what was explored.
func replace(file, old, text string) error {
	now, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if string(now) != old {
		return fmt.Errorf("%s: expected what was explored, saw that it was changed meanwhile; it is left as it is", file)
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

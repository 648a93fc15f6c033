package tla

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Subset returns where the modules of dir leave the part of TLA+ in which no
// bug of TLC is known, or the style. It reads text, not meaning: it sees what is
// written in one place, not what an operator hides.
//
//   - No ENABLED and no LAMBDA (tlaplus#725).
//   - No primed variable within the argument of an operator (tlaplus#798), unless
//     a comment of the line says "primed:" and why: that all is assigned by then.
//   - No function whose domain is a set of functions or a product (tlaplus#1302).
//   - A list of bullets begins on the line after ==, at column 3 or 4: a list
//     that begins behind == changes its meaning, in silence, when the
//     name gets longer.
func Subset(dir fs.FS) ([]string, error) {
	all, err := sources(dir)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name].subset()...)
	}
	return list, nil
}

var (
	forbidden  = regexp.MustCompile(`\b(ENABLED|LAMBDA)\b`)
	overSet    = regexp.MustCompile(`\[\s*\w+(?:\s*,\s*\w+)*\s*\\in\s*\[[^\]|]*->`)
	overCross  = regexp.MustCompile(`\[\s*\w+(?:\s*,\s*\w+)*\s*\\in[^\]|]*(?:\\X|\\times)[^\]|]*\|->`)
	bulletLate = regexp.MustCompile(`(?m)^[A-Za-z_][^\n]*==[ \t]*(?:/\\|\\/)`)
	bulletAt   = regexp.MustCompile(`(?m)^[A-Za-z_][^\n]*==[ \t]*\n([ \t]*)(?:/\\|\\/)`)
	call       = regexp.MustCompile(`\b[A-Za-z_][A-Za-z_0-9]*\(`)
)

func (s *source) subset() []string {
	var list []string
	at := func(offset int, what string, args ...any) {
		line := 1 + strings.Count(s.text[:offset], "\n")
		list = append(list, fmt.Sprintf("%s.tla:%d: %s", s.name, line, fmt.Sprintf(what, args...)))
	}
	for _, f := range forbidden.FindAllStringIndex(s.text, -1) {
		at(f[0], "expected no %s: TLC has bugs there", s.text[f[0]:f[1]])
	}
	for _, p := range []*regexp.Regexp{overSet, overCross} {
		for _, f := range p.FindAllStringIndex(s.text, -1) {
			at(f[0], "expected a function over numbers, strings or names, saw %q", firstLine(s.text[f[0]:f[1]]))
		}
	}
	for _, f := range call.FindAllStringIndex(s.text, -1) {
		if args := inside(s.text[f[1]:]); strings.Contains(args, "'") && !strings.Contains(s.line(f[0]), "primed: ") {
			at(f[0], "expected no primed variable in an argument, saw %q", firstLine(s.text[f[0]:f[1]]+args))
		}
	}
	for _, f := range bulletLate.FindAllStringIndex(s.text, -1) {
		at(f[0], "expected the list to begin on the line after ==")
	}
	for _, f := range bulletAt.FindAllStringSubmatchIndex(s.text, -1) {
		if n := f[3] - f[2]; n != 2 && n != 3 {
			at(f[2], "expected the list at column 3 or 4, saw it at column %d", n+1)
		}
	}
	return list
}

// line returns the line of the file around an offset, with its comment.
func (s *source) line(offset int) string {
	begin := strings.LastIndexByte(s.file[:offset], '\n') + 1
	return firstLine(s.file[begin:])
}

// inside returns what is before the parenthesis that closes.
func inside(text string) string {
	depth := 1
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

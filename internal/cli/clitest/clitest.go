// Package clitest helps to test what commands print.
package clitest

import (
	"regexp"
	"strings"
)

// Pattern makes a pattern of expected output: three dots stand for whatever is there,
// for one or more lines on a line of their own, else for a part of the line.
func Pattern(want string) *regexp.Regexp {
	var b strings.Builder
	for line := range strings.Lines(want) {
		if line == "...\n" {
			b.WriteString(`(?:.*\n)+`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, `.*`))
	}
	return regexp.MustCompile(`\A` + b.String() + `\z`)
}

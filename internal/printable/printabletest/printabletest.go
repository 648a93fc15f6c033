// Package printabletest holds what tests ask of text that came from outside.
//
//interleave:off
package printabletest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Harmless reports why a line of a log could do more than be read.
func Harmless(line string) error {
	if !utf8.ValidString(line) {
		return fmt.Errorf("expected UTF-8, saw %.100q", line)
	}
	for _, r := range line {
		if !strconv.IsPrint(r) {
			return fmt.Errorf("expected what prints, saw %q in %.100q", r, line)
		}
	}
	if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##") {
		return fmt.Errorf("expected no command of a CI system, saw %.100q", line)
	}
	return nil
}

package cli

import (
	"fmt"
	"strings"
)

// Plural is "1 what" or "N whats".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Join joins words of any type of string.
func Join[S ~string](list []S, by string) string {
	var words []string
	for _, s := range list {
		words = append(words, string(s))
	}
	return strings.Join(words, by)
}

// Alphanumeric reports whether r is a letter or digit of ASCII.
func Alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// Quote returns s as one word of a shell.
func Quote(s string) string {
	needs := func(r rune) bool { return !Alphanumeric(r) && !strings.ContainsRune("-_./:=,+@%", r) }
	if s != "" && strings.IndexFunc(s, needs) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

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

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

var moduleLine = regexp.MustCompile(`(?m)^module\s+github\.com/spindle-go/spindle\s*$`)

// Checkout returns the root of the checkout that the present folder is in.
func Checkout() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && moduleLine.Match(text) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("expected a checkout of github.com/spindle-go/spindle in %s or above, saw none", here)
		}
	}
}

package main

import (
	"os"
	"regexp"
	"testing"
)

// TestRustDriverAlone: the driver of Rust can be copied: it has no code of another module of the crate, and of other crates serde and serde_json alone.
func TestRustDriverAlone(t *testing.T) {
	text, err := os.ReadFile("../../children/rust/src/driver.rs")
	if err != nil {
		t.Fatal(err)
	}
	others := regexp.MustCompile(`\b(?:crate|super)::|(?m)^(?:pub )?use (\w+)`)
	uses := make(map[string]bool)
	for _, m := range others.FindAllStringSubmatch(string(text), -1) {
		uses[m[1]] = true
	}
	if len(uses) != 3 || !uses["std"] || !uses["serde"] || !uses["serde_json"] {
		t.Errorf("expected that the driver uses std, serde and serde_json, saw %v, where \"\" is code of the crate", uses)
	}
}

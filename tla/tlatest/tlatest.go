// Package tlatest notes which modules the tests have held against the machines in Go.
//
//interleave:off
package tlatest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/sample"
	"github.com/spindle-go/spindle/tla"
)

// Note is called by the test that compares all graphs of a family with TLC's, before it
// begins. With UPDATE=1 it writes to compared.txt, in the folder of the modules, that they
// were compared, if the test passes; and refuses to, where it leaves graphs out.
func Note(t *testing.T, modules, family string) {
	t.Helper()
	if os.Getenv("UPDATE") != "1" {
		return
	}
	if run := flag.Lookup("test.run"); !sample.Long() || run != nil && strings.Contains(run.Value.String(), "/") {
		t.Fatal("expected that all graphs are compared before that is noted, saw that some are left out: set SPINDLE_LONG=1, and name no part of the test")
	}
	begun, err := tla.Compared(os.DirFS(modules), family)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		text, err := tla.Compared(os.DirFS(modules), family)
		switch {
		case t.Failed() || err != nil:
			t.Log("not noted as compared: ", err)
		case text != begun:
			t.Error("the modules were changed while they were compared")
		default:
			if err := os.WriteFile(filepath.Join(modules, "compared.txt"), []byte(text), 0o666); err != nil {
				t.Error(err)
			}
		}
	})
}

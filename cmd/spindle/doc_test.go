package main

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/cli/clitest"
	"github.com/spindle-go/spindle/internal/exit"
)

// progressLine is what a slow machine adds to standard error.
var progressLine = regexp.MustCompile(`(?m)^spindle, after .*\n`)

// TestManual runs the blocks of the package comment that begin with "$ spindle",
// one after another in one folder.
func TestManual(t *testing.T) {
	blocks := manualBlocks(t)
	if len(blocks) < 5 {
		t.Fatalf("expected at least 5 blocks in doc.go, saw %d", len(blocks))
	}
	t.Chdir(t.TempDir())
	for _, block := range blocks {
		line, want, _ := strings.Cut(block, "\n")
		t.Run(line, func(t *testing.T) {
			var out bytes.Buffer
			code := spindle(context.Background(), words(t, strings.TrimPrefix(line, "$ spindle ")), strings.NewReader(""), &out, &out)
			if code != 0 {
				fmt.Fprintf(&out, "exit status %d\n", code)
			}
			saw := progressLine.ReplaceAllString(out.String(), "")
			if !clitest.Pattern(want).MatchString(saw) {
				t.Errorf("expected\n%s\nsaw\n%s", want, saw)
			}
		})
	}
}

// The exit codes of help and of the manual are one table.
func TestManualExitCodes(t *testing.T) {
	manual := strings.Join(strings.Fields(manualText(t)), " ")
	_, table, _ := strings.Cut(exit.Help, "\n")
	if table = strings.Join(strings.Fields(table), " "); !strings.Contains(manual, table) {
		t.Errorf("doc.go lacks the table that help prints:\n%s", exit.Help)
	}
}

func manualText(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", src, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	return f.Doc.Text()
}

func manualBlocks(t *testing.T) (blocks []string) {
	t.Helper()
	block := ""
	for line := range strings.Lines(manualText(t)) {
		switch {
		case strings.HasPrefix(line, "\t$ spindle "):
			blocks = append(blocks, block)
			block = line[1:]
		case block != "" && strings.HasPrefix(line, "\t"):
			block += line[1:]
		case block != "" && strings.TrimSpace(line) == "":
			block += line
		default:
			blocks = append(blocks, block)
			block = ""
		}
	}
	var list []string
	for _, b := range append(blocks, block) {
		if b = strings.TrimRight(b, "\n"); b != "" {
			list = append(list, b+"\n")
		}
	}
	return list
}

// words splits a command line as a shell does, as far as the manual needs it.
func words(t *testing.T, line string) (list []string) {
	t.Helper()
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

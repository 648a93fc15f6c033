package docs_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// tutorials are the pages of which each fenced block is tested.
//
// A block of Go or of TLA+ stands behind a comment with the file that it quotes, as it is, from the beginning of a line to the end
// of a line:
//
//	<!-- testdata/queue/right/ring.go -->
//
// A block of the console has commands, which begin with "$ ", and what each prints. Three dots stand for any number of lines, or in a
// line for any text. The comment before it says in which folder the commands are run; a folder below testdata becomes a module of
// its own. Behind a semicolon: "full", if that takes long; "full, tlc", if it needs TLC as well.
//
//	<!-- in testdata/queue/right; full -->
var tutorials = []string{"queue.md", "scheduler.md", "model.md"}

// A block is a fenced block of a page.
type block struct {
	page     string
	line     int
	comment  string // before it
	language string
	text     string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// blocks returns the fenced blocks of a page.
func blocks(page, text string) (list []block, err error) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		language, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			continue
		}
		b := block{page: page, line: i + 1, language: language}
		if i > 0 {
			b.comment, _ = strings.CutPrefix(lines[i-1], "<!-- ")
			b.comment, ok = strings.CutSuffix(b.comment, " -->")
		}
		if !ok || i == 0 {
			return nil, fmt.Errorf("%v: expected a comment before the block that says what it is", b)
		}
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			b.text += lines[i] + "\n"
		}
		list = append(list, b)
	}
	return list, nil
}

// read returns the blocks of all tutorials.
func read(t *testing.T) (list []block) {
	t.Helper()
	for _, page := range tutorials {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		of, err := blocks(page, string(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, of...)
	}
	return list
}

// quotes reports whether text stands in a file, in whole lines.
func quotes(file, text string) bool {
	return strings.TrimSpace(text) != "" && strings.Contains("\n"+file, "\n"+text)
}

// TestListings holds each listing of a tutorial against the file that it quotes.
func TestListings(t *testing.T) {
	seen := make(map[string]bool)
	for _, b := range read(t) {
		switch b.language {
		case "go", "tla":
			file, err := os.ReadFile(b.comment)
			if err != nil {
				t.Errorf("%v: %v", b, err)
			} else if !quotes(string(file), b.text) {
				t.Errorf("%v: %s does not have these lines:\n%s", b, b.comment, b.text)
			}
			seen[b.page] = true
		case "console":
		default:
			t.Errorf("%v: expected a block of go, tla or console, saw %q", b, b.language)
		}
	}
	if len(seen) != len(tutorials) {
		t.Errorf("expected listings on %d pages, saw %v", len(tutorials), seen)
	}
}

// A command is one of a block, with the lines that it has to print.
type command struct {
	line string
	want []string
}

// commands returns the commands of a block of the console.
func commands(b block) (list []command, err error) {
	for l := range strings.Lines(b.text) {
		l = strings.TrimRight(l, "\n")
		switch {
		case strings.HasPrefix(l, "$ "):
			list = append(list, command{line: l[2:]})
		case len(list) == 0:
			return nil, fmt.Errorf("%v: expected a command first, saw %q", b, l)
		default:
			list[len(list)-1].want = append(list[len(list)-1].want, l)
		}
	}
	return list, nil
}

// printed reports whether out is what want says.
func printed(out string, want []string) bool {
	var p strings.Builder
	p.WriteString("^")
	if out = strings.TrimRight(out, "\n"); out != "" {
		out += "\n"
	}
	for _, l := range want {
		if l == "..." {
			p.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		parts := strings.Split(strings.TrimRight(l, " "), "...")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		p.WriteString(strings.Join(parts, `[^\n]*`) + ` *\n`)
	}
	p.WriteString("$")
	return regexp.MustCompile(p.String()).MatchString(out)
}

// folders are the temporary copies of folders of testdata.
type folders struct {
	temp    string
	made    map[string]string
	spindle string // the command, if it was built
}

// of returns the folder to run a block in: a module of its own for one of testdata, else the root.
func (f *folders) of(t *testing.T, name string) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if name == "the repository" {
		return root
	}
	if f.made[name] != "" {
		return f.made[name]
	}
	dir := filepath.Join(f.temp, strconv.Itoa(len(f.made)))
	f.made[name] = dir
	if name == "a copy of the repository" { // what the command looks for
		if err := os.CopyFS(filepath.Join(dir, "tla"), os.DirFS(filepath.Join(root, "tla"))); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "go.mod"), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	if err := os.CopyFS(dir, os.DirFS(name)); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module example.com/mine\n\ngo 1.26.0\n\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => %q\n", root)
	for file, text := range map[string]string{"go.mod": mod, "go.sum": string(sums)} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const goRun = "go run ./cmd/spindle"

// run runs a command line in a folder and returns what it prints, and whether it failed.
func (f *folders) run(t *testing.T, dir, line string) (out string, failed bool) {
	t.Helper()
	if strings.Contains(line, goRun) {
		if f.spindle == "" {
			f.spindle = filepath.Join(f.temp, "spindle")
			build := exec.CommandContext(t.Context(), "go", "build", "-o", f.spindle, "./cmd/spindle")
			build.Dir = f.of(t, "the repository")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		line = strings.ReplaceAll(line, goRun, f.spindle)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to run the commands of the page")
	}
	cmd := exec.CommandContext(t.Context(), sh, "-c", line)
	cmd.Dir = dir
	env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "SPINDLE_") })
	cmd.Env = append(env, "GOPROXY=off", "GOWORK=off")
	if _, err := os.Stat(filepath.Join(dir, "docs")); err != nil { // not the repository: go.mod has no requirements of requirements
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod")
	}
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v\n%s", line, err, b)
	}
	return string(b), err != nil
}

// fails reports whether the page shows the end of a command that fails.
func fails(want []string) bool {
	return slices.ContainsFunc(want, func(l string) bool { return l == "FAIL" || failing.MatchString(l) })
}

var failing = regexp.MustCompile(`^(fail|inconclusive): exit [1-9]`)

// tryBlocks runs the blocks that take long, or those that do not.
func tryBlocks(t *testing.T, long bool) {
	t.Helper()
	f := &folders{temp: t.TempDir(), made: make(map[string]string)}
	ran := 0
	for _, b := range read(t) {
		if b.language != "console" {
			continue
		}
		where, how, _ := strings.Cut(b.comment, "; ")
		where, ok := strings.CutPrefix(where, "in ")
		if !ok || how != "" && how != "full" && how != "full, tlc" {
			t.Errorf("%v: expected \"in FOLDER\", \"in FOLDER; full\" or \"in FOLDER; full, tlc\", saw %q", b, b.comment)
			continue
		}
		list, err := commands(b)
		if err != nil {
			t.Error(err)
		}
		if (how != "") != long {
			continue
		}
		ran++
		t.Run(b.String(), func(t *testing.T) {
			if strings.HasSuffix(how, "tlc") {
				tlctest.Find(t)
			}
			dir := f.of(t, where)
			for _, c := range list {
				out, failed := f.run(t, dir, c.line)
				if !printed(out, c.want) {
					t.Errorf("%s: expected\n%s\nsaw\n%s", c.line, strings.Join(c.want, "\n"), out)
				}
				if fails(c.want) != failed {
					t.Errorf("%s: the page shows a failure: %v; the command failed: %v\n%s", c.line, fails(c.want), failed, out)
				}
			}
		})
	}
	if ran == 0 {
		t.Error("ran no command")
	}
}

// TestCommands runs the commands of the tutorials, and compares what they print with what the page shows.
func TestCommands(t *testing.T) {
	tier.NotShort(t)
	tryBlocks(t, false)
}

// TestLongCommands runs those that take long.
func TestLongCommands(t *testing.T) {
	tier.OnlyFull(t)
	tryBlocks(t, true)
}

func TestPagesCanFail(t *testing.T) {
	for _, c := range []struct {
		out, want string
		ok        bool
	}{
		{"a\nb\n", "a\nb", true},
		{"a\nb\n", "a", false},
		{"a\nb\nc\n", "a\n...\nc", true},
		{"a\nc\n", "a\n...\nc", true},
		{"a\nc\n", "a\n...\nb\n...", false},
		{"ok  x 1.25s\n", "ok  x ...s", true},
		{"ok  x\ny 1.25s\n", "ok  x ...s", false},
		{"a  \n", "a", true},
		{"", "...", true},
		{"a\n", "", false},
	} {
		if got := printed(c.out, strings.Split(c.want, "\n")); got != c.ok {
			t.Errorf("%q by %q: expected %v, saw %v", c.out, c.want, c.ok, got)
		}
	}
	for text, want := range map[string]bool{"b\nc\n": true, "b\n": true, "\n": false, "b\nd\n": false, "c": true, "bc\n": false} {
		if got := quotes("a\nb\nc\n", text); got != want {
			t.Errorf("%q: expected %v, saw %v", text, want, got)
		}
	}
	if _, err := blocks("page", "text\n```go\nx\n```\n"); err == nil {
		t.Error("expected a block without a comment to be refused")
	}
	if list, err := blocks("page", "<!-- a.go -->\n```go\nx\n```\n"); err != nil || len(list) != 1 || list[0].comment != "a.go" || list[0].text != "x\n" {
		t.Errorf("expected one block, saw %v, %v", list, err)
	}
	for text, want := range map[string]bool{"ok": false, "FAIL": true, "fail: exit 1; 1 model": true, "pass: exit 0": false} {
		if got := fails([]string{"a", text}); got != want {
			t.Errorf("%q: expected %v, saw %v", text, want, got)
		}
	}
	if _, err := commands(block{text: "x\n$ y\n"}); err == nil {
		t.Error("expected output before the first command to be refused")
	}
}

// TestNamedTests: each line of the tables of can-i-use-it.md that says what the explorer does names tests that there are.
func TestNamedTests(t *testing.T) {
	text, err := os.ReadFile("can-i-use-it.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 50 {
		t.Errorf("expected the page to fit on a screen, 50 lines, saw %d", n)
	}
	declared := make(map[string]bool)
	for _, dir := range []string{"../interleave", "../conformance"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(source), -1) {
				declared[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_, tables, _ := strings.Cut(string(text), "| test |")
	rows := 0
	for line := range strings.Lines(tables) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "---") || strings.Contains(cells[3], " test ") {
			continue
		}
		rows++
		for name := range strings.SplitSeq(cells[3], ",") {
			if name = strings.TrimSpace(name); !declared[name] {
				t.Errorf("%s: expected a test of that name, saw none", name)
			}
		}
	}
	if rows < 10 {
		t.Errorf("expected ten rows that name tests, saw %d", rows)
	}
}

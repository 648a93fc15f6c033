// Results runs commands of rows.txt and writes the figures that they print into
// docs/results.md, stamped with the commit, the machine, the version of Go and the date.
//
//	go run ./internal/results            # lists the rows
//	go run ./internal/results NAME...    # runs these
//
// A row that is not run keeps its stamp. A command that fails, or prints no such figure,
// is an error, and the page is then as it was.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

//go:embed rows.txt
var list string

const page = "docs/results.md"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A row is a result: NAME | WHAT IT IS | REGEXP OF THE FIGURE | COMMAND
type row struct {
	name, what, command string
	figure              *regexp.Regexp // its group is the figure
}

// rows reads a list of rows.
func rows(text string) (out []row, err error) {
	for i, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.SplitN(l, " | ", 4)
		if len(f) != 4 {
			return nil, fmt.Errorf("results: line %d: expected NAME | WHAT | REGEXP | COMMAND, saw %q", i+1, l)
		}
		re, err := regexp.Compile("(?m)" + strings.TrimSpace(f[2]))
		if err != nil || re.NumSubexp() != 1 {
			return nil, fmt.Errorf("results: line %d: expected a regular expression with one group, saw %q (%v)", i+1, f[2], err)
		}
		out = append(out, row{name: strings.TrimSpace(f[0]), what: strings.TrimSpace(f[1]), command: strings.TrimSpace(f[3]), figure: re})
	}
	return out, nil
}

func run(ctx context.Context, names []string) error {
	all, err := rows(list)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for _, r := range all {
			fmt.Printf("%-12s %s: %s\n", r.name, r.what, r.command)
		}
		return nil
	}
	for _, n := range names {
		if !slices.ContainsFunc(all, func(r row) bool { return r.name == n }) {
			return fmt.Errorf("results: expected the name of a row, saw %q", n)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("results: expected to run in the checkout: %w", err)
	}
	s, err := stampNow(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if !slices.Contains(names, r.name) {
			continue
		}
		fmt.Printf("%s: %s\n", r.name, r.command)
		figure, err := r.measure(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", r.name, figure)
		if text, err = write(text, r, figure, s); err != nil {
			return err
		}
	}
	return os.WriteFile(page, text, 0o666)
}

// measure runs the row's command and returns its figure.
func (r row) measure(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", r.command)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("results: %s: %s: %w: %s", r.name, r.command, err, out[max(0, len(out)-2000):])
	}
	m := r.figure.FindSubmatch(out)
	if m == nil {
		return "", fmt.Errorf("results: %s: expected a figure by %s, saw none in %s", r.name, r.figure, out[max(0, len(out)-2000):])
	}
	return string(m[1]), nil
}

// A stamp says where and when a figure was measured.
type stamp struct{ commit, machine, version, date string }

func stampNow(ctx context.Context) (s stamp, err error) {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return s, fmt.Errorf("results: expected a checkout that git knows: %w", err)
	}
	s = stamp{strings.TrimSpace(string(out)), cpu(), runtime.Version(), time.Now().Format(time.DateOnly)}
	return s, nil
}

// cpu names the processors, as Linux does.
func cpu() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(text); m != nil {
			name = string(m[1])
		}
	}
	return fmt.Sprintf("%d of %s", runtime.NumCPU(), name)
}

// The table stands between these lines.
const (
	begin = "<!-- results: begin; go run ./internal/results writes it -->\n"
	end   = "<!-- results: end -->\n"
)

// write returns the page with a row's new line in place of its old one, or at the table's end.
func write(page []byte, r row, figure string, s stamp) ([]byte, error) {
	head, rest, ok := strings.Cut(string(page), begin)
	table, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return nil, errors.New("results: expected a page with the lines " + strings.TrimSpace(begin) + " and " + strings.TrimSpace(end))
	}
	cell := strings.NewReplacer("|", `\|`).Replace
	line := fmt.Sprintf("| %s | %s | `%s` | %s, %s, %s, %s |\n", cell(r.what), cell(figure), cell(r.command), s.commit, s.machine, s.version, s.date)
	lines := strings.SplitAfter(table, "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "| "+cell(r.what)+" |") })
	if i >= 0 {
		lines[i] = line
	} else {
		lines = append(lines, line)
	}
	return []byte(head + begin + strings.Join(lines, "") + end + tail), nil
}

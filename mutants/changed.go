package mutants

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/overlay"
)

// A change is what differs between a checkout and one of its commits.
type change struct {
	files []string // slash paths from the root
	ids   []string // of mutants whose lines in the catalogue changed
}

// changedSince asks git what differs from the commit base: in what is committed
// since, in the working tree, and in files that git does not know yet.
func changedSince(ctx context.Context, root, base string) (change, error) {
	var c change
	commit, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", base+"^{commit}")
	if err != nil {
		return c, err
	}
	base = strings.TrimSpace(commit)
	names, err := git(ctx, root, "diff", "--name-only", "-z", "--relative", base, "--")
	if err != nil {
		return c, err
	}
	fresh, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return c, err
	}
	lines, err := git(ctx, root, "diff", "--unified=0", "--relative", base, "--", "mutants")
	if err != nil {
		return c, err
	}
	for _, name := range strings.Split(fresh, "\x00") {
		if path.Dir(name) == "mutants" {
			text, _ := os.ReadFile(filepath.Join(root, name))
			lines += "\n+" + strings.ReplaceAll(string(text), "\n", "\n+")
		}
	}
	for _, line := range strings.Split(lines, "\n") {
		if m := judgeID.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, "+") {
			c.ids = append(c.ids, m[1])
		}
	}
	c.files = strings.FieldsFunc(names+"\x00"+fresh, func(r rune) bool { return r == 0 })
	return c, nil
}

// concerns reports whether the mutant may end otherwise than before: its line in
// the catalogue, a file that it edits, or a file of its witness's room changed.
func (c *change) concerns(j *Judge) bool {
	return slices.Contains(c.ids, j.ID) || slices.ContainsFunc(c.files, func(name string) bool {
		if slices.ContainsFunc(j.Edits, func(e overlay.Edit) bool { return e.File == name }) {
			return true
		}
		room := strings.TrimPrefix(j.Room, "./")
		return path.Dir(name) == room || strings.HasPrefix(name, room+"/testdata/")
	})
}

// gitLimit bounds one question to git.
const gitLimit = 30 * time.Second

func git(ctx context.Context, root string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	cmd := child(ctx, root, "git", args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("mutants: git: %w", err)
	}
	if err := finish(cmd); err != nil {
		return "", fmt.Errorf("mutants: git %s: %w: %s", args[0], err, lastLines(errs.String()))
	}
	return out.String(), nil
}

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/suite/gate"
)

// noBaselineYet begins the line of a run that was judged without a baseline because
// there is none.
const noBaselineYet = "no baseline yet, judged without one"

// errNone says that there is no baseline.
var errNone = errors.New("expected a baseline, saw none")

// readBaseline reads the baseline: the file, or what it is in the commit of -base.
func (o *options) readBaseline(ctx context.Context) (*gate.Summary, error) {
	var s *gate.Summary
	var err error
	read := func(r io.Reader) (err error) { s, err = gate.ReadSummary(r); return err }
	where := o.baseline
	if o.base == "" {
		err = open(ctx, o.baseline, nil, read)
	} else {
		where += " of commit " + o.base
		err = o.readCommitted(ctx, read)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w (no such file): make it from a run of the base with gate -update -baseline %s HEAD..., and commit it there", where, errNone, o.baseline)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// gitLimit is how long git may take for one question.
const gitLimit = time.Minute

// readCommitted reads the file of the baseline as the commit has it. The error of a
// commit without it is fs.ErrNotExist; a commit that is not here is another error:
// nobody knows what it has.
func (o *options) readCommitted(ctx context.Context, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	commit, err := git(ctx, "rev-parse", "--verify", "--end-of-options", o.base+"^{commit}")
	if err != nil {
		return fmt.Errorf("-base %q: expected a commit that is here (git fetch --depth=1 origin COMMIT brings it): %w", o.base, err)
	}
	id := strings.TrimSpace(string(commit))
	// Names of ls-tree begin here, as those of files do.
	entry, err := git(ctx, "--literal-pathspecs", "ls-tree", "-z", id, "--", o.baseline)
	if err != nil {
		return fmt.Errorf("-base %q: %w", o.base, err)
	}
	meta, _, _ := strings.Cut(string(entry), "\t")
	f := strings.Fields(meta)
	if len(f) == 0 {
		return fs.ErrNotExist
	}
	if len(f) != 3 || f[1] != "blob" || !strings.HasPrefix(f[0], "100") {
		return fmt.Errorf("%s of commit %s: expected a file, saw %q", o.baseline, o.base, meta)
	}
	text, err := git(ctx, "cat-file", "blob", f[2])
	if err == nil {
		err = read(bytes.NewReader(text))
	}
	if err != nil {
		return fmt.Errorf("%s of commit %s: %w", o.baseline, o.base, err)
	}
	return nil
}

// maxGit bounds what is read of git: more than a baseline may have.
const maxGit = 32 << 20

// git asks git a question.
func git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.WaitDelay = time.Second
	out, wrong := bounded{n: maxGit}, bounded{n: 4 << 10}
	cmd.Stdout, cmd.Stderr = &out, &wrong
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %w: %.300q", args[0], err, bytes.TrimSpace(wrong.text))
	}
	return out.text, nil
}

// bounded takes n bytes and drops the others: what was cut off is damaged.
type bounded struct {
	text []byte
	n    int
}

func (b *bounded) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), b.n-len(b.text))]...)
	return len(p), nil
}

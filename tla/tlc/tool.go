package tlc

import (
	"context"
	"errors"

	"github.com/spindle-go/spindle/internal/cachedir"
)

// A Tool is a Java and a jar that fit together.
type Tool struct {
	Java, Jar string // paths
	Version   string // of TLC, such as "2.18 of 20 March 2023"

	dir *cachedir.Dir // of the jar; nil: the user's own
}

// Close must be called when the tool is not used any more: a jar that could not be
// kept is removed.
func (t *Tool) Close() error {
	if t.dir == nil {
		return nil
	}
	return t.dir.Close()
}

// Find finds Java and the jar. It may fetch the jar, once, and tells log so; log
// may be nil. What it asks ends with ctx, and has a limit of its own: ErrNoAnswer.
// Its errors wrap ErrNoJava, ErrOldJava, ErrNoJar or ErrBadJar.
func Find(ctx context.Context, log func(string)) (*Tool, error) {
	if log == nil {
		log = func(string) {}
	}
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tool{Java: java}
	if t.Jar, t.dir, err = findJar(ctx, log); err != nil {
		return nil, err
	}
	if t.Version, err = version(ctx, java, t.Jar); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

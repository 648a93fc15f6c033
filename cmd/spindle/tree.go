package main

import (
	"context"
	"fmt"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/tla/drift"
)

// treeOf compares the source of a go command's runtime with the one that was modelled.
func treeOf(goCommand string) (*drift.Report, error) {
	t, err := goruntime.Find(goCommand)
	if err != nil {
		return nil, err
	}
	return drift.Compare(t.GOROOT)
}

// doubts says what keeps a run of a runtime's queue from being a verdict on the runtime: text that
// nobody has read for the model. Its ring runs on threads, which meet a window of a few
// instructions by chance, and how its Ms sleep and are woken is not run at all. So a changed line would
// pass that the model knows to be wrong.
func doubts(r *drift.Report) []string {
	if len(r.Unread) == 0 {
		return nil
	}
	list := []string{fmt.Sprintf("%d functions or declarations of %s are not as in a version that was read for the model: "+
		"its ring was run on threads, which may miss what is wrong, and its dance (how Ms look for work, sleep and are woken) was not run at all", len(r.Unread), r.GOROOT)}
	for _, d := range r.Unread {
		list = append(list, d.String())
	}
	return list
}

// beside has the model say that a tree which the command line names is not the modelled one: what
// holds is not said of it.
func beside(goCommand string, s suite.Source) suite.Source {
	open := s.Open
	s.Open = func(ctx context.Context, progress func(string)) (suite.Target, error) {
		tree, err := treeOf(goCommand)
		if err != nil {
			return nil, err
		}
		t, err := open(ctx, progress)
		if err != nil || tree.Read && len(tree.Differ) == 0 {
			return t, err
		}
		return doubted{t, "what holds is not said of " + tree.GOROOT + ": " + tree.String() + "; spindle model -source names them"}, nil
	}
	return s
}

// doubted is a target with one doubt.
type doubted struct {
	suite.Target
	doubt string
}

func (t doubted) Describe() suite.Description {
	d := t.Target.Describe()
	d.Doubts = append(d.Doubts, t.doubt)
	return d
}

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
// was not read for the model. Its ring runs on threads, which meet a window of a few
// instructions at random, and how its Ms sleep and are woken is not run at all. So a changed line would
// pass that the model knows to be wrong.
func doubts(r *drift.Report) []string {
	if len(r.Unread) == 0 {
		return nil
	}
	list := []string{fmt.Sprintf("%d functions or declarations of %s are not as in a version that was read for the model: "+
		"its ring was run on threads, which may miss what is wrong, and its spin/park protocol (how Ms look for work, sleep and are woken) was not run at all", len(r.Unread), r.GOROOT)}
	for _, d := range r.Unread {
		list = append(list, d.String())
	}
	return list
}

// beside has the model say how a tree that the command line names differs from the modelled one. Text
// that was not read is a doubt, as it is of the run queue; how a version that was read differs is known
// (tla/findings/versions.md), and noted.
func beside(goCommand string, s suite.Source) suite.Source {
	open := s.Open
	s.Open = func(ctx context.Context, progress func(string)) (suite.Target, error) {
		tree, err := treeOf(goCommand)
		if err != nil {
			return nil, err
		}
		t, err := open(ctx, progress)
		if err != nil {
			return nil, err
		}
		return modelBeside{t, tree}, nil
	}
	return s
}

// modelBeside is the model beside a tree.
type modelBeside struct {
	suite.Target
	tree *drift.Report
}

func (t modelBeside) Describe() suite.Description {
	d := t.Target.Describe()
	said := t.tree.GOROOT + ": " + t.tree.String()
	switch {
	case len(t.tree.Unread) > 0:
		d.Doubts = append(d.Doubts, "what passes is not said of "+said+"; spindle model -source names them")
	case len(t.tree.Differ) > 0 || !t.tree.Read:
		d.Notes = append(d.Notes, suite.Limit+"what passes is not said of "+said)
	default:
		d.Notes = append(d.Notes, suite.Limit+"what passes is said of "+said+"; what those functions call besides was not compared")
	}
	return d
}

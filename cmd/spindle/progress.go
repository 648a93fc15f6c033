package main

import (
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/suite"
)

// showProgress shows the progress that e tells of, or makes room for the report.
func showProgress(line *cli.Progress, e suite.Event) {
	if e.Event != suite.ProgressEvent {
		line.Clear()
		return
	}
	text := e.Text
	if e.Check != "" {
		text = e.Check + ", " + text
	}
	line.Show(e.Target + ": " + text)
}

package main

import (
	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/internal/cli"
)

// showProgress shows the progress that e tells of, or makes room for the report.
func showProgress(line *cli.Progress, e conformance.Event) {
	if e.Event != conformance.ProgressEvent {
		line.Clear()
		return
	}
	text := e.Text
	if e.Check != "" {
		text = e.Check + ", " + text
	}
	line.Show(e.Target + ": " + text)
}

// Childpage makes docs/schedulers.md, the page of what is known of schedulers and queues of
// other people, from children/list.json and children/results.json.
//
//	go run ./internal/childpage                # writes the page
//	go run ./internal/childpage -plan          # prints what children/run judges, a line each
//	go run ./internal/childpage FOLDER...      # takes over what the folders' events say, and writes both
//
// The folders have events as spindle check -json and SPINDLE_EVENTS write them. A row of
// which they have nothing stays as it was. Of several runs of one target all count.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The files, from the root of the checkout.
const (
	listFile    = "children/list.json"
	resultsFile = "children/results.json"
	pageFile    = "docs/schedulers.md"
)

func main() {
	if err := run(os.Stdout, ".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, root string, args []string) error {
	list, err := readList(filepath.Join(root, listFile))
	if err != nil {
		return err
	}
	if len(args) == 1 && args[0] == "-plan" {
		return list.plan(w)
	}
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			return fmt.Errorf("childpage: expected -plan, or folders of events, saw %q", a)
		}
	}
	results, err := readResults(filepath.Join(root, resultsFile))
	if err != nil && !(errors.Is(err, os.ErrNotExist) && len(args) > 0) {
		return err
	}
	if len(args) > 0 {
		runs, err := readFolders(args)
		if err != nil {
			return err
		}
		if err := results.take(list, runs); err != nil {
			return err
		}
		if err := results.write(filepath.Join(root, resultsFile)); err != nil {
			return err
		}
	}
	text, err := page(list, results)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, pageFile), []byte(text), 0o666)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/strictjson"
	"github.com/spindle-go/spindle/spec"
)

var exportCommand = cli.Command{
	Name: "export", Short: "write the scenarios that the suite makes for queues of a contract",
	Long: `
For an explorer that is no child of spindle: loom, shuttle, GenMC, or a loop of your own.
The first line says which scenarios follow and how many. Each other line is one of them, an
object as in a question of the protocol (conformance/target/child/PROTOCOL.md), the smaller
ones first. The same flags give the same lines.

What a queue offers besides put, get, steal and empty is named with -offers, in the words of
the protocol's capabilities: len, drain, putbatch, runnext, batch, global, start, moves.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		o := exportOptions{}
		fs.StringVar(&o.contract, "contract", "", "the `CONTRACT` of the queues: a profile, choices, or both, as lifo-deque,empty=quiet; see spindle contract")
		fs.StringVar(&o.size, "size", "2x3", "at most so many `THREADSxCALLS` in a scenario, beside the quiet calls before and after them")
		fs.StringVar(&o.capacity, "capacity", "2", "of each ring: `N`, or several with commas between them that can all be set; 0 is without a bound")
		fs.StringVar(&o.offers, "offers", "", "what the queues offer besides: `WORDS` with commas between them")
		return o.export
	},
}

// exportOptions are the flags of export.
type exportOptions struct{ contract, size, capacity, offers string }

// mostExported bounds the scenarios of one export.
const mostExported = 1_000_000

// exportVersion is the version of the lines. It grows when an old reader would misunderstand them.
const exportVersion = 1

// An exportHeader is the first line.
type exportHeader struct {
	Version  int      `json:"version"`
	Contract string   `json:"contract"`
	Size     string   `json:"size"`
	Capacity []int    `json:"capacity"` // without 0: those of the scenarios
	Offers   []string `json:"offers"`
	Count    int      `json:"count"` // of the lines that follow
}

var sizeText = regexp.MustCompile(`^([1-9][0-9]?)x([1-9][0-9]?)$`)

func (o *exportOptions) export(_ context.Context, std cli.Streams, args []string) (int, error) {
	if len(args) > 0 {
		return exit.Usage, fmt.Errorf("expected no arguments, saw %q", args)
	}
	if o.contract == "" {
		return exit.Usage, fmt.Errorf("expected -contract, one of the profiles %s, or choices, saw none", cli.Join(queueProfiles(), ", "))
	}
	head, p, caps, threads, calls, err := o.read()
	if err != nil {
		return exit.Usage, err
	}
	list, err := checks.Enumerate(p, caps, threads, calls, mostExported)
	if err != nil {
		return exit.Usage, fmt.Errorf("-size %s: %w", o.size, err)
	}
	head.Count = len(list)
	return exit.Pass, writeLines(std.Out, head, list)
}

func writeLines[T any](w io.Writer, head exportHeader, list []T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]exportHeader{"scenarios": head}); err != nil {
		return err
	}
	for i := range list {
		if err := enc.Encode(list[i]); err != nil {
			return err
		}
	}
	return nil
}

// read reads the flags.
func (o *exportOptions) read() (head exportHeader, p spec.Profile, caps queue.Capabilities, threads, calls int, err error) {
	fail := func(flag string, err error) (exportHeader, spec.Profile, queue.Capabilities, int, int, error) {
		return exportHeader{}, "", queue.Capabilities{}, 0, 0, fmt.Errorf("-%s: %w", flag, err)
	}
	if p, err = parseProfile(o.contract); err != nil {
		return fail("contract", err)
	}
	m := sizeText.FindStringSubmatch(o.size)
	if m == nil {
		return fail("size", fmt.Errorf("expected THREADSxCALLS, as 2x3, saw %q", o.size))
	}
	threads, _ = strconv.Atoi(m[1])
	calls, _ = strconv.Atoi(m[2])
	head = exportHeader{Version: exportVersion, Contract: string(p), Size: o.size, Capacity: []int{}, Offers: []string{}}
	if o.offers != "" {
		head.Offers = strings.Split(o.offers, ",")
		pairs := make([]string, len(head.Offers))
		for i, word := range head.Offers {
			pairs[i] = fmt.Sprintf("%q:true", word)
			if !offer[word] {
				return fail("offers", fmt.Errorf("expected some of len, drain, putbatch, runnext, batch, global, start and moves, saw %q", word))
			}
		}
		if err = strictjson.Decode([]byte("{"+strings.Join(pairs, ",")+"}"), &caps, strictjson.Limits{}); err != nil {
			return fail("offers", err)
		}
	}
	caps.Quiet, caps.Misses, caps.Holds = true, true, true
	for text := range strings.SplitSeq(o.capacity, ",") {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil || n < 0 || n > 256:
			return fail("capacity", fmt.Errorf("expected numbers from 0 to 256, saw %q", text))
		case n == 0 && o.capacity != "0":
			return fail("capacity", errors.New("expected 0 alone, or capacities without it"))
		case n > 0 && len(head.Capacity) > 0 && n <= head.Capacity[len(head.Capacity)-1]:
			return fail("capacity", fmt.Errorf("expected capacities that ascend, saw %s", o.capacity))
		case n > 0:
			head.Capacity = append(head.Capacity, n)
		}
	}
	if n := len(head.Capacity); n > 0 {
		caps.Capacity, caps.Resize, caps.Sizes = head.Capacity[n-1], true, head.Capacity
	}
	return head, p, caps, threads, calls, nil
}

// offer has the words of -offers.
var offer = map[string]bool{"len": true, "drain": true, "putbatch": true, "runnext": true, "batch": true, "global": true, "start": true, "moves": true}

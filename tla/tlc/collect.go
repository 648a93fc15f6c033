package tlc

import (
	"cmp"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A collector makes a result of messages.
type collector struct {
	splitter
	cfg      *Config
	progress func(Progress)
	result   *Result
	said     []string // about errors
	outside  []string // lines outside of messages: those of the parser
	codes    map[int]bool
}

func newCollector(cfg *Config, progress func(Progress)) *collector {
	c := &collector{cfg: cfg, progress: progress, result: new(Result), codes: make(map[int]bool)}
	if progress == nil {
		c.progress = func(Progress) {}
	}
	c.emit = c.message
	return c
}

var (
	countPattern    = regexp.MustCompile(`(-?[\d,]+) states generated[^,]*?(?:\([^)]*\))?, (-?[\d,]+) distinct states found[^,]*?(?:\([^)]*\))?, (-?[\d,]+) states left`)
	progressDepth   = regexp.MustCompile(`Progress\((-?\d+)\)`)
	depthPattern    = regexp.MustCompile(`search is (\d+)`)
	violatedPattern = regexp.MustCompile(`(?s)^(?:Invariant|Property|Action property) (.+?) is violated`)
	headPattern     = regexp.MustCompile(`^(\d+): <(\S+) ?(.*)>$`)
	backPattern     = regexp.MustCompile(`<(\S+) `)
	coveragePattern = regexp.MustCompile(`^<(\S+) line .* of module (\S+?)>: (\d+):(\d+)`)
	simulated       = regexp.MustCompile(`states generated: (\d+)`)
)

func number(text string) int64 {
	n, _ := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	return max(0, n)
}

func (c *collector) message(m message) {
	r, text := c.result, strings.TrimSpace(string(m.text))
	c.codes[m.code] = true
	if m.class == classError || m.code >= msgConfigFirst && m.code <= msgConfigLast {
		c.said = append(c.said, text)
	}
	switch m.code {
	case msgOther:
		c.outside = append(c.outside, text)
	case msgProgress, msgProgressSimulate, msgStats:
		c.counts(text)
	case msgSimulated:
		if f := simulated.FindStringSubmatch(text); f != nil {
			r.Generated = number(f[1])
		}
	case msgLiveness:
		c.progress(Progress{Depth: r.Depth, Generated: r.Generated, Distinct: r.Distinct, Queue: r.Queue, Liveness: true})
	case msgDepth:
		if f := depthPattern.FindStringSubmatch(text); f != nil {
			r.Depth = int(number(f[1]))
		}
	case msgInvariant, msgInitialInvariant, msgInitialProperty, msgAction, msgTemporal:
		c.violated(m.code, text)
	case msgStateFirst, msgState:
		head, state, _ := strings.Cut(text, "\n")
		if f := headPattern.FindStringSubmatch(head); f != nil {
			s := State{Action: f[2], Where: f[3], Vars: parseState(state)}
			if f[1] == "1" {
				s.Action, s.Where = "", ""
			}
			r.Trace = append(r.Trace, s)
		}
	case msgStutter:
		r.Stutters = true
	case msgBack:
		n, _, _ := strings.Cut(text, ":")
		r.Back = int(number(n))
		if f := backPattern.FindStringSubmatch(text); f != nil {
			r.BackAction = f[1]
		}
	case msgCoverageBegin:
		r.Coverage = nil
	case msgCoverageAction:
		c.covered(text)
	}
}

func (c *collector) counts(text string) {
	f := countPattern.FindStringSubmatch(text)
	if f == nil {
		return
	}
	r := c.result
	r.Generated, r.Distinct, r.Queue = number(f[1]), number(f[2]), number(f[3])
	if d := progressDepth.FindStringSubmatch(text); d != nil {
		r.Depth = max(r.Depth, int(number(d[1])))
		c.progress(Progress{Depth: r.Depth, Generated: r.Generated, Distinct: r.Distinct, Queue: r.Queue})
	}
}

// violated notes what is violated. TLC names an invariant and most properties of
// steps; of a temporal property it says nothing, and of a property that is an
// instance's it says where in that module, or the name that it has there.
func (c *collector) violated(code int, text string) {
	r := c.result
	line, rest, _ := strings.Cut(text, "\n")
	r.Outcome, r.Detail = Violated, line
	r.Temporal = code != msgInvariant && code != msgInitialInvariant
	name := ""
	if f := violatedPattern.FindStringSubmatch(line); f != nil {
		name = f[1]
	}
	known := c.cfg.Invariants
	if r.Temporal {
		known = c.cfg.Properties
	}
	switch {
	case slices.Contains(known, name):
		r.Property = name
	case len(known) == 1:
		r.Property = known[0]
	default:
		r.Candidates = known
	}
	if code == msgInitialInvariant || code == msgInitialProperty {
		r.Trace = []State{{Vars: parseState(rest)}}
	}
}

// covered adds a line of coverage: an action may have one for each of its places.
func (c *collector) covered(text string) {
	f := coveragePattern.FindStringSubmatch(text)
	if f == nil {
		return
	}
	add := Coverage{Action: f[1], Module: f[2], Fresh: number(f[3]), Stepped: number(f[4])}
	list := &c.result.Coverage
	for i := range *list {
		if old := &(*list)[i]; old.Action == add.Action {
			old.Fresh += add.Fresh
			old.Stepped += add.Stepped
			return
		}
	}
	*list = append(*list, add)
}

var assignment = regexp.MustCompile(`(?m)^(?:/\\ )?([A-Za-z_][A-Za-z_0-9]*) = `)

// parseState reads a state as TLC prints it: a conjunction, or one equation.
func parseState(text string) []Var {
	var vars []Var
	at := assignment.FindAllStringSubmatchIndex(text, -1)
	for i, a := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		vars = append(vars, Var{text[a[2]:a[3]], canonical(text[a[1]:end])})
	}
	return vars
}

// canonical returns the canonical form of a value, or the text on one line if it
// is none that this package reads.
func canonical(text string) string {
	v, err := ParseValue(text)
	if err != nil {
		return strings.Join(strings.Fields(text), " ")
	}
	return v.String()
}

// conclude says what the end of the process means.
func (c *collector) conclude(job Job, err error, stderr string) (*Result, error) {
	c.close()
	r := c.result
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, &Failure{Class: ErrTLC, Module: job.Module, Lines: []string{err.Error()}}
	}
	if exit != nil {
		r.Code = exit.ExitCode()
	}
	switch class := c.class(job, r.Code, stderr); {
	case class != nil:
		return r, &Failure{Class: class, Module: job.Module, Code: r.Code, Lines: c.essence(class, stderr)}
	case r.Outcome == Violated:
	case c.codes[msgDeadlock]:
		r.Outcome = Deadlock
	case job.Simulate > 0:
		r.Outcome = Simulated
	default:
		r.Outcome = Holds
	}
	return r, nil
}

// class returns the class of failure that the codes tell of, or nil for a verdict.
func (c *collector) class(job Job, code int, stderr string) error {
	text := strings.Join(c.said, "\n") + strings.Join(c.outside, "\n") + stderr
	for n := msgConfigFirst; n <= msgConfigLast; n++ {
		if c.codes[n] {
			return ErrConfig
		}
	}
	switch {
	case isFull(text):
		return ErrDisk
	case c.codes[msgMemory] || c.codes[msgMemoryInitial] || strings.Contains(text, "OutOfMemoryError"):
		return ErrMemory
	case code == 150:
		return ErrParse
	case code == 151:
		return ErrConfig
	case code == 10 || code == 14 || code >= 75 && code <= 77:
		return ErrEvaluate
	case (code == 12 || code == 13) && c.result.Outcome == Violated:
		return nil
	case code == 11 && c.codes[msgDeadlock]:
		return nil
	case code == 0 && c.result.Outcome == "" && (c.codes[msgSuccess] || job.Simulate > 0 && c.codes[msgProgressSimulate]):
		return nil
	}
	return ErrTLC
}

// noise is what TLC says whatever happened.
var noise = regexp.MustCompile(`^(Parsing file |Semantic errors:|Semantic processing |\*\*\*|Fatal errors|tla2sany|Residual stack|Unknown location|In module |TLC threw|` +
	`This was probably|See the User|The exception was|The behavior up|The error occurred|.* starting at line \d|File does not exist: |:?$)`)

// essence returns the lines that say what is wrong, at most 8.
func (c *collector) essence(class error, stderr string) []string {
	from := c.said
	if class == ErrParse || len(strings.Join(from, "")) == 0 {
		from = append(c.outside, stderr)
	}
	var list []string
	for line := range strings.Lines(strings.Join(from, "\n")) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), ": "))
		if !noise.MatchString(line) && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	if len(list) == 0 {
		list = []string{cmp.Or(firstLine(stderr), "it said nothing of it")}
	}
	return list[:min(8, len(list))]
}

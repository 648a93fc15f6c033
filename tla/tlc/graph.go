package tlc

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Graph is what TLC dumps: states by their number in the dump, the edges
// between them, and which are initial.
type Graph struct {
	Nodes   map[string]string // the state: its variables in TLC's order, a line "name = value" for each, canonical
	Initial []string
	Edges   []Edge // each once, in the order of the dump
}

// An Edge is a step: from one state to another, by an action.
type Edge struct{ From, To, Action string }

var (
	nodeLine = regexp.MustCompile(`^(-?\d+) \[label="(.*)"(,style = filled)?\];?$`)
	edgeLine = regexp.MustCompile(`^(-?\d+) -> (-?\d+) \[(?:label="([^"]*)")?`)
)

// ReadGraph reads a dump made with actionlabels. Stuttering steps, which TLC
// draws where it checks temporal properties, are left out.
func ReadGraph(r io.Reader) (*Graph, error) {
	g := &Graph{Nodes: make(map[string]string)}
	seen := make(map[Edge]bool)
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		text := strings.TrimSpace(line)
		if f := edgeLine.FindStringSubmatch(text); f != nil {
			e := Edge{f[1], f[2], f[3]}
			if e.Action != "" && !seen[e] {
				seen[e] = true
				g.Edges = append(g.Edges, e)
			} else if e.Action == "" && e.From != e.To {
				return nil, fmt.Errorf("graph, line %d: expected an action's name, saw %q: %w", n, text, ErrFormat)
			}
		} else if f := nodeLine.FindStringSubmatch(text); f != nil {
			var lines []string
			for _, v := range parseState(unescape(f[2])) {
				lines = append(lines, v.Name+" = "+v.Value)
			}
			g.Nodes[f[1]] = strings.Join(lines, "\n")
			if f[3] != "" {
				g.Initial = append(g.Initial, f[1])
			}
		} else if strings.Contains(text, "label=") {
			return nil, fmt.Errorf("graph, line %d: expected a node or an edge, saw %q: %w", n, text, ErrFormat)
		}
		if err == io.EOF {
			break
		}
	}
	for _, e := range g.Edges {
		if _, ok := g.Nodes[e.To]; !ok {
			return nil, fmt.Errorf("graph: an edge leads to %s, which is no node; the dump is cut off: %w", e.To, ErrFormat)
		}
	}
	return g, nil
}

// unescape undoes what dot's strings need.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == 'n' {
				b.WriteByte('\n')
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

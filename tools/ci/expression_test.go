package ci

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

// A scope has what expressions speak of: "inputs.x", "steps.begin.outputs.work".
type scope map[string]string

// expand puts values in place of all ${{ }} in a text. What nobody has defined is
// empty, as it is on GitHub.
func (s scope) expand(t testing.TB, text string) string {
	t.Helper()
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		expr, after, found := strings.Cut(rest, "}}")
		if !found {
			t.Fatalf("expected }} in %q", rest)
		}
		b.WriteString(s.eval(t, expr))
		text = after
	}
}

// holds evaluates the condition of a step. A step without one runs unless another
// failed before it.
func (s scope) holds(t testing.TB, cond string, failed bool) bool {
	t.Helper()
	cond = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(cond), "${{"), "}}"))
	if strings.Contains(cond, "always()") {
		failed = false
	}
	return !failed && (cond == "" || truth(s.eval(t, cond)))
}

func truth(v string) bool { return v != "" && v != "false" }

func (s scope) eval(t testing.TB, expr string) string {
	t.Helper()
	node, err := actionlint.NewExprParser().Parse(actionlint.NewExprLexer(expr + "}}"))
	if err != nil {
		t.Fatalf("%q: %v", expr, err)
	}
	return s.value(t, node)
}

// value evaluates the part of the language that the files use.
func (s scope) value(t testing.TB, n actionlint.ExprNode) string {
	t.Helper()
	switch n := n.(type) {
	case *actionlint.StringNode:
		return n.Value
	case *actionlint.VariableNode, *actionlint.ObjectDerefNode:
		return s[path(n)]
	case *actionlint.LogicalOpNode:
		left := s.value(t, n.Left)
		if truth(left) == (n.Kind == actionlint.LogicalOpNodeKindOr) {
			return left
		}
		return s.value(t, n.Right)
	case *actionlint.CompareOpNode:
		same := s.value(t, n.Left) == s.value(t, n.Right)
		switch n.Kind {
		case actionlint.CompareOpNodeKindEq:
			return fmt.Sprint(same)
		case actionlint.CompareOpNodeKindNotEq:
			return fmt.Sprint(!same)
		}
	case *actionlint.FuncCallNode:
		switch n.Callee {
		case "always":
			return "true"
		case "hashFiles":
			return "hash"
		}
	}
	t.Fatalf("an expression that this test cannot evaluate: %T", n)
	return ""
}

func path(n actionlint.ExprNode) string {
	switch n := n.(type) {
	case *actionlint.VariableNode:
		return n.Name
	case *actionlint.ObjectDerefNode:
		return path(n.Receiver) + "." + n.Property
	}
	return "?"
}

func TestExpressions(t *testing.T) {
	s := scope{"inputs.a": "x", "steps.begin.outputs.work": filepath.Join("/", "w")}
	for _, c := range []struct{ text, want string }{
		{"a ${{ inputs.a }}${{inputs.none}} b", "a x b"},
		{"${{ inputs.none || inputs.a }}", "x"},
		{"${{ inputs.a != '' && steps.begin.outputs.work || '' }}", "/w"},
		{"${{ inputs.none != '' && 'y' || '' }}", ""},
		{"${{ inputs.a == 'x' }}", "true"},
	} {
		if saw := s.expand(t, c.text); saw != c.want {
			t.Errorf("%s: expected %q, saw %q", c.text, c.want, saw)
		}
	}
	for cond, want := range map[string][2]bool{"": {true, false}, "${{ always() }}": {true, true}, "${{ inputs.a == '' }}": {false, false}, "inputs.a": {true, false}} {
		if saw := [2]bool{s.holds(t, cond, false), s.holds(t, cond, true)}; saw != want {
			t.Errorf("%q: expected %v, saw %v", cond, want, saw)
		}
	}
}

package outside_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// Two threads that use functions which share nothing are seen in full: nothing
// about them is in doubt. The programs are drawn, from lines that each use v, a
// string or number of the thread's own, and word, a list that both read.
var quietLines = []string{
	`_ = fmt.Sprintf("%d %s %v %q", n, v, words, v)`,
	`_ = fmt.Sprint(n, v, &pair{n, v}, map[string]int{v: n})`,
	`_ = fmt.Errorf("%w: %s", errWrong, v)`,
	`_ = fmt.Sprintln(errWrong, words, shared)`,
	`_, _ = fmt.Sscanf(v, "%d", &n)`,
	`var b strings.Builder; fmt.Fprintf(&b, "%s", v); b.WriteString(v); _ = b.String()`,
	`_ = string(fmt.Appendf(nil, "%s", v))`,
	`v = strings.ToUpper(strings.Join(words, v))`,
	`v = strings.Repeat(strings.TrimSpace(v), 2)[:1]`,
	`for _, w := range strings.Fields(v) { v += w }`,
	`v = strings.Map(func(r rune) rune { n++; return unicode.ToLower(r) }, v)`,
	`if strings.Contains(v, "x") || strings.EqualFold(v, words[0]) { n++ }`,
	`r := strings.NewReader(v); c, _ := r.ReadByte(); n += int(c)`,
	`v = replacer.Replace(v)`,
	`n, _ = strconv.Atoi(strconv.Itoa(n))`,
	`v = strconv.Quote(v)[:1] + strconv.FormatInt(int64(n), 16)`,
	`_ = strconv.AppendInt(nil, int64(n), 10)`,
	`if _, err := strconv.ParseInt(v, 10, 64); errors.Is(err, strconv.ErrSyntax) { n++ }`,
	`if err := fail(n); errors.Is(err, errWrong) || errors.Unwrap(err) != nil { n++ }`,
	`var p *problem; if errors.As(fail(n), &p) { n += p.code }`,
	`_ = errors.Join(errWrong, fail(n)).Error()`,
	`if unicode.IsUpper(rune(n)) || unicode.In(rune(n), unicode.Latin, unicode.Greek) { n++ }`,
	`t.Log(n, v, words, shared)`,
	`t.Logf("%v %s", shared, v); t.Helper()`,
	`if testing.Short() || testing.Verbose() || t.Name() == v { n++ }`,
	`if t.Failed() { n++ }`,
	`mu.Lock(); log.WriteString(v); total[v] += n; mu.Unlock()`,
	`counter.Add(int64(n % 2))`,
}

// quietProgram is a test of two threads, of a few lines each.
func quietProgram(r *rand.Rand, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func TestQuiet%d(t *testing.T) {\n\tinterleave.Test(t, func(x *interleave.Exec) {\n", i)
	b.WriteString("\t\tvar (\n\t\t\tmu sync.Mutex\n\t\t\tlog strings.Builder\n\t\t\tcounter atomic.Int64\n\t\t)\n\t\ttotal := make(map[string]int)\n\t\tshared := &pair{1, \"a\"}\n\t\twords := []string{\"a\", \"b\"}\n\t\treplacer := strings.NewReplacer(\"a\", \"b\")\n")
	b.WriteString("\t\tuse(&mu, &log, total, shared, words, replacer)\n")
	for thread := range 2 {
		fmt.Fprintf(&b, "\t\tx.Go(\"\", func() {\n\t\t\tn, v := %d, %q\n\t\t\tcounter.Add(int64(n))\n", r.IntN(100), string(rune('a'+thread)))
		for range 1 + r.IntN(5) {
			fmt.Fprintf(&b, "\t\t\t{ %s }\n", quietLines[r.IntN(len(quietLines))])
		}
		b.WriteString("\t\t\t_, _ = n, v\n\t\t})\n")
	}
	b.WriteString("\t})\n}\n\n")
	return b.String()
}

const quietHead = `package quiet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode"

	"github.com/spindle-go/spindle/interleave"
)

type pair struct {
	n int
	v string
}

var errWrong = errors.New("wrong")

type problem struct{ code int }

func (p *problem) Error() string { return "problem " + strconv.Itoa(p.code) }

func fail(n int) error {
	if n%2 == 0 {
		return fmt.Errorf("%d: %w", n, errWrong)
	}
	return &problem{n}
}

func use(...any) bool { return unicode.IsUpper('A') }

`

// TestQuiet draws 200 programs, all into one package: that builds in seconds.
func TestQuiet(t *testing.T) {
	tier.OnlyFull(t)
	const n = 200
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(quietHead)
	for i := range n {
		b.WriteString(quietProgram(r, i))
	}
	m := newModule(t, map[string]string{"quiet_test.go": b.String(), "doc.go": "package quiet\n"})
	out, code := m.run(".", "go test -v -vet=off -timeout 300s .")
	if got := strings.Count(out, ": complete: "); code != 0 || got != n {
		t.Errorf("exit %d, %d of %d programs complete", code, got, n)
	}
	for line := range strings.Lines(out) {
		if strings.Contains(line, "; not seen: ") || strings.Contains(line, "; chance: ") || strings.Contains(line, "; not compared: ") {
			t.Errorf("a doubt of what is seen: %s", line)
		}
	}
	if t.Failed() {
		t.Log(head(out))
	}
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

// The bounds of a comment, in bytes: GitHub takes 65,536 characters, GitLab more.
const (
	maxComment = 60_000
	maxTable   = 15_000 // of it, for the table
	maxReasons = 30_000 // of it, for the table and the reasons
	maxSection = 15_000 // of it, for what is behind one decision
	maxCell    = 200    // characters
)

// Markdown writes the result for a comment on a pull request: the verdict, a table of
// what the gate objects to, the reasons, and the findings folded below. Text from
// outside stands in code elements, in which no reader looks for links, mentions or
// numbers of issues: escapes and entities would not keep it from that. What does not
// fit is counted.
func Markdown(w io.Writer, r *gate.Result) error {
	var b strings.Builder
	of := ""
	if h := r.Header; h != nil && h.Shard != "" {
		of = " of shard " + code(h.Shard, maxName) + ", not of the whole"
	}
	fmt.Fprintf(&b, "Spindle says **%s** (exit %d)%s: %s.\n", ended(r), r.Exit, of, code(counts(r), maxReason))
	listed := objections(r)
	mdTable(&b, listed)
	mdReasons(&b, r, listed)
	for i, d := range listed {
		section := mdSection(d)
		if b.Len()+len(section) > maxComment-100 {
			fmt.Fprintf(&b, "\nThere was no room for the details of %s more.\n", plural(len(listed)-i, "requirement"))
			break
		}
		b.WriteString(section)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// objections are the decisions that somebody must look at, the gravest first.
func objections(r *gate.Result) []*gate.Decision {
	var list []*gate.Decision
	for i := range r.Decisions {
		switch d := &r.Decisions[i]; d.Ruling {
		case gate.OK, gate.None, gate.Known, gate.NotSeen, gate.Missing:
		default:
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *gate.Decision) int {
		return cmp.Compare(slices.Index(gravity, word(a)), slices.Index(gravity, word(b)))
	})
	return list
}

func mdTable(b *strings.Builder, list []*gate.Decision) {
	for i, d := range list {
		if i == 0 {
			b.WriteString("\n| target | requirement | status | why |\n|---|---|---|---|\n")
		}
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", code(d.Target, 60), code(d.Row.ID, 60), code(word(d), 60), code(firstLineOf(d.Text), maxCell))
		if b.Len()+len(row) > maxTable {
			fmt.Fprintf(b, "\nThere was no room for %s more.\n", plural(len(list)-i, "requirement"))
			return
		}
		b.WriteString(row)
	}
}

// mdReasons lists the reasons that are not those of a decision in the table.
func mdReasons(b *strings.Builder, r *gate.Result, listed []*gate.Decision) {
	reasons := slices.DeleteFunc(slices.Clone(r.Reasons), func(reason string) bool {
		return slices.ContainsFunc(listed, func(d *gate.Decision) bool { return d.Text != "" && strings.HasSuffix(reason, d.Text) })
	})
	reasons = foldReasons(reasons)
	for i, reason := range reasons {
		line := fmt.Sprintf("- %s\n", code(reason, maxCell))
		if b.Len()+len(line) > maxReasons {
			fmt.Fprintf(b, "- and %s more\n", plural(len(reasons)-i, "reason"))
			return
		}
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(line)
	}
}

// mdSection is what a decision rests on, folded. The fence is longer than any in it.
func mdSection(d *gate.Decision) string {
	text := strings.TrimRight(why(d), "\n")
	if len(text) > maxSection {
		at := strings.LastIndexByte(text[:maxSection], '\n') + 1
		text = fmt.Sprintf("%s... (%d bytes more)", text[:at], len(text)-at)
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("\n<details><summary>%s of %s: %s</summary>\n\n%stext\n%s\n%s\n\n</details>\n",
		code(d.Row.ID, 60), code(d.Target, 60), code(word(d), 60), fence, text, fence)
}

func firstLineOf(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// plainSigns mean nothing inside of a line, to any Markdown, without others beside them.
const plainSigns = " -,()=+/'"

// code shows s as code. What could be Markdown or HTML is an entity, of which neither
// makes anything but a character.
func code(s string, size int) string {
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range printable.Line(s, size) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(plainSigns, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

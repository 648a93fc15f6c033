package source

import (
	"fmt"
	"strings"
)

// describe words an outcome of the program: what its threads show, and what is left.
func (p *Program) describe(f *Final) string {
	var b strings.Builder
	for t, th := range p.Threads {
		fmt.Fprintf(&b, "t%d:", t)
		o := &f.Out[t]
		for i, shown := range th.Shown {
			if shown {
				fmt.Fprintf(&b, " l%d=%d", i, o.L[i])
			}
		}
		for _, c := range th.Fields {
			fmt.Fprintf(&b, " %s=%v", fieldNames[c][0], map[rune]any{'l': o.Line, 's': o.SB, 'b': o.BB, 'x': o.XS, 'm': o.MP}[c])
		}
		if o.Caught {
			b.WriteString(" caught")
		}
		b.WriteString("; ")
	}
	fmt.Fprintf(&b, "w=%d", f.W)
	for i, h := range []*Packed{&f.A, &f.B} {
		if *h != nothingYet {
			fmt.Fprintf(&b, "; %s%+v", "ab"[i:i+1], *h)
		}
	}
	return b.String()
}

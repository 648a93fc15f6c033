package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// The measures of the picture, in pixels.
const (
	svgWidth  = 820
	svgLeft   = 190 // of the axis
	svgRight  = 560
	svgTop    = 96
	svgLine   = 20 // a variant
	svgGap    = 16 // between benchmarks
	svgBottom = 62
)

// svgColors are those of the variants, in their order: of -of first. They can be told apart by who sees few
// colours, on white and on black (after Okabe and Ito).
var svgColors = []string{"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#8c6d00", "#56b4e9"}

// A plot is what is drawn: the ratios of all variants to their base.
type plot struct {
	groups []plotGroup
	names  []string // of the variants
	min    float64  // of the axis
	max    float64
}

type plotGroup struct {
	bench *benchmark
	base  *variant
	rows  []*variant
}

// plot chooses what is drawn. of is the variant that comes first.
func (r *results) plot(bases []string, of string) (*plot, error) {
	p := &plot{min: 1, max: 1}
	for _, b := range r.benchmarks {
		g := plotGroup{bench: b, base: b.base(bases)}
		for _, v := range b.variants {
			if v == g.base || v.why != "" {
				continue
			}
			if v.name == of {
				g.rows = append([]*variant{v}, g.rows...)
			} else {
				g.rows = append(g.rows, v)
			}
			low, high := v.ratio.mid, v.ratio.mid
			if v.ratio.known() {
				low, high = v.ratio.lo, v.ratio.hi
			}
			p.min, p.max = min(p.min, low), max(p.max, high)
		}
		if len(g.rows) > 0 {
			p.groups = append(p.groups, g)
		}
		for _, v := range g.rows {
			p.name(v.name)
		}
	}
	if len(p.groups) == 0 {
		return nil, errors.New("no ratios to draw")
	}
	p.min, p.max = p.min/1.15, p.max*1.15
	return p, nil
}

// name remembers the name of a variant, for its colour.
func (p *plot) name(name string) {
	for _, n := range p.names {
		if n == name {
			return
		}
	}
	p.names = append(p.names, name)
}

func (p *plot) color(name string) string {
	for i, n := range p.names {
		if n == name {
			return svgColors[i%len(svgColors)]
		}
	}
	return ""
}

// x is where a ratio lies on the axis, which is logarithmic.
func (p *plot) x(ratio float64) float64 {
	return svgLeft + (svgRight-svgLeft)*math.Log(ratio/p.min)/math.Log(p.max/p.min)
}

// ticks are 1, 2 and 5 times the powers of ten on the axis.
func (p *plot) ticks() (ticks []float64) {
	for e := math.Floor(math.Log10(p.min)); e <= math.Log10(p.max); e++ {
		for _, m := range []float64{1, 2, 5} {
			if t := m * math.Pow(10, e); t >= p.min && t <= p.max {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// A drawing is an SVG that is written.
type drawing struct{ strings.Builder }

// text writes text at a place. Class is one of the style sheet's; anchor is start, middle or end.
func (d *drawing) text(x, y float64, class, anchor, text string) {
	fmt.Fprintf(d, `<text x="%.1f" y="%.1f" class="%s" text-anchor="%s">`, x, y, class, anchor)
	xml.EscapeText(d, []byte(text)) // a strings.Builder gives no error
	d.WriteString("</text>\n")
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>`+"\n", x1, y1, x2, y2, class)
}

// svgStyle makes the picture readable on light and dark pages.
const svgStyle = `<style>
svg { color-scheme: light dark; font-family: system-ui, sans-serif; }
.paper { fill: #ffffff; }
text { fill: #1f2328; font-size: 13px; }
.title { font-size: 17px; font-weight: 600; }
.bench { font-weight: 600; }
.small { font-size: 11.5px; fill: #59636e; }
.grid { stroke: #d1d9e0; stroke-width: 1; }
.base { stroke: #59636e; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; }
text { fill: #f0f6fc; }
.small { fill: #9198a1; }
.grid { stroke: #3d444d; }
.base { stroke: #9198a1; }
}
</style>
`

// svg draws the ratios: a line for each variant of each benchmark, with a dot at the median and a bar over
// the confidence interval.
func (r *results) svg(out io.Writer, bases []string, of string) error {
	p, err := r.plot(bases, of)
	if err != nil {
		return err
	}
	height := float64(svgTop + svgBottom)
	for _, g := range p.groups {
		height += g.height()
	}
	foot := height - svgBottom
	d := new(drawing)
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" height="%.0f" role="img">`+"\n", svgWidth, height, svgWidth, height)
	title := "Time per operation, as a ratio to " + bases[0]
	d.WriteString("<title>")
	xml.EscapeText(d, []byte(title))
	d.WriteString("</title>\n" + svgStyle)
	fmt.Fprintf(d, `<rect class="paper" width="%d" height="%.0f"/>`+"\n", svgWidth, height)
	d.text(16, 28, "title", "start", title)
	d.text(16, 48, "small", "start", strings.Join(r.machine, "; "))
	p.legend(d)
	for _, t := range p.ticks() {
		x := p.x(t)
		d.line(x, svgTop-10, x, foot, "grid")
		d.text(x, foot+16, "small", "middle", fmt.Sprintf("%g", t))
	}
	d.line(p.x(1), svgTop-10, p.x(1), foot, "base")
	d.text((svgLeft+svgRight)/2, foot+34, "small", "middle", "ratio, on a logarithmic axis; less is faster")
	d.text((svgLeft+svgRight)/2, foot+50, "small", "middle", "dot: median; bar: its 95% confidence interval (a ring without a bar: too few samples)")
	d.text(svgRight+24, svgTop-16, "small", "start", "ratio [95%]")
	d.text(svgWidth-16, svgTop-16, "small", "end", "per operation")
	y := float64(svgTop)
	for _, g := range p.groups {
		p.group(d, g, y)
		y += g.height()
	}
	d.WriteString("</svg>\n")
	_, err = io.WriteString(out, d.String())
	return err
}

// legend says which colour is what.
func (p *plot) legend(d *drawing) {
	x := 16.0
	for _, name := range p.names {
		fmt.Fprintf(d, `<circle cx="%.1f" cy="66" r="4.5" fill="%s"/>`+"\n", x+5, p.color(name))
		d.text(x+15, 70, "", "start", name)
		x += 32 + 7.5*float64(len(name))
	}
}

// height is at least that of the name of the benchmark and of its base.
func (g *plotGroup) height() float64 { return float64(max(2, len(g.rows)))*svgLine + svgGap }

// group draws a benchmark.
func (p *plot) group(d *drawing, g plotGroup, y float64) {
	d.text(16, y+14, "bench", "start", g.bench.name)
	d.text(16, y+14+svgLine, "small", "start", g.base.name+": "+duration(g.base.summary.mid))
	for i, v := range g.rows {
		mid := y + float64(i)*svgLine + 10
		color := p.color(v.name)
		d.text(svgLeft-12, mid+4, "", "end", v.name)
		x := p.x(v.ratio.mid)
		text := fmt.Sprintf("%.2f", v.ratio.mid)
		if v.ratio.known() {
			fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="3" stroke-linecap="round"/>`+"\n",
				p.x(v.ratio.lo), mid, p.x(v.ratio.hi), mid, color)
			fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="5" fill="%s"/>`+"\n", x, mid, color)
			text += fmt.Sprintf(" [%.2f, %.2f]", v.ratio.lo, v.ratio.hi)
		} else {
			fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="none" stroke="%s" stroke-width="2"/>`+"\n", x, mid, color)
		}
		d.text(svgRight+24, mid+4, "", "start", text)
		d.text(svgWidth-16, mid+4, "", "end", duration(v.summary.mid))
	}
}

// duration is a time in seconds in words, with three digits.
func duration(seconds float64) string {
	for _, unit := range []struct {
		name string
		is   float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if seconds >= unit.is {
			return digits(seconds/unit.is) + " " + unit.name
		}
	}
	return digits(seconds/1e-9) + " ns"
}

func digits(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// markdown writes the table with a line for each benchmark.
func (r *results) markdown(out io.Writer, bases []string, of string) error {
	p, err := r.plot(bases, of)
	if err != nil {
		return err
	}
	cell := func(text string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text) }
	var b strings.Builder
	for _, m := range r.machine {
		fmt.Fprintf(&b, "%s.\n", cell(m))
	}
	fmt.Fprintf(&b, "\nTime per operation, and its ratio to %s with the 95%% confidence interval of the median; less is faster.\n\n| benchmark | %s |", cell(bases[0]), cell(bases[0]))
	for _, name := range p.names {
		fmt.Fprintf(&b, " %s |", cell(name))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(p.names)) + "\n")
	for _, g := range p.groups {
		fmt.Fprintf(&b, "| %s | %s |", cell(g.bench.name), duration(g.base.summary.mid))
		for _, name := range p.names {
			v := g.bench.variant(name)
			switch {
			case v == nil || v == g.base || v.why != "":
				b.WriteString(" |")
			case !v.ratio.known():
				fmt.Fprintf(&b, " %s, %.2f (%d samples, too few for an interval) |", duration(v.summary.mid), v.ratio.mid, len(v.seconds))
			default:
				fmt.Fprintf(&b, " %s, %.2f [%.2f, %.2f] |", duration(v.summary.mid), v.ratio.mid, v.ratio.lo, v.ratio.hi)
			}
		}
		b.WriteString("\n")
	}
	_, err = io.WriteString(out, b.String())
	return err
}

package linearizability

import (
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// sights checks what calls saw against when ids were surely there, and when
// surely nothing was.
func (l *lay) sights(bs []*bounds) *Explanation {
	single := make([]*cover, len(bs))
	var all []span
	for i, b := range bs {
		s := b.spans()
		single[i] = newCover(slices.Clone(s))
		all = append(all, s...)
	}
	both := single[0]
	if len(bs) > 1 {
		both = newCover(all)
	}
	var best *Explanation
	var at int64
	for i := range l.parts {
		p := &l.parts[i]
		if best != nil && p.ret >= at {
			continue
		}
		if e := l.impossible(p, bs, single, both); e != nil {
			best, at = e, p.ret
		}
	}
	return best
}

// impossible explains why p cannot have seen what it says, if that is so.
func (l *lay) impossible(p *part, bs []*bounds, single []*cover, both *cover) *Explanation {
	switch p.deed {
	case seeEmpty:
		if c, _, ok := single[p.lane].over(p.call, p.ret); ok {
			return l.filled(l.seeID(p), p, c)
		}
	case seeNeither:
		if c, _, ok := both.over(p.call, p.ret); ok {
			return l.filled(l.seeID(p), p, c)
		}
	case seeInTurn:
		c, free, ok := single[0].over(p.call, p.ret)
		if ok {
			return l.filled("RQ-STEAL-NONE", p, c)
		}
		if c, _, ok = single[1].over(free, p.ret); ok {
			return l.filled("RQ-STEAL-RUNNEXT", p, c)
		}
	case take:
		if p.rule&ruleAfter == 0 {
			return nil
		}
		b := bs[p.lane]
		until := b.lTake[l.seq[slices.IndexFunc(l.parts, func(q part) bool { return q.op == p.op && q.deed == take })]]
		if c, _, ok := single[0].over(p.call, until.at); ok {
			e := l.filled("RQ-STEAL-RUNNEXT", p, c)
			e.Sentence = sayf("%s took runnext although the ring held %s throughout", l.who(p), idWord(l.held(c)))
			return e
		}
	case seeFilled, seeEither:
		return l.emptied(p, bs)
	}
	return nil
}

// held returns the ids that make up a cover.
func (l *lay) held(c []span) []record.ID {
	var list []record.ID
	for _, s := range c {
		p := &l.parts[s.put]
		if id := p.ids[len(p.ids)-1]; !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// filled explains a sight of nothing where there was something throughout.
func (o *object) filled(requirement string, p *part, c []span) *Explanation {
	var list []record.ID
	parts := []*part{p}
	for _, s := range c {
		in := &o.parts[s.put]
		list = append(list, in.ids[len(in.ids)-1])
		parts = append(parts, in)
		if s.take >= 0 {
			parts = append(parts, &o.parts[s.take])
		}
	}
	if len(c) == 1 {
		return o.evidence(requirement, sayf("%s although %s was put before it was called and not taken before it returned", o.sight(p), idWord(list)), parts...)
	}
	return o.evidence(requirement, sayf("%s although at every moment of the call one of %s was there", o.sight(p), idWord(list)), parts...)
}

// emptied explains a sight of something where there was nothing throughout: all
// that was put so far had been taken before the call, and the next put came
// after it.
func (l *lay) emptied(p *part, bs []*bounds) *Explanation {
	var parts []*part
	for _, b := range bs {
		ln := &l.lanes[b.lane]
		if len(bs) == 1 && b.lane != int(p.lane) {
			continue
		}
		t := 0
		for t < len(ln.puts) && b.ePut[t].at <= p.ret {
			t++
		}
		if t < len(ln.puts) {
			parts = append(parts, &l.parts[ln.puts[t].part])
		}
		if t == 0 {
			continue
		}
		q := b.takeOf[ln.puts[t-1].end-1]
		if int(q) >= len(ln.takes) || b.lTake[q].at >= p.call {
			return nil // something may have been there
		}
		parts = append(parts, &l.parts[ln.takes[q].part])
	}
	parts = append(parts, p)
	return l.evidence(l.seeID(p), sayf("%s although everything put before it returned had been taken before it was called", l.sight(p)), parts...)
}

// residue explains what no bounds explain: the sights that cannot all be true.
// Leaving out a call that only looks makes no correct history wrong, so the
// ones that can be left out are, one after another.
func (l *lay) residue(failed int) *Explanation {
	o := *l.object
	f := l.parts[failed]
	o.parts = nil
	for _, p := range l.parts {
		if p.call <= f.ret && p.rule&ruleAfter == 0 || !p.sees() {
			o.parts = append(o.parts, p)
		}
	}
	tries := min(64, 1_000_000/len(l.parts)) // each one is a run of the monitor
	for i := len(o.parts) - 1; i >= 0 && tries > 0; i-- {
		p := o.parts[i]
		if !p.sees() || p.op == f.op && p.deed == f.deed || len(l.lanes) > 1 {
			continue
		}
		tries--
		less := o
		less.parts = slices.Delete(slices.Clone(o.parts), i, i+1)
		if ll, why, e := layOut(&less); why == "" && e == nil {
			if bad, why := ll.run(); why == "" && bad >= 0 {
				o.parts = less.parts
			}
		}
	}
	return l.around(&f, o.parts)
}

// around makes an explanation of part f, the sights that could not be left
// out, and the puts and takes in progress at the same time as f.
func (o *object) around(f *part, parts []part) *Explanation {
	evidence := []*part{f}
	var others []string
	for i := range parts {
		p := &parts[i]
		overlaps := p.ret >= f.call && p.call <= f.ret
		if p.op == f.op || p.op == final || len(evidence) > 6 || !overlaps && (!p.sees() || len(parts) > 64) {
			continue
		}
		evidence = append(evidence, p)
		if p.sees() && len(others) < 3 {
			others = append(others, o.sight(p))
		}
	}
	requirement := o.orderID()
	what := o.who(f)
	switch {
	case f.sees():
		requirement, what = o.seeID(f), o.sight(f)
	case f.rule&ruleHalf != 0:
		requirement, what = "RQ-STEAL-HALF", sayf("%s took %d", o.who(f), len(f.ids))
	case f.takes():
		what = sayf("%s took %s", o.who(f), idWord(f.ids))
	case f.puts():
		requirement, what = "RQ-CAPACITY", sayf("%s put %s", o.who(f), idWord(f.ids))
	}
	if len(others) > 0 {
		return o.evidence(requirement, what+": that cannot be true together with: "+strings.Join(others, "; "), evidence...)
	}
	return o.evidence(requirement, what+": that fits into no order of the calls in progress", evidence...)
}

// undecided explains a verdict that only porcupine could reach.
func (o *object) undecided(why untold) *Explanation {
	e := &Explanation{Requirement: o.orderID(), Object: o.name, Sentence: "no order of the calls fits their results (by exhaustive search)"}
	if !slices.ContainsFunc(o.parts, func(p part) bool { return p.deed == take }) {
		for i := range o.parts {
			if o.parts[i].sees() {
				e.Requirement = o.seeID(&o.parts[i])
			}
		}
	}
	for i := range o.parts {
		if n := len(e.Ops); o.parts[i].op != final && n < 8 && (n == 0 || e.Ops[n-1].Call != o.ops[o.parts[i].op].Call) {
			e.Ops = append(e.Ops, o.ops[o.parts[i].op])
		}
	}
	return e
}

package explore

// parents says of each state, by its number, from which state it was found
// first and by which of that state's steps: five bytes, from which states can
// be computed again by taking the steps from an initial one. Of an initial
// state the parent is its place in Init.
type parents struct {
	inits  int // the first so many are initial states
	count  int
	chunks []*parentChunk
	far    map[int]int // ordinals that do not fit a byte
}

const parentLen = 1 << 16

type parentChunk struct {
	parent  [parentLen]uint32
	ordinal [parentLen]uint8
}

// maxStates is how many states have numbers that fit.
const maxStates = 1<<31 - 1<<20

// add is inlined, but for the two rare cases.
func (p *parents) add(parent, ordinal int) {
	i := p.count % parentLen
	if i == 0 || ordinal >= 255 {
		p.rare(ordinal)
	}
	c := p.chunks[len(p.chunks)-1]
	c.parent[i] = uint32(parent)
	c.ordinal[i] = uint8(min(ordinal, 255))
	p.count++
}

//go:noinline
func (p *parents) rare(ordinal int) {
	if p.count%parentLen == 0 {
		p.chunks = append(p.chunks, new(parentChunk))
	}
	if ordinal >= 255 {
		if p.far == nil {
			p.far = make(map[int]int)
		}
		p.far[p.count] = ordinal
	}
}

// of returns where state i came from.
func (p *parents) of(i int) (parent, ordinal int) {
	c := p.chunks[i/parentLen]
	parent, ordinal = int(c.parent[i%parentLen]), int(c.ordinal[i%parentLen])
	if ordinal == 255 {
		ordinal = p.far[i]
	}
	return parent, ordinal
}

// path returns the way to state i: the place of the initial state in Init, then
// the ordinal of each step.
func (p *parents) path(i int) (init int, ordinals []int) {
	for i >= p.inits {
		parent, ordinal := p.of(i)
		ordinals = append(ordinals, ordinal)
		i = parent
	}
	init, _ = p.of(i)
	for a, b := 0, len(ordinals)-1; a < b; a, b = a+1, b-1 {
		ordinals[a], ordinals[b] = ordinals[b], ordinals[a]
	}
	return init, ordinals
}

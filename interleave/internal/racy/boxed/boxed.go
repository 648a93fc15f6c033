//interleave:on

// Package boxed has a type that embeds what other packages cannot name.
package boxed

// A Box has the fields and methods of what it embeds.
type Box struct {
	_ int
	*inner
}

type inner struct {
	_ int
	middle
}

type middle struct {
	_ int
	*Most
}

// Most is embedded deepest.
type Most struct{ N, M int }

// Sum has a copy of a Most.
func (m Most) Sum() int { return m.N + m.M }

// Put changes it.
func (m *Most) Put(n int) { m.N = n }

// New returns a Box that is full.
func New() *Box { return &Box{inner: &inner{middle: middle{Most: new(Most)}}} }

// Renew replaces what is embedded.
func (b *Box) Renew() { b.inner = &inner{middle: b.middle} }

// RenewMost replaces what is embedded deepest.
func (b *Box) RenewMost() { b.Most = new(Most) }

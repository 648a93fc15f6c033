package operators

import (
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestSame holds that what the compiler turns into the same code is found, as an
// exchange of two statements that do not meet, and what is another program is not.
func TestSame(t *testing.T) {
	tier.OnlyFull(t)
	want := map[string]bool{
		"swap-neighbours Ring.Calls var last int; r.Publish(1)":                         true,
		"cas-stale Ring.Take if r.head.CompareAndSwap(h+1 - 1, h+1) {":                  true,
		"comparison Stack.Pop if len(s.items) <= 0 {":                                   false, // of a generic type
		"swap-neighbours Ring.Publish r.tail.Add(1); r.slots[t].Store(id)":              false,
		"cas-ignore Ring.Take if r.head.CompareAndSwap(h, h+1) || true {":               false,
		"access-double Ring.Publish r.tail.Add(1); r.tail.Add(1)":                       false,
		"mask Mask func Mask(x, n uint32) uint32 { return (x & (n - 1)) + x%n + x>>2 }": false,
	}
	for name, d := range present(t) {
		begin := time.Now()
		same, err := d.Same(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		asBefore := 0
		for _, m := range d.Mutants() {
			n, ok := same[m.Number]
			if ok && n == 0 {
				asBefore++
				t.Logf("%s is what it was: %s => %s", m.ID, m.Old, m.New)
			}
			if n >= m.Number {
				t.Errorf("%s: expected the number of an earlier one, saw %d of %d", m.ID, n, m.Number)
			}
			key := m.Operator + " " + m.Func + " " + m.New
			if w, listed := want[key]; name == "fixture" && listed {
				delete(want, key)
				if (ok && n == 0) != w {
					t.Errorf("%s: expected that it is the function as it was: %v, saw %v", key, w, !w)
				}
			}
		}
		t.Logf("%s: of %d mutants %d are the function as it was, and %d another mutant; in %v", name, len(d.Mutants()), asBefore, len(same)-asBefore, time.Since(begin).Round(time.Millisecond))
	}
	for key := range want {
		t.Errorf("expected a mutant %s, saw none", key)
	}
}

// TestListing holds what of the compiler's listing is code and what is not.
func TestListing(t *testing.T) {
	text := func(n, line, op string) string {
		return "example.com/p.(*T).zzGet_" + n + " STEXT size=1\n" +
			"\t0x0000 00000 (/p.go:" + line + ")\tTEXT\texample.com/p.(*T).zzGet_" + n + "(SB), ABIInternal, $0-8\n" +
			"\t0x0000 00000 (/p.go:" + line + ")\tFUNCDATA\t$0, gclocals·" + n + "(SB)\n" +
			"\t0x0004 00004 (/p.go:" + line + ")\t" + op + "\n" +
			"\t0x0000 48 8b 04 24\n" +
			"example.com/p.(*T).zzGet_" + n + ".arginfo1 SRODATA size=3\n\t0x0000 " + n + "\n"
	}
	code := listing(text("0", "3", "MOVQ\tAX, BX") + text("1", "7", "MOVQ\tAX, BX") + text("2", "7", "MOVQ\tAX, CX") +
		"example.com/p.(*T).zzGet_1.jump5 SRODATA size=8\n\t0x0000 01\n")
	if was, is := code["(*T).zzGet_0"], code["(*T).zzGet_2"]; was == "" || was == is {
		t.Errorf("expected code that differs, saw %q and %q", was, is)
	}
	if was, is := code["(*T).zzGet_0"], code["(*T).zzGet_1"]; was == is {
		t.Errorf("expected that a table of jumps is part of the code, saw %q twice", is)
	}
	code = listing(text("0", "3", "MOVQ\tAX, BX") + text("1", "7", "MOVQ\tAX, BX"))
	if was, is := code["(*T).zzGet_0"], code["(*T).zzGet_1"]; was == "" || was != is {
		t.Errorf("expected the same code on other lines, saw %q and %q", was, is)
	}
}

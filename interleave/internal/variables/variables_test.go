package variables

import (
	"testing"
)

// TestParse: where variables are, in a binary that lies elsewhere than the file says.
func TestParse(t *testing.T) {
	const text = "kept 10 8 lost.before\nat 1000 1 variables.Anchor\nkept 1010 20 p.table of what\nother 1040 8 ours.x\nstd 1048 8 runtime.x\nkept zz 8 p.none\nkept 1050 zz p.none\nkept 1060\n\nelse 1 1 p.none\n"
	kept, other, std := parse(text, 0x501000)
	if len(kept) != 2 || len(other) != 1 || len(std) != 1 {
		t.Fatalf("expected two that are kept, one other and one of the standard library, saw %v, %v and %v", kept, other, std)
	}
	if v := kept[1]; uintptr(v.At) != 0x501010 || v.Size != 0x20 || v.Name != "p.table" {
		t.Errorf("expected p.table of 32 bytes at 501010, saw %s of %d at %x", v.Name, v.Size, uintptr(v.At))
	}
	if v := other[0]; uintptr(v.At) != 0x501040 {
		t.Errorf("expected ours.x at 501040, saw it at %x", uintptr(v.At))
	}
}

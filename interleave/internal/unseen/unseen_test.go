package unseen

import (
	"slices"
	"testing"
)

// TestCalls: what lies outside is called, by what the manuals of the processors say of CALL and JMP rel32, and of BL and B.
func TestCalls(t *testing.T) {
	const entry = 0x1000
	for _, c := range []struct {
		name, arch string
		code       []byte
		want       []call
	}{
		{"a call ahead", "amd64", []byte{0x90, 0xe8, 0x00, 0x01, 0, 0, 0xc3}, []call{{entry + 2, entry + 6 + 0x100}}},
		{"a call back", "amd64", []byte{0xe8, 0xfb, 0xfe, 0xff, 0xff}, []call{{entry + 1, entry - 0x100}}},
		{"a jump at the end", "amd64", []byte{0xe9, 0, 0, 0, 0}, []call{{entry + 1, entry + 5}}},
		{"a jump within", "amd64", []byte{0x90, 0xe9, 0xfa, 0xff, 0xff, 0xff}, nil},
		{"cut off", "amd64", []byte{0xe8, 0, 1, 0}, nil},
		{"a call ahead", "arm64", []byte{0x40, 0, 0, 0x94}, []call{{entry + 1, entry + 0x100}}},
		{"a call back", "arm64", []byte{0xc0, 0xff, 0xff, 0x97}, []call{{entry + 1, entry - 0x100}}},
		{"a jump behind another word", "arm64", []byte{0x1f, 0x20, 0x03, 0xd5, 0x40, 0, 0, 0x14}, []call{{entry + 5, entry + 4 + 0x100}}},
		{"a jump within", "arm64", []byte{0, 0, 0, 0x14}, nil},
		{"of an architecture that is not known", "riscv64", []byte{0xe8, 0, 1, 0, 0}, nil},
	} {
		if saw := calls(c.arch, c.code, entry); !slices.Equal(saw, c.want) {
			t.Errorf("%s, %s: expected %v, saw %v", c.arch, c.name, c.want, saw)
		}
	}
}

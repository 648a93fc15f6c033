package source

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// What the programs call of the standard library. The interpreter calls these functions. The
// programs have their bodies as text, in which h is a place, a an operand and r a variable
// (calls.go). So the two cannot mean different things.
//
// The comment says which of h a call surely writes and reads, and which it may: h is the
// header of line, 0 to 3 are its bytes, s and b the builder and the buffer, x, y and z the
// elements of xs, m the map, n the number.

// writes h0 reads h
func appendInt(h *things, a int32) { h.line = strconv.AppendInt(h.line[:0], int64(a%10), 10) }

// writes 0 reads h
func appendNothing(h *things, a int32) { strconv.AppendInt(h.line[:0], int64(a%10), 10) }

// writes 012 reads h
func appendQuote(h *things, a int32) { strconv.AppendQuote(h.line[:0], strconv.Itoa(int(a%10))) }

// writes h0123 reads h
func appendBool(h *things, a int32) { h.line = strconv.AppendBool(h.line[:0], a < 5000) }

// writes 0 reads h
func encodeRune(h *things, a int32) { utf8.EncodeRune(h.line[:4], 'a'+rune(a%10)) }

// writes h1 reads h
func appendRune(h *things, a int32) { h.line = utf8.AppendRune(h.line[:1], '0'+rune(a%10)) }

// writes 01 reads h
func hexEncode(h *things, a int32) { hex.Encode(h.line[:2], []byte{byte(a)}) }

// writes 0123 reads h
func base64Encode(h *things, a int32) { base64.StdEncoding.Encode(h.line[:4], []byte{byte(a), 0, 1}) }

// writes 01 reads h
func xorBytes(h *things, a int32) { subtle.XORBytes(h.line[:2], []byte{byte(a), 'b'}, []byte{0, 1}) }

// writes 01 reads h
func putUint16(h *things, a int32) { binary.BigEndian.PutUint16(h.line[:2], uint16(a)+'0') }

// writes h01 reads h
func appendUint16(h *things, a int32) {
	h.line = binary.LittleEndian.AppendUint16(h.line[:0], uint16(a)+'0')
}

// writes 01 reads h
func readString(h *things, a int32) { strings.NewReader(strconv.Itoa(int(10 + a%10))).Read(h.line[:2]) }

// writes 01 reads h
func readFull(h *things, a int32) {
	io.ReadFull(strings.NewReader(strconv.Itoa(int(20+a%10))), h.line[:2])
}

// writes h0 reads h
func appendTime(h *things, a int32) {
	h.line = time.Unix(int64(a%10), 0).UTC().AppendFormat(h.line[:0], "5")
}

// writes h0 reads h
func formatAppend(h *things, a int32) { h.line = fmt.Append(h.line[:0], a%10) }

// writes 12 reads h
func builtinCopy(h *things, a int32) { copy(h.line[1:3], strconv.Itoa(int(30+a%10))) }

// writes 3 reads h
func builtinAppend(h *things, a int32) { _ = append(h.line[:3], byte('a'+a%10)) }

// writes 0123 reads h
func replaceAll(h *things, a int32) {
	copy(h.line[:4], bytes.ReplaceAll([]byte("abca"), []byte("a"), []byte{byte('a' + a%10)}))
}

// reads h0 may read 123
func decodeRune(h *things) (r int32) {
	c, _ := utf8.DecodeRune(h.line[:4])
	r = min(c, 100)
	return r
}

// reads h0123
func bytesEqual(h *things) (r int32) {
	if !bytes.Equal(h.line[:4], make([]byte, 4)) {
		r = 1
	} else {
		r = 0
	}
	return r
}

// reads h may read 0123
func indexByte(h *things, a int32) (r int32) {
	r = int32(bytes.IndexByte(h.line[:4], byte('0'+a%10))) + 1
	return r
}

// reads h01
func hexEncodeToString(h *things) (r int32) {
	r = int32(hex.EncodeToString(h.line[:2])[1] - '0')
	return r
}

// reads h01
func asString(h *things) (r int32) {
	r = int32(len(strings.TrimLeft(string(h.line[:2]), "\x00")))
	return r
}

// reads h0123
func sum256(h *things) (r int32) {
	r = int32(sha256.Sum256(h.line[:4])[0] & 63)
	return r
}

// reads h0123
func equalFold(h *things) (r int32) {
	r = int32(len(bytes.ToUpper(bytes.Trim(h.line[:4], "\x00"))))
	return r
}

// reads h0
func sprintByte(h *things) (r int32) {
	r = int32(len(fmt.Sprint(h.line[:1])))
	return r
}

// reads h01
func uint16Of(h *things) (r int32) {
	r = int32(binary.BigEndian.Uint16(h.line[:2]) & 63)
	return r
}

package source

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
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
func appendBool(h *things, a int32) { h.line = strconv.AppendBool(h.line[:0], a%2 == a%2) }

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

// writes s may read s
func builderWrite(h *things, a int32) {
	h.sb.Reset()
	h.sb.WriteString(strconv.Itoa(int(a % 10)))
}

// writes s may read s
func builderFormat(h *things, a int32) {
	h.sb.Reset()
	fmt.Fprint(&h.sb, a%10)
}

// reads s
func builderString(h *things) (r int32) {
	r = int32(strings.Count(h.sb.String(), "1") + h.sb.Len())
	return r
}

// writes b may read b
func bufferWrite(h *things, a int32) {
	h.bb.Reset()
	h.bb.WriteByte(byte('0' + a%10))
}

// writes b may read b
func bufferTruncate(h *things, a int32) {
	h.bb.Truncate(0)
	h.bb.WriteString(time.Duration(a % 10).String())
}

// writes b may read b
func bufferRead(h *things) (r int32) {
	c, _ := h.bb.ReadByte()
	r = int32(c)
	return r
}

// reads b
func bufferString(h *things) (r int32) {
	r = int32(len(h.bb.String()))
	return r
}

// writes x
func setFirst(h *things, a int32) { h.xs[0] = int(a) }

// writes y
func setSecond(h *things, a int32) { h.xs[1] = int(a) }

// writes y
func appendXS(h *things, a int32) { _ = append(h.xs[:1], int(a)) }

// writes xyz
func copyXS(h *things, a int32) { copy(h.xs, []int{int(a), 3, 1}) }

// writes xy may read xy may write z
func slicesSort(h *things, a int32) {
	h.xs[0], h.xs[1] = 2, int(a)
	slices.Sort(h.xs)
}

// writes x may read xyz may write yz
func sortInts(h *things, a int32) {
	h.xs[0] = int(a)
	sort.Ints(h.xs)
}

// writes xz reads xz
func slicesReverse(h *things) { slices.Reverse(h.xs) }

// writes xyz reads xy
func slicesInsert(h *things, a int32) { _ = slices.Insert(h.xs[:2], 0, int(a)) }

// writes xyz reads yz
func slicesDelete(h *things) { _ = slices.Delete(h.xs, 0, 1) }

// writes x may read xyz may write yz
func sortFunc(h *things, a int32) {
	h.xs[0] = int(a)
	slices.SortFunc(h.xs, func(i, j int) int { return j - i })
}

// writes x
func errorsAs(h *things, a int32) {
	err := fmt.Errorf("wrapped: %w", &strconv.NumError{Num: strconv.Itoa(int(a))})
	var num *strconv.NumError
	if errors.As(err, &num) {
		h.xs[0] = len(num.Num)
	}
}

// reads xyz
func sprintXS(h *things) (r int32) {
	r = int32(fmt.Sprint(h.xs)[1] - '0')
	return r
}

// reads x may read yz
func slicesContains(h *things, a int32) (r int32) {
	if slices.Contains(h.xs, int(a)) {
		r = 1
	} else {
		r = 0
	}
	return r
}

// reads xyz
func slicesMax(h *things) (r int32) {
	r = int32(slices.Max(h.xs))
	return r
}

// reads xyz
func slicesCollect(h *things) (r int32) {
	r = int32(slices.Sorted(slices.Values(h.xs))[1])
	return r
}

// reads xyz
func rangeValues(h *things) (r int32) {
	r = 0
	for i, v := range slices.All(h.xs) {
		r += int32(i * v)
	}
	return r
}

// reads xyz
func sliceToArray(h *things) (r int32) {
	r = int32([3]int(h.xs)[2])
	return r
}

// writes m may read m
func mapSet(h *things, a int32) { h.mp[a%3] = a }

// writes m may read m
func mapsCopy(h *things, a int32) { maps.Copy(h.mp, map[int32]int32{a % 3: 1}) }

// may read m may write m
func mapDelete(h *things, a int32) { delete(h.mp, a%3) }

// reads m
func mapsKeys(h *things) (r int32) {
	r = 0
	for k := range maps.Keys(h.mp) {
		r += 1 + k
	}
	return r
}

// reads m
func mapsSorted(h *things) (r int32) {
	r = int32(len(slices.Sorted(maps.Values(h.mp))))
	return r
}

// writes n
func setNumber(h *things, a int32) { h.n = a }

// writes n reads n
func addNumber(h *things) { h.n = (h.n + 1) % 5 }

// reads n
func getNumber(h *things) (r int32) {
	r = h.n
	return r
}

// writes n reads n
func swapNumber(h *things, a int32) (r int32) {
	r, h.n = h.n, a
	return r
}

// writes n
func scanNumber(h *things, a int32) { fmt.Sscan(strconv.Itoa(int(a)), &h.n) }

// of values
func itoa(_ *things, a int32) (r int32) {
	r = int32(len(strconv.Itoa(int(a) * 7)))
	return r
}

// of values
func duration(_ *things, a int32) (r int32) {
	r = int32((time.Duration(a%10) * time.Second).Truncate(2 * time.Second).Seconds())
	return r
}

// of values
func upper(_ *things, a int32) (r int32) {
	r = unicode.ToUpper('a'+rune(a%10)) - 'A'
	return r
}

// of values
func utf16Encode(_ *things, a int32) (r int32) {
	r = int32(utf16.Encode([]rune{'0' + rune(a%10)})[0])
	return r
}

// of values
func scan(_ *things, a int32) (r int32) {
	fmt.Sscan(strconv.Itoa(int(a)), &r)
	return r
}

// of values
func pointed(_ *things, a int32) (r int32) {
	func(p *int32) { *p = a }(&r)
	return r
}

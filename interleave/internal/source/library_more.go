package source

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
)

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

// reads z may read xy
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

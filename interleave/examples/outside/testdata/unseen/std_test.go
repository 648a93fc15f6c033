package unseen

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math/big"
	"net/netip"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spindle-go/spindle/interleave"
)

// meet explores two threads that nothing orders, each with a lock of its own.
func meet(t *testing.T, body func() (func(), func())) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		f, g := body()
		var mf, mg sync.Mutex
		x.Go("one", func() { mf.Lock(); f(); mf.Unlock() })
		x.Go("two", func() { mg.Lock(); g(); mg.Unlock() })
	})
}

// first reads the first element.
func first[T any](s []T) func() { return func() { _ = s[0] } }

func TestStdEncodeRune(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		return func() { utf8.EncodeRune(b, 'a') }, first(b)
	})
}

func TestStdAppendRune(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		return func() { _ = utf8.AppendRune(b[:0], 'a') }, first(b)
	})
}

func TestStdDecodeRune(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		return func() { utf8.DecodeRune(b) }, func() { b[0] = 'a' }
	})
}

func TestStdUTF16(t *testing.T) {
	meet(t, func() (func(), func()) {
		r := make([]rune, 8)
		return func() { utf16.Encode(r) }, func() { r[0] = 'a' }
	})
}

func TestStdHex(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		return func() { hex.Encode(b, []byte("ab")) }, func() { bytes.Contains(b, []byte("zz")) }
	})
}

func TestStdBase64(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		return func() { base64.StdEncoding.Encode(b, []byte("abc")) }, func() { bytes.Clone(b) }
	})
}

func TestStdXOR(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		return func() { subtle.XORBytes(b, []byte("abcd"), []byte("efgh")) }, func() { bytes.HasPrefix(b, []byte("a")) }
	})
}

func TestStdRead(t *testing.T) {
	meet(t, func() (func(), func()) {
		b, r := make([]byte, 8), strings.NewReader("abc")
		return func() { r.Read(b) }, func() { bytes.HasPrefix(b, []byte("a")) }
	})
}

func TestStdReadByInterface(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		var r io.Reader = strings.NewReader("abc")
		return func() { r.Read(b) }, first(b)
	})
}

func TestStdReadDeferred(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		var r io.Reader = strings.NewReader("abc")
		return func() { defer r.Read(b) }, first(b)
	})
}

func TestStdReadExpression(t *testing.T) {
	meet(t, func() (func(), func()) {
		b := make([]byte, 8)
		var r io.Reader = strings.NewReader("abc")
		return func() { io.Reader.Read(r, b) }, first(b)
	})
}

func TestStdSum(t *testing.T) {
	meet(t, func() (func(), func()) {
		b, h := make([]byte, 0, 64), sha256.New()
		return func() { h.Sum(b) }, func() { bytes.HasPrefix(b[:4], []byte("a")) }
	})
}

func TestStdAppendFormat(t *testing.T) {
	meet(t, func() (func(), func()) {
		b, at := make([]byte, 0, 64), time.Unix(0, 0).UTC()
		return func() { at.AppendFormat(b, time.RFC3339) }, first(b[:4])
	})
}

func TestStdTime(t *testing.T) {
	meet(t, func() (func(), func()) {
		at := new(time.Time)
		return func() { at.UnmarshalText([]byte("2020-01-02T03:04:05Z")) }, func() { at.Year() }
	})
}

func TestStdAddr(t *testing.T) {
	meet(t, func() (func(), func()) {
		a := new(netip.Addr)
		return func() { a.UnmarshalText([]byte("1.2.3.4")) }, func() { a.IsValid() }
	})
}

func TestStdQuoRem(t *testing.T) {
	meet(t, func() (func(), func()) {
		q, r, z := new(big.Int), new(big.Int), new(big.Int)
		return func() { q.QuoRem(big.NewInt(17), big.NewInt(5), r) }, func() { z.Add(r, r) }
	})
}

func TestStdExpand(t *testing.T) {
	meet(t, func() (func(), func()) {
		b, re := make([]byte, 0, 64), regexp.MustCompile("a")
		return func() { re.ExpandString(b, "zz", "a", []int{0, 1}) }, func() { bytes.HasPrefix(b[:4], []byte("z")) }
	})
}

func TestStdIntSlice(t *testing.T) {
	meet(t, func() (func(), func()) {
		s := []int{2, 1}
		return func() { sort.Sort(sort.IntSlice(s)) }, first(s)
	})
}

func TestStdElement(t *testing.T) {
	meet(t, func() (func(), func()) {
		l := list.New()
		e := l.PushBack(1)
		return func() { l.PushBack(2) }, func() { e.Next() }
	})
}

// What is passed to the function of a go statement.
func TestStdGo(t *testing.T) {
	meet(t, func() (func(), func()) {
		s := []int{2, 1}
		return func() { go slices.Sort(s) }, first(s)
	})
}

// lazily has one thread make something of s under a lock, and use it when it has given
// the lock back.
func lazily[S any](t *testing.T, s S, write func(), make func(S) func()) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		var m sync.Mutex
		x.Go("one", func() {
			m.Lock()
			f := make(s)
			m.Unlock()
			f()
		})
		x.Go("two", func() { m.Lock(); write(); m.Unlock() })
	})
}

func TestLaterValues(t *testing.T) {
	s := []int{0, 0}
	lazily(t, s, func() { s[1] = 0 }, func(s []int) func() {
		all := slices.Values(s)
		return func() {
			for range all {
			}
		}
	})
}

// The function is a value itself, and the type argument is inferred.
func TestLaterByValue(t *testing.T) {
	s := []int{0, 0}
	var values func([]int) iter.Seq[int] = slices.Values
	lazily(t, s, func() { s[1] = 0 }, func(s []int) func() {
		all := values(s)
		return func() {
			for range all {
			}
		}
	})
}

func TestLaterCalled(t *testing.T) {
	s := []int{0, 0}
	lazily(t, s, func() { s[1] = 0 }, func(s []int) func() {
		all := slices.Backward(s)
		return func() { all(func(int, int) bool { return true }) }
	})
}

func TestLaterCollect(t *testing.T) {
	s := []int{0, 0}
	lazily(t, s, func() { s[1] = 0 }, func(s []int) func() {
		all := slices.Values(s)
		return func() { slices.Collect(all) }
	})
}

func TestLaterPull(t *testing.T) {
	s := []int{0, 0}
	lazily(t, s, func() { s[1] = 0 }, func(s []int) func() {
		next, _ := iter.Pull(slices.Values(s))
		return func() { next() }
	})
}

// The function that iter.Pull gets is seen, and what it ranges over is not.
func TestLaterPullSeen(t *testing.T) {
	s := []int{0, 0}
	lazily(t, s, func() { s[1] = 0 }, func(s []int) func() {
		all := slices.Values(s)
		next, _ := iter.Pull(func(yield func(int) bool) {
			for v := range all {
				if !yield(v) {
					return
				}
			}
		})
		return func() { next(); next() }
	})
}

func TestLaterLines(t *testing.T) {
	s := []byte("a\nb\n")
	lazily(t, s, func() { s[1] = '\n' }, func(s []byte) func() {
		all := bytes.Lines(s)
		return func() {
			for range all {
			}
		}
	})
}

func TestLaterKeys(t *testing.T) {
	m := map[int]int{1: 1}
	lazily(t, m, func() { m[1] = 1 }, func(m map[int]int) func() {
		all := maps.Keys(m)
		return func() { slices.Sorted(all) }
	})
}

func TestLaterBuffer(t *testing.T) {
	s := []byte("abc")
	lazily(t, s, func() { s[0] = 'a' }, func(s []byte) func() {
		return func() func() { b := bytes.NewBuffer(s); return func() { b.ReadByte() } }()
	})
}

// The iterator goes on after the operation, and not before.
func TestLaterBetween(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := []int{0, 0}
		var flag atomic.Int32
		x.Go("one", func() {
			for range slices.Values(s) {
				flag.Store(1)
			}
		})
		x.Go("two", func() {
			if flag.Load() == 1 {
				s[1] = 0
			}
		})
	})
}

func TestLaterCallback(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := []int{0, 0}
		var flag atomic.Int32
		x.Go("one", func() { slices.ContainsFunc(s, func(int) bool { flag.Store(1); return false }) })
		x.Go("two", func() {
			if flag.Load() == 1 {
				s[1] = 0
			}
		})
	})
}

// The deferred call comes when the lock has been given back.
func TestLaterDeferred(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := []int{2, 1}
		var m sync.Mutex
		x.Go("one", func() {
			m.Lock()
			defer slices.Sort(s)
			m.Unlock()
		})
		x.Go("two", func() { m.Lock(); s[1] = 0; m.Unlock() })
	})
}

// A loop that waits is not in vain if it leaves something behind.
func TestTraceAppend(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var done, at atomic.Int32
		x.Go("worker", func() { at.Store(1); done.Store(1) })
		x.Go("waiter", func() {
			line := []byte("0")
			for done.Load() == 0 {
				line = strconv.AppendInt(line[:0], int64(at.Load()), 10)
			}
			if string(line) == "1" {
				x.Fatalf("the line is old")
			}
		})
	})
}

func TestTraceEncode(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var done, at atomic.Int32
		x.Go("worker", func() { at.Store('a'); done.Store(1) })
		x.Go("waiter", func() {
			b := []byte("xxxx")
			for done.Load() == 0 {
				utf8.EncodeRune(b, at.Load())
			}
			if b[0] == 'a' {
				x.Fatalf("the rune is there")
			}
		})
	})
}

// What only reads leaves no doubt between two threads that do the same.
func TestReaders(t *testing.T) {
	type pair struct{ A, B int }
	b, s, words := []byte("a,b\nc"), []int{1, 2, 3}, []string{"a", "b"}
	table, p := map[int]int{1: 1}, &pair{1, 2}
	re, at, addr, n := regexp.MustCompile("a+"), new(time.Time), netip.MustParseAddr("1.2.3.4"), big.NewInt(7)
	failed := fmt.Errorf("failed: %w", fs.ErrNotExist)
	read := func() {
		_ = bytes.Equal(b, []byte("a")) || bytes.Contains(b, []byte("b")) || utf8.Valid(b) || slices.Contains(s, 2) || slices.IsSorted(s)
		_, _ = slices.BinarySearch(s, 2)
		_ = slices.IndexFunc(s, func(n int) bool { return n == 3 }) + sort.SearchInts(s, 2) + slices.Max(s) + len(slices.Clone(s)) + len(maps.Clone(table))
		_ = strings.Join(words, "") + strconv.Itoa(s[0]) + fmt.Sprintf("%d %v %v", s[0], p, failed) + hex.EncodeToString(b) + base64.StdEncoding.EncodeToString(b)
		_ = errors.Is(failed, fs.ErrNotExist) || errors.Is(failed, io.EOF) || re.Match(b) || re.MatchString("a") || at.IsZero() || addr.Is4() || addr.IsValid()
		_, _ = failed.Error(), io.EOF.Error()
		_ = n.Cmp(big.NewInt(1)) + n.Sign() + len(n.String()) + len(at.Add(time.Second).String()) + len(addr.String())
		_, _, _ = binary.BigEndian.Uint32(b), sha256.Sum256(b), bytes.Split(b, []byte(","))
		_, _ = json.Marshal(p)
		h := sha256.New()
		h.Write(b)
		_ = h.Sum(nil)
		r := bytes.NewReader(b)
		_, _ = r.ReadByte()
		n := 0
		for _, v := range slices.Backward(s) {
			n += v
		}
		for line := range bytes.Lines(b) {
			n += len(line)
		}
		for word := range strings.SplitSeq("a b", " ") {
			n += len(word)
		}
		_ = slices.Sorted(maps.Keys(table))
		own := func(yield func(int) bool) { _ = yield(1) && yield(2) }
		_ = len(slices.Collect(own)) + n
		mine := []int{3, 1, 2}
		slices.SortFunc(mine, func(a, b int) int { return a - b })
		sort.Slice(mine, func(i, j int) bool { return mine[i] < mine[j] })
	}
	meet(t, func() (func(), func()) { return read, read })
}

// Two threads sort two halves of one array.
func TestHalves(t *testing.T) {
	meet(t, func() (func(), func()) {
		s := []int{4, 3, 2, 1}
		return func() { slices.Sort(s[:2]) }, func() { sort.Ints(s[2:]) }
	})
}

// What a lock orders leaves no doubt, a deferred call and an iterator no more than others.
func TestInOrder(t *testing.T) {
	var m sync.Mutex
	s, b, l := []int{2, 1}, new(bytes.Buffer), list.New()
	one := func() {
		m.Lock()
		defer m.Unlock()
		defer b.WriteByte('x')
		defer slices.Sort(s)
		all := slices.Values(s)
		for v := range all {
			l.PushBack(v)
		}
		next, stop := iter.Pull(all)
		defer stop()
		next()
		_ = slices.ContainsFunc(s, func(n int) bool { return l.Len() == n })
		s[0]++
		b.Reset()
		l.Init()
	}
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("one", one)
		x.Go("two", one)
	})
}

// These leave nothing behind in a loop that waits.
func TestWaitsAndWords(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var done atomic.Int32
		words := []string{"a", "b"}
		x.Go("worker", func() { done.Store(1) })
		x.Go("waiter", func() {
			for done.Load() == 0 {
				_ = strconv.Itoa(1) + strings.Repeat("a", 2) + fmt.Sprint(words)
				_ = slices.Contains(words, "c") || utf8.ValidString("a") || errors.Is(io.EOF, io.ErrUnexpectedEOF)
			}
		})
	})
}

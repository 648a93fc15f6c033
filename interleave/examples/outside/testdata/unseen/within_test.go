package unseen

import (
	"bufio"
	"bytes"
	"container/ring"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"math/big"
	"net/url"
	"reflect"
	"slices"
	"testing"
)

// What threads meet in lies within what a call is given: in an interface, in a slice of
// operands, behind a pointer that has words of its own.

type user struct{ Age int }

type reply struct{ Data any }

// older is the thread that writes what the other one's call reads.
func older(u *user) func() { return func() { u.Age = 1 } }

func TestWithinMap(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		return func() { json.Marshal(map[string]any{"u": u}) }, older(u)
	})
}

func TestWithinSlice(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		return func() { json.Marshal([]any{u}) }, older(u)
	})
}

func TestWithinField(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		return func() { json.Marshal(reply{u}) }, older(u)
	})
}

func TestWithinEqual(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		return func() { reflect.DeepEqual([]any{u}, []any{new(user)}) }, older(u)
	})
}

func TestWithinDecoded(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		r := reply{u}
		return func() { json.Unmarshal([]byte(`{"Data":{"Age":2}}`), &r) }, func() { _ = u.Age }
	})
}

func logf(format string, a ...any) string { return fmt.Sprintf(format, a...) }

func TestWithinOperands(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		return func() { logf("%v", u) }, older(u)
	})
}

func TestWithinLogged(t *testing.T) {
	meet(t, func() (func(), func()) {
		u := new(user)
		args := []any{u}
		return func() { t.Log(args...) }, older(u)
	})
}

func TestWithinPrinter(t *testing.T) {
	meet(t, func() (func(), func()) {
		u, print := new(user), fmt.Sprintf
		return func() { print("%v", u) }, older(u)
	})
}

func TestWithinLogger(t *testing.T) {
	meet(t, func() (func(), func()) {
		var b bytes.Buffer
		l := log.New(&b, "", 0)
		return func() { l.Print("x") }, func() { _ = b.String() }
	})
}

func TestWithinHandler(t *testing.T) {
	meet(t, func() (func(), func()) {
		var b bytes.Buffer
		l := slog.New(slog.NewTextHandler(&b, nil))
		return func() { l.Info("x") }, func() { _ = b.String() }
	})
}

func TestWithinWords(t *testing.T) {
	meet(t, func() (func(), func()) {
		n := big.NewInt(7)
		return func() { fmt.Sprint([]*big.Int{n}) }, func() { n.SetInt64(8) }
	})
}

type out struct{ *bytes.Buffer }

func TestWithinPromoted(t *testing.T) {
	meet(t, func() (func(), func()) {
		var b bytes.Buffer
		w := bufio.NewWriter(out{&b})
		return func() { w.WriteString("a"); w.Flush() }, func() { b.WriteString("b") }
	})
}

func TestWithinRing(t *testing.T) {
	meet(t, func() (func(), func()) {
		r := new(ring.Ring)
		return func() { r.Len() }, func() { r.Len() }
	})
}

func TestWithinValues(t *testing.T) {
	meet(t, func() (func(), func()) {
		list := make([]string, 1, 4)
		v := url.Values{"a": list}
		return func() { v.Add("a", "x") }, func() { _ = list[:2][1] }
	})
}

func TestWithinGrow(t *testing.T) {
	meet(t, func() (func(), func()) {
		s := make([]int, 1, 2)
		return func() { _ = slices.Grow(s, 4) }, func() { s[:2][1] = 1 }
	})
}

// TestWithinLock is right.
func TestWithinLock(t *testing.T) {
	meet(t, func() (func(), func()) {
		u, v := new(user), new(user)
		return func() { logf("%v %v", []any{u}, reply{u}); json.Marshal(map[string]any{"u": u}) }, older(v)
	})
}

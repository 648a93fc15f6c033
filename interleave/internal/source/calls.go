package source

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// A call is a function of library.go or library_more.go.
type call struct {
	name     string
	do       func(h *things, a int32) int32
	text     string // its body, with h, a and r
	takes    bool   // it has an a
	gives    bool   // it has an r
	fields   string // of things, that it works on, by their first letters: of "lsbxmn"
	accesses accesses
}

// Regions of things, as library.go names them.
const regions = "h0123sbxyzmn"

// A set is some of the regions.
type set uint16

// Accesses are what a call surely does, and what it may do.
type accesses struct{ reads, writes, mayRead, mayWrite set }

// race reports whether a and b, both on one place, surely conflict, and whether they may.
func (a accesses) race(b accesses) (surely, perhaps bool) {
	surely = a.writes&(b.reads|b.writes) != 0 || b.writes&a.reads != 0
	aw, bw := a.writes|a.mayWrite, b.writes|b.mayWrite
	perhaps = aw&(b.reads|b.mayRead|bw) != 0 || bw&(a.reads|a.mayRead) != 0
	return surely, perhaps
}

func setOf(names string) (s set) {
	for _, c := range names {
		i := strings.IndexRune(regions, c)
		if i < 0 {
			panic(fmt.Sprintf("source: expected regions, of %s, saw %q", regions, names))
		}
		s |= 1 << i
	}
	return s
}

// parse reads "writes h0 may read 123".
func (a *accesses) parse(comment string) {
	to := map[string]*set{"reads": &a.reads, "writes": &a.writes, "may read": &a.mayRead, "may write": &a.mayWrite}
	words := strings.Fields(comment)
	for len(words) > 0 {
		name := words[0]
		if name == "may" {
			name, words = name+" "+words[1], words[1:]
		}
		if to[name] == nil {
			panic(fmt.Sprintf("source: expected reads or writes, or may read or write, saw %q", comment))
		}
		*to[name], words = setOf(words[1]), words[2:]
	}
}

//go:embed library.go
var libraryText string

//go:embed library_more.go
var moreText string

// calls returns the functions of library.go and library_more.go, in their order.
var calls = sync.OnceValue(func() []*call {
	byName := make(map[string]any)
	for _, f := range functions {
		full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
		byName[full[strings.LastIndexByte(full, '.')+1:]] = f
	}
	return append(callsOf(libraryText, byName), callsOf(moreText, byName)...)
})

// callsOf returns the functions of a file.
func callsOf(text string, byName map[string]any) (all []*call) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments)
	if err != nil {
		panic("source: " + err.Error())
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		c := &call{name: f.Name.Name, takes: len(f.Type.Params.List) == 2, gives: f.Type.Results != nil}
		body := text[f.Body.Lbrace : f.Body.Rbrace-1]
		c.text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "return r"))
		if comment := f.Doc.Text(); !strings.HasPrefix(comment, "of values") {
			c.accesses.parse(comment)
		}
		for _, field := range []string{"h.line", "h.sb", "h.bb", "h.xs", "h.mp", "h.n"} {
			if strings.Contains(c.text, field) {
				c.fields += field[2:3]
			}
		}
		switch do := byName[c.name].(type) {
		case func(*things, int32):
			c.do = func(h *things, a int32) int32 { do(h, a); return 0 }
		case func(*things):
			c.do = func(h *things, _ int32) int32 { do(h); return 0 }
		case func(*things, int32) int32:
			c.do = do
		case func(*things) int32:
			c.do = func(h *things, _ int32) int32 { return do(h) }
		default:
			panic(fmt.Sprintf("source: %s is missing in the list of functions, or is a %T", c.name, do))
		}
		all = append(all, c)
	}
	return all
}

// write returns the text of a call: h. becomes place, a becomes a, r becomes r.
func (c *call) write(place, a, r string) string {
	var b strings.Builder
	var s scanner.Scanner
	src := []byte(c.text)
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	done, member := 0, false
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			b.Write(src[done:])
			return b.String()
		}
		at := file.Offset(pos)
		to, length := "", len(lit)
		if tok == token.IDENT && !member {
			switch lit {
			case "h":
				to, length = place, 2 // with the dot
			case "a":
				to = a
			case "r":
				to = r
			default:
				length = 0
			}
			if length > 0 {
				b.Write(src[done:at])
				b.WriteString(to)
				done = at + length
			}
		}
		member = tok == token.PERIOD
	}
}

// functions are those of library.go and library_more.go.
var functions = []any{
	appendInt, appendNothing, appendQuote, appendBool, encodeRune, appendRune, hexEncode, base64Encode, xorBytes, putUint16, appendUint16,
	readString, readFull, appendTime, formatAppend, builtinCopy, builtinAppend, replaceAll, decodeRune, bytesEqual, indexByte,
	hexEncodeToString, asString, sum256, equalFold, sprintByte, uint16Of, builderWrite, builderFormat, builderString, bufferWrite,
	bufferTruncate, bufferRead, bufferString, setFirst, setSecond, appendXS, copyXS, slicesSort, sortInts, slicesReverse, slicesInsert,
	slicesDelete, sortFunc, errorsAs, sprintXS, slicesContains, slicesMax, slicesCollect, rangeValues, sliceToArray, mapSet, mapsCopy,
	mapDelete, mapsKeys, mapsSorted, setNumber, addNumber, getNumber, swapNumber, scanNumber, itoa, duration, upper, utf16Encode, scan, pointed,
}

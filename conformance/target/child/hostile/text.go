package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/spec/record"
)

// texts are the deeds that are another line than the right one.
func texts() []deed {
	// insert puts text before the first key.
	insert := func(text string) func(line []byte) []byte {
		return func(line []byte) []byte { return []byte("{" + text + "," + string(line[1:])) }
	}
	// key changes the first key: hello or seq.
	key := func(change func(key string) string) func(line []byte) []byte {
		return func(line []byte) []byte {
			i := bytes.IndexByte(line, ':')
			return []byte("{" + change(string(line[1:i])) + string(line[i:]))
		}
	}
	whole := func(text string) func([]byte) []byte { return func([]byte) []byte { return []byte(text) } }
	many := func(n int, text string) string { return "[" + strings.Repeat(text+",", n-1) + text + "]" }
	// large is for texts that are made only when they are said.
	large := func(change func(string) func([]byte) []byte, text func() string) func([]byte) []byte {
		return func(line []byte) []byte { return change(text())(line) }
	}
	// history changes the answer as a value.
	history := func(change func(a *child.Answer)) func(line []byte) []byte {
		return func(line []byte) []byte {
			var a child.Answer
			if err := json.Unmarshal(line, &a); err != nil || a.History == nil {
				return line
			}
			change(&a)
			return encode(a)
		}
	}
	// part adds text to the history.
	part := func(text string) func(line []byte) []byte {
		return func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"history":{`), []byte(`"history":{`+text+`,`), 1)
		}
	}
	upper := func(s string) string { return strings.ToUpper(s) }
	escaped := func(s string) string { return fmt.Sprintf(`"\u%04x%s`, s[1], s[2:]) }
	var deeds []deed
	add := func(harm Harm, answers bool, rows map[string]func([]byte) []byte) {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			change := rows[name]
			deeds = append(deeds, deed{name, harm, answers, strings.Contains(name, "huge") || strings.Contains(name, "million"), func(c *actor, line []byte) { c.say(change(line)) }})
		}
	}
	add(None, false, map[string]func([]byte) []byte{
		"nothing":            func(line []byte) []byte { return line },
		"unknown fields":     insert(`"later":[{"seq":[1,2.5e-7,"\ud83d\ude00",null]},true],"":0`),
		"blanks":             func(line []byte) []byte { return bytes.ReplaceAll(line, []byte(`,"`), []byte("\t , \r\"")) },
		"a carriage return":  func(line []byte) []byte { return append(line, '\r') },
		"an escaped key":     key(escaped),
		"unknown and null":   insert(`"crash2":null`),
		"a long, new field":  insert(`"later":"` + strings.Repeat("x", 50_000) + `"`),
		"many small objects": insert(`"later":` + many(5_000, "{}")),
	})
	add(Wrong, false, map[string]func([]byte) []byte{
		"a key twice":            func(line []byte) []byte { return key(func(k string) string { return k + ":0," + k })(line) },
		"an escaped key twice":   func(line []byte) []byte { return key(func(k string) string { return escaped(k) + ":1," + k })(line) },
		"an unknown key twice":   insert(`"later":[{"x":1,"y":2,"x":3}]`),
		"capitals":               key(upper),
		"capitals, too":          key(func(k string) string { return upper(k) + ":0," + k }),
		"cut off":                func(line []byte) []byte { return line[:len(line)-1] },
		"too much":               func(line []byte) []byte { return append(line, '}') },
		"two values":             func(line []byte) []byte { return append(line, line...) },
		"a byte order mark":      func(line []byte) []byte { return append([]byte("\ufeff"), line...) },
		"no UTF-8":               insert(`"later":"` + "\xff" + `"`),
		"half a surrogate":       insert(`"later":"\ud800x"`),
		"a control character":    insert(`"later":"` + "\x1b" + `"`),
		"NaN":                    insert(`"later":NaN`),
		"a comma too many":       func(line []byte) []byte { return append(line[:len(line)-1], ",}"...) },
		"single quotes":          func(line []byte) []byte { return bytes.ReplaceAll(line, []byte(`"`), []byte(`'`)) },
		"deep":                   large(insert, func() string { return `"later":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) }),
		"deep and open":          large(insert, func() string { return `"later":` + strings.Repeat(`{"a":`, 100_000) }),
		"many keys":              large(insert, func() string { return `"later":{` + manyKeys(10_000) + `}` }),
		"null":                   whole("null"),
		"an array":               whole("[]"),
		"an empty object":        whole("{}"),
		"an empty line":          whole(""),
		"bytes that are no text": whole("\x00\x01\xfe\xff"),
		"escape codes":           whole("\x1b[2J\x1b]0;title\a::error::x"),
		"compressed":             whole("\x1f\x8b\x08\x00\x00"),
		"a huge text":            large(insert, func() string { return `"later":"` + strings.Repeat("x", 40<<20) + `"` }),
		"a huge number":          large(insert, func() string { return `"later":` + strings.Repeat("9", 40<<20) }),
		"huge lists":             large(insert, func() string { return `"later":` + many(10<<20, "{}") }),
	})
	add(Wrong, true, map[string]func([]byte) []byte{
		"another seq": func(line []byte) []byte { return bytes.Replace(line, []byte(`"seq":`), []byte(`"seq":1`), 1) },
		"no seq":      key(func(string) string { return `"sec"` }),
		"a seq in quotes": func(line []byte) []byte {
			i := bytes.IndexByte(line, ',')
			return []byte(`{"seq":"` + string(line[7:i]) + `"` + string(line[i:]))
		},
		"a seq with an exponent": func(line []byte) []byte {
			i := bytes.IndexByte(line, ',')
			return []byte(string(line[:i]) + `e0` + string(line[i:]))
		},
		"a hello instead":   whole(`{"hello":{"protocol":2,"name":"hostile"}}`),
		"history and error": insert(`"error":"no"`),
		"no history":        history(func(a *child.Answer) { a.History = nil }),
		"history null": func(line []byte) []byte {
			i := bytes.IndexByte(line, ',')
			return []byte(string(line[:i]) + `,"history":null}`)
		},
		"a capacity":          history(func(a *child.Answer) { a.History.Capacity = 256 }),
		"a negative capacity": history(func(a *child.Answer) { a.History.Capacity = -1 }),
		"more accepted than put": history(func(a *child.Answer) {
			for i := range a.History.Ops {
				if op := &a.History.Ops[i]; len(op.In) > 0 {
					op.Count = 1 << 40
				}
			}
		}),
		"an unknown call": func(line []byte) []byte { return bytes.Replace(line, []byte(`"k":"`), []byte(`"k":"z`), 1) },
		"a number of 65 bits": func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"in":[`), []byte(`"in":[18446744073709551616,`), 1)
		},
		"a stamp of 65 bits": func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"c":`), []byte(`"c":9223372036854775808`), 1)
		},
		"a huge error": history(func(a *child.Answer) { a.History, a.Error = nil, strings.Repeat("x", 40<<20) }),
		"a huge kind": large(func(text string) func([]byte) []byte {
			return func(line []byte) []byte { return bytes.Replace(line, []byte(`"k":"`), []byte(`"k":"`+text), 1) }
		}, func() string { return strings.Repeat("z", 20<<20) }),
		"a huge clock":       history(func(a *child.Answer) { a.History.Clock = strings.Repeat("x", 20<<20) }),
		"a huge stack":       history(func(a *child.Answer) { a.Crash = &child.Crash{Stack: strings.Repeat("\n", 20<<20)} }),
		"huge contents":      history(func(a *child.Answer) { a.History.Final.Global = make([]record.ID, 10<<20) }),
		"huge, early":        large(part, func() string { return `"moved":` + many(20<<20, "1") }),
		"millions of calls":  large(part, func() string { return `"ops":` + many(3<<20, "{}") }),
		"many million calls": large(part, func() string { return `"ops":` + many(9<<20, "{}")[:27<<20] }),
		"millions of lists":  large(part, func() string { return `"final":{"ps":` + many(3<<20, "{}") + `}` }),
	})
	add(Lies, true, map[string]func([]byte) []byte{
		"no calls":          history(func(a *child.Answer) { a.History.Ops = nil }),
		"half of the calls": history(func(a *child.Answer) { a.History.Ops = a.History.Ops[:len(a.History.Ops)/2] }),
		"calls twice":       history(func(a *child.Answer) { a.History.Ops = append(a.History.Ops, a.History.Ops...) }),
		"nothing was left":  history(func(a *child.Answer) { a.History.Final.Ps = a.History.Final.Ps[:0] }),
		"the same id":       history(func(a *child.Answer) { a.History.Final.Ps[0].Ring = []record.ID{1, 1, 1} }),
		"no put was taken": history(func(a *child.Answer) {
			for i := range a.History.Ops {
				op := &a.History.Ops[i]
				op.Count, op.OK, op.Out = 0, false, nil
			}
		}),
	})
	return deeds
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":0,`, i)
	}
	return b.String() + `"k":0`
}

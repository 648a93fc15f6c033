package strictjson

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type inner struct {
	Name string   `json:"name"`
	IDs  []uint64 `json:"ids,omitempty"`
	Deep *inner   `json:"deep,omitempty"`
}

type embedded struct {
	Shared int8 `json:"shared"`
}

type everything struct {
	embedded
	Bool   bool            `json:"bool"`
	Int    int             `json:"int"`
	Small  uint8           `json:"small"`
	Big    uint64          `json:"big"`
	Float  float64         `json:"float"`
	Text   string          `json:"text"`
	List   []inner         `json:"list"`
	Map    map[string]int  `json:"map"`
	Raw    json.RawMessage `json:"raw"`
	When   time.Time       `json:"when"`
	NoTag  int
	Hidden int `json:"-"`
}

func full() everything {
	return everything{
		embedded: embedded{-128}, Bool: true, Int: math.MinInt, Small: 255, Big: math.MaxUint64, Float: -1.5e300,
		Text: "a\"\\\n\u2028ü😀", List: []inner{{Name: "x", IDs: []uint64{1, 1 << 63}}, {Deep: &inner{Name: "y"}}, {}},
		Map: map[string]int{"a": 1, "": -2}, Raw: json.RawMessage(`{"any": [1, null, "x"]}`),
		When: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), NoTag: 7,
	}
}

// What encoding/json writes is read as it was.
func TestThereAndBack(t *testing.T) {
	want := full()
	for _, indent := range []string{"", " \t"} {
		text, _ := json.MarshalIndent(want, indent, indent)
		if indent == "" {
			text, _ = json.Marshal(want)
		}
		var got everything
		if err := Decode(text, &got, Limits{}); err != nil {
			t.Fatal(err)
		}
		var raw any // blanks differ
		if err := json.Unmarshal(got.Raw, &raw); err != nil {
			t.Fatal(err)
		}
		got.Raw = want.Raw
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%+v, want\n%+v", got, want)
		}
	}
}

// Each is JSON of encoding/json's kind, and wrong here.
func TestStricter(t *testing.T) {
	for text, want := range map[string]string{
		`{"int":1,"int":1}`:              `expected each key once, saw "int" again`,
		`{"int":1,"\u0069nt":1}`:         `expected each key once, saw "int" again`,
		`{"Int":1}`:                      `expected the key "int", saw "Int"`,
		`{"int":1,"INT":1}`:              `expected the key "int", saw "INT"`,
		`{"other":1,"other":2}`:          `saw "other" again`,
		`{"x":{"y":[{"z":1,"z":2}]}}`:    `saw "z" again`,
		`{"map":{"a":1,"a":2}}`:          `saw "a" again`,
		`{"text":"a` + "\xff" + `"}`:     "expected UTF-8",
		`{"other":"` + "\xc0\x80" + `"}`: "expected UTF-8",
		`{"text":"\ud800"}`:              "expected an escape",
		`{"text":"\ud800\u0041"}`:        "expected an escape",
		`{"text":"\udc00"}`:              "expected an escape",
		`{"int":null}`:                   "expected a whole number",
		`{"text":null}`:                  "expected a string",
		`{"bool":null}`:                  "expected true or false",
		`null`:                           "expected an object",
	} {
		if err := json.Unmarshal([]byte(text), new(everything)); err != nil {
			t.Errorf("%s: encoding/json says %v; want a text that it takes", text, err)
		}
		err := Decode([]byte(text), new(everything), Limits{})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// What is wrong for both.
func TestMalformed(t *testing.T) {
	for _, text := range []string{
		``, ` `, `{`, `{"int"`, `{"int":`, `{"int":1`, `{"int":1,`, `{"int":1,}`, `{,}`, `{"int" 1}`, `{int:1}`, `{'int':1}`, `{}{}`, `{} x`, `[]`, `"x"`, `1`,
		`{"int":01}`, `{"int":+1}`, `{"int":- 1}`, `{"int":-}`, `{"int":1.5}`, `{"int":1e3}`, `{"int":"1"}`, `{"int":9223372036854775808}`, `{"int":-9223372036854775809}`,
		`{"small":256}`, `{"small":-1}`, `{"small":-0}`, `{"big":18446744073709551616}`, `{"big":99999999999999999999}`, `{"float":1e400}`, `{"float":NaN}`, `{"float":.5}`, `{"float":1.}`, `{"float":1e}`,
		`{"text":"` + "\n" + `"}`, `{"text":"\x"}`, `{"text":"\u12"}`, `{"text":"\u+123"}`, `{"text":"`, `{"text":"\`, `{"list":[{},]}`, `{"list":[,]}`, `{"list":[{}`, `{"list":{}}`, `{"list":[1]}`,
		`{"map":[]}`, `{"map":{"a":"x"}}`, `{"when":"noon"}`, `{"when":1}`, `{"raw":}`, `{"other":tru}`, `{"other":nul}`, `{"other":[1 2]}`, `{"other":{"a":1 "b":2}}`, `{"other":01}`, `{"bool":1}`,
		`{"list":[{"ids":[1,]}]}`, `{"list":[{"ids":[-1]}]}`, `{"list":[{"ids":[1.0]}]}`, `{"list":[{"ids":[01]}]}`, `{"list":[{"ids":[1}]}`, `{"list":[{"ids":1}]}`, "\ufeff{}", "{}\x00",
	} {
		if err := json.Unmarshal([]byte(text), new(everything)); err == nil {
			t.Errorf("%s: encoding/json takes it; it belongs to the other test", text)
		}
		if err := Decode([]byte(text), new(everything), Limits{}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// A text that was cut off is told from one that was never right.
func TestCutOff(t *testing.T) {
	text, _ := json.Marshal(full())
	for n := range len(text) {
		if err := Decode(text[:n], new(everything), Limits{}); err == nil {
			t.Errorf("the first %d bytes of %d: no error", n, len(text))
		}
	}
	for text, cut := range map[string]bool{`{"int":1`: true, `{"list":[{`: true, `{"text":"x`: true, ``: true, `{"int":1]`: false, `x`: false} {
		if err := Decode([]byte(text), new(everything), Limits{}); errors.Is(err, io.ErrUnexpectedEOF) != cut {
			t.Errorf("%s: got %v; cut off: %v", text, err, cut)
		}
	}
}

func TestUnknownIsIgnored(t *testing.T) {
	text := `{"later":{"int":[1,-2.5e-7,"\u00e9\ud83d\ude00",null,true,false,{}]},"int":5,"list":[{"new":[],"name":"x"}]}`
	var got everything
	if err := Decode([]byte(text), &got, Limits{}); err != nil || got.Int != 5 || got.List[0].Name != "x" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestLimits(t *testing.T) {
	deep := func(n int) string { return `{"other":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"k` + strings.Repeat("x", i) + `":0`)
		}
		return `{` + b.String()[1:] + `}`
	}
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{deep(9), true}, {deep(10), false}, {deep(1 << 20), false},
		{`{"deep":` + strings.Repeat(`{"deep":`, 8) + `{}` + strings.Repeat(`}`, 9), true},
		{`{"deep":` + strings.Repeat(`{"deep":`, 9) + `{}` + strings.Repeat(`}`, 10), false},
		{many(maxUnknown), true}, {many(maxUnknown + 1), false},
		{`{"name":"` + strings.Repeat("x", 4096) + `"}`, true}, {`{"name":"` + strings.Repeat("x", 4097) + `"}`, false},
		{`{"ids":[1` + strings.Repeat(",1", 511) + `]}`, true}, {`{"ids":[1` + strings.Repeat(",1", 512) + `]}`, false},
		{`{"ids":[` + strings.Repeat(",", 512) + `]}`, false},
	} {
		err := Decode([]byte(c.text), new(inner), Limits{Depth: 10, Memory: 4096})
		if (err == nil) != c.ok || !c.ok && !errors.Is(err, ErrLimit) {
			t.Errorf("%.60s of %d bytes: got %v; within the limits: %v", c.text, len(c.text), err, c.ok)
		}
	}
	// Three bytes that become a struct of 200.
	for text, to := range map[string]any{
		`[{}` + strings.Repeat(",{}", 1000) + `]`:                     new([]everything),
		`{"list":[{}` + strings.Repeat(",{}", 1000) + `]}`:            new(everything),
		`{"map":` + many(60) + `,"raw":` + many(60) + `}`:             new(everything),
		`[{"deep":{}}` + strings.Repeat(`,{"deep":{}}`, 60) + `]`:     new([]inner),
		`[{"raw":[1` + strings.Repeat(`,1`, 2500) + `]},{"raw":[1]}]`: new([]everything),
	} {
		if err := Decode([]byte(text), to, Limits{Memory: 4096}); !errors.Is(err, ErrLimit) {
			t.Errorf("%.40s: got %v, want ErrLimit", text, err)
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, v := range []any{
		everything{}, nil, (*everything)(nil), new(any), new([]byte), new(map[int]string), new(chan int), new([2]int),
		&struct {
			X int `json:"x,string"`
		}{},
		&struct {
			X int `json:"x"`
			Y int `json:"X"`
		}{},
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "strictjson: ") {
					t.Errorf("%T: no panic with the package's name", v)
				}
			}()
			_ = Decode([]byte(`{}`), v, Limits{})
		}()
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	read := func(text string, most int) (lines []string, err error) {
		l := NewLines(strings.NewReader(text))
		for {
			line, err := l.Next(most)
			if err == nil || err == io.ErrUnexpectedEOF {
				lines = append(lines, string(line))
			}
			if err != nil {
				return lines, err
			}
		}
	}
	for _, c := range []struct {
		text string
		most int
		want int
		err  error
	}{
		{"", 5, 0, io.EOF}, {"a\n\nb\n", 5, 3, io.EOF}, {"a\nb", 5, 2, io.ErrUnexpectedEOF},
		{"12345\n", 5, 1, io.EOF}, {"123456\n", 5, 0, ErrLimit}, {"12345", 5, 1, io.ErrUnexpectedEOF}, {"123456", 5, 0, ErrLimit},
		{long + "\n" + long + "\n", len(long), 2, io.EOF}, {long + "\n", len(long) - 1, 0, ErrLimit}, {long, len(long), 1, io.ErrUnexpectedEOF},
	} {
		lines, err := read(c.text, c.most)
		if len(lines) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%.10q, at most %d: %d lines, %v; want %d, %v", c.text, c.most, len(lines), err, c.want, c.err)
		}
		if err == io.EOF && strings.Join(lines, "\n")+"\n" != c.text && c.text != "" {
			t.Errorf("%.10q: the lines are others", c.text)
		}
	}
	l := NewLines(strings.NewReader("a\nrest"))
	if _, err := l.Next(9); err != nil || string(l.Ahead()) != "rest" {
		t.Errorf("ahead %q, %v; want rest", l.Ahead(), err)
	}
}

package child

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/strictjson"
	"github.com/spindle-go/spindle/spec/record"
)

// kinds of lines: where the schema has them, and who reads them.
var kinds = map[string]func(line []byte) error{
	"greeting": func(line []byte) error { _, err := readHello(line); return err },
	"answer":   func(line []byte) error { return strictjson.Decode(line, new(Answer), strictjson.Limits{}) },
	"question": func(line []byte) error {
		var q Request
		if err := strictjson.Decode(line, &q, strictjson.Limits{}); err != nil {
			return err
		}
		return q.Scenario.Check()
	},
}

// exchange is what a child that offers everything and one that panics say, and
// what they are asked, by the kind of line.
func exchange(t *testing.T) map[string][]string {
	t.Helper()
	everything := record.Scenario{
		Name: "everything", Seed: 1<<64 - 1, Ps: 2, Capacity: 4, Start: 1<<32 - 2, Snapshot: true,
		Threads: []record.Thread{{P: 0, Script: "pppppnnrb3ge lqm2d"}, {P: record.None, Script: "se1"}},
	}
	for i := range everything.Calls(0) {
		everything.Order = append(everything.Order, 0)
		if i == 5 {
			everything.Order = append(everything.Order, 1, 1)
		}
	}
	free := record.Scenario{Name: "free", Ps: 2, Threads: []record.Thread{{P: 0, Script: "png", Repeat: 3}, {P: 1, Script: "sr"}}}
	quiet := record.Scenario{
		Name: "quiet", Ps: 1, Capacity: 2, GetMiss: "beside-put", Before: "T0:pn T1:s0", After: "T0:gl0 T2:p", Shared: true,
		Threads: []record.Thread{{P: 0, Script: "p"}, {P: record.None, Script: "s"}, {P: 0, Script: "g"}},
	}
	lines := make(map[string][]string)
	var in, out strings.Builder
	for i, s := range []record.Scenario{everything, free, quiet, {Name: "wrong", Ps: 1}} {
		line, err := json.Marshal(Request{Seq: i + 1, Cmd: Run, Scenario: &s})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "%s\n", line)
		if i < 3 {
			lines["question"] = append(lines["question"], string(line))
		}
	}
	hello := Hello{Name: "ref", Version: "1", Profile: "gort", Subject: Queue, Notes: []string{"x"}, Contract: map[string]string{"order": "fifo"}}
	if err := Serve(strings.NewReader(in.String()), &out, hello, ref.New); err != nil {
		t.Fatal(err)
	}
	said := strings.Split(strings.TrimSpace(out.String()), "\n")
	lines["greeting"], lines["answer"] = said[:1], said[1:]
	lines["answer"] = append(lines["answer"], `{"seq":7,"crash":{"op":{"t":0,"k":"g","p":0,"c":1},"text":"x","stack":"y"},"history":{"clock":"order","ops":null,"final":{"ps":null}}}`)
	lines["greeting"] = append(lines["greeting"], `{"hello":{"protocol":2,"name":"x","explores":"loom","capabilities":{"quiet":true}}}`)
	lines["question"] = append(lines["question"], `{"seq":8,"cmd":"explore","executions":50000,"scenario":{"name":"x","ps":1,"threads":[{"p":0,"script":"p"}]}}`)
	lines["answer"] = append(lines["answer"], `{"seq":8,"histories":[{"clock":"counter","ops":[{"t":0,"k":"p","p":0,"c":1}],"final":{"ps":[]}}],"executions":7,"complete":true}`)
	return lines
}

// A described is a protocol: the files of its schema and its page, and the readers of its kinds of lines.
type described struct {
	schema, page string
	kinds        map[string]func(line []byte) error
}

var queues = described{"schema.json", "PROTOCOL.md", kinds}

func compile(t *testing.T, kind string) *jsonschema.Schema { return queues.compile(t, kind) }

func (d described) compile(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(d.schema + "#/$defs/" + kind)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func instance(t *testing.T, line string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return v
}

// Every line of a real exchange fits the schema, and one that is damaged in one
// place fits neither the schema nor the reader.
func TestSchema(t *testing.T) { queues.holdsLines(t, exchange(t), 500) }

// holdsLines holds lines, and at least so many damaged ones, against the schema and the readers.
func (d described) holdsLines(t *testing.T, exchange map[string][]string, least int) {
	damaged := 0
	for kind, lines := range exchange {
		schema := d.compile(t, kind)
		for _, line := range lines {
			if err := schema.Validate(instance(t, line)); err != nil {
				t.Errorf("%s: %.300s: %v", kind, line, err)
			}
			if err := d.kinds[kind]([]byte(line)); err != nil {
				t.Errorf("%s: %.300s: the reader says %v", kind, line, err)
			}
			v := instance(t, line)
			damage(v, func(where string, missing bool) {
				if strings.Contains(where, ".contract.") {
					return
				}
				damaged++
				text, _ := json.Marshal(v)
				if schema.Validate(v) == nil {
					t.Errorf("%s: damaged at %s, the schema takes it: %.300s", kind, where, text)
				}
				if !missing && d.kinds[kind](text) == nil { // what is missing is zero
					t.Errorf("%s: damaged at %s, the reader takes it: %.300s", kind, where, text)
				}
			})
		}
	}
	if damaged < least {
		t.Errorf("%d damaged lines, want at least %d", damaged, least)
	}
}

// required are the keys without which a line means nothing.
var required = []string{"hello", "protocol", "seq", "cmd", "scenario", "threads", "script", "k", "c", "clock", "final", "o", "from", "ids", "text"}

// damage calls try with v damaged in each of its places: a value of another
// type, or a required key that is missing.
func damage(v any, try func(where string, missing bool)) {
	other := func(v any) any {
		switch v.(type) {
		case string, []any, nil:
			return json.Number("7")
		case map[string]any:
			return []any{}
		}
		return "7"
	}
	var walk func(v any, where string)
	walk = func(v any, where string) {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				v[key] = other(x)
				try(where+"."+key, false)
				if delete(v, key); slices.Contains(required, key) {
					try(where+"."+key, true)
				}
				v[key] = x
				walk(x, where+"."+key)
			}
		case []any:
			for i, x := range v {
				at := fmt.Sprintf("%s[%d]", where, i)
				v[i] = other(x)
				try(at, false)
				v[i] = x
				walk(x, at)
			}
		}
	}
	walk(v, "")
}

// The schema has the fields that the types have, and the page names each.
func TestEveryFieldIsDescribed(t *testing.T) {
	queues.holdsFields(t, map[string]reflect.Type{"greeting": reflect.TypeFor[Greeting](), "question": reflect.TypeFor[Request](), "answer": reflect.TypeFor[Answer]()},
		func(typ reflect.Type, _, key string) bool {
			return typ == reflect.TypeFor[record.History]() && key == "scenario" || key == "-"
		})
}

// holdsFields holds the fields of the types, but those that are not sent, against the schema and the page.
func (d described) holdsFields(t *testing.T, types map[string]reflect.Type, unsent func(typ reflect.Type, where, key string) bool) {
	text, err := os.ReadFile(d.schema)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(d.page)
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	defs := schema["$defs"].(map[string]any)
	var compare func(typ reflect.Type, node map[string]any, where string)
	compare = func(typ reflect.Type, node map[string]any, where string) {
		if at, ok := node["$ref"].(string); ok {
			node = defs[strings.TrimPrefix(at, "#/$defs/")].(map[string]any)
		}
		switch {
		case reflect.PointerTo(typ).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		case typ == reflect.TypeFor[childEvent](): // an array
		case typ.Kind() == reflect.Pointer:
			compare(typ.Elem(), node, where)
		case typ.Kind() == reflect.Slice && typ != reflect.TypeFor[json.RawMessage]():
			items, _ := node["items"].(map[string]any)
			compare(typ.Elem(), items, where+"[]")
		case typ.Kind() == reflect.Struct:
			properties, _ := node["properties"].(map[string]any)
			n := 0
			for f := range typ.Fields() {
				key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if unsent(typ, where, key) {
					continue
				}
				n++
				field, ok := properties[key].(map[string]any)
				if !ok {
					t.Errorf("the schema lacks %s.%s", where, key)
					continue
				}
				if p := string(page); !strings.Contains(p, "`"+key+"`") && !strings.Contains(p, `"`+key+`":`) {
					t.Errorf("%s does not name %s.%s", d.page, where, key)
				}
				compare(f.Type, field, where+"."+key)
			}
			if n != len(properties) {
				t.Errorf("the schema has %d fields of %s, the type %d", len(properties), where, n)
			}
		}
	}
	for kind, typ := range types {
		compare(typ, map[string]any{"$ref": "#/$defs/" + kind}, kind)
	}
	if pattern := defs["name"].(map[string]any)["pattern"]; pattern != name.String() {
		t.Errorf("the schema has names as %v, the reader as %v", pattern, name)
	}
}

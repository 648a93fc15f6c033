package suite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

const schemaFile = "schema.json"

// A schema is a JSON schema in the making.
type schema = map[string]any

// schemas are those of types that are more than their Go kind says. Sets that grow with
// the contract, such as witnesses and profiles, are open.
var schemas = map[reflect.Type]schema{
	reflect.TypeFor[suite.EventKind](): enum(suite.HeaderEvent, suite.TargetEvent, suite.FindingEvent, suite.CheckEvent, suite.RequirementEvent, suite.ControlEvent, suite.FooterEvent),
	reflect.TypeFor[suite.Ended]():     enum(suite.Completed, suite.Inconclusive, suite.Skipped, suite.Error),
	reflect.TypeFor[suite.Standing]():  enum(suite.Kept, suite.Broken, suite.Unknown, suite.NotOffered, suite.NotRun),
	reflect.TypeFor[spec.Level]():      enum(spec.Must, spec.Should),
	reflect.TypeFor[record.Seed]():     {"type": "string", "pattern": "^0x[0-9a-f]{1,16}$"},
	reflect.TypeFor[time.Time]():       {"type": "string", "format": "date-time"},
}

// fields are schemas of single fields, by struct and name.
var fields = map[string]schema{
	"Header.schema": {"const": suite.Schema, "$comment": "It is raised when a reader must change: when what a known field means changes."},
	"Header.shard":  {"type": "string", "pattern": "^[0-9]+/[0-9]+$"},
	"Footer.digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
}

func enum[T ~string](values ...T) schema { return schema{"type": "string", "enum": values} }

// generator makes the schema of the types.
type generator struct{ defs schema }

func (g *generator) of(t reflect.Type) schema {
	if s, ok := schemas[t]; ok {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return schema{"type": "integer"}
	case reflect.Uint32, reflect.Uint64:
		return schema{"type": "integer", "minimum": 0}
	case reflect.Slice:
		return schema{"type": "array", "items": g.of(t.Elem())}
	case reflect.Map:
		s := schema{"type": "object", "additionalProperties": g.of(t.Elem())}
		if _, ok := schemas[t.Key()]; ok {
			s["propertyNames"] = g.of(t.Key())
		}
		return s
	case reflect.Struct:
		if g.defs[t.Name()] == nil {
			s := schema{"type": "object"}
			g.defs[t.Name()] = s
			g.object(t, s)
		}
		return schema{"$ref": "#/$defs/" + t.Name()}
	}
	panic(fmt.Sprintf("schema: no schema of %v", t))
}

// object fills in the schema of a struct. A field without omitempty is always there.
func (g *generator) object(t reflect.Type, s schema) {
	properties, required := schema{}, []string{}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				add(f.Type)
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := g.of(f.Type)
			if special, ok := fields[t.Name()+"."+name]; ok {
				p = special
			}
			if options != "omitempty" {
				required = append(required, name)
				if k := f.Type.Kind(); k == reflect.Slice || k == reflect.Map {
					p["type"] = []string{p["type"].(string), "null"}
				}
			}
			properties[name] = p
		}
	}
	add(t)
	slices.Sort(required)
	s["properties"], s["required"] = properties, required
}

// generated returns the schema of one line of a stream.
func generated() []byte {
	g := generator{defs: schema{}}
	root := g.of(reflect.TypeFor[suite.Event]())
	kind := func(k suite.EventKind, required ...string) schema {
		return schema{
			"if":   schema{"properties": schema{"event": schema{"const": k}}},
			"then": schema{"required": required},
		}
	}
	target := kind(suite.TargetEvent, "target")
	target["then"] = schema{"required": []string{"target"}, "oneOf": []schema{{"required": []string{"description"}}, {"required": []string{"text", "ended"}}}}
	root["allOf"] = []schema{
		kind(suite.HeaderEvent, "header"), target, kind(suite.FindingEvent, "target", "check", "finding"), kind(suite.CheckEvent, "target", "check", "result"),
		kind(suite.RequirementEvent, "target", "requirement"), kind(suite.ControlEvent, "check", "control"), kind(suite.FooterEvent, "footer"),
	}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "One line of a stream of events of Spindle's conformance suite"
	root["description"] = "A stream is a header; for each target a target event, its checks, each behind its findings, and its requirements; the positive controls; a footer. " +
		"A stream without a footer was cut off, and nothing follows from what it lacks. " +
		"A reader ignores fields that it does not know, at any place: they may be added without a change of header.schema."
	root["$defs"] = g.defs
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err)
	}
	return append(text, '\n')
}

func TestSchemaIsThatOfTheTypes(t *testing.T) {
	want := generated()
	if tier.Update() {
		if err := os.WriteFile(schemaFile, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("expected %s to be the schema of the types; to write it, run SPINDLE_UPDATE=1 go test ./internal/suite", schemaFile)
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaFile, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// realLines are those of a run, and those of the reports' stream, which has one of
// everything.
func realLines(t *testing.T) []string {
	t.Helper()
	var b bytes.Buffer
	sink, failed := suite.WriteEvents(&b)
	if err := suite.Run(context.Background(), suite.Options{Seed: 7, Sink: sink}, suite.Opened(tally, tallied{}), suite.Source{
		Name: "none", Subject: tally, Open: func(context.Context, func(string)) (suite.Target, error) { return nil, os.ErrNotExist },
	}); err != nil {
		t.Fatal(err)
	}
	if err := failed(); err != nil {
		t.Fatal(err)
	}
	if err := suite.ReadEvents(bytes.NewReader(b.Bytes()), func(suite.Event) {}); err != nil {
		t.Fatal(err)
	}
	everything, err := os.ReadFile("report/testdata/events.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(b.String() + string(everything)))
	kinds := regexp.MustCompile(`(?m)^\{"event":"(\w+)"`).FindAllStringSubmatch(strings.Join(lines, ""), -1)
	seen := make(map[string]bool)
	for _, k := range kinds {
		seen[k[1]] = true
	}
	if len(seen) != 7 {
		t.Fatalf("expected all kinds of events, saw %v", seen)
	}
	return lines
}

// tally is a subject with a check that finds something.
var tally = func() *suite.Subject {
	check := suite.Check{
		Name: "sequence/tally", Witness: spec.Sequence, Requirements: []string{"RQ-LOST", "RQ-LEN"},
		Plan: func(suite.Target) suite.Plan { return suite.Plan{Text: "one call"} },
		Run: func(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
			k.Find(record.Finding{Requirement: "RQ-LOST", Expected: "1", Observed: "0", Evidence: []record.Evidence{{Kind: record.Calls, Lines: []string{"T0 read = 0"}}}})
			return suite.Outcome{Ended: suite.Completed, Judged: map[string]int64{"RQ-LOST": 1, "RQ-LEN": 1}, Calls: 1}
		},
	}
	return &suite.Subject{Name: "tally", Checks: []suite.Check{check}, Controls: []suite.Control{
		{Check: check, What: "a tally that loses", Falls: []string{"RQ-LOST"}, Open: func() (suite.Target, error) { return tallied{}, nil }},
		{Check: check, What: "a tally that crashes", Falls: []string{"RQ-CRASH"}, Open: func() (suite.Target, error) { return tallied{}, nil }},
	}}
}()

type tallied struct{}

func (tallied) Describe() suite.Description {
	return suite.Description{Name: "tally", Version: "v1", Kind: suite.InProcess, Profile: spec.Core, Command: "tally"}
}

func (tallied) Close() error { return nil }

func TestSchemaTakesRealLines(t *testing.T) {
	s := compiled(t)
	for i, line := range realLines(t) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("line %d: %v\n%.500s", i+1, err, line)
		}
	}
}

// A line with any single value of another type, or with null in its place, is refused; a
// field that nobody knows is passed over.
func TestSchemaRefusesDamagedLines(t *testing.T) {
	s := compiled(t)
	damaged, unknown := 0, 0
	for i, line := range realLines(t) {
		root, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what string) {
			damaged++
			if s.Validate(root) == nil {
				text, _ := json.Marshal(root)
				t.Errorf("line %d: expected it to be refused, %s: %.300s", i+1, what, text)
			}
		}
		var visit func(at string, v any, set func(any))
		visit = func(at string, v any, set func(any)) {
			wrong := any("text")
			if _, ok := v.(string); ok {
				wrong = json.Number("17")
			}
			set(wrong)
			refused(fmt.Sprintf("%s is %v", at, wrong))
			switch v.(type) {
			case []any, map[string]any: // one that is always there may be null
			default:
				set(nil)
				refused(at + " is null")
			}
			set(v)
			switch v := v.(type) {
			case []any:
				for k, item := range v {
					visit(fmt.Sprintf("%s[%d]", at, k), item, func(x any) { v[k] = x })
				}
			case map[string]any:
				for name, item := range v {
					visit(at+"."+name, item, func(x any) { v[name] = x })
				}
				if strings.HasSuffix(at, ".judged") || strings.HasSuffix(at, ".events") || strings.HasSuffix(at, ".seen") || strings.HasSuffix(at, ".not_offered") {
					return // a table, whose names are data
				}
				v["not_known_yet"] = "x"
				unknown++
				if err := s.Validate(root); err != nil {
					t.Errorf("line %d: expected an unknown field at %s to be passed over, saw %v", i+1, at, err)
				}
				delete(v, "not_known_yet")
			}
		}
		visit("", root, func(x any) { root = x })
	}
	if damaged < 2000 || unknown < 200 {
		t.Errorf("expected thousands of damaged lines, saw %d and %d unknown fields", damaged, unknown)
	}
}

// What must be there is: a line without it is refused, as ReadEvents refuses it.
func TestSchemaHoldsWhatIsRequired(t *testing.T) {
	s := compiled(t)
	for text, want := range map[string]bool{
		`{"event":"header"}`:                                           false,
		`{"event":"target","target":"x"}`:                              false,
		`{"event":"target","target":"x","text":"why","ended":"error"}`: true,
		`{"event":"target","target":"x","text":"why","ended":"fail"}`:  false,
		`{"event":"finding","target":"x","check":"a/b"}`:               false,
		`{"event":"finding","target":"x","finding":{"requirement":"R","witness":"w","fingerprint":"R","expected":"e","observed":"o"}}`:               false,
		`{"event":"finding","target":"x","check":"a/b","finding":{"requirement":"R","witness":"w","fingerprint":"R","expected":"e","observed":"o"}}`: true,
		`{"event":"check","target":"x","check":"a/b"}`:      false,
		`{"event":"requirement","target":"x"}`:              false,
		`{"event":"control","check":"a/b"}`:                 false,
		`{"event":"footer"}`:                                false,
		`{"event":"progress","target":"x","text":"1 of 2"}`: false,
		`{"event":"other"}`:                                 false,
		`{}`:                                                false,
		`[]`:                                                false,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != want {
			t.Errorf("%s: expected valid %v, saw %v", text, want, err)
		}
	}
}

package strictjson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzDecode: what is read here, encoding/json reads as the same value; and it
// is the same once more when it was written.
func FuzzDecode(f *testing.F) {
	text, _ := json.Marshal(full())
	f.Add(text)
	for _, s := range []string{`{}`, `{"int":-0,"float":-0,"list":[],"map":{},"raw":null}`, `{"other":[{"a":"\ud83d\ude00\n"}],"list":[{"ids":[]},{"deep":null}]}`, ` { "small" : 7 } `, `{"INT":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var a, b, c everything
		if Decode(text, &a, Limits{Memory: 1 << 20}) != nil {
			return
		}
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatalf("read as %+v; encoding/json says %v", a, err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("read as\n%+v, by encoding/json as\n%+v", a, b)
		}
		again, err := json.Marshal(a)
		if err != nil {
			t.Skip(err) // a year above 9999
		}
		if err := Decode(again, &c, Limits{}); err != nil {
			t.Fatalf("what was read and written again: %v", err)
		}
		if third, _ := json.Marshal(c); !bytes.Equal(again, third) {
			t.Fatalf("written as\n%s, read and written again\n%s", again, third)
		}
	})
}

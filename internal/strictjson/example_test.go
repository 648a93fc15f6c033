package strictjson_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/spindle-go/spindle/internal/strictjson"
)

// A stream of events, a line each.
func Example() {
	type event struct {
		Event string `json:"event"`
		Calls int    `json:"calls"`
	}
	lines := strictjson.NewLines(strings.NewReader(`{"event":"check","calls":7,"later":[true]}` + "\n" + `{"event":"footer","Calls":8}` + "\n"))
	for {
		line, err := lines.Next(1 << 20)
		if err == io.EOF {
			break
		}
		var e event
		if err == nil {
			err = strictjson.Decode(line, &e, strictjson.Limits{Depth: 8, Memory: 1 << 20})
		}
		fmt.Printf("%+v %v\n", e, err)
	}
	// Output:
	// {Event:check Calls:7} <nil>
	// {Event:footer Calls:0} JSON, offset 26: expected the key "calls", saw "Calls"
}

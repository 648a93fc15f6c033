package child

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestBrokenProtocol(t *testing.T) {
	final := `"final":{"ps":[{},{}]}`
	for _, tt := range []struct{ says, want string }{
		{"nonsense\n", `saw "nonsense`},
		{"{\"seq\":1,\"hist", "status 0 in the middle of a line"},
		{"{\"seq\":0}\n", "saw seq 0"},
		{"{\"seq\":$SEQ}\n", "expected a history, a crash or an error"},
		{"{\"seq\":$SEQ,\"history\":null}\n", "expected a history, a crash or an error"},
		{`{"seq":$SEQ,"error":"x","history":{"clock":"order","ops":[],` + final + "}}\n", "expected a history, a crash or an error"},
		{`{"SEQ":$SEQ,"error":"x"}` + "\n", "expected the key"},
		{`{"seq":$SEQ,"error":"x","seq":$SEQ}` + "\n", "each key once"},
		{`{"seq":$SEQ,"history":{"clock":"sun","ops":[],` + final + "}}\n", `saw "sun"`},
		{`{"seq":$SEQ,"history":{"clock":"order","capacity":4,"ops":[],` + final + "}}\n", "capacity 0"},
		{`{"seq":$SEQ,"history":{"clock":"order","ops":[{"k":"p","in":[1],"n":2,"ok":true,"c":1,"ret":2}],` + final + "}}\n", "at most the 1 it was given"},
		{strings.Repeat("x", 300) + "\n", "at most 250 bytes"},
	} {
		c := begin(t, "say:"+tt.says, Options{MaxAnswer: 250})
		_, err := c.Run(t.Context(), ordered)
		if !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: got %v, want ErrProtocol with %q", tt.says, err, tt.want)
		}
	}
}

// Fields that are not known are ignored.
func TestLaterFields(t *testing.T) {
	c := begin(t, `say:{"later":[{}],"seq":$SEQ,"error":"cannot\u001b[0m\n::x","code":7}`+"\n", Options{})
	_, err := c.Run(t.Context(), ordered)
	if want := `child: refused: cannot\x1b[0m\n::x`; !errors.Is(err, ErrRefused) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A line that comes before the question is no answer to it.
func TestSpeaksUnasked(t *testing.T) {
	for _, more := range []string{"{\"seq\":1,\"error\":\"x\"}\n", " ", "\n"} {
		c := begin(t, "first:"+hello+"\n"+more, Options{Timeout: time.Second})
		_, err := c.Run(t.Context(), ordered)
		if !errors.Is(err, ErrProtocol) {
			t.Errorf("%q: got %v, want ErrProtocol", more, err)
		}
	}
}

func TestBadStart(t *testing.T) {
	say := func(fields string) string { return `first:{"hello":{"protocol":2,` + fields + "}}\n" }
	for _, tt := range []struct{ says, want string }{
		{"first:", "expected a hello within 300ms"},
		{"first:hello\n", `saw "hello`},
		{"first:{\"seq\":1}\n", "expected a hello in the first line"},
		{"first:{\"hello\":{\"protocol\":99,\"name\":7}}\n", "expected protocol 2, saw 99"},
		{`first:{"hello":{"protocol":1,"name":"x"}}` + "\n", `saw 1. What changed: seeds are strings`},
		{say(`"name":""`), "expected a name"},
		{say(`"name":"a\n::error::b"`), `saw "a\n::error::b"`},
		{say(`"name":"x","subject":"scheduler"`), `expected the subject "queue"`},
		{say(`"name":"x","profile":"a b"`), "name of a profile"},
		{say(`"name":"x","contract":[]`), "expected an object, saw \"[]"},
		{say(`"name":"x","contract":{"order":7}`), "expected a string, saw \"7"},
		{say(`"name":"x","capabilities":{"capacity":65537}`), "saw 65537"},
		{say(`"name":"x","capabilities":{"capacity":-1}`), "saw -1"},
		{say(`"name":"x","capabilities":{"capacity":12,"resize":true}`), "power of two"},
		{say(`"name":"x","capabilities":{"capacity":12,"resize":true,"sizes":[1,3]}`), "one of its sizes"},
		{say(`"name":"x","capabilities":{"capacity":4,"sizes":[1,2]}`), "expected no sizes"},
		{say(`"name":"x","capabilities":{"capacity":4,"resize":true,"sizes":[0,2]}`), "expected sizes of 1 to 65536, saw [0 2]"},
		{say(`"name":"x","capabilities":{"capacity":4,"resize":true,"sizes":[2,65537]}`), "saw [2 65537]"},
		{say(`"name":"x","capabilities":{"capacity":4,"resize":true,"sizes":[2,1]}`), "sizes that ascend"},
		{say(`"name":"x","capabilities":{"capacity":4,"resize":true,"sizes":[2,2]}`), "sizes that ascend"},
		{say(`"name":"x","capabilities":{"capacity":4,"resize":true,"sizes":[` + strings.Repeat("1,", 20) + `2]}`), "at most 20 sizes"},
		{say(`"name":"x","name":"y"`), "each key once"},
		{say(`"name":"x","notes":[` + strings.Repeat(`"",`, 20) + `""]`), "at most 20 notes"},
		{say(`"name":"x","version":"$MIB"`), "longer one"},
	} {
		var o Options
		if tt.says == "first:" {
			o.StartTimeout = 300 * time.Millisecond
		}
		_, err := Start(t.Context(), command(tt.says), o)
		if !errors.Is(err, ErrStart) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60q: got %.200v, want ErrStart with %q", tt.says, err, tt.want)
		}
	}
	_, err := Start(t.Context(), func() *exec.Cmd { return exec.Command("/nowhere/at/all") }, Options{})
	if !errors.Is(err, ErrStart) {
		t.Errorf("got %v, want ErrStart", err)
	}
}

// What a child says of itself is shown escaped; what may come later is kept.
func TestHello(t *testing.T) {
	c := begin(t, `first:{"hello":{"protocol":2,"name":"a/b-1","subject":"queue","version":"1\u001b[2J","notes":["::x\ny"],"contract":{"order":"fifo"},"capabilities":{"capacity":3,"resize":true,"sizes":[1,3],"quiet":true},"random":true}}`+"\n", Options{})
	h := c.Hello()
	if h.Name != "a/b-1" || h.Version != `1\x1b[2J` || h.Notes[0] != `\x3a:x\ny` || h.Contract["order"] != "fifo" {
		t.Errorf("got %+v", h)
	}
}

package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/spec/record"
)

// fifo is a queue behind a mutex. Its Get misbehaves on demand.
type fifo struct {
	mu  sync.Mutex
	ids []record.ID
	bad string
}

func (q *fifo) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ids = append(q.ids, id)
	return true
}

func (q *fifo) Get() (record.ID, bool) {
	switch q.bad {
	case "panic":
		panic("get: out of order")
	case "throw": // what no recover stops
		new(sync.Mutex).Unlock()
	case "exit":
		fmt.Fprintln(os.Stderr, "\nsegmentation fault, or so\nmore")
		os.Exit(7)
	case "silent exit":
		os.Exit(0)
	case "hang":
		time.Sleep(time.Hour)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *fifo) Steal() (record.ID, bool) { return q.Get() }

func (q *fifo) Empty() bool { return q.Len() == 0 }

func (q *fifo) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids)
}

func (q *fifo) Contents() record.PContents {
	return record.PContents{Ring: append([]record.ID(nil), q.ids...)}
}

// TestMain is the child when the environment says so, and misbehaves as it says.
func TestMain(m *testing.M) {
	behave := os.Getenv("SPINDLE_TEST_CHILD")
	hello := `{"hello":{"protocol":1,"name":"x"}}`
	switch kind, what, _ := strings.Cut(behave, ":"); kind {
	case "":
		os.Exit(m.Run())
	case "queue":
		f := queue.Single(func() *fifo { return &fifo{bad: what} })
		if err := Serve(os.Stdin, os.Stdout, Hello{Name: "fifo", Version: "1"}, f); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "say": // hello, and then a fixed answer to whatever is asked
		fmt.Println(hello)
		line := make([]byte, 1)
		for line[0] != '\n' {
			if _, err := os.Stdin.Read(line); err != nil {
				os.Exit(0)
			}
		}
		fmt.Print(what)
		if !strings.HasSuffix(what, "\n") {
			os.Exit(0)
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "first": // another first line
		fmt.Print(what)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	os.Exit(0)
}

func command(behave string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SPINDLE_TEST_CHILD="+behave)
		return cmd
	}
}

func begin(t *testing.T, behave string, o Options) *Client {
	t.Helper()
	c, err := Start(t.Context(), command(behave), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

var ordered = record.Scenario{
	Name: "ordered", Ps: 2, Threads: []record.Thread{{P: 0, Script: "p p g e l"}, {P: 1, Script: "s0 p g g"}},
	Order: []int{0, 0, 1, 1, 0, 0, 0, 1, 1}, Snapshot: true,
}

func TestSameAsInProcess(t *testing.T) {
	c := begin(t, "queue", Options{})
	want, err := drive.Run(t.Context(), queue.Single(func() *fifo { return &fifo{} }), ordered)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Run(t.Context(), ordered)
	if err != nil {
		t.Fatal(err)
	}
	// An empty slice and none are the same in JSON.
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if !bytes.Equal(a, b) {
		t.Errorf("the histories differ:\nin process %s\nchild      %s", a, b)
	}
	caps, err := c.Probe(t.Context())
	if h := c.Hello(); err != nil || !caps.Len || !caps.Show || caps.Global || !reflect.DeepEqual(h.Capabilities, caps) || h.Name != "fifo" {
		t.Errorf("hello %+v, probe %+v, %v", h, caps, err)
	}
	s := record.Scenario{Ps: 2, Threads: []record.Thread{{P: 0, Script: "pppg", Repeat: 5000}, {P: 1, Script: "s", Repeat: 5000}}}
	h, err := c.Run(t.Context(), s)
	if err != nil || len(h.Ops) != 25000 {
		t.Errorf("a long run: %v", err)
	}
	if c.Starts() != 1 {
		t.Errorf("%d processes, want 1 for all", c.Starts())
	}
}

func TestServeInProcess(t *testing.T) {
	in := strings.NewReader(`{"seq":7,"cmd":"probe"}
{"seq":8,"cmd":"run","scenario":{"name":"x","ps":1,"threads":[{"p":0,"script":"pg"}],"order":[0,0]}}
{"seq":9,"cmd":"run","scenario":{"name":"x","ps":1,"threads":[{"p":0,"script":"d"}]}}
{"seq":10,"cmd":"run"}
{"seq":11,"cmd":"dance"}
`)
	var out strings.Builder
	if err := Serve(in, &out, Hello{Name: "fifo"}, queue.Single(func() *fifo { return &fifo{} })); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{
		`{"hello":{"protocol":1,"name":"fifo","capabilities":{`, `"seq":7,"capabilities"`, `"seq":8,"history":`,
		`Drainer`, `without a scenario`, `saw \"dance\"`,
	} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("line %d of %q: want %s in it", i, lines, want)
		}
	}
	for _, line := range []string{"nonsense\n", `{"seq":1`} {
		if err := Serve(strings.NewReader(line), io.Discard, Hello{}, queue.Single(func() *fifo { return &fifo{} })); err == nil {
			t.Errorf("%q: no error", line)
		}
	}
}

// A child that comes to grief is a finding, and the next scenario has a new one.
func TestCrash(t *testing.T) {
	tests := []struct {
		bad, text string
		starts    int
	}{
		{"panic", "get: out of order", 1}, // recovered: the child goes on
		{"throw", "fatal error: sync: unlock of unlocked mutex", 2},
		{"exit", "segmentation fault, or so", 2},
		{"silent exit", "without an answer", 2},
	}
	for _, tt := range tests {
		t.Run(tt.bad, func(t *testing.T) {
			c := begin(t, "queue:"+tt.bad, Options{Timeout: 20 * time.Second})
			for range 2 {
				h, err := c.Run(t.Context(), ordered)
				var crash *queue.CrashError
				if !errors.As(err, &crash) || !strings.Contains(crash.Text, tt.text) {
					t.Fatalf("got %v, want a crash with %q", err, tt.text)
				}
				if tt.bad == "panic" && (h == nil || crash.Op.Kind != record.Steal || crash.Stack == "") {
					t.Errorf("history %v, call %v: want what came before, and the call", h, crash.Op)
				}
			}
			if c.Starts() != tt.starts {
				t.Errorf("%d processes, want %d", c.Starts(), tt.starts)
			}
		})
	}
}

func TestHang(t *testing.T) {
	c := begin(t, "queue:hang", Options{Timeout: 100 * time.Millisecond})
	_, err := c.Run(t.Context(), ordered)
	var hang *queue.HangError
	if !errors.As(err, &hang) || hang.After < 100*time.Millisecond || hang.After > 5*time.Second {
		t.Fatalf("got %v, want a hang after 100ms", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := c.Run(ctx, ordered); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if c.Starts() != 2 {
		t.Errorf("%d processes, want 2", c.Starts())
	}
}

func TestBrokenProtocol(t *testing.T) {
	for _, tt := range []struct{ says, want string }{
		{"say:nonsense\n", `saw "nonsense`},
		{"say:{\"seq\":1,\"hist", "output end within"},
		{"say:{\"seq\":5}\n", "expected the answer to seq 1, saw seq 5"},
		{"say:{\"seq\":1}\n", "saw none"},
		{"say:" + strings.Repeat("x", 300) + "\n", "at most 200 bytes"},
	} {
		c := begin(t, tt.says, Options{MaxAnswer: 200, Timeout: 10 * time.Second})
		_, err := c.Run(t.Context(), ordered)
		if !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: got %v, want ErrProtocol with %q", tt.says, err, tt.want)
		}
	}
}

func TestBadStart(t *testing.T) {
	for _, tt := range []struct{ says, want string }{
		{"first:", "no hello within"},
		{"first:hello\n", `saw "hello`},
		{"first:{\"seq\":1}\n", "expected a hello"},
		{"first:{\"hello\":{\"protocol\":99}}\n", "expected protocol 1, saw 99"},
	} {
		_, err := Start(t.Context(), command(tt.says), Options{StartTimeout: 300 * time.Millisecond})
		if !errors.Is(err, ErrStart) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want ErrStart with %q", tt.says, err, tt.want)
		}
	}
	_, err := Start(t.Context(), func() *exec.Cmd { return exec.Command("/nowhere/at/all") }, Options{})
	if !errors.Is(err, ErrStart) {
		t.Errorf("got %v, want ErrStart", err)
	}
}

func TestClosed(t *testing.T) {
	c := begin(t, "queue", Options{})
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Run(t.Context(), ordered); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	c = begin(t, "queue", Options{})
	bad := ordered
	bad.Ps = 0
	if _, err := c.Run(t.Context(), bad); !errors.Is(err, record.ErrFormat) {
		t.Errorf("got %v, want ErrFormat", err)
	}
	bad = ordered
	bad.Threads = []record.Thread{{P: 0, Script: "ddddd"}, {P: 1, Script: "dddd"}}
	if _, err := c.Run(t.Context(), bad); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v, want ErrRefused", err)
	}
}

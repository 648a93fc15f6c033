package child

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
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
		time.Sleep(time.Minute) // not for ever: a suite that is wrong does not end it
	case "slow":
		time.Sleep(600 * time.Millisecond) // and once more when what is left is taken out
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

const hello = `{"hello":{"protocol":2,"name":"x","capabilities":{}}}`

// behaviours are those of other files, by their kinds.
var behaviours = map[string]func(what string){}

// TestMain is the child when the environment says so, and misbehaves as it says.
func TestMain(m *testing.M) {
	behave := os.Getenv("SPINDLE_INTERNAL_CHILD")
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
		fmt.Println(strings.Replace(hello, "{}", cmp.Or(os.Getenv("SPINDLE_INTERNAL_CAPS"), "{}"), 1))
		line, err := bufio.NewReader(os.Stdin).ReadBytes('\n')
		var q Request
		if err != nil || json.Unmarshal(line, &q) != nil {
			os.Exit(0)
		}
		what = strings.NewReplacer("$SEQ", strconv.Itoa(q.Seq), "$NEXT", strconv.Itoa(q.Seq+1)).Replace(what)
		what, later, _ := strings.Cut(what, "$PAUSE")
		fmt.Print(what)
		time.Sleep(50 * time.Millisecond)
		fmt.Print(later)
		if !strings.HasSuffix(what+later, "\n") {
			os.Exit(0)
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "end": // a status, or -1 to close the output, after part of an answer
		fmt.Println(hello)
		_, _ = os.Stdin.Read(make([]byte, 1))
		status, part, _ := strings.Cut(what, " ")
		fmt.Print(part)
		os.Stdout.Close()
		if code, _ := strconv.Atoi(status); code >= 0 {
			os.Exit(code)
		}
		time.Sleep(time.Minute) // not for ever: a suite that is wrong does not end it
	case "sleep":
		time.Sleep(20 * time.Second)
	case "first": // another first line
		fmt.Print(strings.ReplaceAll(what, "$MIB", strings.Repeat("x", 1<<20)))
		_, _ = io.Copy(io.Discard, os.Stdin)
	default:
		if other := behaviours[kind]; other != nil {
			other(what)
		}
	}
	os.Exit(0)
}

func command(behave string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_CHILD="+behave)
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
	b, _ := json.Marshal(got) // its scenario, too
	if !bytes.Equal(a, b) {
		t.Errorf("the histories differ:\nin process %s\nchild      %s", a, b)
	}
	if h := c.Hello(); !h.Capabilities.Len || !h.Capabilities.Show || h.Capabilities.Global || h.Name != "fifo" || h.Subject != Queue {
		t.Errorf("hello %+v", h)
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

// forgets finds nothing at every other get.
type forgets struct {
	fifo
	odd bool
}

func (q *forgets) Get() (record.ID, bool) {
	if q.odd = !q.odd; q.odd {
		return 0, false
	}
	return q.fifo.Get()
}

// TestServeMisses: what is left is asked for as the scenario says.
func TestServeMisses(t *testing.T) {
	for when, left := range map[string]string{"anytime": `"ring":[1,2]`, "beside": `"ps":[{}]`, "never": `"ps":[{}]`} {
		in := strings.NewReader(`{"seq":8,"cmd":"run","scenario":{"name":"x","ps":1,"threads":[{"p":0,"script":"pp"}],"get-miss":"` + when + `"}}` + "\n")
		var out strings.Builder
		err := Serve(in, &out, Hello{Name: "x"}, queue.Single(func() *forgets { return new(forgets) }))
		if err != nil || !strings.Contains(out.String(), left) {
			t.Errorf("get-miss=%s: expected %s in %s, %v", when, left, &out, err)
		}
	}
}

func TestServeInProcess(t *testing.T) {
	in := strings.NewReader(`{"seq":8,"cmd":"run","scenario":{"name":"x","ps":1,"threads":[{"p":0,"script":"pg"}],"order":[0,0]}}
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
		`{"hello":{"protocol":2,"name":"fifo","capabilities":{`, `"seq":8,"history":`,
		`Drainer`, `saw none`, `saw \"dance\"`,
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
		{"exit", "exit status 7, without an answer; it said segmentation fault, or so", 2},
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
	c := begin(t, "queue:hang", Options{Timeout: 200 * time.Millisecond})
	begun := time.Now()
	_, err := c.Run(t.Context(), ordered)
	var hang *queue.HangError
	if !errors.As(err, &hang) || hang.After != 200*time.Millisecond || time.Since(begun) < hang.After || time.Since(begun) > 5*time.Second {
		t.Fatalf("got %v after %v, want a hang after 200ms", err, time.Since(begun))
	}
}

// The end of the run is nobody's hang, however it comes about.
func TestRunEnds(t *testing.T) {
	c := begin(t, "queue:hang", Options{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := c.Run(ctx, ordered); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	for range 5 {
		budget, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := c.Run(budget, ordered)
		var hang *queue.HangError
		if errors.As(err, &hang) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want context.DeadlineExceeded", err)
		}
	}
	// And when both end at about the same time, it is the run's end.
	c = begin(t, "queue:hang", Options{Timeout: 50 * time.Millisecond})
	for i := range 10 {
		d := time.Duration(45+i) * time.Millisecond
		budget, cancel := context.WithTimeout(t.Context(), d)
		_, err := c.Run(budget, ordered)
		var hang *queue.HangError
		if errors.As(err, &hang) == errors.Is(err, context.DeadlineExceeded) || errors.As(err, &hang) && d < 50*time.Millisecond {
			t.Errorf("a budget of %v, 50ms for the scenario: got %v", d, err)
		}
		cancel()
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

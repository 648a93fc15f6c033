package schedtrace

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/impl/sched"
)

// TestMain is the program whose scheduler TestRuntime looks at.
func TestMain(m *testing.M) {
	if os.Getenv("SPINDLE_INTERNAL_TRACED") == "" {
		os.Exit(m.Run())
	}
	done := make(chan bool)
	for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
		for range 100 {
			go func() { runtime.Gosched(); done <- true }()
		}
		for range 100 {
			<-done
		}
	}
}

// TestRuntime reads what the installed runtime prints, and judges it.
func TestRuntime(t *testing.T) {
	t.Attr("req", "DN-IDLE-EMPTY")
	for _, detail := range []string{"", ",scheddetail=1"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_TRACED=1", "GODEBUG=schedtrace=10"+detail)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		list, err := Read(&errs)
		if err != nil || len(list) < 3 {
			t.Fatalf("expected three moments or more, saw %d, %v", len(list), err)
		}
		for i := range list {
			m := &list[i]
			if found := m.Judge(); len(found) > 0 {
				t.Errorf("%+v: %+v", m, found)
			}
			if m.Gomaxprocs < 1 || m.Threads < 1 || m.Detailed != (detail != "") || m.Detailed && m.Gs == 0 {
				t.Errorf("saw %+v", m)
			}
		}
	}
}

// TestSched reads the line of impl/sched.
func TestSched(t *testing.T) {
	t.Attr("req", "DN-IDLE-COUNT")
	s, err := sched.New(sched.Config{Procs: 3})
	if err != nil {
		t.Fatal(err)
	}
	list, err := Read(strings.NewReader(s.Snapshot().String()))
	if err != nil || len(list) != 1 || list[0].Gomaxprocs != 3 || list[0].Idle != 3 || len(list[0].Judge()) > 0 {
		t.Errorf("saw %+v, %v", list, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestJudge(t *testing.T) {
	t.Attr("req", "DN-IDLE-EMPTY")
	const line = "SCHED 5ms: gomaxprocs=2 idleprocs=1 threads=5 spinningthreads=1 needspinning=0 idlethreads=1 runqueue=0 gcwaiting=false\n"
	p := func(status, size string) string {
		return "  P1: status=" + status + " schedtick=3 syscalltick=0 m=nil runqsize=" + size + " gfreecnt=0 timerslen=0\n"
	}
	const busy = "  P0: status=1 schedtick=0 syscalltick=0 m=4 runqsize=3 gfreecnt=0 timerslen=0\n"
	for name, c := range map[string]struct{ text, finds string }{
		"lines of the program's own":    {line + busy + p("0", "2") + "  P7: status=up runqsize=9\n  P2: status=1 runqsize=0\n", "DN-IDLE-EMPTY"},
		"behind the program's own":      {"x" + line + busy + p("0", "2"), "DN-IDLE-EMPTY"},
		"right":                         {"x\n" + line + busy + p("0", "0") + "  P2P says hello\n", ""},
		"an idle P with work":           {line + busy + p("0", "2"), "DN-IDLE-EMPTY"},
		"on its way to another M":       {strings.Replace(line, "idleprocs=1", "idleprocs=0", 1) + busy + p("0", "2"), ""},
		"idleprocs counts one too many": {line + busy + p("1", "0"), "DN-IDLE-COUNT"},
		"more idle Ps than Ps":          {strings.Replace(line, "idleprocs=1", "idleprocs=3", 1), "DN-IDLE-COUNT"},
		"more idle threads":             {strings.Replace(line, "idlethreads=1", "idlethreads=6", 1), "DN-IDLE-COUNT"},
	} {
		list, err := Read(strings.NewReader(c.text))
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %v, %v", name, list, err)
		}
		found := ""
		for _, f := range list[0].Judge() {
			found += f.Requirement
		}
		if found != c.finds {
			t.Errorf("%s: expected %q, saw %q", name, c.finds, found)
		}
	}
	for _, text := range []string{"SCHED now: x", "SCHED 5ms: gomaxprocs=two", "SCHED 5ms: "} {
		if list, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q: expected an error, saw %v", text, list)
		}
	}
}

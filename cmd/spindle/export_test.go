package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// exported runs spindle export.
func exported(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = spindle(t.Context(), append([]string{"export"}, args...), strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestExport: each line is a scenario that can be run, of no more threads and calls than were
// asked for, each another one, and the same lines each time.
func TestExport(t *testing.T) {
	for _, args := range [][]string{
		{"-contract", "lifo-deque", "-size", "2x3"},
		{"-contract", "lifo-deque,empty=quiet", "-size", "3x3", "-capacity", "1,2", "-offers", "len"},
		{"-contract", "fifo,get-miss=anytime", "-size", "2x2", "-capacity", "0"},
		{"-contract", "gort", "-size", "2x2", "-capacity", "2,4", "-offers", "runnext,batch,putbatch,drain,global,len,moves"},
		{"-contract", "core,puts=any,gets=any", "-size", "2x3"},
	} {
		code, out, errs := exported(t, args...)
		_, again, _ := exported(t, args...)
		if code != 0 || out != again {
			t.Errorf("%v: exit %d, the same lines again: %v\n%s", args, code, out == again, errs)
			continue
		}
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		var head struct{ Scenarios exportHeader }
		if err := json.Unmarshal([]byte(lines[0]), &head); err != nil {
			t.Fatal(err)
		}
		h := head.Scenarios
		p, err := spec.ParseProfile(h.Contract)
		asked, err2 := spec.ParseProfile(args[1])
		if err != nil || err2 != nil || p != asked || h.Version != 1 || h.Count != len(lines)-1 || h.Count < 50 || h.Size != args[3] {
			t.Errorf("%v: %d lines, and the first is %s", args, len(lines), lines[0])
		}
		seen, names := make(map[string]bool), make(map[string]bool)
		for _, line := range lines[1:] {
			var s record.Scenario
			dec := json.NewDecoder(strings.NewReader(line))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&s); err != nil {
				t.Fatal(err)
			}
			calls, busy := 0, 0
			for _, th := range s.Threads {
				ins, _ := record.ParseScript(th.Script)
				calls += len(ins)
				if len(ins) > 0 {
					busy++
				}
			}
			if err := s.Check(); err != nil || calls > int(args[3][2]-'0') || busy > int(args[3][0]-'0') || names[s.Name] {
				t.Errorf("%v: %v: %s", args, err, line)
			}
			names[s.Name] = true
			s.Name = ""
			text, _ := json.Marshal(s)
			if seen[string(text)] {
				t.Errorf("%v: twice: %s", args, text)
			}
			seen[string(text)] = true
		}
	}
}

// TestExportErrors: what cannot be exported is said, with what was expected.
func TestExportErrors(t *testing.T) {
	for args, want := range map[string]string{
		"":                         "expected -contract",
		"-contract x":              "-contract: ",
		"-contract pool":           "expected a profile of queues",
		"-contract fifo -size 3":   `expected THREADSxCALLS, as 2x3, saw "3"`,
		"-contract fifo -size 1x9": "saw 1x9",
		"-contract gort -size 3x8 -offers runnext,batch,putbatch,drain,global,len,moves": "at most 1000000 scenarios",
		"-contract fifo -capacity 0,2":      "0 alone",
		"-contract fifo -capacity 4,2":      "that ascend",
		"-contract fifo -capacity many":     `saw "many"`,
		"-contract fifo -offers len,resize": `saw "resize"`,
		"-contract fifo -offers len,len":    "-offers",
		"-contract fifo more":               "expected no arguments",
	} {
		if code, out, errs := exported(t, strings.Fields(args)...); code != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%q: expected exit 2 and %q, saw exit %d, %q", args, want, code, errs)
		}
	}
}

package mutants

import (
	"strings"
	"testing"
)

// TestFallen: a mutant is killed by a requirement that the failing tests name, and by no other: not by one that
// passed, not by a search that found nothing in its time, and not by what the test around it says it checks.
func TestFallen(t *testing.T) {
	line := func(action, test, rest string) string {
		return `{"Action":"` + action + `","Package":"p","Test":"` + test + `"` + rest + "}\n"
	}
	says := func(test, text string) string { return line("output", test, `,"Output":"`+text+`\n"`) }
	checks := func(test, id string) string { return line("attr", test, `,"Key":"req","Value":"`+id+`"`) }
	fails := func(test string) string { return line("fail", test, "") }
	passes := func(test string) string { return line("pass", test, "") }
	for name, c := range map[string]struct{ log, named string }{
		"in the text":                      {checks("TestX", "DN-STOP") + says("TestX", "x_test.go:7: DN-P-OWNED: two Ms") + fails("TestX"), "DN-P-OWNED"},
		"by what it checks":                {checks("TestX", "DN-STOP") + says("TestX", "x_test.go:7: 1, not 2") + fails("TestX"), "DN-STOP"},
		"a line of the go command":         {"go: downloading DN-STOP\n" + checks("TestX", "TM-POLL") + fails("TestX"), "TM-POLL"},
		"a test that passes":               {checks("TestY", "DN-STOP") + says("TestY", "RQ-LOST") + passes("TestY") + checks("TestX", "SC-RACE") + fails("TestX"), "SC-RACE"},
		"a test that is skipped":           {says("TestY", "RQ-LOST") + line("skip", "TestY", "") + fails("TestX"), ""},
		"a test that does not end":         {checks("TestX", "DN-QUIET"), "DN-QUIET"},
		"a subtest":                        {checks("TestX", "DN-STOP") + says("TestX/a", "DN-WORK-QUIET: a G waits") + fails("TestX/a") + fails("TestX"), "DN-WORK-QUIET"},
		"a subtest without a word":         {checks("TestX", "DN-STOP") + says("TestX/a/b", "1, not 2") + fails("TestX/a/b") + fails("TestX/a") + fails("TestX"), "DN-STOP"},
		"a search that came to no end":     {checks("TestX", "DN-STOP") + says("TestX/a", "x_test.go:7: interleave: not complete (after 1m0s)") + fails("TestX/a") + fails("TestX"), ""},
		"a test binary that came to none":  {checks("TestX", "DN-STOP") + says("TestX", "panic: test timed out after 2m0s") + fails("TestX"), ""},
		"a race":                           {checks("TestX", "DN-STOP") + says("TestX/a", "data race: x and y") + fails("TestX/a"), "SC-RACE"},
		"a subtest of another test":        {checks("TestX", "DN-STOP") + fails("TestX") + fails("TestXY/a"), "DN-STOP"},
		"a name of a test is no statement": {says("TestX", "=== RUN TestX/RQ-LOST") + fails("TestX"), ""},
	} {
		_, tests := testLog(c.log)
		if named, _ := fallen(tests); strings.Join(named, " ") != c.named {
			t.Errorf("%s: expected %q, saw %q", name, c.named, named)
		}
	}
	text, tests := testLog("go: x\n" + says("TestX", "DN-STOP: y") + fails("TestX"))
	if text != "go: x\nDN-STOP: y\n" {
		t.Errorf("expected the text that go test prints, saw %q", text)
	}
	for want, requirement := range map[Verdict]string{Killed: "DN-STOP", Misnamed: "DN-STOP-LIVE"} {
		out := output{failed: true, tests: tests}
		if v, reason := verdict(&out, requirement); v != want || (reason == "") != (want == Killed) {
			t.Errorf("%s: expected %s, saw %s %s", requirement, want, v, reason)
		}
	}
	if v, _ := verdict(&output{}, ""); v != Survived {
		t.Errorf("expected that tests which pass kill nothing, saw %s", v)
	}
}

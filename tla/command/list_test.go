package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a run would not begin with, or call a difference, is not dropped from a list in silence.
func TestListSaysWhatIsMissing(t *testing.T) {
	const good, other = "runqueue-script-batch", "runqueue-script-drain"
	for _, c := range []struct{ name, old, new, want string }{
		{"a head that cannot be read", "set: gate", "set: always", "cfg/" + other + ".cfg:4: malformed: set: expected one of [gate full night], saw \"always\""},
		{"nothing asked", "INVARIANTS", "VIEW", "malformed: expected INVARIANTS or PROPERTIES, saw none: nothing is asked"},
		{"no head", "\\* ", "", "cfg/" + other + ".cfg: expected a line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := only(t, "SPECIFICATION", "SPECIFICATION", good, other)
			file := filepath.Join(dir, "cfg", other+".cfg")
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(read(t, file), c.old, c.new)), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, args := range []string{"model -list", "tlc -list", "tlc -list -markdown", "tlc -list " + other + " " + good, "model -list " + good + " " + other} {
				words := strings.Fields(args)
				code, out, errs := run(t.Context(), append([]string{words[0], "-dir", dir}, words[1:]...)...)
				if code != 4 || strings.Count(out, good) != 1 || strings.Contains(out, other) || strings.Count(errs, "\n") != 2 || !strings.Contains(errs, "not in the list:\n  ") || !strings.Contains(errs, c.want) {
					t.Errorf("%s: expected %s alone, %q and exit 4, saw %d\n%s%s", args, good, c.want, code, out, errs)
				}
			}
			code, out, errs := run(t.Context(), "model", "-dir", dir, "-list", good)
			if code != 0 || errs != "" || !strings.Contains(out, good) {
				t.Errorf("expected that nothing is missing among those named, saw %d\n%s%s", code, out, errs)
			}
		})
	}
}

package drift

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"go/version"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ErrTable is wrapped by errors about a table of digests that is not whole.
var ErrTable = errors.New("drift: bad table of digests")

//go:embed digests.txt
var embedded []byte

// A table has what is known of each function and declaration.
type table struct {
	modelled  string   // the version that the model was written from
	versions  []string // that were read, sorted
	functions map[string]*function
}

// A function is one in all versions, or a declaration: its statements are then its lines.
type function struct {
	forms  []form         // different ones, the oldest first
	sums   []string       // digests of the modelled version's statements; none if it lacks
	places map[string]int // which statement a place's pattern finds there
}

// A form is a text that some versions have, or "" for versions that lack the function.
type form struct {
	digest   string
	versions []string
}

// modelled returns the digest in the modelled version, "" if it lacks.
func (f *function) modelled() string {
	if len(f.sums) == 0 {
		return ""
	}
	return sumOf(f.sums)
}

// versionsWith returns the versions that have the function in this form, "" for none.
func (f *function) versionsWith(digest string) []string {
	for _, form := range f.forms {
		if form.digest == digest {
			return form.versions
		}
	}
	return nil
}

const absent = "absent"

// text is the table as the file has it: its last line is the sum of those before.
func (t *table) text() []byte {
	var b bytes.Buffer
	b.WriteString("# Digests of functions and declarations of package runtime; SPINDLE_UPDATE=1 go test ./tla/drift -run TestDigests writes them.\n")
	fmt.Fprintf(&b, "modelled %s\nversions %s\n", t.modelled, strings.Join(t.versions, " "))
	for _, name := range slices.Sorted(maps.Keys(t.functions)) {
		f := t.functions[name]
		kind := "function"
		if _, ok := whyOf[name]; ok {
			kind = "declaration"
		}
		fmt.Fprintf(&b, "%s %s\n", kind, name)
		for _, form := range f.forms {
			digest := form.digest
			if digest == "" {
				digest = absent
			}
			fmt.Fprintf(&b, "  form %s %s\n", digest, strings.Join(form.versions, " "))
		}
		for at := 0; at < len(f.sums); at += 12 {
			fmt.Fprintf(&b, "  statements %s\n", strings.Join(f.sums[at:min(at+12, len(f.sums))], " "))
		}
		for _, find := range slices.Sorted(maps.Keys(f.places)) {
			fmt.Fprintf(&b, "  place %d %s\n", f.places[find], find)
		}
	}
	sum := sha256.Sum256(b.Bytes())
	fmt.Fprintf(&b, "sum %s\n", hex.EncodeToString(sum[:]))
	return b.Bytes()
}

// parseTable reads a table, and refuses one that text did not write.
func parseTable(text []byte) (*table, error) {
	t := &table{functions: make(map[string]*function)}
	bad := func(line int, expected, observed string) error {
		return fmt.Errorf("%w: line %d: expected %s, saw %q", ErrTable, line, expected, observed)
	}
	var f *function
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		words := strings.Fields(rest)
		switch {
		case key == "#" || key == "sum":
		case key == "modelled" && len(words) == 1:
			t.modelled = words[0]
		case key == "versions":
			t.versions = words
		case key == "function" && len(words) == 1, key == "declaration" && len(words) == 2:
			f = &function{places: make(map[string]int)}
			t.functions[rest] = f
		case f == nil:
			return nil, bad(n, "a function or declaration", line)
		case key == "form" && len(words) >= 2:
			form := form{words[0], words[1:]}
			if form.digest == absent {
				form.digest = ""
			} else if !digits(form.digest, functionDigits) {
				return nil, bad(n, "a digest", form.digest)
			}
			f.forms = append(f.forms, form)
		case key == "statements":
			for _, w := range words {
				if !digits(w, statementDigits) {
					return nil, bad(n, "digests", w)
				}
			}
			f.sums = append(f.sums, words...)
		case key == "place" && len(words) >= 2:
			at, err := strconv.Atoi(words[0])
			if err != nil {
				return nil, bad(n, "a number", words[0])
			}
			f.places[strings.Join(words[1:], " ")] = at
		default:
			return nil, bad(n, "function, declaration, form, statements or place", line)
		}
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	if !bytes.Equal(t.text(), text) {
		return nil, fmt.Errorf("%w: its sum is not that of its lines: it was edited by hand, or cut off", ErrTable)
	}
	return t, nil
}

func digits(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// check says whether each version has each function and declaration in one form, and whether the
// statements are those of the modelled form.
func (t *table) check() error {
	if !slices.Contains(t.versions, t.modelled) || !slices.IsSortedFunc(t.versions, version.Compare) {
		return fmt.Errorf("%w: expected sorted versions with %q among them, saw %q", ErrTable, t.modelled, t.versions)
	}
	for name, f := range t.functions {
		var seen []string
		for _, form := range f.forms {
			seen = append(seen, form.versions...)
		}
		slices.SortFunc(seen, version.Compare)
		if !slices.Equal(seen, t.versions) {
			return fmt.Errorf("%w: %s: expected a form for each of %q, saw %q", ErrTable, name, t.versions, seen)
		}
		if !slices.Contains(f.versionsWith(f.modelled()), t.modelled) {
			return fmt.Errorf("%w: %s: the statements are not those of %s", ErrTable, name, t.modelled)
		}
		if whyOf[name] != "" && f.modelled() == "" {
			return fmt.Errorf("%w: %s: expected it in %s, saw none", ErrTable, name, t.modelled)
		}
		for find, at := range f.places {
			if at < 0 || at >= len(f.sums) {
				return fmt.Errorf("%w: %s: place %q: expected one of %d statements, saw %d", ErrTable, name, find, len(f.sums), at)
			}
		}
	}
	if expected, saw := everything(), slices.Sorted(maps.Keys(t.functions)); !slices.Equal(expected, saw) {
		return fmt.Errorf("%w: expected %q, saw %q; write it anew with -update", ErrTable, expected, saw)
	}
	return nil
}

// everything is what the table has, sorted.
func everything() []string {
	return slices.Sorted(slices.Values(slices.Concat(Functions(), Declarations())))
}

// reads reports whether some patch of a version's series was read: go1.26 of go1.26.3.
func (t *table) reads(v string) bool {
	return version.IsValid(v) && slices.ContainsFunc(t.versions, func(w string) bool { return version.Lang(w) == version.Lang(v) })
}

// sums returns the table of some toolchains, of which one is the modelled one.
func sums(modelled string, sources []*runtimeSource) (*table, error) {
	t := &table{modelled: modelled, functions: make(map[string]*function)}
	slices.SortFunc(sources, func(a, b *runtimeSource) int { return version.Compare(a.version, b.version) })
	for _, s := range sources {
		t.versions = append(t.versions, s.version)
	}
	for _, name := range everything() {
		f := &function{places: make(map[string]int)}
		t.functions[name] = f
		for _, s := range sources {
			if strays, err := s.strays(declared(name)); err != nil || len(strays) > 0 {
				return nil, fmt.Errorf("drift: %s of %s: expected none in a file that is not in the list, saw %d; add a row to inFiles: %w", name, s.version, len(strays), cmp.Or(err, ErrTable))
			}
			all, err := s.skeleton(name)
			if err != nil {
				return nil, err
			}
			digest := ""
			if all != nil {
				digest = sumOf(digestsOf(all))
			}
			at := slices.IndexFunc(f.forms, func(form form) bool { return form.digest == digest })
			if at < 0 {
				at = len(f.forms)
				f.forms = append(f.forms, form{digest: digest})
			}
			f.forms[at].versions = append(f.forms[at].versions, s.version)
			if s.version != modelled {
				continue
			}
			f.sums = digestsOf(all)
			for _, p := range Places {
				if p.Function != name {
					continue
				}
				if f.places[p.Find], err = locate(all, p.Find); err != nil {
					return nil, fmt.Errorf("drift: %s of %s: %w", name, s.version, err)
				}
			}
		}
	}
	return t, t.check()
}

package mechanisms

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A record is a line that begins one, and the texts of the words that follow, in order.
type record struct {
	line     int
	id, rest string
	words    []string
	texts    map[string]string
}

// records reads records whose first lines begin with what id matches. Of the words that may follow, those of must have to.
func records(text string, id *regexp.Regexp, example string, must, may []string) (list []*record, err error) {
	ids := make(map[string]bool)
	whole := func() error {
		if len(list) == 0 {
			return nil
		}
		r := list[len(list)-1]
		for _, w := range must {
			if r.texts[w] == "" {
				return fmt.Errorf("mechanisms: line %d: %s: expected a line %q, saw none", r.line, r.id, w+" ...")
			}
		}
		return nil
	}
	line := 0
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimSpace(l)
		word, rest, _ := strings.Cut(l, " ")
		switch {
		case l == "" || word == "#":
		case id.MatchString(word):
			if err := whole(); err != nil {
				return nil, err
			}
			if ids[word] {
				return nil, fmt.Errorf("mechanisms: line %d: expected an id that no other has, saw %s", line, word)
			}
			ids[word] = true
			list = append(list, &record{line: line, id: word, rest: rest, texts: make(map[string]string)})
		case len(list) == 0:
			return nil, fmt.Errorf("mechanisms: line %d: expected an id such as %s first, saw %q", line, example, l)
		case !slices.Contains(must, word) && !slices.Contains(may, word):
			return nil, fmt.Errorf("mechanisms: line %d: expected an id such as %s, or one of %s, saw %q", line, example, strings.Join(slices.Concat(must, may), ", "), word)
		case rest == "":
			return nil, fmt.Errorf("mechanisms: line %d: expected a text behind %q, saw none", line, word)
		default:
			r := list[len(list)-1]
			if r.texts[word] == "" {
				r.words = append(r.words, word)
			} else if r.words[len(r.words)-1] != word {
				return nil, fmt.Errorf("mechanisms: line %d: %s: expected the lines of %q together", line, r.id, word)
			} else {
				rest = " " + rest
			}
			r.texts[word] += rest
		}
	}
	return list, whole()
}

var (
	mechanismID = regexp.MustCompile(`^M[0-9]{2}$`)
	statementID = regexp.MustCompile(`^S[0-9]\.[0-9]+$`)
)

func parseMechanisms(text string) (all []Mechanism, err error) {
	list, err := records(text, mechanismID, "M01", []string{"says"}, []string{"alone"})
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		if r.rest == "" {
			return nil, fmt.Errorf("mechanisms: line %d: %s: expected a name, saw none", r.line, r.id)
		}
		all = append(all, Mechanism{ID: r.id, Name: r.rest, Says: r.texts["says"], Alone: r.texts["alone"]})
	}
	return all, nil
}

func parseStatements(text string) (all []Statement, err error) {
	must := []string{"was", "says", "mechanisms", "model", "code", "requirements", "command"}
	list, err := records(text, statementID, "S0.1", must, []string{"because", "right"})
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		s := Statement{ID: r.id, Says: r.texts["says"], Command: r.texts["command"], Because: r.texts["because"], Right: r.texts["right"]}
		for word, list := range map[string]*[]string{"mechanisms": &s.Mechanisms, "model": &s.Model, "code": &s.Code, "requirements": &s.Requirements} {
			if t := r.texts[word]; t != "none" {
				*list = strings.Split(t, ", ")
			}
		}
		if s.Verdict, err = verdict(r, r.rest); err != nil {
			return nil, err
		}
		if s.Was, err = verdict(r, r.texts["was"]); err != nil {
			return nil, err
		}
		if s.Because == "" && s.Verdict != Works && s.Verdict != There {
			return nil, fmt.Errorf("mechanisms: line %d: %s: expected a line \"because ...\" with the verdict %s, saw none", r.line, r.id, s.Verdict)
		}
		if s.Right == "" && s.Verdict == False {
			return nil, fmt.Errorf("mechanisms: line %d: %s: expected a line \"right ...\" with the verdict %s, saw none", r.line, r.id, s.Verdict)
		}
		all = append(all, s)
	}
	return all, nil
}

func verdict(r *record, text string) (Verdict, error) {
	var names []string
	for _, v := range Verdicts {
		if string(v.Verdict) == text {
			return v.Verdict, nil
		}
		names = append(names, string(v.Verdict))
	}
	return "", fmt.Errorf("mechanisms: line %d: %s: expected a verdict of %s, saw %q", r.line, r.id, strings.Join(names, ", "), text)
}

package record

import (
	"fmt"
	"strconv"
	"strings"
)

// In the text form of a scenario what comes again and again is written once: "(pg)256p" is a
// put and a get, 256 times, and a put, and "(0 1)256" an order in which two threads take turns.
// Groups are of up to mostGroup calls, and of leastGrouped calls together at least: what is
// short is written out. Each list has one text.
const (
	mostGroup    = 8
	leastGrouped = 64
	mostGrouped  = 1 << 20 // calls of one list
)

// grouped writes a list with groups, its parts joined by between.
func grouped(parts []string, between string) string {
	var out []string
	for i := 0; i < len(parts); {
		length, times := 1, 1
		for n := 1; n <= mostGroup && i+n <= len(parts); n++ {
			k := 1
			for at := i + n; at+n <= len(parts) && same(parts[i:i+n], parts[at:at+n]); at += n {
				k++
			}
			if n*k > length*times {
				length, times = n, k
			}
		}
		if length*times < leastGrouped || times == 1 {
			out = append(out, parts[i])
			i++
			continue
		}
		out = append(out, "("+strings.Join(parts[i:i+length], between)+")"+strconv.Itoa(times))
		i += length * times
	}
	return strings.Join(out, between)
}

func same(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// ungrouped writes a list with groups out, its parts joined by between.
func ungrouped(text, between string) (string, error) {
	if !strings.Contains(text, "(") {
		return text, nil
	}
	var out []string
	add := func(s string) {
		if s = strings.Trim(s, " "); s != "" {
			out = append(out, s)
		}
	}
	size := 0
	for rest := text; rest != ""; {
		before, group, ok := strings.Cut(rest, "(")
		if add(before); !ok {
			break
		}
		inner, after, closed := strings.Cut(group, ")")
		digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if size += n * len(inner); !closed || inner == "" || err != nil || n > mostGrouped || size > 8*mostGrouped {
			return "", fmt.Errorf("expected (CALLS)TIMES, of at most %d calls, saw %.40q", mostGrouped, "("+group)
		}
		for range n {
			add(inner)
		}
		rest = after[len(digits):]
	}
	return strings.Join(out, between), nil
}

// groupedScript is a script in its text form.
func groupedScript(script string) string {
	ins, err := ParseScript(script)
	if err != nil || len(ins) < leastGrouped {
		return script
	}
	parts := make([]string, len(ins))
	for i, in := range ins {
		parts[i] = in.String()
	}
	if strings.Join(parts, "") != script {
		return script // it has blanks
	}
	return grouped(parts, "")
}

// groupedOrder is an order in its text form.
func groupedOrder(order []int) string {
	parts := make([]string, len(order))
	for i, n := range order {
		parts[i] = strconv.Itoa(n)
	}
	return grouped(parts, " ")
}

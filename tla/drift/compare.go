package drift

import (
	"fmt"
	"sync"
)

var known = sync.OnceValues(func() (*table, error) { return parseTable(embedded) })

// Modelled is the version of Go that the model was written from: "go1.26.8". It panics
// if the embedded table is not whole, which the package's tests rule out.
func Modelled() string {
	t, err := known()
	if err != nil {
		panic(err)
	}
	return t.modelled
}

// Differing returns those of the named functions that are not in the GOROOT as they were
// modelled, in the order of the names; none if all are. A function is named as in
// [Functions]; a method may be named without its type. It knows no versions: what counts
// is the text.
//
// Errors wrap [ErrSource] or [ErrTable], or name a function that is not in the list.
func Differing(goroot string, functions ...string) ([]string, error) {
	t, err := known()
	if err != nil {
		return nil, err
	}
	s, err := read(goroot)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range functions {
		f, ok := full(name)
		if !ok {
			return nil, fmt.Errorf("drift: expected a function of the list, saw %q", name)
		}
		all, err := s.skeleton(f)
		if err != nil {
			return nil, err
		}
		now := ""
		if all != nil {
			now = sumOf(digestsOf(all))
		}
		if now != t.functions[f].modelled() {
			list = append(list, name)
		}
	}
	return list, nil
}

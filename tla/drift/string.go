package drift

import "fmt"

// String says in one line whether anything differs.
func (r *Report) String() string {
	switch {
	case !r.Read && len(r.Differ) == 0:
		return fmt.Sprintf("not compared with this version: nobody has read %s for the model; its text is that of %s in all %d functions", r.Version, r.Modelled, r.Functions)
	case !r.Read:
		return fmt.Sprintf("not compared with this version: nobody has read %s for the model; its text differs from that of %s in %d of %d functions", r.Version, r.Modelled, len(r.Differ), r.Functions)
	case len(r.Differ) == 0:
		return fmt.Sprintf("the source: %s is as it was modelled, in all %d functions (%s)", r.Version, r.Functions, r.Modelled)
	}
	return fmt.Sprintf("the source: %s differs from %s, which was modelled, in %d of %d functions", r.Version, r.Modelled, len(r.Differ), r.Functions)
}

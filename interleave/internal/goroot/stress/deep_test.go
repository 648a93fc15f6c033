package stress

// deep calls f with n frames more on the stack, which hold pointers to each other.
//
//go:noinline
func deep(n int, f func()) int {
	return deeper(n, nil, f)
}

type frame struct {
	up  *frame
	n   int
	pad [8]int
}

//go:noinline
func deeper(n int, up *frame, f func()) int {
	here := frame{up: up, n: n}
	here.pad[n%8] = n
	if n == 0 {
		f()
		for at := up; at != nil; at = at.up { // the stack has moved, perhaps, and what points into it with it
			if at.n--; at.up != nil && at.up.n != at.n+2 || at.pad[(at.n+1)%8] != at.n+1 {
				panic("a frame is not what it was")
			}
		}
		return 0
	}
	return deeper(n-1, &here, f) + here.n
}

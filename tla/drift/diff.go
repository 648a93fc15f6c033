package drift

// A hunk is where two lists of digests part: old[oldFrom:oldTo] stands where
// now[nowFrom:nowTo] is now.
type hunk struct{ oldFrom, oldTo, nowFrom, nowTo int }

// diff returns the hunks between two lists, by a longest common subsequence. The lists
// are the statements of one function, a few hundred.
func diff(old, now []string) []hunk {
	// length[i][j] is that of the longest one of old[i:] and now[j:].
	length := make([][]int, len(old)+1)
	for i := range length {
		length[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var hunks []hunk
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		if i < len(old) && j < len(now) && old[i] == now[j] {
			i, j = i+1, j+1
			continue
		}
		h := hunk{i, i, j, j}
		for (i < len(old) || j < len(now)) && !(i < len(old) && j < len(now) && old[i] == now[j]) {
			if j == len(now) || i < len(old) && length[i+1][j] >= length[i][j+1] {
				i++
			} else {
				j++
			}
		}
		h.oldTo, h.nowTo = i, j
		hunks = append(hunks, h)
	}
	return hunks
}

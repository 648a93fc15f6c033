//go:build !race

package drive

// raceDetector says that this process looks for data races.
const raceDetector = false

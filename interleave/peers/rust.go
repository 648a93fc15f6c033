package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// The Rust side travels with the command, which so needs no checkout and builds
// nothing inside of one.
//
//go:embed rust/Cargo.toml rust/Cargo.lock rust/src/*.rs
var sources embed.FS

// buildRust builds it in the user's cache directory, where the next run finds
// it again.
func buildRust(ctx context.Context, jobs int) (process, error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return process{}, errors.New("there is no cargo on the path: install Rust to have loom and shuttle in the table")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return process{}, err
	}
	dir := filepath.Join(cache, "spindle", "peers")
	if err := writeSources(dir); err != nil {
		return process{}, err
	}
	target := filepath.Join(dir, "target")
	cmd := exec.CommandContext(ctx, cargo, "build", "--release", "--locked", "--quiet", "--jobs", strconv.Itoa(jobs))
	cmd.Dir = filepath.Join(dir, "rust")
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+target)
	if out, err := cmd.CombinedOutput(); err != nil {
		return process{}, fmt.Errorf("cargo build in %s: %w\n%s", cmd.Dir, err, out)
	}
	return process{filepath.Join(target, "release", "peer"), rustArgs}, nil
}

// writeSources writes those that are not there already: cargo goes by the times
// of files.
func writeSources(dir string) error {
	return fs.WalkDir(sources, "rust", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		want, err := sources.ReadFile(name)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(to); err == nil && bytes.Equal(got, want) {
			return nil
		}
		return os.WriteFile(to, want, 0o666)
	})
}

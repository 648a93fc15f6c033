//go:build !linux

package cputime

func threads() map[int]thread { return nil }

//go:build spindle_overlay && !linux

package main

func noise(int) {}

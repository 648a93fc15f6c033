//go:build !race

package main

import "log"

func main() { log.Fatal("detect must be built with -race") }

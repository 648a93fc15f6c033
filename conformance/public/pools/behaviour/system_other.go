//go:build !linux

package main

import (
	"errors"
	"os"
	"time"
)

// The rows that need what follows say that they need Linux.

const isLinux = false

func threads() int                             { return 0 }
func trimThreads()                             {}
func gettid() int                              { return 0 }
func getppid()                                 {}
func nanosleep(time.Duration)                  {}
func usage() (time.Duration, int64)            { return 0, 0 }
func mostFiles() int                           { return 0 }
func blockingPipe() (r, w *os.File, err error) { return nil, nil, errors.New("needs Linux") }
func writeByte(*os.File)                       {}
func readable(uintptr) bool                    { return true }
func processor() string                        { return "" }

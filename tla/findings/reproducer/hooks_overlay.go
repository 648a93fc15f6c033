//go:build unix && spindle_overlay

package main

import (
	"runtime"
	"time"
)

// gateLimit is how long a gate waits: on a busy machine an M may need a while to
// get a core.
const gateLimit = 30 * time.Millisecond

func mend(on bool)                                 { runtime.SpindleMend(on, int64(gateLimit)) }
func mark()                                        { runtime.SpindleMark() }
func stage() uint32                                { return runtime.SpindleStage() }
func setStage(n uint32)                            { runtime.SpindleSetStage(n) }
func counts() (idle, spinning int32, polling bool) { return runtime.SpindleCounts() }
func here() int32                                  { return runtime.SpindleP() }
func tick() uint32                                 { return runtime.SpindleTick() }
func hold(i int, until uint32)                     { runtime.SpindleHold(i, until) }
func forEachP()                                    { runtime.SpindleForEachP() }

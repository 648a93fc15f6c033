//go:build unix && !spindle_overlay

package main

// The unmodified runtime has no gates, and its counters cannot be seen.

func mend(bool)                                    {}
func mark()                                        {}
func stage() uint32                                { return 0 }
func setStage(uint32)                              {}
func counts() (idle, spinning int32, polling bool) { return 0, 0, false }
func here() int32                                  { return 0 }
func tick() uint32                                 { return 0 }
func hold(int, uint32)                             {}
func forEachP()                                    {}

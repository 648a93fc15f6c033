//go:build !linux

package sched

// newNetpoll: Gs wait in the poller of the Go runtime.
func (realTime) newNetpoll() (netpoll, error) { return nil, nil }

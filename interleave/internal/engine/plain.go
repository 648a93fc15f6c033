package engine

import "unsafe"

// plainState is the happens-before check of plain accesses.
type plainState struct{}

func (p *plainState) reset()                                         {}
func (p *plainState) start(t *thread, parent int)                    {}
func (p *plainState) operation(s *scheduler, t *thread, ev *event)   {}
func plain(addr unsafe.Pointer, size uintptr, site Site, write bool) {}

//interleave:on

// Package structures has concurrent structures of many designs, each right, and
// each wrong in the ways that the literature knows. It is ordinary Go on sync and
// sync/atomic and knows nothing of interleave; its tests explore it.
//
// The right ones show that there is no false alarm, the wrong ones that there is
// no false silence.
package structures

// A Flaw is a known way to build a structure wrong. Each structure names its own.
type Flaw string

// Sound is no flaw.
const Sound Flaw = ""

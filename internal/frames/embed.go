package frames

import "embed"

// Source is this package's own source, for the programs that the suite
// generates and builds away from its checkout.
//
//go:embed *.go
var Source embed.FS

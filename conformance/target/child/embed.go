package child

import "embed"

// Source is the serving half of this package, for the programs that the suite
// generates and builds away from its checkout.
//
//go:embed protocol.go serve.go
var Source embed.FS

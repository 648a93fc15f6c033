package hunt

// For tests, which must be instrumented where this package is not.
var (
	OfQueues     = ofQueues
	OfSchedulers = ofSchedulers
)

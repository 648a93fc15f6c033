package hunt

// OfQueues is for tests, which must be instrumented where this package is not.
var OfQueues = ofQueues

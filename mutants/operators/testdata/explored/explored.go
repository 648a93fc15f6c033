// Package explored is for its test, which explores queues that may have mutants.
package explored

// Package lint holds the tests of what must be true of the repository as a
// whole: which package imports which, that docs/architecture.svg shows it, that
// every line of impl on shared memory names its action, and that requirements
// and checks have no orphans.
package lint

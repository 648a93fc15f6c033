// Package drift notices where the Go runtime at hand is not the one that the model in
// TLA+ was written from.
//
// Four tables belong together. [Functions] are the functions of package runtime that
// the model is about. [Declarations] are the constants, types, variables, fields and
// build constraints that it rests on. [Places] say which statement of which function an
// action of the modules Sched and RunQueue stands for, in words, with a pattern that
// finds it in the syntax tree. The file digests.txt has, for each version that was read,
// a digest of each function and declaration, and for the modelled one a digest of each of
// its statements. It holds digests alone, no source.
//
// Comments, formatting and parentheses do not count. What a function calls counts only
// if that is in the list, too: atomics, locks, notes and the parts that are written for
// one operating system (netpoll, netpollBreak, newosproc) are taken to be what they say.
// All files of the package but tests are read: a function or declaration that one of them
// has again, under whatever build constraint, is a difference. Where a version has several
// bodies, each is compared, whichever of them is built.
//
// Of the directives, build constraints count, and go:linkname where it gives a function or
// variable a symbol. Not compared are those that do not say what a function does
// (go:nosplit, go:systemstack, go:nowritebarrier, go:noinline ...), go:linkname without a
// symbol or for what is not in the lists, and bodies in assembly.
package drift

//go:generate env SPINDLE_UPDATE=1 go test -run TestDigests

package tla

// Mutants is the table of known-bad variants.
var Mutants = []Mutant{}

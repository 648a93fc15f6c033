package mutants

var instrumenter []Judge

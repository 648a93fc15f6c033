package mutants

var dropIn []Judge

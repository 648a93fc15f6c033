package mutants

// argued are mutants by operator that nobody can tell from the code as it was, by its contract, and why. The search must not
// kill them: if it does, the reason is wrong.
var argued = map[string]string{}

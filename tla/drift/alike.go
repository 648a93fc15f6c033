package drift

import (
	"go/version"
	"slices"
	"strings"
)

// alike are functions that a version which was read has in another text than the modelled one, and that
// mean the same to the model: each action takes the steps that it took, in their order. What is said
// of the modelled version is said of such a version, too.
var alike = []struct{ version, functions, why string }{
	{"go1.27.3", "mPark reentersyscall", "with the experiment runtimesecret an M first erases its own signal stack, if a signal came while it ran a secret; " +
		"in 1.26 the collector sent such an M a signal, and did not wait for it. The signal stack is the M's own, and it is erased before anything that an action stands for"},
	{"go1.27.3", "timer.modify", "the setting asynctimerchan is gone: a timer of a channel is always one that takes its channel's lock, and none is run while it is changed. " +
		"The model's timers have no channels, and who is woken for an earlier time is as before"},
}

// sameAs returns why a form of a function, other than the modelled one, means the same to the model; ""
// if it does not, or was read in another series alone.
func (t *table) sameAs(v, name, digest string) string {
	for _, a := range alike {
		if slices.Contains(strings.Fields(a.functions), name) && version.Lang(a.version) == version.Lang(v) &&
			slices.Contains(t.functions[name].versionsWith(digest), a.version) {
			return a.why
		}
	}
	return ""
}

// Said are the versions that were read of which is said what is said of the modelled one: they have its
// text, or what means the same.
func Said() []string {
	t, err := known()
	if err != nil {
		panic(err)
	}
	return slices.DeleteFunc(slices.Clone(t.versions), func(v string) bool {
		for name, f := range t.functions {
			at := slices.IndexFunc(f.forms, func(form form) bool { return slices.Contains(form.versions, v) })
			if now := f.forms[at].digest; now != f.modelled() && t.sameAs(v, name, now) == "" {
				return true
			}
		}
		return false
	})
}

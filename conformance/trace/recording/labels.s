// The functions of recording.go have no body: they are those of the runtime.

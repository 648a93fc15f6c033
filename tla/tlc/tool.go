package tlc

import "context"

// A Tool is a Java and a jar that fit together.
type Tool struct {
	Java, Jar string // paths
	Version   string // of TLC, such as "2.18 of 20 March 2023"
}

// Find finds Java and the jar. It may fetch the jar, once, and tells log so; log
// may be nil. Its errors wrap ErrNoJava, ErrOldJava, ErrNoJar or ErrBadJar.
func Find(ctx context.Context, log func(string)) (*Tool, error) {
	if log == nil {
		log = func(string) {}
	}
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	jar, err := findJar(ctx, log)
	if err != nil {
		return nil, err
	}
	v, err := version(ctx, java, jar)
	if err != nil {
		return nil, err
	}
	return &Tool{Java: java, Jar: jar, Version: v}, nil
}

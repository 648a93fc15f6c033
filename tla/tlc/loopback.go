package tlc

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// TLC's server and its workers call each other as remote objects. Those listen at all
// addresses of the machine, at the server's port and at ports that Java picks, and
// nothing asks who comes; java.rmi.server.hostname is only what they say of
// themselves. A factory of sockets binds them to the loopback. It is one class,
// which Java compiles as it runs it, if it can compile at all.

//go:embed Loopback.java
var loopbackSource []byte

const loopbackFile = "Loopback.java"

// loopbackHost is where the server is as long as it does not listen everywhere.
const loopbackHost = "127.0.0.1"

// IsLoopback reports whether a host's name or address is this machine's loopback.
func IsLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// LacksCompiler returns an error that wraps ErrNoCompiler unless t's Java can have
// remote objects listen on the loopback alone.
func (t *Tool) LacksCompiler(ctx context.Context) error {
	out, err := ask(ctx, askLimit, "", t.Java, "--list-modules")
	if err != nil {
		return fmt.Errorf("%w: %s --list-modules: %w: %s", ErrNoCompiler, t.Java, err, firstLine(out))
	}
	if !strings.Contains(out, "jdk.compiler") {
		return fmt.Errorf("%w: expected the module jdk.compiler in %s, with which TLC's server and workers are bound to the loopback; saw none", ErrNoCompiler, t.Java)
	}
	return nil
}

// bound returns the arguments that run a class in dir so that it listens where s says.
func (t *Tool) bound(ctx context.Context, s Server, dir string, args ...string) ([]string, error) {
	if s.ListenAll {
		return args, nil
	}
	if err := t.LacksCompiler(ctx); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, loopbackFile)
	return append([]string{file}, args...), os.WriteFile(file, loopbackSource, 0o666)
}

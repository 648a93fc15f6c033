package tlc

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// DefaultPort is the port at which TLC's server listens.
const DefaultPort = 10997

// The numbers of the server's messages.
const (
	msgServerReady      = 7000
	msgWorkerRegistered = 7001
	msgWorkerGone       = 7002
	msgWorkerLost       = 7006
)

// A Server is where TLC's server is to be found by its workers.
type Server struct {
	Port int // 0 is DefaultPort
	// ListenAll has the server listen at all addresses of the machine: nothing asks
	// who comes. Else it and its workers listen on the loopback alone.
	ListenAll bool
	Host      string // with ListenAll: its name or address, as the workers see it
}

func (s Server) host() string {
	if !s.ListenAll || s.Host == "" {
		return loopbackHost
	}
	return s.Host
}

func (s Server) port() int {
	if s.Port == 0 {
		return DefaultPort
	}
	return s.Port
}

// options are those of a process that others reach under the name host.
func (s Server) options(host string) []string {
	return []string{"-Djava.rmi.server.hostname=" + host, "-Dtlc2.tool.distributed.TLCServer.port=" + strconv.Itoa(s.port())}
}

// Where says at which addresses the server listens.
func (s Server) Where() string {
	if s.ListenAll {
		return fmt.Sprintf("at all addresses of this machine, port %d and another that Java picks; any client is accepted", s.port())
	}
	return fmt.Sprintf("on the loopback alone, %s port %d and another that Java picks", loopbackHost, s.port())
}

// WorkerCommand returns the command that starts a worker of s. On another machine it
// needs the jar but no modules: the server hands them out. A worker there listens at
// all addresses, and says by which one the server reaches it.
func (t *Tool) WorkerCommand(s Server, jar string, threads int) string {
	if !s.ListenAll {
		return fmt.Sprintf("spindle tlc -worker -port %d -workers %d", s.port(), threads)
	}
	own := "ADDRESS-OF-THE-WORKER"
	if IsLoopback(s.host()) {
		own = loopbackHost
	}
	return fmt.Sprintf("java -XX:+UseParallelGC %s -Dtlc2.tool.distributed.TLCWorker.threadCount=%d -cp %s tlc2.tool.distributed.TLCWorker %s",
		strings.Join(s.options(own), " "), threads, jar, s.host())
}

// Serve runs TLC's server until the workers have explored all states. It tells
// log when it is ready and when workers come and go. The server checks no
// temporal properties, so a configuration that has some is refused. Its count of
// states generated includes what workers sent twice; its depth is not exact. Of a
// violation it shows the last step, and not which invariant it is: Candidates are
// those of the configuration.
func (t *Tool) Serve(ctx context.Context, job Job, s Server, log func(string)) (*Result, error) {
	cfg, err := ParseConfig(job.Config)
	if err == nil && len(cfg.Properties) > 0 {
		err = fmt.Errorf("TLC's server checks no PROPERTY, and %v are asked for", cfg.Properties)
	}
	if err != nil {
		return nil, &Failure{Class: ErrConfig, Module: job.Module, Lines: []string{err.Error()}}
	}
	dir, err := workDir(job)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c := newCollector(cfg, job.Progress)
	c.emit = func(m message) {
		switch m.code {
		case msgServerReady:
			log("the server is ready")
		case msgWorkerRegistered:
			log("a worker has come")
		case msgWorkerGone, msgWorkerLost:
			log("a worker has gone")
		}
		c.message(m)
	}
	args, err := t.bound(ctx, s, dir, "tlc2.tool.distributed.TLCServer", "-tool", "-metadir", dir+"/meta", "-fp", "0", "-checkpoint", "0")
	switch {
	case ctx.Err() != nil:
		c.result.Outcome = Interrupted
		return c.result, nil
	case err != nil:
		return nil, err
	}
	if !job.Deadlock {
		args = append(args, "-deadlock")
	}
	stderr, ended, err := t.within(ctx, dir, job, append(args, job.Module), s.options(s.host()), c)
	if !ended {
		return c.result, nil
	}
	c.close()
	if r := c.result; err == nil && c.codes[msgBehavior] && !c.codes[msgSuccess] {
		r.Outcome, r.Detail = Violated, "An invariant is violated"
		if r.Candidates = cfg.Invariants; len(r.Candidates) == 1 {
			r.Property = r.Candidates[0]
		}
		return r, nil
	}
	return c.conclude(job, err, stderr)
}

var computed = regexp.MustCompile(`Computed: (\d+)`)

// Work runs one worker of the server, on the server's machine, until the server is
// done, and returns how many states it generated.
func (t *Tool) Work(ctx context.Context, s Server, threads, heapMB int) (int64, error) {
	dir, err := os.MkdirTemp("", "spindle-tlc-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.Mkdir(dir+"/tmp", 0o777); err != nil {
		return 0, err
	}
	args, err := t.bound(ctx, s, dir, "tlc2.tool.distributed.TLCWorker", s.host())
	if err != nil {
		return 0, err
	}
	out := &tail{}
	options := append(s.options(s.host()), "-Dtlc2.tool.distributed.TLCWorker.threadCount="+strconv.Itoa(threads))
	stderr, err := t.exec(ctx, dir, args, heapMB, options, out)
	if err != nil {
		return 0, fmt.Errorf("%w: a worker: %w: %s", ErrTLC, err, firstLine(stderr))
	}
	sum := int64(0)
	all := computed.FindAllStringSubmatch(out.String(), -1) // a line of each thread
	for _, f := range all {
		sum += number(f[1])
	}
	if len(all) != threads {
		return 0, fmt.Errorf("%w: a worker: expected how much each of %d threads computed, saw %q", ErrTLC, threads, firstLine(out.String()))
	}
	return sum, nil
}

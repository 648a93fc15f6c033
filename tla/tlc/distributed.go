package tlc

import (
	"bytes"
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
	Host string // its name or address, as the workers see it; "" is 127.0.0.1
	Port int    // 0 is DefaultPort
}

func (s Server) options() []string {
	host, port := s.Host, s.Port
	if host == "" {
		host = "127.0.0.1"
	}
	if port == 0 {
		port = DefaultPort
	}
	return []string{"-Djava.rmi.server.hostname=" + host, "-Dtlc2.tool.distributed.TLCServer.port=" + strconv.Itoa(port)}
}

// WorkerCommand returns the command that starts a worker of s on another
// machine, which needs the jar but no modules: the server hands them out. A
// worker says by which address the server reaches it.
func (t *Tool) WorkerCommand(s Server, jar string, threads int) string {
	host := s.Host
	if host == "" {
		host = "127.0.0.1"
	}
	o := s.options()
	o[0] = "-Djava.rmi.server.hostname=ADDRESS-OF-THE-WORKER"
	if host == "127.0.0.1" {
		o[0] = "-Djava.rmi.server.hostname=127.0.0.1"
	}
	return fmt.Sprintf("java -XX:+UseParallelGC %s -Dtlc2.tool.distributed.TLCWorker.threadCount=%d -cp %s tlc2.tool.distributed.TLCWorker %s",
		strings.Join(o, " "), threads, jar, host)
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
	args := []string{"tlc2.tool.distributed.TLCServer", "-tool", "-metadir", dir + "/meta", "-fp", "0", "-checkpoint", "0"}
	if !job.Deadlock {
		args = append(args, "-deadlock")
	}
	stderr, ended, err := t.within(ctx, dir, job, append(args, job.Module), s.options(), c)
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

// Work runs one worker of the server until the server is done, and returns how
// many states it generated.
func (t *Tool) Work(ctx context.Context, s Server, threads, heapMB int) (int64, error) {
	dir, err := os.MkdirTemp("", "spindle-tlc-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.Mkdir(dir+"/tmp", 0o777); err != nil {
		return 0, err
	}
	host := s.Host
	if host == "" {
		host = "127.0.0.1"
	}
	var out bytes.Buffer
	options := append(s.options(), "-Dtlc2.tool.distributed.TLCWorker.threadCount="+strconv.Itoa(threads))
	stderr, err := t.exec(ctx, dir, []string{"tlc2.tool.distributed.TLCWorker", host}, heapMB, options, &out)
	if err != nil {
		return 0, fmt.Errorf("%w: a worker: %w: %s", ErrTLC, err, firstLine(stderr))
	}
	f := computed.FindStringSubmatch(out.String())
	if f == nil {
		return 0, fmt.Errorf("%w: a worker: expected how much it computed, saw %q", ErrTLC, firstLine(out.String()))
	}
	return number(f[1]), nil
}

"""The driver of schedulers in Python: it runs task graphs, and keeps the log of what happens.

    python3 driver.py NAME              the child: questions on standard input, answers on standard output
    python3 driver.py MODULE:CLASS      the same, of an adapter that is not listed here
    python3 driver.py --list            the names of the adapters, and of those that cannot run here, and why

conformance/target/child/SCHEDULERS.md is the page of the protocol. An adapter is a class:

    name, version, contract             of the hello; workers and housekeeping where there is something to say
    __init__(workers)                   makes a fresh scheduler
    submit(task)                        has it run task(), or raises an exception: the submission is refused
    close()                             closes it
    offers = ("spawn", "park", …)       the capabilities, each with its methods: see Run.step

Under the contract tasks=cooperative, task() is a coroutine, and what tasks wait for is awaited: methods that a task calls, but submit, spawn and
fork, are coroutines then. All others are plain functions.
"""

import collections
import functools
import importlib
import json
import os
import queue
import re
import sys
import threading
import time

# Names of adapters, and where their classes are.
ADAPTERS = {
    "futures": "futures:Futures",
    "asyncio": "asyncio_:TaskGroup",
    "anyio": "anyio_:Portal",
    "anyio-threads": "anyio_:Threads",
    "right": "wrong:Right",
    "wrong-wake": "wrong:Wake",
    "wrong-close": "wrong:Close",
    "wrong-twice": "wrong:Twice",
    "wrong-spin": "wrong:Spin",
    "wrong-leave": "wrong:Leave",
}

DRIVER = -1 << 30  # in the place of a thread or a task: closes where no script does
NO_NEED = "the event had happened, so that it did not park"
NOT_ASKED = "refused: it is not asked, since Close has returned"
BOTH, THREADS, TASKS = "sawmjzr", "vc", "pbylhkfnx"  # the steps, by who does them
EVENTS = "awmpblhk"  # those with the number of an event
SUBMITS = "sfjn"  # those with the number of a task
NEEDS = {"p": "park", "b": "block", "y": "yield", "l": "yield", "k": "sleep", "f": "join", "n": "join", "r": "resize", "v": "wait"}


class OnPurpose(Exception):
    """What tasks raise by the step x."""


class Bad(Exception):
    """What is wrong with a question."""


class Gate:
    """Opens once, and stays open."""

    __slots__ = ("lock", "opened", "waiting")

    def __init__(self):
        self.lock, self.opened, self.waiting = threading.Lock(), False, []

    def open(self):
        with self.lock:
            self.opened, waiting, self.waiting = True, self.waiting, []
        for go_on in waiting:
            go_on()

    def when_open(self, go_on):
        """Has go_on() called when the gate opens. False: it is open, and nothing is called."""
        with self.lock:
            if not self.opened:
                self.waiting.append(go_on)
            return not self.opened

    def wait(self):
        """Keeps the thread until the gate is open."""
        if not self.opened:
            mine = threading.Lock()
            mine.acquire()
            if self.when_open(mine.release):
                mine.acquire()


def plain(coroutine):
    """Runs a coroutine that does not leave its thread to the end."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("a step has left its thread, and the contract does not say tasks=cooperative")


class Run:
    """A graph on a fresh scheduler."""

    def __init__(self, adapter, graph, answer):
        self.adapter, self.answer, self.workers, self.last = adapter, answer, graph["workers"], graph.get("last", False)
        self.most, self.full, self.answered = graph.get("most", sys.maxsize), False, False  # most events in the log
        self.offers = getattr(adapter, "offers", ())
        self.cooperative = adapter.contract.get("tasks") == "cooperative"
        self.threads = [self.steps(script, BOTH + THREADS) for script in graph["outside"]]
        self.tasks = [self.steps(script, BOTH + TASKS) for script in graph["tasks"]]
        steps = [step for script in self.threads + self.tasks for step in script]
        if not self.threads or any(op in SUBMITS and n >= len(self.tasks) for op, n, _ in steps):
            raise Bad("a graph has a thread outside, and no step names a task that is not there")
        self.events = {n: Gate() for op, n, _ in steps if op in EVENTS}
        self.missing = collections.Counter(n for op, n, _ in steps if op == "m")  # at meetings
        self.ends = [Gate() for _ in self.tasks]
        self.forked = {}
        self.turns = [0] * len(self.tasks)
        self.closes = ("c", 0, "c") in steps

        self.lock = threading.Lock()  # of all that follows; the order of the log is the order in which it was held
        self.log, self.begin = [], time.monotonic_ns()
        self.unfinished = len(self.threads)  # and tasks that were submitted, and have neither ended nor been refused
        self.over = Gate()  # there are none left
        self.to_close = Gate()  # the same, or released
        self.was_submitted = [False] * len(self.tasks)
        self.has_ended = [False] * len(self.tasks)
        self.there, self.closed, self.released, self.error = 0, False, False, None
        self.made = Gate()
        self.pool = None

    def steps(self, script, allowed):
        """Reads a script: a list of (letter, number, text)."""
        steps = [(op, int(n or 0), op + n) for op, n in re.findall(r"(\S)([0-9]*)", script)]
        for op, n, text in steps:
            need = "sleep" if op == "z" and "x" in allowed else NEEDS.get(op)
            if op not in allowed or (text == op) != (op in "yvcx") or n > 10**9:
                raise Bad(f"{text!r} is no step here")
            if need and need not in self.offers:
                raise Bad(f"{text!r} needs {need}, which is not offered")
        return steps

    def note(self, what, who, step="", *text):
        with self.lock:
            self.full = len(self.log) >= self.most
            if not self.full:
                return self.log.append((what, who, step, time.monotonic_ns() - self.begin, *text))
        self.answers()

    def answers(self):
        """Answers, once: the run is over, or the log is full."""
        with self.lock:
            first, self.answered = not self.answered, True
        if first:
            self.answer(self)

    def thread(self, i):
        """Does what thread i outside does. The first one makes the scheduler, and has the last word."""
        if i == 0:
            try:
                self.pool = self.adapter(self.workers)
            except Exception as e:
                self.error = f"{type(e).__name__}: {e}"
            self.made.open()
        self.made.wait()
        if self.error is None:
            self.assembles()
            for step in self.threads[i]:
                plain(self.step(step, ~i))
            self.note("ends", ~i)
            self.finished()
        if i == 0:
            if self.error is None:
                self.to_close.wait()
                if not self.closes:
                    self.close(DRIVER)
                self.over.wait()
            self.answers()

    def assembles(self):
        """Waits until all threads are there, as far as none is late."""
        with self.lock:
            self.there += 1
        for _ in range(1000):
            if self.there == len(self.threads):
                return
            time.sleep(0)

    def finished(self):
        with self.lock:
            self.unfinished -= 1
            over = self.unfinished == 0
        if over:
            self.over.open()
            self.to_close.open()

    def submitted(self, k):
        """Task k is submitted. It counts once, though the task that submits it may run twice."""
        with self.lock:
            self.unfinished += not self.was_submitted[k]
            self.was_submitted[k] = True

    def ended(self, k):
        """Task k has ended, or was refused. One that runs twice ends once here."""
        with self.lock:
            first, self.has_ended[k] = not self.has_ended[k], True
        self.ends[k].open()
        if first:
            self.finished()

    async def task(self, k):
        self.note("begins", k)
        try:
            for step in self.tasks[k]:
                await self.step(step, k)
        finally:
            self.note("ends", k)
            self.ended(k)

    async def step(self, step, who):
        """Does a step of a thread, or of a task."""
        op, n, text = step
        if op == "a":
            self.events[n].open()
            return self.note("did", who, text)
        if op == "x":
            raise OnPurpose("a task of the suite raises this on purpose, as the contract allows: panics=isolated")
        if op == "c":
            return self.close(who)
        if op in "sf":
            return self.submit(step, who)
        self.note("does", who, text)
        said, pool = (), self.pool
        if op in "wmj":
            if op == "m":
                self.arrives(n)
            gate = self.ends[n] if op == "j" else self.events[n]
            if who >= 0 and self.cooperative:
                await pool.park(gate)
            else:
                gate.wait()
        elif op == "p":
            if not await self.done(pool.park(self.events[n])):
                said = (NO_NEED,)
        elif op == "b":
            await self.done(pool.block(self.events[n].wait))
        elif op == "y":
            await self.done(pool.yields())
        elif op in "lhk":
            event = self.events[n]
            while not event.opened and not self.released:
                self.turns[who] += 1
                if op == "l":
                    await self.done(pool.yields())
                elif op == "k":
                    await self.done(pool.sleep(0.02))
        elif op == "z":
            if who < 0:
                time.sleep(n / 1e6)
            else:
                await self.done(pool.sleep(n / 1e6))
        elif op == "n":
            if n in self.forked:  # else it was refused
                await self.done(pool.join(self.forked[n]))
        elif op == "r":
            said = self.refusal(pool.resize, n)
        elif op == "v":
            said = self.refusal(pool.wait, before="")
        self.note("did", who, text, *said)

    async def done(self, value):
        """Awaits what a method of the adapter is about to do, where it is a coroutine."""
        return await value if self.cooperative else value

    def submit(self, step, who):
        op, k, text = step
        self.submitted(k)
        self.note("does", who, text)
        ask = self.pool.submit
        if op == "f":
            ask = functools.partial(self.forks, k)
        elif who >= 0 and "spawn" in self.offers:
            ask = self.pool.spawn
        task = (lambda: self.task(k)) if self.cooperative else (lambda: plain(self.task(k)))
        said = (NOT_ASKED,) if self.last and self.closed else self.refusal(ask, task)
        self.note("did", who, text, *said)
        if said:
            self.refused(k)

    def forks(self, k, task):
        self.forked[k] = self.pool.fork(task)

    @staticmethod
    def refusal(call, *args, before="refused: "):
        """Calls, and returns the text of what is raised, if any."""
        try:
            call(*args)
        except Exception as e:
            return (f"{before}{type(e).__name__}: {e}",)
        return ()

    def refused(self, k):
        """Does for a task that will not run what others may wait for."""
        refused = [k]
        for k in refused:  # which grows meanwhile
            for op, n, _ in self.tasks[k]:
                if op == "a":
                    self.events[n].open()
                elif op == "m":
                    self.arrives(n)
                elif op in "sf":
                    self.submitted(n)
                    refused.append(n)
            self.ended(k)

    def arrives(self, n):
        with self.lock:
            self.missing[n] -= 1
            all_there = self.missing[n] == 0
        if all_there:
            self.events[n].open()

    def close(self, who):
        self.note("does", who, "c")
        said = self.refusal(self.pool.close, before="")
        self.closed = True
        self.note("did", who, "c", *said)

    def release(self):
        """Lets all go on that wait by the driver's means."""
        self.note("release", DRIVER)
        self.released = True
        for gate in [*self.events.values(), *self.ends, self.to_close]:
            gate.open()


class Threads:
    """The threads outside, which stay from run to run."""

    def __init__(self):
        self.inboxes = []

    def start(self, run):
        while len(self.inboxes) < len(run.threads):
            self.inboxes.append(queue.SimpleQueue())
            threading.Thread(target=self.serve, args=(self.inboxes[-1], len(self.inboxes) - 1), daemon=True).start()
        for inbox, _ in zip(self.inboxes, run.threads):
            inbox.put(run)

    @staticmethod
    def serve(inbox, i):
        while True:
            inbox.get().thread(i)


class Child:
    """Answers questions."""

    def __init__(self, adapter, output):
        self.adapter, self.output, self.said, self.threads = adapter, output, threading.Lock(), Threads()
        self.run, self.running = None, False

    def hello(self):
        a = self.adapter
        hello = {"protocol": 3, "subject": "scheduler", "name": a.name, "version": a.version, "contract": a.contract}
        hello["capabilities"] = {c: True for c in getattr(a, "offers", ())}
        hello.update({key: getattr(a, key) for key in ("profile", "workers", "idle_times", "housekeeping", "notes") if hasattr(a, key)})
        self.say({"hello": hello})

    def say(self, line):
        """Writes a line, in one piece."""
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self.said:
            while data:
                data = data[os.write(self.output, data) :]

    def answers(self, line):
        seq = 0
        try:
            q = json.loads(line)
            if type(q) is not dict or type(q.get("seq")) is not int:
                raise Bad("a question is an object with a number, seq")
            seq, cmd, run = q["seq"], q.get("cmd"), self.run
            if cmd == "run":
                self.start(q.get("graph"), seq)
            elif cmd == "look" and run:
                with run.lock:
                    now, log, turns = time.monotonic_ns() - run.begin, list(run.log), sum(run.turns)
                self.say({"seq": seq, "now": now, "sofar": log, "turns": turns})
            elif cmd == "look":
                self.say({"seq": seq, "now": 0, "sofar": []})
            elif cmd == "release":
                if run and self.running:
                    run.release()
                self.say({"seq": seq})
            else:
                raise Bad(f"{cmd!r} is no question of version 3")
        except (Bad, ValueError) as e:
            self.say({"seq": seq, "error": str(e)})

    def start(self, g, seq):
        if self.running:
            raise Bad("one run at a time")
        sizes = getattr(self.adapter, "workers", None)
        if type(g) is not dict or type(g.get("workers")) is not int or g["workers"] < 1 or (sizes and g["workers"] not in sizes):
            raise Bad("a graph has a number of workers that the scheduler can have")
        if type(g.get("most", 1)) is not int:
            raise Bad("most is a number")
        for key in "outside", "tasks":
            if type(g.get(key)) is not list or any(type(script) is not str for script in g[key]):
                raise Bad(f"a graph has texts in {key}")
        self.run = Run(self.adapter, g, lambda run: self.over(run, seq))
        self.running = True
        self.threads.start(self.run)

    def over(self, run, seq):
        with run.lock:
            answer = {"error": run.error} if run.error else {"full": True} if run.full else {"events": list(run.log)}
        self.running = False
        self.say({"seq": seq, **answer})


def load(name):
    """Returns the class of an adapter."""
    module, _, of = ADAPTERS.get(name, name).partition(":")
    return getattr(importlib.import_module(module), of)


def listing():
    for name in ADAPTERS:
        try:
            load(name)
            print(name)
        except ImportError as e:
            print(f"{name}: needs {e.name}: pip install --require-hashes -r requirements.txt")


def main():
    if len(sys.argv) != 2 or sys.argv[1] != "--list" and sys.argv[1] not in ADAPTERS and ":" not in sys.argv[1]:
        sys.exit(f"usage: driver.py --list | MODULE:CLASS | {' | '.join(ADAPTERS)}")
    if sys.argv[1] == "--list":
        return listing()
    sys.setswitchinterval(20e-6)  # threads change places at more points
    sys.path.append(os.getcwd())
    output = os.dup(1)
    os.dup2(2, 1)  # what an adapter prints is no answer
    child = Child(load(sys.argv[1]), output)
    child.hello()
    for line in sys.stdin.buffer:
        child.answers(line)
    os._exit(0)  # whatever threads still wait for


if __name__ == "__main__":
    main()

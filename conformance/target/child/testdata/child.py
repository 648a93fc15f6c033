"""A queue in Python as a child of spindle: see PROTOCOL.md.

    spindle check 'exec:python3 child.py'
"""
import collections, itertools, json, re, sys, threading


class Queue:
    """The queue under test: put your own here."""

    def __init__(self):
        self.items = collections.deque()
        self.lock = threading.Lock()

    def put(self, id):
        with self.lock:
            self.items.append(id)

    def get(self):
        with self.lock:
            return self.items.popleft() if self.items else None

    def empty(self):
        return not self.items

    def length(self):
        return len(self.items)


class Thread:
    """One logical thread: it makes the calls of its script, and records them."""

    def __init__(self, number, scenario, queues, first_id, clock):
        thread = scenario["threads"][number]
        self.number, self.own, self.queues, self.clock = number, thread["p"], queues, clock
        self.ids = itertools.count(first_id)
        self.todo = calls(thread["script"]) * max(1, thread.get("repeat", 0))
        self.ops = []

    def run(self):
        for call in self.todo:
            self.call(*call)

    def call(self, kind, arg):
        p = self.own
        if kind in "sel":  # these may be about the P of another
            p = int(arg) if arg else max(self.own, 0)
            if kind == "s" and not arg and self.own >= 0:
                p = (self.own + 1) % len(self.queues)
        queue = self.queues[p]
        op = {"t": self.number, "k": kind, "p": p, "to": -1}
        if kind == "p":
            op.update({"in": [next(self.ids)], "n": 1, "ok": True})
        op["c"] = next(self.clock)
        if kind == "p":
            queue.put(op["in"][0])
        elif kind in "gs":
            id = queue.get()
            op.update({"ok": True, "out": [id]} if id is not None else {})
        elif kind == "e":
            op["ok"] = queue.empty()
        elif kind == "l":
            op.update({"n": queue.length(), "ok": True})
        op["ret"] = next(self.clock)
        self.ops.append(op)


def calls(script):
    """The calls of a script: pairs of a letter and an argument."""
    return re.findall(r"([a-z])([0-9]*)", script)


def quiet(text):
    """Calls at a quiet moment: pairs of a thread's number and a script."""
    return [(int(number), script) for number, script in re.findall(r"T([0-9]+):(\S*)", text)]


def run(scenario):
    queues = [Queue() for _ in range(scenario["ps"])]
    before, after = (quiet(scenario.get(key, "")) for key in ("before", "after"))
    clock, threads, first_id = itertools.count(1), [], 1
    for number, thread in enumerate(scenario["threads"]):
        threads.append(Thread(number, scenario, queues, first_id, clock))
        first_id += thread["script"].count("p") * max(1, thread.get("repeat", 0))
        first_id += sum(script.count("p") for own, script in before + after if own == number)

    def quietly(scripts):
        for number, script in scripts:
            for call in calls(script):
                threads[number].call(*call)

    if "order" in scenario:
        todo = [iter(t.todo) for t in threads]
        for number in scenario["order"]:
            threads[number].call(*next(todo[number]))
    else:
        quietly(before)
        running = [threading.Thread(target=t.run) for t in threads]
        for step in threading.Thread.start, threading.Thread.join:
            for thread in running:
                step(thread)
        quietly(after)
    ops = sorted((op for t in threads for op in t.ops), key=lambda op: op["c"])
    misses = 100 if scenario.get("get-miss") == "anytime" else 1
    final = [{"ring": rest(q, misses)} for q in queues]
    return {"clock": "order" if "order" in scenario else "counter", "ops": ops, "final": {"ps": final}}


def rest(queue, misses):
    """What is left: all that comes until so many gets in a row gave nothing."""
    left, missed = [], 0
    while missed < misses:
        id = queue.get()
        if id is None:
            missed += 1
        else:
            left.append(id)
            missed = 0
    return left


def say(line):
    print(json.dumps(line, separators=(",", ":")), flush=True)


say({"hello": {"protocol": 2, "name": "python-deque", "version": sys.version.split()[0], "profile": "fifo", "capabilities": {"len": True, "quiet": True, "misses": True}}})
for line in sys.stdin:
    question = json.loads(line)
    say({"seq": question["seq"], "history": run(question["scenario"])})

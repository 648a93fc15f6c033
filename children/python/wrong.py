"""A pool without fault, and the same with one fault each. They are in every language, and show that a driver can tell them apart."""

import collections
import itertools
import threading
import time


class Right:
    name, version = "python-right", "1"
    contract = {"order": "fifo", "workers": "exact", "panics": "isolated"}

    def __init__(self, workers):
        self.lock = threading.Lock()
        self.work = threading.Condition(self.lock)
        self.queue, self.closed = collections.deque(), False
        self.workers = [threading.Thread(target=self.worker, args=(i,), daemon=True) for i in range(workers)]
        for w in self.workers:
            w.start()

    def submit(self, task):
        with self.lock:
            if self.closed:
                raise RuntimeError("the pool is closed")
            self.put(task)

    def put(self, task):
        self.queue.append(task)
        self.work.notify()

    def take(self):
        """Returns a task, or None when the pool is closed and nothing is left. The lock is held."""
        while not self.queue and not self.closed:
            self.idle()
        return self.queue.popleft() if self.queue else None

    def idle(self):
        self.work.wait()

    def worker(self, i):
        while True:
            with self.lock:
                task = self.take()
            if task is None:
                return
            try:
                task()
            except Exception:
                pass

    def close(self):
        with self.lock:
            self.closed = True
            self.work.notify_all()
        for w in self.workers:
            w.join()


class Wake(Right):
    """Wakes a worker only if the queue was empty."""

    name = "python-wrong-wake"

    def put(self, task):
        self.queue.append(task)
        if len(self.queue) == 1:
            self.work.notify()


class Close(Right):
    """Drops at the close what is queued."""

    name = "python-wrong-close"

    def close(self):
        with self.lock:
            self.queue.clear()
        super().close()


class Twice(Right):
    """Queues each 16th task of the process twice."""

    name = "python-wrong-twice"
    count = itertools.count(1)

    def put(self, task):
        super().put(task)
        if next(self.count) % 16 == 0:
            super().put(task)


class Spin(Right):
    """Looks for work without end."""

    name = "python-wrong-spin"

    def idle(self):
        self.lock.release()
        time.sleep(0)
        self.lock.acquire()


class Leave(Right):
    """Leaves a worker behind when it is closed."""

    name = "python-wrong-leave"

    def __init__(self, workers):
        self.done = threading.Event()
        super().__init__(workers)

    def worker(self, i):
        super().worker(i)
        if i == 0:
            self.done.set()
            threading.Event().wait()

    def close(self):
        self.workers = self.workers[1:]
        super().close()
        self.done.wait()

"""asyncio.TaskGroup on an event loop of its own: one worker, tasks are coroutines. Sentences of docs.python.org/3.11/library/asyncio-*.html."""

import asyncio
import platform
import threading


class Parks:
    """What coroutines on the loop self.loop do while they wait. It is the driver's part for asyncio: anyio has the same."""

    async def park(self, gate):
        loop, ready = self.loop, self.loop.create_future()
        if not gate.when_open(lambda: loop.is_closed() or loop.call_soon_threadsafe(ready.set_result, None)):
            return False
        await ready
        return True


class TaskGroup(Parks):
    name, version, workers = "python-asyncio", platform.python_version(), [1]
    offers = ("spawn", "join", "park", "ready", "yield", "sleep")
    contract = {
        "tasks": "cooperative",  # "Event loops use cooperative scheduling: an event loop runs one Task at a time"
        "workers": "exact",  # the same
        "close": "waits",  # "All tasks are awaited when the context manager exits. While waiting, new tasks may still be added"
        "closes": "alone",  # nothing is said of call_soon_threadsafe beside the end of the loop
        "closed": "refused",  # "Raises RuntimeError if called on a loop that's been closed"
        "fair": "yield",  # "Setting the delay to 0 provides an optimized path to allow other tasks to run"
    }  # panics=unsaid: "The first time any of the tasks fails with an exception …, the remaining tasks in the group are cancelled"

    def __init__(self, workers):
        made = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.main(made)), daemon=True)
        self.thread.start()
        made.wait()

    async def main(self, made):
        self.loop, self.closing = asyncio.get_running_loop(), asyncio.Event()
        async with asyncio.TaskGroup() as self.group:
            made.set()
            await self.closing.wait()

    def submit(self, task):
        self.loop.call_soon_threadsafe(self.spawn, task)

    def spawn(self, task):
        return self.group.create_task(task())

    fork = spawn

    async def join(self, forked):
        await forked

    async def yields(self):
        await asyncio.sleep(0)

    async def sleep(self, seconds):
        await asyncio.sleep(seconds)

    def close(self):
        self.loop.call_soon_threadsafe(self.closing.set)
        self.thread.join()

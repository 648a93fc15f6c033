"""anyio, on asyncio. Sentences of anyio.readthedocs.io/en/stable/api.html and /threads.html, version 4.16."""

import asyncio
import functools
import importlib.metadata

import anyio
import anyio.from_thread
import anyio.to_thread
from asyncio_ import Parks


class Portal(Parks):
    """Tasks of the group of a BlockingPortal: one worker, tasks are coroutines."""

    name, version, workers = "python-anyio", importlib.metadata.version("anyio"), [1]
    offers = ("park", "ready", "yield", "sleep")
    contract = {
        "tasks": "cooperative",  # an event loop: see asyncio_.py
        "workers": "exact",
        "submits": "outside",  # start_task_soon: "Raises RuntimeError: … if this method is called from within the event loop thread"
        "close": "waits",  # stop: "True to cancel all the remaining tasks, False to let them finish before returning"
        "closes": "alone",  # nothing is said of start_task_soon beside stop
        "closed": "refused",  # start_task_soon: "Raises RuntimeError: if the portal is not running"
        "panics": "isolated",  # "a future that resolves … with the exception raised in the task"
        "fair": "yield",  # sleep: asyncio's
    }

    def __init__(self, workers):
        self.context = anyio.from_thread.start_blocking_portal("asyncio")
        self.portal = self.context.__enter__()
        self.submit = self.portal.start_task_soon
        self.loop = self.portal.call(self.running_loop)

    @staticmethod
    async def running_loop():
        return asyncio.get_running_loop()

    async def yields(self):
        await anyio.sleep(0)

    async def sleep(self, seconds):
        await anyio.sleep(seconds)

    def close(self):
        self.context.__exit__(None, None, None)


class Threads:
    """to_thread.run_sync under a limiter: as many workers as it has tokens."""

    name, version = "python-anyio-threads", Portal.version
    contract = {key: Portal.contract[key] for key in ("close", "closes", "closed", "panics")}
    contract["workers"] = "exact"  # "limiter – capacity limiter to use to limit the total amount of threads running"

    def __init__(self, workers):
        self.context = anyio.from_thread.start_blocking_portal("asyncio")
        self.portal = self.context.__enter__()
        self.run = functools.partial(anyio.to_thread.run_sync, limiter=anyio.CapacityLimiter(workers))

    def submit(self, task):
        self.portal.start_task_soon(self.run, task)

    def close(self):
        self.context.__exit__(None, None, None)

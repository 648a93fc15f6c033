"""concurrent.futures.ThreadPoolExecutor. The sentences are of docs.python.org/3.11/library/concurrent.futures.html."""

import platform
from concurrent.futures import ThreadPoolExecutor


class Futures:
    name, version = "python-futures", platform.python_version()
    contract = {
        "workers": "exact",  # "uses a pool of at most max_workers threads to execute calls asynchronously"
        "close": "waits",  # "If wait is True then this method will not return until all the pending futures are done executing"
        "closed": "refused",  # "Calls to Executor.submit() and Executor.map() made after shutdown will raise RuntimeError"
        "panics": "isolated",  # "If the call raised an exception, this method will raise the same exception": result(), of its own future
    }

    def __init__(self, workers):
        self.pool = ThreadPoolExecutor(workers)
        self.submit = self.pool.submit

    def close(self):
        self.pool.shutdown(wait=True)

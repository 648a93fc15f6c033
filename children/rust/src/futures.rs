//! Schedulers of futures: tokio's multi-threaded runtime, and smol's executor.

use std::sync::{Arc, Mutex, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_channel::{Sender, WeakSender, bounded};
use async_executor::Executor;
use async_io::Timer;
use futures_lite::future::{block_on, yield_now};
use tokio::runtime::{Builder, Runtime};
use tokio_util::task::TaskTracker;

use crate::driver::{Adapter, Later, Pool, Task};

// ---- tokio ---------------------------------------------------------------------------------------------------------------

struct Tokio {
    runtime: RwLock<Option<Runtime>>,
    tasks: TaskTracker, // of tokio-util: what its documentation has for a graceful shutdown
}

impl Tokio {
    fn new(workers: usize) -> Tokio {
        let runtime = Builder::new_multi_thread().worker_threads(workers).enable_time().build().unwrap();
        let tasks = TaskTracker::new();
        tasks.close(); // so that wait() waits until no task is left
        Tokio { runtime: RwLock::new(Some(runtime)), tasks }
    }
}

impl Pool for Tokio {
    fn submit(&self, task: Task) -> Result<(), String> {
        let runtime = self.runtime.read().unwrap();
        self.tasks.spawn_on(task.future(), runtime.as_ref().ok_or("the runtime is dropped")?.handle());
        Ok(())
    }
    fn spawn(&self, task: Task) -> Result<(), String> {
        self.tasks.spawn(task.future());
        Ok(())
    }
    fn fork(&self, task: Task) -> Result<Later<'static>, String> {
        let handle = self.tasks.spawn(task.future());
        Ok(Box::pin(async { _ = handle.await }))
    }
    fn close(&self) {
        let runtime = self.runtime.write().unwrap().take();
        self.wait();
        drop(runtime);
    }
    fn wait(&self) {
        block_on(self.tasks.wait());
    }
    fn yields(&self) -> Later<'_> {
        Box::pin(tokio::task::yield_now())
    }
    fn sleeps(&self, time: Duration) -> Later<'_> {
        Box::pin(tokio::time::sleep(time))
    }
    fn blocks(&self, call: Box<dyn FnOnce() + Send>) -> Later<'_> {
        Box::pin(async { tokio::task::block_in_place(call) })
    }
}

/// What the documentation of tokio 1.54.1 says of its multi-threaded runtime.
macro_rules! tokio {
    ($name:literal, $tasks:literal) => {
        Adapter {
            name: $name,
            package: "tokio",
            profile: "pool",
            contract: &[
                // tokio::runtime: "If the total number of tasks does not grow without bound, and no task is blocking the thread, then it is
                // guaranteed that tasks are scheduled fairly." The same holds for timers.
                ("tasks", $tasks),
                // The same. "yield_now": "The current task will be re-added as a pending task at the back of the pending queue. Any other pending
                // tasks will be scheduled."
                ("fair", "yield"),
                // tokio::task: "if the spawned task panics, awaiting its JoinHandle will return a JoinError".
                ("panics", "isolated"),
                // JoinHandle: to await it is to leave the worker. "join" of the driver is that.
                ("joins", "own"),
                // Runtime: "Shutting down the runtime is done by dropping the value": there is then none to submit to. "Tasks spawned through
                // Runtime::spawn keep running until they yield. Then they are dropped." So the adapter waits before. TaskTracker of tokio-util: "When a
                // call to wait returns, it is guaranteed that all tracked tasks have exited". Runtime: "The thread initiating the shutdown blocks
                // until all spawned work has been stopped." So close=waits, as in the profile.
            ],
            capabilities: &["spawn", "join", "park", "ready", "yield", "sleep", "block", "wait"],
            make: |workers| Box::new(Tokio::new(workers)),
        }
    };
}

// ---- smol ----------------------------------------------------------------------------------------------------------------

/// Threads run the executor until the channel is closed: until the pool and all tasks have dropped their senders.
struct Smol {
    executor: Arc<Executor<'static>>,
    own: Mutex<Option<Sender<()>>>,
    any: WeakSender<()>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Smol {
    fn new(workers: usize) -> Smol {
        let executor = Arc::new(Executor::new());
        let (sender, closed) = bounded::<()>(1);
        let start = |_| {
            let (executor, closed) = (executor.clone(), closed.clone());
            thread::spawn(move || _ = block_on(executor.run(closed.recv())))
        };
        let workers = Mutex::new((0..workers).map(start).collect());
        Smol { executor, any: sender.downgrade(), own: Mutex::new(Some(sender)), workers }
    }
    fn start(&self, task: Task) -> Result<async_executor::Task<()>, String> {
        let sender = self.any.upgrade().ok_or("the executor has stopped")?;
        Ok(self.executor.spawn(async move {
            task.future().await;
            drop(sender);
        }))
    }
}

impl Pool for Smol {
    fn submit(&self, task: Task) -> Result<(), String> {
        self.start(task).map(async_executor::Task::detach)
    }
    fn fork(&self, task: Task) -> Result<Later<'static>, String> {
        Ok(Box::pin(self.start(task)?))
    }
    fn close(&self) {
        drop(self.own.lock().unwrap().take());
        self.workers.lock().unwrap().drain(..).for_each(|worker| worker.join().unwrap());
    }
    fn yields(&self) -> Later<'_> {
        Box::pin(yield_now())
    }
    fn sleeps(&self, time: Duration) -> Later<'_> {
        Box::pin(async move { _ = Timer::after(time).await })
    }
    fn blocks(&self, call: Box<dyn FnOnce() + Send>) -> Later<'_> {
        Box::pin(blocking::unblock(call))
    }
}

/// What the documentation of async-executor 1.14.1, and of the packages of the same project that go with it, says.
macro_rules! smol {
    ($name:literal, $tasks:literal) => {
        Adapter {
            name: $name,
            package: "async-executor",
            profile: "pool",
            contract: &[
                // blocking 1.7.0: "Since blocking is not allowed inside futures, we must move blocking I/O onto a special thread pool".
                ("tasks", $tasks),
                // futures-lite 2.6.1, yield_now: "It is generally a good idea to yield inside loops because that way we make sure long-running tasks
                // don't prevent other tasks from running."
                ("fair", "yield"),
                // Executor: "Run four executor threads." So many tasks are polled at a time.
                ("workers", "exact"),
                // Task: it is awaited, which is to leave the worker.
                ("joins", "own"),
                // An Executor has no end of its own: the documentation stops the threads that run it by a channel, and so does the adapter. It waits
                // for all tasks, and refuses later ones, as the profile says.
            ],
            capabilities: &["spawn", "join", "park", "ready", "yield", "sleep", "block"],
            make: |workers| Box::new(Smol::new(workers)),
        }
    };
}

pub const ADAPTERS: &[Adapter] = &[
    tokio!("tokio", "cooperative"),
    // Tasks that wait keep their worker. It breaks SC-STEAL and TM-BESIDE, as documented: "other worker threads cannot steal the task in the lifo slot".
    tokio!("tokio-blocking", "any"),
    smol!("smol", "cooperative"),
    // It does better than it says.
    smol!("smol-blocking", "any"),
];

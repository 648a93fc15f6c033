//! Schedulers of functions: rayon's thread pool.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, RwLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::driver::{Adapter, Pool, Task};

struct Rayon {
    pool: RwLock<Option<ThreadPool>>,
    exits: Mutex<Receiver<()>>, // ends when the last worker has called its exit handler
}

impl Rayon {
    fn new(workers: usize) -> Rayon {
        let (sender, exits) = channel();
        let builder = ThreadPoolBuilder::new().num_threads(workers).panic_handler(|_| {}).exit_handler(move |_| _ = sender.send(()));
        Rayon { pool: RwLock::new(Some(builder.build().unwrap())), exits: Mutex::new(exits) }
    }
}

impl Pool for Rayon {
    fn submit(&self, task: Task) -> Result<(), String> {
        let pool = self.pool.read().unwrap();
        pool.as_ref().ok_or("the pool is dropped")?.spawn(|| task.run());
        Ok(())
    }
    fn spawn(&self, task: Task) -> Result<(), String> {
        rayon::spawn(|| task.run());
        Ok(())
    }
    fn close(&self) {
        let pool = self.pool.write().unwrap().take();
        drop(pool);
        self.exits.lock().unwrap().iter().for_each(drop); // until the pool, and so the handler, is gone
    }
}

pub const ADAPTERS: &[Adapter] = &[Adapter {
    name: "rayon",
    package: "rayon",
    profile: "pool",
    // The documentation of rayon 1.12.0:
    contract: &[
        // ThreadPool: "When the ThreadPool is dropped, that's a signal for the threads it manages to terminate, they will complete executing any
        // remaining work that you have spawned, and automatically terminate." So close=waits, as in the profile, if the adapter waits for the threads.
        // ThreadPoolBuilder::num_threads: "the resulting thread pools are guaranteed to start at most this number of threads."
        ("workers", "exact"),
        // ThreadPoolBuilder::panic_handler: "in some cases, particularly with the spawn() APIs, there is no obvious place where we should propagate
        // the panic to. In that case, this panic handler is invoked."
        ("panics", "isolated"),
        // spawn: "There is no guaranteed order of execution for spawns". So order=any, as in the profile.
    ],
    capabilities: &["spawn"],
    make: |workers| Box::new(Rayon::new(workers)),
}];

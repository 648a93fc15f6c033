//! A pool of our own, and copies of it that are wrong on purpose, each in one place: what the suite must find.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};

use crate::driver::{Adapter, Pool, Task};

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Wake,
    Close,
    Twice,
    Spin,
    Leave,
}

/// Workers that wait at one list, first in, first out.
struct Simple {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    fault: Fault,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Task>,
    closed: bool,
}

/// How many tasks were accepted, by all pools: of `wrong-twice`.
static ACCEPTED: AtomicUsize = AtomicUsize::new(0);

impl Simple {
    fn new(workers: usize, fault: Fault) -> Box<dyn Pool> {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), fault });
        let start = |_| {
            let shared = shared.clone();
            thread::spawn(move || shared.work())
        };
        let workers = Mutex::new((0..workers).map(start).collect());
        Box::new(Simple { shared, workers })
    }
}

impl Shared {
    fn work(&self) {
        while let Some(task) = self.take() {
            _ = catch_unwind(AssertUnwindSafe(|| task.run())); // a task that panics ends alone
        }
    }

    /// Waits for a task; None if the pool is closed, and no task is left.
    fn take(&self) -> Option<Task> {
        loop {
            let mut state = self.state.lock().unwrap();
            let ready = |state: &mut State| !state.queue.is_empty() || state.closed;
            if self.fault != Fault::Spin {
                state = self.changed.wait_while(state, |state| !ready(state)).unwrap();
            }
            if ready(&mut state) {
                return state.queue.pop_front();
            }
            drop(state);
            thread::yield_now(); // wrong-spin: looks again, without end
        }
    }
}

impl Pool for Simple {
    fn submit(&self, task: Task) -> Result<(), String> {
        let Shared { state, changed, fault } = &*self.shared;
        let mut state = state.lock().unwrap();
        if state.closed {
            return Err("the pool is closed".into());
        }
        let was_empty = state.queue.is_empty();
        if *fault == Fault::Twice && ACCEPTED.fetch_add(1, SeqCst) % 16 == 15 {
            state.queue.push_back(task.clone()); // wrong-twice
        }
        state.queue.push_back(task);
        if was_empty || *fault != Fault::Wake {
            changed.notify_one(); // wrong-wake: only if the queue was empty
        }
        Ok(())
    }

    fn close(&self) {
        let Shared { state, changed, fault } = &*self.shared;
        let mut state = state.lock().unwrap();
        state.closed = true;
        if *fault == Fault::Close {
            state.queue.clear(); // wrong-close: drops what is queued
        }
        drop(state);
        changed.notify_all();
        let mut workers = self.workers.lock().unwrap();
        workers.drain(..).for_each(|worker| worker.join().unwrap());
        if *fault == Fault::Leave {
            thread::spawn(thread::park); // wrong-leave: one is left behind
        }
    }
}

const CONTRACT: &[(&str, &str)] = &[("order", "fifo"), ("workers", "exact"), ("panics", "isolated")];

macro_rules! pool {
    ($name:literal, $fault:ident) => {
        Adapter {
            name: $name,
            package: "",
            profile: "pool",
            contract: CONTRACT,
            capabilities: &["spawn"],
            make: |workers| Simple::new(workers, Fault::$fault),
        }
    };
}

pub const ADAPTERS: &[Adapter] = &[
    pool!("right", None),
    pool!("wrong-wake", Wake),
    pool!("wrong-close", Close),
    pool!("wrong-twice", Twice),
    pool!("wrong-spin", Spin),
    pool!("wrong-leave", Leave),
];

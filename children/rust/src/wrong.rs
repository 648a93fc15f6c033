//! A pool of our own, and copies of it that are wrong on purpose, each in one place: what the suite must find. Two have faults that others once had.

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
    /// tokio#1768: a worker goes to sleep beside a submission that looks whether one sleeps, and does not look again.
    Sleep,
    /// rayon#200: the workers are never told to end.
    Tell,
}

/// Workers that wait at one list, first in, first out.
struct Simple {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    sleepers: AtomicUsize, // of known-tokio-1768
    fault: Fault,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Task>,
    left: usize, // tasks that have not ended
    closed: bool,
    wakes: usize, // of known-tokio-1768: workers that are to look
}

/// How many tasks were accepted, by all pools: of `wrong-twice`.
static ACCEPTED: AtomicUsize = AtomicUsize::new(0);

impl Simple {
    fn start(workers: usize, fault: Fault) -> Box<dyn Pool> {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), sleepers: AtomicUsize::new(0), fault });
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
            let mut state = self.state.lock().unwrap();
            state.left = state.left.saturating_sub(1);
            if self.fault == Fault::Tell && state.left == 0 {
                self.changed.notify_all(); // Close waits for this
            }
        }
    }

    /// Waits for a task; None if the pool is closed, and no task is left.
    fn take(&self) -> Option<Task> {
        loop {
            let mut state = self.state.lock().unwrap();
            let ready = |state: &State| !state.queue.is_empty() || state.closed && self.fault != Fault::Tell;
            if !matches!(self.fault, Fault::Spin | Fault::Sleep) {
                state = self.changed.wait_while(state, |state| !ready(state)).unwrap();
            }
            if ready(&state) {
                return state.queue.pop_front();
            }
            drop(state);
            if self.fault == Fault::Spin {
                thread::yield_now(); // wrong-spin: looks again, without end
                continue;
            }
            self.sleepers.fetch_add(1, SeqCst); // known-tokio-1768: what is submitted before this wakes no worker
            let state = self.state.lock().unwrap();
            let mut state = self.changed.wait_while(state, |state| state.wakes == 0 && !state.closed).unwrap();
            state.wakes = state.wakes.saturating_sub(1);
            self.sleepers.fetch_sub(1, SeqCst);
        }
    }
}

impl Pool for Simple {
    fn submit(&self, task: Task) -> Result<(), String> {
        let Shared { state, changed, fault, sleepers } = &*self.shared;
        let mut state = state.lock().unwrap();
        if state.closed {
            return Err("the pool is closed".into());
        }
        let was_empty = state.queue.is_empty();
        if *fault == Fault::Twice && ACCEPTED.fetch_add(1, SeqCst) % 16 == 15 {
            state.queue.push_back(task.clone()); // wrong-twice
        }
        state.queue.push_back(task);
        state.left += 1;
        if *fault == Fault::Sleep {
            if sleepers.load(SeqCst) > state.wakes {
                state.wakes += 1;
                changed.notify_one();
            }
        } else if was_empty || *fault != Fault::Wake {
            changed.notify_one(); // wrong-wake: only if the queue was empty
        }
        Ok(())
    }

    fn close(&self) {
        let Shared { state, changed, fault, .. } = &*self.shared;
        let mut state = state.lock().unwrap();
        state.closed = true;
        if *fault == Fault::Tell {
            drop(changed.wait_while(state, |state| state.left > 0).unwrap());
            return self.workers.lock().unwrap().clear(); // known-rayon-200: they wait for ever
        }
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
            make: |workers| Simple::start(workers, Fault::$fault),
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
    pool!("known-tokio-1768", Sleep),
    pool!("known-rayon-200", Tell),
];

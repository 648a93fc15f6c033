//! Queues: those of crossbeam-deque, and st3's.

use std::sync::Arc;

use crossbeam_deque::{Injector, Steal, Stealer, Worker};

use crate::queue::{Adapter, Queue, serve};

// ---- crossbeam-deque -----------------------------------------------------------------------------------------------------

/// Repeats what is to be tried again. Steal: "stealing can spuriously fail with Steal::Retry, in which case the steal operation needs to be retried."
fn until(steal: impl Fn() -> Steal<u64>) -> Option<u64> {
    std::iter::repeat_with(steal).find(|answer| !answer.is_retry())?.success()
}

struct Deque<const LIFO: bool>(Worker<u64>);

impl<const LIFO: bool> Queue for Deque<LIFO> {
    type Thief = Stealer<u64>;

    fn new(_: usize) -> (Self, Self::Thief) {
        let worker = if LIFO { Worker::new_lifo() } else { Worker::new_fifo() };
        let stealer = worker.stealer();
        (Deque(worker), stealer)
    }
    fn put(&self, id: u64) -> bool {
        self.0.push(id);
        true
    }
    fn get(&self) -> Option<u64> {
        self.0.pop()
    }
    fn steal(from: &Self::Thief, into: Option<&Self>) -> Option<u64> {
        until(|| into.map_or_else(|| from.steal(), |own| from.steal_batch_and_pop(&own.0)))
    }
    fn is_empty(of: &Self::Thief) -> bool {
        of.is_empty()
    }
    fn len(of: &Self::Thief) -> usize {
        of.len()
    }
}

struct Shared(Arc<Injector<u64>>);

impl Queue for Shared {
    type Thief = Arc<Injector<u64>>;

    fn new(_: usize) -> (Self, Self::Thief) {
        let injector = Arc::new(Injector::new());
        (Shared(injector.clone()), injector)
    }
    fn put(&self, id: u64) -> bool {
        self.0.push(id);
        true
    }
    fn get(&self) -> Option<u64> {
        until(|| self.0.steal())
    }
    fn steal(from: &Self::Thief, _: Option<&Self>) -> Option<u64> {
        until(|| from.steal())
    }
    fn is_empty(of: &Self::Thief) -> bool {
        of.is_empty()
    }
    fn len(of: &Self::Thief) -> usize {
        of.len()
    }
    fn share(of: &Self::Thief) -> Option<Self> {
        Some(Shared(of.clone()))
    }
}

// ---- st3 -----------------------------------------------------------------------------------------------------------------

/// Half of what there is, but one at least.
fn half(n: usize) -> usize {
    n - n / 2
}

macro_rules! st3 {
    ($name:ident, $kind:ident) => {
        struct $name(st3::$kind::Worker<u64>);

        impl Queue for $name {
            type Thief = st3::$kind::Stealer<u64>;

            fn new(capacity: usize) -> (Self, Self::Thief) {
                let worker = st3::$kind::Worker::new(if capacity == 0 { 64 } else { capacity });
                let stealer = worker.stealer();
                ($name(worker), stealer)
            }
            fn put(&self, id: u64) -> bool {
                self.0.push(id).is_ok()
            }
            fn get(&self) -> Option<u64> {
                self.0.pop()
            }
            fn steal(from: &Self::Thief, into: Option<&Self>) -> Option<u64> {
                let stolen = match into {
                    Some(own) => from.steal_and_pop(&own.0, half),
                    None => from.steal_and_pop(&st3::$kind::Worker::new(1), |_| 1),
                };
                stolen.ok().map(|(id, _)| id)
            }
            fn is_empty(_: &Self::Thief) -> bool {
                false // a thief cannot ask
            }
            fn len(_: &Self::Thief) -> usize {
                0 // nor this
            }
        }
    };
}

st3!(Lifo, lifo);
st3!(Fifo, fifo);

// ---- What they promise ---------------------------------------------------------------------------------------------------

const CROSSBEAM: &str = r#"{"len":true,"quiet":true}"#;
const CROSSBEAM_BATCH: &str = r#"{"len":true,"quiet":true,"holds":true,"batch":true}"#;
const ST3: &str = r#"{"quiet":true,"holds":true,"batch":true,"capacity":64,"resize":true,"sizes":[1,2,4]}"#;

/// The documentation of crossbeam-deque 0.8.8:
///
/// Worker: "Creates a FIFO queue, in which tasks are pushed and popped from opposite ends", "Creates a LIFO queue, in which tasks are pushed and popped
/// from the same end"; "Tasks are stolen from the end opposite to where they get pushed." push gives no answer: so bound=grows.
///
/// Steal::Empty: "The queue was empty at the time of stealing." With Retry repeated: steal-miss=never.
///
/// steal_batch_and_pop: "How many tasks exactly will be stolen is not specified." So batch=some. "Steals a batch of tasks, pushes them into another worker,
/// and pops a task from that worker": of a LIFO one the newest; of a FIFO one the oldest, so returns=oldest.
///
/// is_empty: "Returns true if the queue is empty." What it says beside other calls is not said. Of a LIFO worker it is no moment's truth: a pop of the last
/// task first takes one off the back, then adds one to the front and to the back; a thief that asks meanwhile sees "empty", and then, front read early
/// and back late, "not empty", with no push between. So empty=quiet there.
///
/// Injector: "This is a FIFO queue that can be shared among multiple threads."
///
/// Of st3 0.4.1:
///
/// "Very fast lock-free, bounded, work-stealing queue with FIFO stealing and LIFO or FIFO semantic for the worker thread." push: "This will fail if the
/// queue is full". While a thief still moves items, their slots are not free: so refuse=beside-steal.
///
/// steal_and_pop: "An error is returned in the following cases: 1) no item was stolen, either because the queue is empty or N is 0, 2) a concurrent stealing
/// operation is ongoing." So steal-miss=beside-steal. "Up to N items are stolen", "depending on the number of available items and the capacity of the
/// destination queue": so batch=some. "The returned item is the most recent one among the stolen items": returns=newest, as in the profile.
///
/// A Stealer does not say whether the queue is empty: so empty=unsaid.
pub const ADAPTERS: &[Adapter] = &[
    Adapter {
        name: "crossbeam-lifo",
        package: "crossbeam-deque",
        profile: "lifo-deque",
        contract: &[("steal-miss", "never"), ("bound", "grows"), ("empty", "quiet")],
        capabilities: CROSSBEAM,
        serve: serve::<Deque<true>>,
    },
    Adapter {
        name: "crossbeam-lifo-batch",
        package: "crossbeam-deque",
        profile: "lifo-deque",
        contract: &[("steal-miss", "never"), ("bound", "grows"), ("empty", "quiet"), ("batch", "some")],
        capabilities: CROSSBEAM_BATCH,
        serve: serve::<Deque<true>>,
    },
    Adapter {
        name: "crossbeam-fifo",
        package: "crossbeam-deque",
        profile: "fifo",
        contract: &[("bound", "grows")],
        capabilities: CROSSBEAM,
        serve: serve::<Deque<false>>,
    },
    Adapter {
        name: "crossbeam-fifo-batch",
        package: "crossbeam-deque",
        profile: "fifo",
        contract: &[("bound", "grows"), ("batch", "some"), ("returns", "oldest")],
        capabilities: CROSSBEAM_BATCH,
        serve: serve::<Deque<false>>,
    },
    Adapter {
        name: "crossbeam-injector",
        package: "crossbeam-deque",
        profile: "fifo",
        contract: &[("bound", "grows"), ("puts", "any"), ("gets", "any")],
        capabilities: CROSSBEAM,
        serve: serve::<Shared>,
    },
    Adapter {
        name: "st3-lifo",
        package: "st3",
        profile: "lifo-deque",
        contract: &[("steal-miss", "beside-steal"), ("bound", "exact"), ("refuse", "beside-steal"), ("batch", "some"), ("empty", "unsaid")],
        capabilities: ST3,
        serve: serve::<Lifo>,
    },
    Adapter {
        name: "st3-fifo",
        package: "st3",
        profile: "fifo",
        contract: &[("steal-miss", "beside-steal"), ("bound", "exact"), ("refuse", "beside-steal"), ("batch", "some"), ("empty", "unsaid")],
        capabilities: ST3,
        serve: serve::<Fifo>,
    },
];

//! shuttle: random schedules, PCT, and a depth-first search without reduction.

use crate::outcome::{count, Mode, Outcome};
use crate::script::Script;
use shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, FailurePersistence, Runner};
use std::time::Duration;

mod sync {
    pub use shuttle::sync::{atomic::AtomicU32, Mutex};
    pub use shuttle::thread;
    use std::sync::atomic::Ordering;

    // shuttle explores sequential consistency, whatever is asked for.
    pub const RELAXED: Ordering = Ordering::SeqCst;
    pub const ACQUIRE: Ordering = Ordering::SeqCst;
    pub const RELEASE: Ordering = Ordering::SeqCst;
    pub const ACQ_REL: Ordering = Ordering::SeqCst;

    /// Nothing to do: no load is stale, so the loop ends.
    pub fn again() {}
}

// Twice on purpose: the same source, against other atomics.
#[allow(clippy::duplicate_mod)]
#[path = "ring.rs"]
mod ring;

#[allow(clippy::duplicate_mod)]
#[path = "program.rs"]
mod program;

/// The depth of PCT: it finds bugs that need this many ordered steps.
const DEPTH: usize = 3;

pub fn explore(s: &Script, mode: Mode, limit: Duration, seed: u64) -> Outcome {
    let all = usize::MAX;
    Outcome::of(mode, limit, || match mode {
        Mode::Exhaust => run(DfsScheduler::new(None, false), s, limit),
        Mode::Random => run(RandomScheduler::new_from_seed(seed, all), s, limit),
        Mode::Bug => run(PctScheduler::new_from_seed(seed, DEPTH, all), s, limit),
    })
}

fn run(scheduler: impl Scheduler + 'static, s: &Script, limit: Duration) {
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    config.max_time = Some(limit);
    let s = s.clone();
    Runner::new(scheduler, config).run(move || {
        count();
        program::run(&s);
    });
}

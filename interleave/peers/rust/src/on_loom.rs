//! loom: exhaustive, with its own partial-order reduction and stale loads.

use crate::outcome::{count, Mode, Outcome};
use crate::script::Script;
use std::time::{Duration, Instant};

mod sync {
    pub use loom::sync::{atomic::AtomicU32, Mutex};
    pub use loom::thread;
    use std::sync::atomic::Ordering;

    // What code for loom would say. It treats SeqCst as AcqRel anyway.
    pub const RELAXED: Ordering = Ordering::Relaxed;
    pub const ACQUIRE: Ordering = Ordering::Acquire;
    pub const RELEASE: Ordering = Ordering::Release;
    pub const ACQ_REL: Ordering = Ordering::AcqRel;

    /// A loop in which a load may return the same stale value for ever must
    /// yield, or loom goes round it until its bound of branches.
    pub fn again() {
        thread::yield_now();
    }
}

// Twice on purpose: the same source, against other atomics.
#[allow(clippy::duplicate_mod)]
#[path = "ring.rs"]
mod ring;

#[allow(clippy::duplicate_mod)]
#[path = "program.rs"]
mod program;

/// A hunt is as loom's users are told to go about it: first with few
/// preemptions, then with no bound, as far as the limit lets it.
pub fn explore(s: &Script, mode: Mode, limit: Duration) -> Result<Outcome, String> {
    let bounds: &[Option<usize>] = match mode {
        Mode::Exhaust => &[None],
        Mode::Random => return Err("loom has no random mode".to_string()),
        Mode::Bug => &[Some(2), Some(3), None],
    };
    Ok(Outcome::of(mode, limit, || {
        let end = Instant::now() + limit;
        for bound in bounds {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let mut builder = loom::model::Builder::new();
            builder.preemption_bound = *bound;
            // loom looks at the clock only when it would write a checkpoint,
            // every 20,000 executions unless told otherwise. Without a file
            // there is nothing to write.
            builder.checkpoint_interval = 1;
            builder.max_duration = Some(left);
            let s = s.clone();
            builder.check(move || {
                count();
                program::run(&s);
            });
        }
    }))
}

//! loom's atomics, with what loom's search needs so that it leaves nothing out.
//!
//! loom 0.7.3 remembers the last access to an atomic, and looks for a race with that one
//! alone. It forgets a load of one thread when another one loads, too, and then stores: it
//! never tries the store before the first load. So `load` beside `load, compare_exchange` is one
//! execution (tokio-rs/loom#166 and #392). Here a relaxed store to a word beside the atomic,
//! which nothing reads, goes before each load. Of stores each one races with the last, so
//! that loom tries every order of the loads, and forgets none of them. A relaxed store
//! orders nothing else.

use loom::sync::atomic::{self, Ordering};
use std::sync::atomic::AtomicBool;

pub use loom::sync::atomic::fence;

/// Threads are at work: before and after that, nothing races.
pub static RUNNING: AtomicBool = AtomicBool::new(false);

macro_rules! atomics {
    ($($name:ident $value:ty;)*) => { $(
        pub struct $name {
            word: atomic::$name,
            loads: atomic::AtomicBool,
        }

        #[allow(dead_code)]
        impl $name {
            pub fn new(value: $value) -> $name {
                $name { word: atomic::$name::new(value), loads: atomic::AtomicBool::new(false) }
            }

            pub fn load(&self, order: Ordering) -> $value {
                if RUNNING.load(Ordering::Relaxed) {
                    self.loads.store(true, Ordering::Relaxed);
                }
                self.word.load(order)
            }

            pub fn store(&self, value: $value, order: Ordering) {
                self.word.store(value, order)
            }

            /// Loads too, if it fails. But it races with every access in any case.
            pub fn compare_exchange(&self, old: $value, new: $value, success: Ordering, failure: Ordering) -> Result<$value, $value> {
                self.word.compare_exchange(old, new, success, failure)
            }
        }
    )* };
}

atomics! {
    AtomicI64 i64;
    AtomicU64 u64;
}

//! A bounded deque as in "Correct and Efficient Work-Stealing for Weak Memory Models", by
//! Lê, Pop, Cohen and Zappa Nardelli (2013), with faults by name. The owner puts and gets at
//! the bottom, thieves steal at the top. The paper has no question whether the deque is empty.
//! For its sake get reads and writes by Acquire and Release what the paper has Relaxed: who
//! sees that get gave its claim back sees how far the top has come.

use crate::atomics::{fence, AtomicI64, AtomicU64};
use loom::sync::atomic::Ordering::*;
use loom::sync::Arc;

/// What is wrong with a deque. The names are those of the command line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    None,
    /// Of one G that is left, get moves top by a store: a thief may have moved it meanwhile.
    GetStores,
    /// Steal moves top by a store: another thief or the owner may have moved it meanwhile.
    StealStores,
    /// Steal reads the slot when top has moved: the owner may have put another G there.
    ReadsLate,
    /// Put tells of its G by a relaxed store: a thief may not see what is in the slot.
    PutRelaxed,
    /// Get has no fence between its claim of the bottom and its look at the top.
    GetUnfenced,
    /// Steal has no fence between its looks at the top and at the bottom.
    StealUnfenced,
}

pub const FAULTS: &[(&str, Fault)] = &[
    ("right", Fault::None),
    ("get-stores", Fault::GetStores),
    ("steal-stores", Fault::StealStores),
    ("reads-late", Fault::ReadsLate),
    ("put-relaxed", Fault::PutRelaxed),
    ("get-unfenced", Fault::GetUnfenced),
    ("steal-unfenced", Fault::StealUnfenced),
];

pub struct Deque {
    fault: Fault,
    top: AtomicI64,
    bottom: AtomicI64,
    slots: Vec<AtomicU64>,
}

impl Deque {
    pub fn new(capacity: usize, fault: Fault) -> Arc<Deque> {
        let slots = (0..capacity).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Deque { fault, top: AtomicI64::new(0), bottom: AtomicI64::new(0), slots })
    }

    fn slot(&self, i: i64) -> &AtomicU64 {
        &self.slots[i as usize % self.slots.len()]
    }

    pub fn put(&self, id: u64) -> bool {
        let b = self.bottom.load(Relaxed);
        let t = self.top.load(Acquire);
        if b - t >= self.slots.len() as i64 {
            return false;
        }
        self.slot(b).store(id, Relaxed);
        self.bottom.store(b + 1, if self.fault == Fault::PutRelaxed { Relaxed } else { Release });
        true
    }

    pub fn get(&self) -> Option<u64> {
        let b = self.bottom.load(Relaxed) - 1;
        self.bottom.store(b, Relaxed);
        if self.fault != Fault::GetUnfenced {
            fence(SeqCst);
        }
        let t = self.top.load(Acquire);
        if t > b {
            self.bottom.store(b + 1, Release);
            return None;
        }
        let id = self.slot(b).load(Relaxed);
        if t < b {
            return Some(id); // no thief comes as far
        }
        let won = if self.fault == Fault::GetStores {
            self.top.store(t + 1, SeqCst);
            true
        } else {
            self.top.compare_exchange(t, t + 1, SeqCst, Acquire).is_ok()
        };
        self.bottom.store(b + 1, Release);
        won.then_some(id)
    }

    /// Finds nothing if another call has taken the oldest G meanwhile.
    pub fn steal(&self) -> Option<u64> {
        let t = self.top.load(Acquire);
        if self.fault != Fault::StealUnfenced {
            fence(SeqCst);
        }
        if t >= self.bottom.load(Acquire) {
            return None;
        }
        let id = self.slot(t).load(Relaxed);
        if self.fault == Fault::StealStores {
            self.top.store(t + 1, SeqCst);
            return Some(id);
        }
        if self.top.compare_exchange(t, t + 1, SeqCst, Relaxed).is_err() {
            return None;
        }
        Some(if self.fault == Fault::ReadsLate { self.slot(t).load(Relaxed) } else { id })
    }

    pub fn empty(&self) -> bool {
        let b = self.bottom.load(Acquire);
        b <= self.top.load(Acquire)
    }
}

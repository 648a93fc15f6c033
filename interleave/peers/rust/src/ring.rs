//! The ring that all explorers are given: an owner who puts and gets, thieves
//! who steal one half. The file is compiled once for each explorer, against the
//! atomics and the lock that the module around it calls `sync`; its twin in Go
//! is the package `fixture`, operation for operation.

use super::sync::{again, AtomicU32, Mutex, ACQUIRE, ACQ_REL, RELAXED, RELEASE};
use crate::bug::Bug;

/// Ids are positive; 0 is "nothing".
pub struct Ring {
    bug: Bug,
    /// The owner and the thieves move it up with a CAS.
    head: AtomicU32,
    /// Only the owner writes it.
    tail: AtomicU32,
    /// The id to be got next, 0 for none.
    next: AtomicU32,
    slots: Vec<AtomicU32>,
    /// What did not fit.
    global: Mutex<Vec<u32>>,
}

impl Ring {
    pub fn new(capacity: u32, bug: Bug) -> Ring {
        assert!(capacity.is_power_of_two() && capacity >= 2);
        Ring {
            bug,
            head: AtomicU32::new(0),
            tail: AtomicU32::new(0),
            next: AtomicU32::new(0),
            slots: (0..capacity).map(|_| AtomicU32::new(0)).collect(),
            global: Mutex::new(Vec::new()),
        }
    }

    fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    fn slot(&self, i: u32) -> &AtomicU32 {
        &self.slots[(i & (self.capacity() - 1)) as usize]
    }

    /// For the owner.
    pub fn put(&self, id: u32) {
        loop {
            let h = self.head.load(ACQUIRE);
            let t = self.tail.load(RELAXED);
            if t.wrapping_sub(h) < self.capacity() {
                if self.bug == Bug::TailBeforeSlot {
                    self.tail.store(t.wrapping_add(1), RELEASE);
                    self.slot(t).store(id, RELAXED);
                } else {
                    self.slot(t).store(id, RELAXED);
                    self.tail.store(t.wrapping_add(1), RELEASE);
                }
                return;
            }
            if self.put_slow(id, h, t) {
                return;
            }
        }
    }

    /// Moves half of a full ring and `id` to the global queue. False if a thief
    /// was there first, which means that there is room now.
    fn put_slow(&self, id: u32, h: u32, t: u32) -> bool {
        let n = t.wrapping_sub(h) / 2;
        assert!(n == self.capacity() / 2, "the ring is not full");
        let mut batch: Vec<u32> = (0..n)
            .map(|i| self.slot(h.wrapping_add(i)).load(RELAXED))
            .collect();
        if self.bug == Bug::PutslowWithoutCas {
            self.head.store(h.wrapping_add(n), RELEASE);
        } else if self
            .head
            .compare_exchange(h, h.wrapping_add(n), ACQ_REL, ACQUIRE)
            .is_err()
        {
            return false;
        }
        batch.push(id);
        self.global.lock().unwrap().append(&mut batch);
        true
    }

    /// For the owner: `id` is the next to be got, and what was the next is put.
    pub fn put_next(&self, id: u32) {
        loop {
            let old = self.next.load(RELAXED);
            if self.bug == Bug::NextKickedByStore {
                self.next.store(id, RELEASE);
            } else if self
                .next
                .compare_exchange(old, id, ACQ_REL, ACQUIRE)
                .is_err()
            {
                continue;
            }
            if old != 0 {
                self.put(old);
            }
            return;
        }
    }

    /// For the owner: the next id, or 0.
    pub fn get(&self) -> u32 {
        let next = self.next.load(RELAXED);
        // No second try: if the CAS fails, a thief has taken it.
        if next != 0
            && self
                .next
                .compare_exchange(next, 0, ACQ_REL, ACQUIRE)
                .is_ok()
        {
            return next;
        }
        loop {
            let h = self.head.load(ACQUIRE);
            let t = self.tail.load(RELAXED);
            if t == h {
                return 0;
            }
            let id = self.slot(h).load(RELAXED);
            if self.bug == Bug::GetWithoutCas {
                self.head.store(h.wrapping_add(1), RELEASE);
                return id;
            }
            if self
                .head
                .compare_exchange(h, h.wrapping_add(1), ACQ_REL, ACQUIRE)
                .is_ok()
            {
                return id;
            }
        }
    }

    /// For anyone: takes one half, rounded up, to `loot`, and returns how many
    /// that were. If there are none, it takes what is to be got next, should
    /// `steal_next` be set.
    pub fn steal(&self, steal_next: bool, loot: &mut Vec<u32>) -> u32 {
        loop {
            let (h, t);
            if self.bug == Bug::TailLoadedFirst {
                t = self.tail.load(ACQUIRE);
                h = self.head.load(ACQUIRE);
            } else {
                h = self.head.load(ACQUIRE);
                t = self.tail.load(ACQUIRE);
            }
            let mut n = t.wrapping_sub(h);
            n -= n / 2;
            if n == 0 {
                if !steal_next {
                    return 0;
                }
                let next = self.next.load(RELAXED);
                if next == 0 {
                    return 0;
                }
                if self.bug == Bug::NextStolenByStore {
                    self.next.store(0, RELEASE);
                } else if self
                    .next
                    .compare_exchange(next, 0, ACQ_REL, ACQUIRE)
                    .is_err()
                {
                    continue;
                }
                loot.push(next);
                return 1;
            }
            if self.bug == Bug::TailLoadedFirst {
                // No second look, but no more is copied than there are slots.
                n = n.min(self.capacity());
            } else if n > self.capacity() / 2 {
                // Head and tail are of different times.
                again();
                continue;
            }
            let before = loot.len();
            if self.bug == Bug::SlotsAfterCas {
                if !self.commit(h, n) {
                    continue;
                }
                self.copy(h, n, loot);
                return n;
            }
            self.copy(h, n, loot);
            if self.commit(h, n) {
                return n;
            }
            loot.truncate(before);
        }
    }

    fn copy(&self, h: u32, n: u32, loot: &mut Vec<u32>) {
        loot.extend((0..n).map(|i| self.slot(h.wrapping_add(i)).load(RELAXED)));
    }

    fn commit(&self, h: u32, n: u32) -> bool {
        self.head
            .compare_exchange(h, h.wrapping_add(n), ACQ_REL, ACQUIRE)
            .is_ok()
    }

    /// When all threads have ended: what is left in the ring, in `next` and in
    /// the global queue.
    pub fn left(&self) -> Vec<u32> {
        let mut left = self.global.lock().unwrap().clone();
        let h = self.head.load(ACQUIRE);
        let t = self.tail.load(ACQUIRE);
        let n = t.wrapping_sub(h);
        assert!(n <= self.capacity(), "head {h} and tail {t}");
        self.copy(h, n, &mut left);
        let next = self.next.load(ACQUIRE);
        if next != 0 {
            left.push(next);
        }
        left
    }
}

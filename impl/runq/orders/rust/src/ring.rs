//! The run queue of a P: a slot in front (next), a ring, two indices that run freely.
//! Written anew from what the algorithm does; each operation bears the original's name.

use crate::sites::{Orders, Site};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, Ordering};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// What is being checked. If loom reports a race then, this is what it means.
pub static CHECKED: Mutex<&str> = Mutex::new("");

fn checked(what: &'static str, check: impl FnOnce()) {
    *CHECKED.lock().unwrap() = what;
    check();
    *CHECKED.lock().unwrap() = "";
}

/// Where the indices begin: they overflow at once.
const START: u32 = u32::MAX;

loom::thread_local! {
    /// Which thread this is: 0 is the owner.
    pub static ME: Cell<usize> = Cell::new(0);
}

/// A word of shared memory. What is a plain access in the runtime is relaxed here.
///
/// loom's reduction keeps one last access of a word, so that a thread's own load hides
/// another thread's from its store, and executions are missed (loom's issue 166). So a
/// word has a word beside it for each thread: a load first updates that of its thread,
/// a store those of the others. The updates synchronise nothing, and two of them depend
/// on each other if a load and a store do. A store goes with its updates: no other
/// thread is tried in between.
struct Word {
    value: AtomicU32,
    beside: Vec<AtomicU32>,
}

impl Word {
    /// With none beside it: for a word that no thread both loads and stores.
    fn alone(value: u32) -> Word {
        Word { value: AtomicU32::new(value), beside: Vec::new() }
    }

    fn new(value: u32, threads: usize) -> Word {
        Word { beside: (0..threads).map(|_| AtomicU32::new(0)).collect(), ..Word::alone(value) }
    }

    fn update(&self, is_mine: impl Fn(bool) -> bool) {
        let me = ME.with(Cell::get);
        for (_, b) in self.beside.iter().enumerate().filter(|(i, _)| is_mine(*i == me)) {
            b.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn load(&self, order: Ordering) -> u32 {
        self.update(|mine| mine);
        self.value.load(order)
    }

    fn plain(&self) -> u32 {
        self.load(Ordering::Relaxed)
    }

    fn write<T>(&self, f: impl FnOnce(&AtomicU32) -> T) -> T {
        if self.beside.is_empty() {
            return f(&self.value);
        }
        self.update(|mine| !mine);
        loom::stop_exploring();
        let result = f(&self.value);
        loom::explore();
        result
    }

    fn store(&self, value: u32, order: Ordering) {
        self.write(|v| v.store(value, order));
    }

    fn cas(&self, old: u32, new: u32, order: Ordering) -> bool {
        self.write(|v| v.compare_exchange(old, new, order, Ordering::Relaxed).is_ok())
    }
}

/// A word that the ring does not know: loom says whether two accesses are ordered.
type Note = Arc<UnsafeCell<()>>;

pub struct Ring {
    head: Word,
    tail: Word,
    next: Word,
    slots: Vec<Word>,
    /// What the owner last stored in tail and slots. Only it stores there, so that its own
    /// loads return this: they are not made.
    own_tail: Cell<u32>,
    own_slots: Vec<Cell<u32>>,
    /// By index: the read of a thief that took what it read. loom does not run a load behind
    /// what follows it, so that such a read never returns a later store. C11 lets it, unless
    /// the read happens before that store. So this is what is checked.
    reads: Mutex<HashMap<u32, Note>>,
}

impl Ring {
    fn slot(&self, i: u32) -> &Word {
        &self.slots[i as usize & (self.slots.len() - 1)]
    }

    fn own_slot(&self, i: u32) -> &Cell<u32> {
        &self.own_slots[i as usize & (self.slots.len() - 1)]
    }

    fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Writes a slot. A thief that took what was there must have read it before.
    fn write(&self, i: u32, id: u32) {
        if let Some(read) = self.reads.lock().unwrap().get(&i.wrapping_sub(self.capacity())) {
            checked("a slot is written again, unordered with the read by which it was taken", || {
                read.with(|_| ());
            });
        }
        self.slot(i).store(id, Ordering::Relaxed);
        self.own_slot(i).set(id);
    }

    fn publish(&self, tail: u32, order: Ordering) {
        self.tail.store(tail, order);
        self.own_tail.set(tail);
    }
}

/// The queues of some Ps, the global queue, and all Gs: ids from 1, 0 is none.
pub struct World {
    orders: Orders,
    rings: Vec<Ring>,
    /// What a G holds. Only the thread that owns the G may touch it.
    contents: Vec<UnsafeCell<u32>>,
    /// No thread takes from the global queue here, so that its lock is none of loom's.
    global: Mutex<Vec<u32>>,
    taken: Mutex<Vec<u32>>,
}

// The contents are the point: loom reports a thread that touches them too early.
unsafe impl Sync for World {}
unsafe impl Send for World {}

impl World {
    /// Head and next have words beside them for so many threads.
    pub fn new(orders: Orders, threads: usize, rings: usize, capacity: usize, gs: usize) -> World {
        let ring = |_| Ring {
            head: Word::new(START, threads),
            tail: Word::alone(START),
            next: Word::new(0, threads),
            slots: (0..capacity).map(|_| Word::alone(0)).collect(),
            own_tail: Cell::new(START),
            own_slots: vec![Cell::new(0); capacity],
            reads: Mutex::default(),
        };
        World {
            orders,
            rings: (0..rings).map(ring).collect(),
            contents: (0..=gs).map(|_| UnsafeCell::new(0)).collect(),
            global: Mutex::default(),
            taken: Mutex::default(),
        }
    }

    fn touch(&self, id: u32) {
        assert!(id != 0, "a slot is taken whose content was never seen");
        checked("a G is touched, unordered with its put", || {
            self.contents[id as usize].with_mut(|c| unsafe { *c += 1 });
        });
    }

    fn took(&self, id: u32) -> u32 {
        self.touch(id);
        self.taken.lock().unwrap().push(id);
        id
    }

    pub fn put(&self, p: usize, id: u32) {
        self.touch(id);
        self.put_ring(p, id);
    }

    pub fn put_next(&self, p: usize, id: u32) {
        self.touch(id);
        let next = &self.rings[p].next;
        loop {
            let old = next.plain();
            if next.cas(old, id, self.orders.of(Site::PutNext)) {
                if old != 0 {
                    self.put_ring(p, old);
                }
                return;
            }
        }
    }

    fn put_ring(&self, p: usize, id: u32) {
        let r = &self.rings[p];
        loop {
            let h = r.head.load(self.orders.of(Site::PutHead));
            let t = r.own_tail.get();
            if t.wrapping_sub(h) < r.capacity() {
                r.write(t, id);
                return r.publish(t.wrapping_add(1), self.orders.of(Site::PutTail));
            }
            if self.put_slow(r, id, h) {
                return;
            }
        }
    }

    fn put_slow(&self, r: &Ring, id: u32, h: u32) -> bool {
        let n = r.capacity() / 2;
        let mut batch: Vec<u32> = (0..n).map(|i| r.own_slot(h.wrapping_add(i)).get()).collect();
        if !r.head.cas(h, h.wrapping_add(n), self.orders.of(Site::SlowCas)) {
            return false;
        }
        batch.push(id);
        batch.iter().for_each(|&id| self.touch(id));
        self.global.lock().unwrap().append(&mut batch);
        true
    }

    pub fn put_batch(&self, p: usize, ids: &[u32]) {
        ids.iter().for_each(|&id| self.touch(id));
        let r = &self.rings[p];
        let h = r.head.load(self.orders.of(Site::BatchHead));
        let t = r.own_tail.get();
        let room = r.capacity() - t.wrapping_sub(h);
        let (fit, rest) = ids.split_at(ids.len().min(room as usize));
        fit.iter().zip(0..).for_each(|(&id, i)| r.write(t.wrapping_add(i), id));
        r.publish(t.wrapping_add(fit.len() as u32), self.orders.of(Site::BatchTail));
        self.global.lock().unwrap().extend(rest);
    }

    pub fn get(&self, p: usize) -> u32 {
        let r = &self.rings[p];
        let next = r.next.plain();
        if next != 0 && r.next.cas(next, 0, self.orders.of(Site::GetNext)) {
            return self.took(next);
        }
        loop {
            let h = r.head.load(self.orders.of(Site::GetHead));
            if r.own_tail.get() == h {
                return 0;
            }
            let id = r.own_slot(h).get();
            if r.head.cas(h, h.wrapping_add(1), self.orders.of(Site::GetCas)) {
                return self.took(id);
            }
        }
    }

    pub fn drain(&self, p: usize) {
        let r = &self.rings[p];
        let next = r.next.plain();
        if next != 0 && r.next.cas(next, 0, self.orders.of(Site::DrainNext)) {
            self.took(next);
        }
        loop {
            let h = r.head.load(self.orders.of(Site::DrainHead));
            let n = r.own_tail.get().wrapping_sub(h);
            if n == 0 {
                return;
            }
            if n <= r.capacity() && r.head.cas(h, h.wrapping_add(n), self.orders.of(Site::DrainCas)) {
                return (0..n).for_each(|i| {
                    self.took(r.own_slot(h.wrapping_add(i)).get());
                });
            }
        }
    }

    /// Copies half of the victim's ring to the thief's, from t on, and takes it.
    fn grab(&self, thief: &Ring, t: u32, victim: &Ring, next_too: bool) -> u32 {
        loop {
            let h = victim.head.load(self.orders.of(Site::GrabHead));
            let n = victim.tail.load(self.orders.of(Site::GrabTail)).wrapping_sub(h);
            let n = n - n / 2;
            if n == 0 {
                let next = if next_too { victim.next.plain() } else { 0 };
                if next == 0 {
                    return 0;
                }
                if !victim.next.cas(next, 0, self.orders.of(Site::GrabNext)) {
                    continue;
                }
                thief.write(t, next);
                return 1;
            }
            if n > victim.capacity() / 2 {
                // Head and tail are not of one moment. Without a word to it, loom would
                // let the loads return the same for ever.
                loom::thread::yield_now();
                continue;
            }
            for i in 0..n {
                thief.write(t.wrapping_add(i), victim.slot(h.wrapping_add(i)).plain());
            }
            let read: Note = Arc::new(UnsafeCell::new(()));
            read.with_mut(|_| ());
            if victim.head.cas(h, h.wrapping_add(n), self.orders.of(Site::GrabCas)) {
                let of = |i| (h.wrapping_add(i), read.clone());
                victim.reads.lock().unwrap().extend((0..n).map(of));
                return n;
            }
        }
    }

    pub fn steal(&self, thief: usize, victim: usize, next_too: bool) -> u32 {
        let r = &self.rings[thief];
        let t = r.own_tail.get();
        let n = self.grab(r, t, &self.rings[victim], next_too);
        if n == 0 {
            return 0;
        }
        let last = t.wrapping_add(n - 1);
        let id = r.own_slot(last).get();
        if n > 1 {
            let h = r.head.load(self.orders.of(Site::StealHead));
            assert!(last.wrapping_sub(h) < r.capacity(), "a steal into a ring without room");
            r.publish(last, self.orders.of(Site::StealTail));
        }
        self.took(id)
    }

    pub fn empty(&self, p: usize) -> bool {
        let r = &self.rings[p];
        loop {
            let h = r.head.load(self.orders.of(Site::EmptyHead));
            let t = r.tail.load(self.orders.of(Site::EmptyTail));
            let next = r.next.load(self.orders.of(Site::EmptyNext));
            if t == r.tail.load(self.orders.of(Site::EmptyAgain)) {
                return h == t && next == 0;
            }
        }
    }

    /// When all threads have ended: each G was taken once or is in one place.
    pub fn check(&self) {
        let mut all = self.taken.lock().unwrap().clone();
        all.extend(self.global.lock().unwrap().iter());
        for r in &self.rings {
            let (h, t) = (r.head.plain(), r.own_tail.get());
            // loom keeps the last seven values of a word.
            assert!(t.wrapping_sub(START) < 7, "loom forgets values of an index");
            assert!(t.wrapping_sub(h) <= r.capacity(), "head and tail are apart");
            all.extend((0..t.wrapping_sub(h)).map(|i| r.own_slot(h.wrapping_add(i)).get()));
            all.extend(Some(r.next.plain()).filter(|&id| id != 0));
        }
        all.sort_unstable();
        assert!(!all.contains(&0), "a slot is in the queue that was not written");
        assert!(all.windows(2).all(|w| w[0] != w[1]), "a G is taken twice");
        assert!(all.len() == self.contents.len() - 1, "a G is lost");
    }
}

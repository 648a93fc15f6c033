//! What the threads do, a letter a call. Ring 0 is the owner's, who is the main thread,
//! ring 1 the first thief's, ring 2 the second's or one to steal from.
//!
//! p put, n put next, b a batch of two, g get, G get until none, d drain;
//! s steal, S steal runnext too, ! steal from a ring that is never empty;
//! e ask whether the queue is empty, which it never is;
//! f set a flag, w steal if it is set; q put in ring 2, a steal from ring 2.

use crate::ring::{World, ME};
use crate::sites::Orders;
use loom::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

pub struct Scenario {
    pub name: &'static str,
    pub capacity: usize,
    pub before: &'static str,
    pub owner: &'static str,
    pub others: &'static [&'static str],
    /// Head and runnext have words beside them.
    pub beside: bool,
}

macro_rules! scenarios {
    ($($name:literal $capacity:literal $before:literal $owner:literal [$($other:literal)*] $beside:literal;)*) => {
        pub const SCENARIOS: &[Scenario] = &[$(Scenario {
            name: $name, capacity: $capacity, before: $before, owner: $owner, others: &[$($other),*], beside: $beside,
        }),*];
    };
}

scenarios! {
    "thief" 2 "" "ppgp" ["s"] true;
    "overflow" 2 "pp" "pp" ["s"] true;
    "batch" 2 "" "bb" ["s"] true;
    "runnext" 2 "" "nng" ["S"] true;
    "displaced" 2 "n" "ng" ["e"] true;
    "never empty" 2 "p" "pppg" ["e"] true;
    "never nothing" 2 "p" "pg" ["!"] true;
    "second left" 2 "p" "pf" ["w" "e"] true;
    "drain" 2 "ppn" "dp" ["S"] true;
    "passed on" 4 "qqq" "ag" ["s"] true;
    "into its own" 2 "ppqq" "Ga" ["ss"] true;
    "two thieves" 2 "pp" "pg" ["s" "s"] false;
}

impl Scenario {
    /// One execution.
    pub fn run(&self, orders: Orders) {
        let made = |set: &[char]| self.before.matches(set).count() + self.owner.matches(set).count();
        let gs = made(&['p', 'n', 'q', 'b']) + made(&['b']);
        let beside = if self.beside { 1 + self.others.len() } else { 0 };
        let all = Arc::new((World::new(orders, beside, 3, self.capacity, gs), AtomicBool::new(false)));
        let mut id = 0;
        script(&all, 0, self.before, &mut id);
        let mut threads = Vec::new();
        for (i, &calls) in (1..).zip(self.others) {
            let all = all.clone();
            threads.push(loom::thread::spawn(move || {
                ME.with(|me| me.set(i));
                script(&all, i, calls, &mut 0);
            }));
        }
        script(&all, 0, self.owner, &mut id);
        threads.into_iter().for_each(|t| t.join().unwrap());
        all.0.check();
    }
}

fn script((w, flag): &(World, AtomicBool), me: usize, calls: &str, id: &mut u32) {
    let mut new = || {
        *id += 1;
        *id
    };
    for call in calls.chars() {
        match call {
            'p' => w.put(0, new()),
            'q' => w.put(2, new()),
            'n' => w.put_next(0, new()),
            'b' => w.put_batch(0, &[new(), new()]),
            'g' => drop(w.get(0)),
            'G' => while w.get(0) != 0 {},
            'd' => w.drain(0),
            's' => drop(w.steal(me, 0, false)),
            'S' => drop(w.steal(me, 0, true)),
            'a' => drop(w.steal(me, 2, false)),
            '!' => assert!(w.steal(me, 0, false) != 0, "a steal finds nothing in a ring that was never empty"),
            'e' => assert!(!w.empty(0), "runqempty is true of a queue that was never empty"),
            'f' => flag.store(true, Ordering::Release),
            'w' if !flag.load(Ordering::Acquire) => (),
            'w' => drop(w.steal(me, 0, false)),
            _ => unreachable!("call {call}"),
        }
    }
}

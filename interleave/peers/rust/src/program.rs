//! One execution: an owner who follows its script, thieves who steal, and the
//! question whether every id turned up once. Compiled once for each explorer,
//! like the ring.

use super::ring::Ring;
use super::sync::thread;
use crate::script::Script;
// Neither explorer is to look into the reference counts: they are no part of
// the ring, and loom would explore their orders too.
use std::sync::Arc;

/// Runs `s` once; to be called by the explorer. A panic is a finding.
pub fn run(s: &Script) {
    let ring = Arc::new(Ring::new(s.capacity, s.bug));
    let steal_next = s.steal_next();
    let steals = s.steals;
    let thieves: Vec<_> = (0..s.thieves)
        .map(|_| {
            let ring = ring.clone();
            thread::spawn(move || {
                let mut loot = Vec::new();
                for _ in 0..steals {
                    ring.steal(steal_next, &mut loot);
                }
                loot
            })
        })
        .collect();
    let mut found = Vec::new();
    let mut id = 0;
    for letter in s.owner.bytes() {
        match letter {
            b'G' => match ring.get() {
                0 => (),
                got => found.push(got),
            },
            b'N' => {
                id += 1;
                ring.put_next(id);
            }
            _ => {
                id += 1;
                ring.put(id);
            }
        }
    }
    for t in thieves {
        found.append(&mut t.join().unwrap());
    }
    found.append(&mut ring.left());
    found.sort_unstable();
    assert!(
        found.iter().copied().eq(1..=id),
        "found {found:?}, want each of 1 to {id} once"
    );
}

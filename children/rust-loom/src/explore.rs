// Included once for each version of loom: `thread` is its threads, `model` its executions,
// `Owner`, `Thief` and `queue` are the queue under test, and `COMPLETE` says whether loom leaves
// no execution of it out.

use crate::atomics::RUNNING;
use crate::scenario::{history, Call, Made, Scenario};
use crate::{Explored, DONE};
use std::sync::atomic::Ordering::Relaxed;

/// A logical thread: what it owns, and what it has called.
struct Actor {
    number: usize,
    p: Option<usize>,
    owner: Option<Owner>,
    thieves: Vec<Thief>,
    next: u64,
    made: Vec<Made>,
}

impl Actor {
    fn call(&mut self, c: Call) {
        let own = c.kind == 'p' || c.kind == 'g';
        let next = |p: usize| (p + 1) % self.thieves.len();
        let p = match (own, c.arg, self.p) {
            (false, Some(p), _) => p,
            (false, None, Some(p)) if c.kind == 's' => next(p),
            (_, _, p) => p.unwrap_or(0),
        };
        let mut made = Made { thread: self.number, kind: c.kind, p, put: None, ok: true, out: None };
        match c.kind {
            'p' => {
                made.put = Some(self.next);
                made.ok = self.owner.as_ref().expect("an owner").put(self.next);
                self.next += 1;
            }
            'g' => made.out = self.owner.as_ref().expect("an owner").get(),
            's' => made.out = self.thieves[p].steal(),
            _ => made.ok = self.thieves[p].empty(),
        }
        if matches!(c.kind, 'g' | 's') {
            made.ok = made.out.is_some();
        }
        self.made.push(made);
    }
}

/// One execution of a scenario.
fn execution(s: &Scenario, which: &str, capacity: usize) -> String {
    let (mut owners, mut thieves) = (Vec::new(), Vec::new());
    for _ in 0..s.ps {
        let (owner, thief) = queue(which, capacity);
        owners.push(Some(owner));
        thieves.push(thief);
    }
    let mut actors = Vec::new();
    for (number, t) in s.threads.iter().enumerate() {
        let owner = t.p.map(|p| owners[p].take().expect("one owner"));
        actors.push(Some(Actor { number, p: t.p, owner, thieves: thieves.clone(), next: t.first, made: Vec::new() }));
    }
    // Calls of one thread after another, in the order of the list.
    let mut calls = Vec::new();
    let quietly = |calls: &mut Vec<Made>, actors: &mut Vec<Option<Actor>>, list: &[(usize, Call)]| {
        for (t, c) in list {
            let a = actors[*t].as_mut().expect("an actor");
            a.call(*c);
            calls.append(&mut a.made);
        }
    };
    if let Some(order) = &s.order {
        let mut at = vec![0; s.threads.len()];
        let list: Vec<(usize, Call)> = order
            .iter()
            .map(|&t| {
                at[t] += 1;
                (t, s.threads[t].script[at[t] - 1])
            })
            .collect();
        quietly(&mut calls, &mut actors, &list);
    } else {
        quietly(&mut calls, &mut actors, &s.before);
        // The first that has something to call is the main thread.
        let busy: Vec<usize> = (0..actors.len()).filter(|&t| !s.threads[t].script.is_empty()).collect();
        let mut running = Vec::new();
        RUNNING.store(true, Relaxed);
        for &t in busy.iter().skip(1) {
            let (mut a, script) = (actors[t].take().expect("an actor"), s.threads[t].script.clone());
            running.push(thread::spawn(move || {
                script.into_iter().for_each(|c| a.call(c));
                a
            }));
        }
        if let Some(&t) = busy.first() {
            let a = actors[t].as_mut().expect("an actor");
            s.threads[t].script.iter().for_each(|&c| a.call(c));
        }
        for handle in running {
            let a = handle.join().expect("a thread that ends");
            let number = a.number;
            actors[number] = Some(a);
        }
        RUNNING.store(false, Relaxed);
        actors.iter_mut().flatten().for_each(|a| calls.append(&mut a.made));
        quietly(&mut calls, &mut actors, &s.after);
    }
    let mut left = vec![Vec::new(); s.ps];
    for (p, ring) in left.iter_mut().enumerate() {
        let owner = owners[p].as_ref().or_else(|| actors.iter().flatten().find(|a| a.p == Some(p)).and_then(|a| a.owner.as_ref()));
        while let Some(id) = owner.expect("an owner").get() {
            ring.push(id);
            if ring.len() > 1000 {
                break; // it hands out the same one for ever
            }
        }
    }
    history(if s.order.is_some() { "order" } else { "counter" }, capacity, &calls, &left)
}

/// Runs a scenario in all its executions, up to so many. A panic ends the process.
pub fn explore(s: &Scenario, which: &str, capacity: usize, most: usize) -> Explored {
    let mut builder = Builder::new();
    builder.preemption_bound = None;
    builder.max_branches = 10_000; // more is a panic, never a cut
    builder.checkpoint_interval = 1; // or it looks at its bound only now and then
    builder.max_permutations = Some(most + 1);
    let (s, which) = (s.clone(), which.to_string());
    *DONE.lock().unwrap() = Explored::default();
    builder.check(move || {
        let h = execution(&s, &which, capacity);
        let mut done = DONE.lock().unwrap();
        done.executions += 1;
        done.histories.insert(h);
    });
    let mut done = std::mem::take(&mut *DONE.lock().unwrap());
    done.complete = COMPLETE && done.executions < most;
    done
}

//! A child of Spindle that explores queues under loom: each execution of a scenario by the
//! memory model of C11, as far as loom knows it, and not only those that a processor shows.
//!
//! ```text
//! spindle check 'exec:spindle-loom [right|get-stores|...]'
//! ```
//!
//! The queue is the deque of src/deque.rs, right or with the fault that is named. Built with
//! RUSTFLAGS='--cfg st3_loom' it has st3's deque as well, as it lies, under the name st3: on
//! loom's own atomics, so that loom leaves executions out, and nothing is complete. To explore a
//! queue of your own, let it use the atomics of src/atomics.rs, and put it in the place of
//! on_loom::queue.

mod atomics;
mod deque;
mod scenario;

use scenario::Scenario;
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::sync::Mutex;

/// What came of a scenario.
pub struct Explored {
    histories: BTreeSet<String>,
    executions: usize,
    complete: bool,
}

impl Explored {
    const fn none() -> Explored {
        Explored { histories: BTreeSet::new(), executions: 0, complete: false }
    }
}

impl Default for Explored {
    fn default() -> Explored {
        Explored::none()
    }
}

/// The executions of the present scenario that have ended.
pub static DONE: Mutex<Explored> = Mutex::new(Explored::none());

/// The number of the present question.
static SEQ: Mutex<u64> = Mutex::new(0);

mod on_loom {
    use crate::deque::{Deque, FAULTS};
    use loom::model::Builder;
    use loom::{sync::Arc, thread};

    const COMPLETE: bool = true; // by the deque's atomics

    type Owner = Arc<Deque>;
    type Thief = Arc<Deque>;

    fn queue(which: &str, capacity: usize) -> (Owner, Thief) {
        let fault = FAULTS.iter().find(|(name, _)| *name == which).expect("a known name").1;
        let q = Deque::new(capacity, fault);
        (q.clone(), q)
    }

    include!("explore.rs");
}

#[cfg(st3_loom)]
mod on_st3 {
    use loom05::model::Builder;
    use loom05::thread;
    use st3::lifo;

    const COMPLETE: bool = false; // see atomics.rs

    struct Owner(lifo::Worker<u64>);
    /// A thief needs a queue of its own. It is made for each steal, and is empty after it.
    #[derive(Clone)]
    struct Thief(lifo::Stealer<u64>);

    impl Owner {
        fn put(&self, id: u64) -> bool {
            self.0.push(id).is_ok()
        }
        fn get(&self) -> Option<u64> {
            self.0.pop()
        }
    }

    impl Thief {
        fn steal(&self) -> Option<u64> {
            let own = lifo::Worker::new(2);
            self.0.steal_and_pop(&own, |_| 1).ok().map(|(id, _)| id)
        }
        /// st3 has this question for the owner alone. Whether a thief finds anything is the same
        /// when no other call is at work.
        fn empty(&self) -> bool {
            let mut some = false;
            let own = lifo::Worker::new(2);
            let _ = self.0.steal(&own, |_| {
                some = true;
                0
            });
            !some
        }
    }

    fn queue(_: &str, capacity: usize) -> (Owner, Thief) {
        let worker = lifo::Worker::new(capacity);
        let thief = Thief(worker.stealer());
        (Owner(worker), thief)
    }

    include!("explore.rs");
}

type Explorer = fn(&Scenario, &str, usize, usize) -> Explored;

fn main() {
    let which = std::env::args().nth(1).unwrap_or_else(|| "right".to_string());
    let mut names: Vec<&str> = deque::FAULTS.iter().map(|(name, _)| *name).collect();
    #[allow(unused_mut)]
    let mut explore: Explorer = on_loom::explore;
    #[cfg(st3_loom)]
    {
        names.push("st3");
        if which == "st3" {
            explore = on_st3::explore;
        }
    }
    names.sort();
    if !names.contains(&which.as_str()) {
        eprintln!("spindle-loom: expected one of {}, saw {which:?}", names.join(", "));
        std::process::exit(2);
    }
    std::panic::set_hook(Box::new(|info| panicked(info.payload_as_str().unwrap_or("a panic"), &info.location().map_or(String::new(), |l| l.to_string()))));
    let (version, contract) = if which == "st3" { ("0.4.1", r#""contract":{"empty":"quiet"},"#) } else { (env!("CARGO_PKG_VERSION"), "") };
    say(&format!(
        r#"{{"hello":{{"protocol":2,"name":"loom-{which}","version":"{version}","profile":"lifo-deque",{contract}"explores":"loom","capabilities":{{"capacity":2,"resize":true,"quiet":true}}}}}}"#
    ));
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        say(&answer(&line, &which, explore));
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever does not listen any more has ended.
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn answer(line: &str, which: &str, explore: Explorer) -> String {
    let q: serde_json::Value = match serde_json::from_str(line) {
        Ok(q) => q,
        Err(e) => {
            eprintln!("spindle-loom: expected a question, saw {line:?}: {e}");
            std::process::exit(1);
        }
    };
    let seq = q["seq"].as_u64().unwrap_or(0);
    *SEQ.lock().unwrap() = seq;
    let refuse = |why: &str| format!(r#"{{"seq":{seq},"error":{}}}"#, serde_json::Value::from(why));
    let s = match Scenario::parse(&q["scenario"]) {
        Ok(s) => s,
        Err(why) => return refuse(&why),
    };
    let capacity = if s.capacity > 0 { s.capacity } else { 2 };
    match (q["cmd"].as_str(), s.order.is_some()) {
        (Some("explore"), false) => explored(seq, &explore(&s, which, capacity, q["executions"].as_u64().unwrap_or(1) as usize)),
        (Some("run"), true) => {
            let x = explore(&s, which, capacity, 2); // there is but one
            format!(r#"{{"seq":{seq},"history":{}}}"#, x.histories.first().expect("a history"))
        }
        (cmd, _) => refuse(&format!("expected explore, or run with an order, saw {cmd:?}")),
    }
}

fn explored(seq: u64, x: &Explored) -> String {
    let list: Vec<&str> = x.histories.iter().map(String::as_str).collect();
    format!(r#"{{"seq":{seq},"histories":[{}],"executions":{},"complete":{}}}"#, list.join(","), x.executions, x.complete)
}

/// Answers for a call that panicked, or for loom where it gave up, and ends: the threads of
/// the execution cannot be unwound one by one.
fn panicked(text: &str, at: &str) {
    let (seq, done) = (*SEQ.lock().unwrap(), std::mem::take(&mut *DONE.lock().unwrap()));
    let all = explored(seq, &done);
    if !text.starts_with("Model exceeded maximum number of") {
        say(&format!(r#"{},"crash":{{"text":{}}}}}"#, &all[..all.len() - 1], serde_json::Value::from(format!("{text} ({at})"))));
    } else if done.histories.is_empty() {
        say(&format!(r#"{{"seq":{seq},"error":{}}}"#, serde_json::Value::from(text)));
    } else {
        say(&all);
    }
    std::process::exit(0);
}

//! Explores the ring of the run queue with loom, under given memory orders.
//!
//! ```text
//! orders list
//! orders run SCENARIO [SITE=ORDER]...
//! ```
//!
//! list prints the sites and scenarios, run explores a scenario to its end, or to the
//! first execution that is wrong. The output is lines of fields between tabs.

mod ring;
mod scenarios;
mod sites;

use scenarios::{Scenario, SCENARIOS};
use sites::{name, weaker, Orders, SITES};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let known = args.get(1).and_then(|a| SCENARIOS.iter().find(|s| s.name == a));
    let orders = args.get(2..).map_or(Some(()), |rest| Orders::parse(rest).map(|_| ()));
    match (args.first().map(String::as_str), known, orders) {
        (Some("list"), None, _) => list(),
        (Some("run"), Some(s), Some(())) => explore(s, args[2..].to_vec()),
        _ => {
            eprintln!("usage: orders list | orders run SCENARIO [SITE=ORDER]...");
            std::process::exit(2);
        }
    }
}

fn list() {
    for (i, (call, what, order)) in SITES.iter().enumerate() {
        for w in weaker(*order) {
            println!("site\t{i}\t{call}\t{what}\t{}\t{}", name(*order), name(*w));
        }
    }
    for s in SCENARIOS {
        println!("scenario\t{}\t{}\t{}\t{}\t{}", s.name, s.capacity, s.before, s.owner, s.others.join("\t"));
    }
}

fn explore(scenario: &'static Scenario, orders: Vec<String>) {
    // A finding is a panic of an execution. Its threads cannot be unwound one by one.
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or("a panic");
        let checked = ring::CHECKED.try_lock().map_or("", |c| *c);
        let line = text.trim().lines().next().unwrap_or("");
        let race = line.starts_with("Causality violation") && !checked.is_empty();
        println!("fails\t{}\t{}", EXECUTIONS.load(Relaxed), if race { checked } else { line });
        std::process::exit(0);
    }));
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = None;
    builder.max_branches = 10_000; // more is a panic, never a cut
    builder.check(move || {
        EXECUTIONS.fetch_add(1, Relaxed);
        scenario.run(Orders::parse(&orders).unwrap());
    });
    println!("complete\t{}", EXECUTIONS.load(Relaxed));
}

//! Explores a script of the fixture ring with loom or shuttle, and prints one
//! line of JSON:
//!
//! ```text
//! peer loom|shuttle exhaust|random|bug SCRIPT THIEVES STEALS CAPACITY [BUG] [LIMIT_SECONDS] [SEED]
//! ```
//!
//! exhaust runs every execution that the explorer sees a need for, random as
//! many random ones as fit into the limit (loom has none), bug hunts for a
//! seeded bug and stops at the first finding. BUG is "none" unless given, the
//! limit 60 seconds of wall time, the seed 1.

mod bug;
mod on_loom;
mod on_shuttle;
mod outcome;
mod script;

use bug::Bug;
use outcome::{Mode, Outcome};
use script::Script;
use std::time::Duration;

const USAGE: &str = "usage: peer loom|shuttle exhaust|random|bug SCRIPT THIEVES STEALS CAPACITY [BUG] [LIMIT_SECONDS] [SEED]";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match explore(&args) {
        Ok(line) => println!("{line}"),
        Err(err) => {
            eprintln!("peer: {err}");
            std::process::exit(2);
        }
    }
}

fn explore(args: &[String]) -> Result<String, String> {
    if args.len() < 6 || args.len() > 9 {
        return Err(USAGE.to_string());
    }
    let mode = Mode::parse(&args[1]).ok_or(USAGE)?;
    let bug = args.get(6).map_or("none", String::as_str);
    let script = Script {
        owner: args[2].clone(),
        thieves: number(&args[3])?,
        steals: number(&args[4])?,
        capacity: number(&args[5])?,
        bug: Bug::parse(bug).ok_or(format!("no bug {bug:?}"))?,
    };
    script.check()?;
    let limit = args.get(7).map_or("60", String::as_str);
    let limit = match limit.parse() {
        Ok(seconds) if seconds > 0.0 => Duration::from_secs_f64(seconds),
        _ => return Err(format!("limit {limit:?}: want a number of seconds")),
    };
    let seed = args.get(8).map_or(Ok(1), |a| number(a))?;
    // A finding is a panic, and one that is expected needs no trace.
    std::panic::set_hook(Box::new(|_| ()));
    let outcome: Outcome = match args[0].as_str() {
        "loom" => on_loom::explore(&script, mode, limit)?,
        "shuttle" => on_shuttle::explore(&script, mode, limit, seed),
        _ => return Err(USAGE.to_string()),
    };
    Ok(outcome.json(&args[0], mode, &script))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?}: want a number"))
}

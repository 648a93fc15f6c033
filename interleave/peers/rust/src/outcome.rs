//! What came out of an exploration.

use crate::script::Script;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Exhaust,
    Random,
    Bug,
}

impl Mode {
    pub fn parse(name: &str) -> Option<Mode> {
        match name {
            "exhaust" => Some(Mode::Exhaust),
            "random" => Some(Mode::Random),
            "bug" => Some(Mode::Bug),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Mode::Exhaust => "exhaust",
            Mode::Random => "random",
            Mode::Bug => "bug",
        }
    }
}

/// Executions begun. Of the standard library, so that no explorer sees it.
static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

/// To be called at the beginning of every execution.
pub fn count() {
    EXECUTIONS.fetch_add(1, Ordering::Relaxed);
}

/// A search that is repeated goes on for this long. ../../explore.go has the same.
const AT_LEAST: Duration = Duration::from_millis(200);

pub struct Outcome {
    runs: u32,
    executions: u64,
    wall: Duration,
    in_time: bool,
    finding: Option<String>,
}

impl Outcome {
    /// Runs `explore`, which is to return soon after `limit`: an exhaustive search
    /// again and again, for one of microseconds could not be measured. The time is
    /// the mean.
    pub fn of(mode: Mode, limit: Duration, explore: impl Fn()) -> Outcome {
        let begin = Instant::now();
        let mut runs = 0;
        let ended = loop {
            EXECUTIONS.store(0, Ordering::Relaxed);
            let ended = catch_unwind(AssertUnwindSafe(&explore));
            runs += 1;
            if mode != Mode::Exhaust || ended.is_err() || begin.elapsed() > AT_LEAST.min(limit) {
                break ended;
            }
        };
        let wall = begin.elapsed() / runs;
        Outcome {
            runs,
            executions: EXECUTIONS.load(Ordering::Relaxed),
            wall,
            in_time: wall < limit,
            finding: ended.err().map(|panic| {
                if let Some(text) = panic.downcast_ref::<String>() {
                    text.clone()
                } else if let Some(text) = panic.downcast_ref::<&str>() {
                    text.to_string()
                } else {
                    "a panic".to_string()
                }
            }),
        }
    }

    pub fn found(&self) -> bool {
        self.finding.is_some()
    }

    /// Complete is true only if an exhaustive search came to its own end.
    pub fn json(&self, tool: &str, mode: Mode, s: &Script) -> String {
        let finding = self.finding.as_deref().unwrap_or("");
        format!(
            concat!(
                r#"{{"tool":"{}","mode":"{}","script":"{}","thieves":{},"steals":{},"capacity":{},"bug":"{}","#,
                r#""runs":{},"executions":{},"seconds":{:.9},"complete":{},"found":{},"finding":"{}"}}"#
            ),
            tool,
            mode.name(),
            s.owner,
            s.thieves,
            s.steals,
            s.capacity,
            s.bug.name(),
            self.runs,
            self.executions,
            self.wall.as_secs_f64(),
            mode == Mode::Exhaust && self.in_time && !self.found(),
            self.found(),
            plain(finding),
        )
    }
}

/// The first line of `text`, without what JSON would have escaped.
fn plain(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    line.chars()
        .filter(|c| !c.is_control())
        .map(|c| if c == '"' || c == '\\' { '\'' } else { c })
        .collect()
}

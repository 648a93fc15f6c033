//! What the suite asks, and what a thread has called: the protocol's words, without its
//! explorer. See conformance/target/child/PROTOCOL.md.

use serde_json::Value;
use std::fmt::Write;

/// A call of a script: a letter, and an argument if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    pub kind: char,
    pub arg: Option<usize>,
}

#[derive(Clone)]
pub struct Thread {
    /// The queue that it owns.
    pub p: Option<usize>,
    pub script: Vec<Call>,
    /// The number of the first G that it puts.
    pub first: u64,
}

#[derive(Clone)]
pub struct Scenario {
    pub ps: usize,
    /// Of each ring; 0: the queue's own.
    pub capacity: usize,
    pub threads: Vec<Thread>,
    pub before: Vec<(usize, Call)>,
    pub after: Vec<(usize, Call)>,
    pub order: Option<Vec<usize>>,
}

fn script(text: &str) -> Result<Vec<Call>, String> {
    let mut calls: Vec<Call> = Vec::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        match (c.to_digit(10), calls.last_mut()) {
            (Some(d), Some(call)) => call.arg = Some(call.arg.unwrap_or(0) * 10 + d as usize),
            (None, _) if "pgse".contains(c) => calls.push(Call { kind: c, arg: None }),
            _ => return Err(format!("expected the calls p, g, s and e, saw {c:?}")),
        }
    }
    Ok(calls)
}

/// Calls at a quiet moment, as "T0:pp T1:s0".
fn quiet(text: &str, threads: usize) -> Result<Vec<(usize, Call)>, String> {
    let mut calls = Vec::new();
    for part in text.split_whitespace() {
        let (thread, letters) = part
            .strip_prefix('T')
            .and_then(|p| p.split_once(':'))
            .and_then(|(n, s)| Some((n.parse::<usize>().ok()?, s)))
            .filter(|(n, _)| *n < threads)
            .ok_or_else(|| format!("expected calls of a thread, as T0:p, saw {part:?}"))?;
        calls.extend(script(letters)?.into_iter().map(|c| (thread, c)));
    }
    Ok(calls)
}

impl Scenario {
    pub fn parse(v: &Value) -> Result<Scenario, String> {
        let text = |key: &str| v[key].as_str().unwrap_or("");
        let number = |key: &str| v[key].as_u64().unwrap_or(0) as usize;
        let list = v["threads"].as_array().ok_or("expected threads")?;
        let (ps, before, after) = (number("ps"), quiet(text("before"), list.len())?, quiet(text("after"), list.len())?);
        let mut threads = Vec::new();
        let mut first = 1;
        for (i, t) in list.iter().enumerate() {
            let once = script(t["script"].as_str().unwrap_or(""))?;
            let script = once.repeat(t["repeat"].as_u64().unwrap_or(1).max(1) as usize);
            let quietly = before.iter().chain(&after).filter(|(n, _)| *n == i).map(|(_, c)| c);
            let puts = script.iter().chain(quietly).filter(|c| c.kind == 'p').count() as u64;
            let p = usize::try_from(t["p"].as_i64().unwrap_or(0)).ok();
            if p.is_some_and(|p| p >= ps || threads.iter().any(|t: &Thread| t.p == Some(p))) {
                return Err("expected one owner of each queue".to_string());
            }
            threads.push(Thread { p, script, first });
            first += puts;
        }
        let order = v["order"].as_array().map(|o| o.iter().map(|n| n.as_u64().unwrap_or(0) as usize).collect());
        Ok(Scenario { ps, capacity: number("capacity"), threads, before, after, order })
    }
}

/// A call that was made.
#[derive(Clone)]
pub struct Made {
    pub thread: usize,
    pub kind: char,
    pub p: usize,
    /// The G that was put.
    pub put: Option<u64>,
    pub ok: bool,
    /// The G that came.
    pub out: Option<u64>,
}

/// The history of an execution. The stamps say in which order a thread made its calls, and
/// that quiet calls were alone. No order between the calls of two threads is meant: that
/// which loom happens to run them in is none by the memory model.
pub fn history(clock: &str, capacity: usize, calls: &[Made], left: &[Vec<u64>]) -> String {
    let mut s = format!(r#"{{"clock":"{clock}","capacity":{capacity},"ops":["#);
    for (i, c) in calls.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        write!(s, r#"{comma}{{"t":{},"k":"{}","p":{},"to":-1,"#, c.thread, c.kind, c.p).unwrap();
        if let Some(id) = c.put {
            write!(s, r#""in":[{id}],"n":{},"#, c.ok as u8).unwrap();
        }
        if let Some(id) = c.out {
            write!(s, r#""out":[{id}],"#).unwrap();
        }
        write!(s, r#""ok":{},"c":{},"ret":{}}}"#, c.ok, 2 * i + 1, 2 * i + 2).unwrap();
    }
    s.push_str(r#"],"final":{"ps":["#);
    for (i, ring) in left.iter().enumerate() {
        write!(s, r#"{}{{"ring":{ring:?}}}"#, if i == 0 { "" } else { "," }).unwrap();
    }
    s + "]}}"
}

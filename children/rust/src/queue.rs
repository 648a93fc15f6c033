//! The driver of queues: it runs scenarios, and records each call. It is the same for all queues of Rust.
//!
//! The page of the protocol is `conformance/target/child/PROTOCOL.md`.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::channel;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::driver::{Threads, assemble, said, say, version};

/// A queue as the driver sees it.
pub struct Adapter {
    pub name: &'static str,
    /// The package whose version, as Cargo.lock has it, is the queue's.
    pub package: &'static str,
    pub profile: &'static str,
    /// Choices that differ from the profile, and their values.
    pub contract: &'static [(&'static str, &'static str)],
    /// What a queue can do besides put, get and steal, as JSON.
    pub capabilities: &'static str,
    /// Is [`serve`] of the type of the queue.
    pub serve: fn(&Adapter),
}

/// A queue in the hands of its owner.
pub trait Queue: Sized + Send + 'static {
    /// The queue in the hands of others.
    type Thief: Clone + Send + Sync + 'static;

    fn new(capacity: usize) -> (Self, Self::Thief);
    fn put(&self, id: u64) -> bool;
    fn get(&self) -> Option<u64>;
    /// Steals one, or, with `batch`, some into the thief's own queue, one of which it gives.
    fn steal(from: &Self::Thief, into: Option<&Self>) -> Option<u64>;
    fn is_empty(of: &Self::Thief) -> bool;
    fn len(of: &Self::Thief) -> usize;
    /// Another owner, if there may be several.
    fn share(_: &Self::Thief) -> Option<Self> {
        None
    }
}

#[derive(Deserialize)]
struct Question {
    seq: u64,
    scenario: Scenario,
}

#[derive(Deserialize)]
struct Scenario {
    ps: usize,
    threads: Vec<Script>,
    order: Option<Vec<usize>>,
    #[serde(default)]
    before: String,
    #[serde(default)]
    after: String,
    #[serde(default)]
    capacity: usize,
    #[serde(default)]
    holds: usize,
}

#[derive(Deserialize)]
struct Script {
    p: i64,
    script: String,
    #[serde(default)]
    repeat: usize,
}

/// A letter, and its argument.
type Call = (char, Option<i64>);

/// A call of a history.
#[derive(Serialize, Default)]
struct Op {
    t: usize,
    k: char,
    p: i64,
    to: i64,
    #[serde(rename = "in", skip_serializing_if = "Vec::is_empty")]
    ins: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    out: Vec<u64>,
    n: usize,
    ok: bool,
    c: u64,
    ret: u64,
}

/// The calls of a script.
fn calls(script: &str) -> Result<Vec<Call>, String> {
    let mut list: Vec<Call> = vec![];
    for c in script.chars().filter(|c| !c.is_whitespace()) {
        match (c, list.last_mut()) {
            ('p' | 'g' | 's' | 'e' | 'l', _) => list.push((c, None)),
            ('0'..='9', Some((_, arg))) => *arg = Some(arg.unwrap_or(0) * 10 + (c as i64 - '0' as i64)),
            _ => return Err(format!("expected a script of p, g, s, e, l and numbers, saw {script:?}")),
        }
    }
    Ok(list)
}

/// Calls at a quiet moment: scripts, each behind the number of its thread.
fn quiet(text: &str, threads: usize) -> Result<Vec<(usize, Vec<Call>)>, String> {
    let one = |part: &str| {
        let (number, script) = part.strip_prefix('T')?.split_once(':')?;
        Some((number.parse().ok().filter(|&n: &usize| n < threads)?, script.to_string()))
    };
    let read = |part| one(part).ok_or(format!("expected a thread and its script, saw {part:?}")).and_then(|(n, script)| Ok((n, calls(&script)?)));
    text.split_whitespace().map(read).collect()
}

/// A thread of a scenario.
struct Thread<Q: Queue> {
    number: usize,
    p: i64,
    own: Option<Q>,
    todo: Vec<Call>,
    next: u64,   // the G that it puts next
    held: usize, // Gs in its own queue, at most
    ops: Vec<Op>,
}

/// What all threads of a scenario share.
struct Shared<Q: Queue> {
    thieves: Vec<Q::Thief>,
    batch: bool,  // a steal of a thread with a queue of its own goes into that
    free: bool,   // the threads run freely
    holds: usize, // how many Gs a thread may hold when it steals into its own queue
    clock: AtomicU64,
    there: AtomicUsize,
}

impl<Q: Queue> Thread<Q> {
    fn call(&mut self, (k, arg): Call, s: &Shared<Q>) -> bool {
        let ps = s.thieves.len() as i64;
        let p = match (k, arg) {
            ('s' | 'e' | 'l', Some(p)) => p,
            ('s', None) if self.p >= 0 => (self.p + 1) % ps,
            _ => self.p.max(0),
        };
        let into = self.own.as_ref().filter(|_| k == 's' && s.batch);
        let to = if into.is_some() { self.p } else { -1 };
        if into.is_some() && s.free {
            while self.held > s.holds {
                self.call(('g', None), s); // makes room
            }
        }
        let (from, into) = (&s.thieves[p as usize], self.own.as_ref().filter(|_| to >= 0));
        let own = || self.own.as_ref().expect("a thread that puts or gets owns a queue");
        let mut op = Op { t: self.number, k, p, to, c: s.clock.fetch_add(1, SeqCst), ..Op::default() };
        match k {
            'p' => {
                op.ins = vec![self.next];
                op.ok = own().put(self.next);
                op.n = op.ok as usize;
                self.next += 1;
                self.held = self.held.saturating_add(op.n);
            }
            'g' => {
                op.out.extend(own().get());
                self.held = if op.out.is_empty() { 0 } else { self.held.saturating_sub(1) };
            }
            's' => {
                op.out.extend(Q::steal(from, into));
                if to >= 0 {
                    self.held = usize::MAX; // it is not known how many it brought
                }
            }
            'e' => op.ok = Q::is_empty(from),
            _ => (op.n, op.ok) = (Q::len(from), true),
        }
        op.ok |= !op.out.is_empty();
        op.ret = s.clock.fetch_add(1, SeqCst);
        let ok = op.ok;
        self.ops.push(op);
        ok
    }
}

/// Why there is no history.
enum Failed {
    /// The scenario cannot be run here.
    Question(String),
    /// A call has panicked.
    Call(String),
}

impl<T: Into<String>> From<T> for Failed {
    fn from(why: T) -> Failed {
        Failed::Question(why.into())
    }
}

#[derive(Serialize)]
struct History {
    clock: &'static str,
    capacity: usize,
    ops: Vec<Op>,
    #[serde(rename = "final")]
    left: Final,
}

#[derive(Serialize)]
struct Final {
    ps: Vec<Ring>,
}

#[derive(Serialize)]
struct Ring {
    ring: Vec<u64>,
}

/// Runs a scenario, and returns the history.
fn run<Q: Queue>(adapter: &Adapter, s: &Scenario, threads: &Threads) -> Result<String, Failed> {
    let (mut owners, thieves): (Vec<_>, Vec<_>) = (0..s.ps).map(|_| Q::new(s.capacity)).map(|(own, thief)| (Some(own), thief)).unzip();
    let (before, after) = (quiet(&s.before, s.threads.len())?, quiet(&s.after, s.threads.len())?);
    let mut list: Vec<Thread<Q>> = vec![];
    let mut next = 1;
    for (number, t) in s.threads.iter().enumerate() {
        let own = match usize::try_from(t.p) {
            Err(_) => None,
            Ok(p) if p >= s.ps => return Err(format!("there is no P{p}").into()),
            Ok(p) => Some(Q::share(&thieves[p]).or_else(|| owners[p].take()).ok_or("the queue has one owner")?),
        };
        let todo = calls(&t.script)?.repeat(t.repeat.max(1));
        let mine = before.iter().chain(&after).filter(|q| q.0 == number).flat_map(|q| &q.1);
        let puts = todo.iter().chain(mine).filter(|call| call.0 == 'p').count() as u64;
        list.push(Thread { number, p: t.p, own, ops: Vec::with_capacity(2 * todo.len()), todo, next, held: 0 });
        next += puts;
    }
    let far = |call: &Call| call.1.is_some_and(|p| p as usize >= s.ps);
    if list.iter().any(|t| t.todo.iter().any(far)) || before.iter().chain(&after).any(|q| q.1.iter().any(far)) {
        return Err(format!("there are {} queues", s.ps).into());
    }
    let batch = adapter.contract.iter().any(|c| c.0 == "batch");
    let shared =
        Arc::new(Shared::<Q> { thieves, batch, free: s.order.is_none(), holds: s.holds, clock: AtomicU64::new(1), there: AtomicUsize::new(0) });
    if let Some(order) = &s.order {
        let mut at = vec![0; list.len()];
        for &t in order {
            let call = *list.get(t).and_then(|thread| thread.todo.get(at[t])).ok_or("the order is longer than the scripts")?;
            at[t] += 1;
            list[t].call(call, &shared);
        }
    } else {
        let quietly = |list: &mut Vec<Thread<Q>>, scripts: &[(usize, Vec<Call>)]| {
            scripts.iter().for_each(|(t, script)| script.iter().for_each(|&call| _ = list[*t].call(call, &shared)))
        };
        quietly(&mut list, &before);
        list = freely(list, &shared, threads)?;
        quietly(&mut list, &after);
    }
    for t in &mut list {
        if let (Some(own), Ok(p)) = (t.own.take(), usize::try_from(t.p)) {
            owners[p] = Some(own);
        }
    }
    let rest = |own: &Option<Q>| Ring { ring: std::iter::from_fn(|| own.as_ref().and_then(Q::get)).collect() };
    let left = Final { ps: owners.iter().map(rest).collect() };
    let mut ops: Vec<Op> = list.into_iter().flat_map(|t| t.ops).collect();
    ops.sort_by_key(|op| op.c);
    let clock = if s.order.is_some() { "order" } else { "counter" };
    Ok(serde_json::to_string(&History { clock, capacity: s.capacity, ops, left }).expect("it is of plain values"))
}

/// Has all threads make their calls at once: each spins until all are there.
fn freely<Q: Queue>(list: Vec<Thread<Q>>, shared: &Arc<Shared<Q>>, threads: &Threads) -> Result<Vec<Thread<Q>>, Failed> {
    let all = list.len();
    let (sender, receiver) = channel();
    for (i, mut t) in list.into_iter().enumerate() {
        let (shared, sender) = (shared.clone(), sender.clone());
        threads.does(
            i,
            Box::new(move || {
                assemble(&shared.there, all);
                let done = catch_unwind(AssertUnwindSafe(|| std::mem::take(&mut t.todo).into_iter().for_each(|call| _ = t.call(call, &shared))));
                _ = sender.send(done.map(|()| t).map_err(|panic| said(&*panic).to_string()));
            }),
        );
    }
    let mut list = receiver.iter().take(all).collect::<Result<Vec<Thread<Q>>, String>>().map_err(Failed::Call)?;
    list.sort_by_key(|t| t.number);
    Ok(list)
}

/// Answers questions until the input ends.
pub fn serve<Q: Queue>(adapter: &Adapter) {
    let capabilities: Value = serde_json::from_str(adapter.capabilities).expect("capabilities are JSON");
    let contract: BTreeMap<_, _> = adapter.contract.iter().copied().collect();
    let name = format!("rust-{}", adapter.name);
    say(json!({"hello": {
        "protocol": 2, "name": name, "version": version(adapter.package), "profile": adapter.profile, "contract": contract, "capabilities": capabilities,
    }})
    .to_string());
    let threads = Threads::default();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match serde_json::from_str::<Question>(&line) {
            Err(why) => json!({"seq": crate::driver::seq(&line), "error": format!("expected a question, saw {why}")}).to_string(),
            Ok(q) => match catch_unwind(AssertUnwindSafe(|| run::<Q>(adapter, &q.scenario, &threads))) {
                Ok(Ok(history)) => format!("{{\"seq\":{},\"history\":{history}}}", q.seq),
                Ok(Err(Failed::Question(why))) => json!({"seq": q.seq, "error": why}).to_string(),
                Ok(Err(Failed::Call(text))) => json!({"seq": q.seq, "crash": {"text": text}}).to_string(),
                Err(panic) => json!({"seq": q.seq, "crash": {"text": said(&*panic)}}).to_string(),
            },
        };
        say(answer);
    }
}

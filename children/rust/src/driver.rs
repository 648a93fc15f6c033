//! The driver: it reads questions, runs task graphs, and logs what happens. It is the same for all schedulers of Rust.
//!
//! The page of the protocol is `conformance/target/child/SCHEDULERS.md`. An [`Adapter`] makes a [`Pool`], a fresh one for each
//! graph. The tasks that the pool runs are [`Task`]s: functions for some schedulers, futures for others.
//!
//! The log has one lock, and the clock is read under it: so its order is the order of what happened, and no time falls.

use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

// ---- What an adapter says ----------------------------------------------------------------------------------------------

/// A scheduler as the driver sees it.
pub struct Adapter {
    pub name: &'static str,
    /// The package whose version, as Cargo.lock has it, is the scheduler's; "" for a pool of this crate.
    pub package: &'static str,
    /// A named contract: pool, cooperative or preemptive.
    pub profile: &'static str,
    /// Choices that differ from the profile, and their values.
    pub contract: &'static [(&'static str, &'static str)],
    /// What the pool offers besides submit and close. See the methods of [`Pool`]; `park` and `ready` need none, but tasks that run by [`Task::future`].
    pub capabilities: &'static [&'static str],
    pub make: fn(workers: usize) -> Box<dyn Pool>,
}

/// What is over later: when it has been awaited.
pub type Later<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A scheduler. Any thread calls any method.
pub trait Pool: Send + Sync {
    /// Has the task run, by [`Task::run`] or [`Task::future`]. An error says why it will not.
    fn submit(&self, task: Task) -> Result<(), String>;
    /// Closes the scheduler as the contract says.
    fn close(&self);

    /// `spawn`: a task submits another.
    fn spawn(&self, task: Task) -> Result<(), String> {
        self.submit(task)
    }
    /// `join`: a task submits another. What is returned is awaited by the task, and is over when the other has ended.
    fn fork(&self, _: Task) -> Result<Later<'static>, String> {
        lacks("join", "fork")
    }
    /// `yield`: the task lets others run.
    fn yields(&self) -> Later<'_> {
        lacks("yield", "yields")
    }
    /// `sleep`: the task leaves its worker for so long.
    fn sleeps(&self, _: Duration) -> Later<'_> {
        lacks("sleep", "sleeps")
    }
    /// `block`: makes the call, which waits for what the scheduler does not know of.
    fn blocks(&self, _: Box<dyn FnOnce() + Send>) -> Later<'_> {
        lacks("block", "blocks")
    }
    /// `wait`: a thread outside waits for all tasks.
    fn wait(&self) {
        lacks("wait", "wait")
    }
    /// `resize`: has so many workers from now on.
    fn resize(&self, _: usize) -> Result<(), String> {
        lacks("resize", "resize")
    }
}

/// Ends a child whose adapter offers what it has no method for.
fn lacks(capability: &str, method: &str) -> ! {
    ends(&format!("the adapter offers {capability:?}, expected the method Pool::{method}, saw none"))
}

/// Ends the child: it is wrong, and not the scheduler.
fn ends(why: &str) -> ! {
    eprintln!("child: {why}");
    std::process::exit(2)
}

/// A task of a graph. A clone is the same task once more.
#[derive(Clone)]
pub struct Task {
    run: Arc<Run>,
    number: usize,
}

impl Task {
    /// Runs the task: for schedulers of functions. Where it waits, it keeps the thread.
    pub fn run(self) {
        let ready = pin!(self.future()).poll(&mut Context::from_waker(Waker::noop()));
        if ready.is_pending() {
            ends("a task left its thread, as by park, yield or the contract tasks=cooperative: expected Task::future in the adapter, saw Task::run");
        }
    }

    /// The task as a future: for schedulers of futures. Dropped before its end, it is lost.
    pub async fn future(self) {
        let (run, who) = (&*self.run, self.number as i64);
        run.note("begins", who, None, "");
        let mut ends = Ends { task: &self, over: false };
        for &step in &run.scripts[self.number] {
            match step.letter {
                b'x' => resume_unwind(Box::new(OnPurpose)),
                b'a' => run.happens(step, who),
                _ => {
                    run.note("does", who, Some(step), "");
                    let text = self.does(step).await;
                    run.note("did", who, Some(step), &text);
                }
            }
        }
        ends.over = true;
    }

    /// Does a step, and returns the text for the log.
    async fn does(&self, step: Step) -> String {
        let (run, arg) = (&self.run, step.arg);
        let event = || &run.events[arg];
        match step.letter {
            b's' => return run.submits(arg, |task| run.pool().spawn(task)),
            b'f' => return run.submits(arg, |task| run.pool().fork(task).map(|join| *lock(&run.joins[arg]) = Some(join))),
            b'n' => {
                let join = lock(&run.joins[arg]).take();
                if let Some(join) = join {
                    join.await; // else it was refused
                }
            }
            b'w' => self.waits(event()).await,
            b'm' => {
                run.arrives(arg);
                self.waits(event()).await
            }
            b'j' => self.waits(&run.ends[arg]).await,
            b'p' => {
                if !event().parks().await {
                    return "the event had happened, so that it did not park".into();
                }
            }
            b'b' => {
                let run = run.clone();
                self.run.pool().blocks(Box::new(move || run.events[arg].waits())).await
            }
            b'y' => run.pool().yields().await,
            b'z' => run.pool().sleeps(Duration::from_micros(arg as u64)).await,
            b'l' | b'h' | b'k' => {
                while !event().happened.load(SeqCst) && !run.released.load(SeqCst) {
                    run.turns.fetch_add(1, SeqCst);
                    match step.letter {
                        b'l' => run.pool().yields().await,
                        b'k' => run.pool().sleeps(Duration::from_millis(20)).await,
                        _ => std::hint::spin_loop(),
                    }
                }
            }
            b'r' => return refusal(called(|| run.pool().resize(arg))),
            _ => unreachable!("the script was read"),
        }
        String::new()
    }

    async fn waits(&self, event: &Event) {
        if self.run.cooperative {
            event.parks().await;
        } else {
            event.waits();
        }
    }
}

/// Notes the end of a task when it has come to the end of its script, or panics: not when it is dropped where it waits.
struct Ends<'a> {
    task: &'a Task,
    over: bool,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        if self.over || thread::panicking() {
            self.task.run.note("ends", self.task.number as i64, None, "");
            self.task.run.ended(self.task.number);
        }
    }
}

/// What tasks panic with, where the contract allows it.
struct OnPurpose;

// ---- What threads and tasks wait for ------------------------------------------------------------------------------------

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An event has not happened, and then it has, for ever.
#[derive(Default)]
struct Event {
    parked: Mutex<Vec<Waker>>,
    changed: Condvar,
    happened: AtomicBool, // set under the lock
    came: AtomicUsize,    // to the meeting; of the end of a task: how often it has ended
}

impl Event {
    fn happens(&self) {
        let mut parked = lock(&self.parked);
        self.happened.store(true, SeqCst);
        let list = std::mem::take(&mut *parked);
        drop(parked);
        self.changed.notify_all();
        list.into_iter().for_each(Waker::wake);
    }

    /// Waits, and keeps the thread.
    fn waits(&self) {
        let mut parked = lock(&self.parked);
        while !self.happened.load(SeqCst) {
            parked = self.changed.wait(parked).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits, and leaves the thread. Returns whether it had to wait.
    async fn parks(&self) -> bool {
        let mut had_to = false;
        poll_fn(|context| {
            let mut parked = lock(&self.parked);
            if self.happened.load(SeqCst) {
                return Poll::Ready(());
            }
            had_to = true;
            parked.push(context.waker().clone());
            Poll::Pending
        })
        .await;
        had_to
    }
}

/// Counts what is not over yet.
#[derive(Default)]
struct Count {
    state: Mutex<(usize, bool)>, // how many; released
    changed: Condvar,
}

impl Count {
    fn add(&self) {
        lock(&self.state).0 += 1;
    }
    fn done(&self) {
        lock(&self.state).0 -= 1;
        self.changed.notify_all();
    }
    fn release(&self) {
        lock(&self.state).1 = true;
        self.changed.notify_all();
    }
    /// Waits until all is over, or, if the caller may be released, until it is.
    fn wait(&self, may_be_released: bool) {
        let state = lock(&self.state);
        drop(self.changed.wait_while(state, |state| state.0 > 0 && !(may_be_released && state.1)));
    }
}

// ---- A graph, and its run ------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct Graph {
    workers: usize,
    outside: Vec<String>,
    tasks: Vec<String>,
    #[serde(default)]
    last: bool,
    #[serde(default = "no_bound")]
    most: usize,
}

fn no_bound() -> usize {
    usize::MAX
}

#[derive(Clone, Copy)]
struct Step {
    letter: u8,
    arg: usize,
}

const WITHOUT_NUMBER: &[u8] = b"yvxc";

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.letter as char)?;
        if WITHOUT_NUMBER.contains(&self.letter) { Ok(()) } else { write!(f, "{}", self.arg) }
    }
}

/// Reads a script. The letters are those that may stand there.
fn script(text: &str, letters: &[u8], tasks: usize) -> Result<Vec<Step>, String> {
    let mut steps = vec![];
    let mut rest = text.trim_start();
    while let Some(&letter) = rest.as_bytes().first() {
        if !letters.contains(&letter) {
            return Err(format!("expected a script of the letters {:?}, saw {text:?}", String::from_utf8_lossy(letters)));
        }
        rest = &rest[1..];
        let number = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        rest = rest[number.len()..].trim_start();
        let arg = match (number, WITHOUT_NUMBER.contains(&letter)) {
            ("", true) => 0,
            (_, true) => return Err(format!("expected no number behind {:?} in {text:?}", letter as char)),
            _ => number.parse().map_err(|_| format!("expected a number behind {:?} in {text:?}", letter as char))?,
        };
        let most = match letter {
            b's' | b'j' | b'f' | b'n' => tasks,
            b'r' => 1 << 10,
            b'z' => 1 << 32, // an hour
            _ => 1 << 16,
        };
        if arg >= most {
            return Err(format!("expected a number below {most} behind {:?} in {text:?}", letter as char));
        }
        steps.push(Step { letter, arg });
    }
    Ok(steps)
}

/// The thread outside that closes where no script does.
const DRIVER: i64 = -(1 << 30);

/// A run of a graph.
pub struct Run {
    seq: u64,
    workers: usize,
    threads: Vec<Vec<Step>>,
    scripts: Vec<Vec<Step>>,
    last: bool,
    most: usize,  // events in the log
    closes: bool, // a script closes
    cooperative: bool,
    meets: Vec<usize>, // by event: in how many scripts the meeting is
    events: Vec<Event>,
    ends: Vec<Event>,                          // by task
    submitted: Vec<AtomicBool>,                // by task
    joins: Vec<Mutex<Option<Later<'static>>>>, // by task: of those that were forked
    pool: OnceLock<Box<dyn Pool>>,
    there: AtomicUsize, // threads outside that have come
    others: Count,      // threads outside but the first
    pending: Count,     // tasks that were submitted, and have neither ended nor been refused
    closed: AtomicBool,
    released: AtomicBool,
    turns: AtomicU64,
    log: Mutex<Vec<Note>>,
    full: AtomicBool, // the log: that was the answer
    begin: Instant,
}

struct Note {
    what: &'static str,
    who: i64,
    step: Option<Step>,
    at: u64,
    text: String,
}

impl Run {
    fn new(adapter: &Adapter, seq: u64, graph: &Graph) -> Result<Arc<Run>, String> {
        let offers = |list: &[(&str, &str)]| {
            list.iter().filter(|(what, _)| adapter.capabilities.contains(what)).flat_map(|(_, letters)| letters.bytes()).collect::<Vec<u8>>()
        };
        let outside = [&b"sawmjzc"[..], &offers(&[("wait", "v"), ("resize", "r")])].concat();
        let inside =
            [&b"sawmjhx"[..], &offers(&[("park", "p"), ("block", "b"), ("yield", "yl"), ("sleep", "zk"), ("join", "fn"), ("resize_inside", "r")])]
                .concat();
        let read =
            |texts: &[String], letters: &[u8]| texts.iter().map(|text| script(text, letters, graph.tasks.len())).collect::<Result<Vec<_>, _>>();
        let (threads, scripts) = (read(&graph.outside, &outside)?, read(&graph.tasks, &inside)?);
        if graph.workers == 0 || threads.is_empty() {
            return Err("expected a worker and a thread outside".into());
        }
        let all = || threads.iter().chain(&scripts).flatten();
        let events = all().filter(|s| b"awmpblhk".contains(&s.letter)).map(|s| s.arg + 1).max().unwrap_or(0);
        let mut meets = vec![0; events];
        for list in threads.iter().chain(&scripts) {
            for s in list.iter().filter(|s| s.letter == b'm') {
                meets[s.arg] += 1;
            }
        }
        Ok(Arc::new(Run {
            seq,
            workers: graph.workers,
            last: graph.last,
            most: graph.most,
            closes: all().any(|s| s.letter == b'c'),
            cooperative: adapter.contract.contains(&("tasks", "cooperative")),
            meets,
            events: (0..events).map(|_| Event::default()).collect(),
            ends: scripts.iter().map(|_| Event::default()).collect(),
            submitted: scripts.iter().map(|_| AtomicBool::new(false)).collect(),
            joins: scripts.iter().map(|_| Mutex::new(None)).collect(),
            pool: OnceLock::new(),
            there: AtomicUsize::new(0),
            others: Count::default(),
            pending: Count::default(),
            closed: AtomicBool::new(false),
            released: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            log: Mutex::new(Vec::with_capacity(2 * all().count() + 2 * scripts.len() + threads.len() + 3)),
            full: AtomicBool::new(false),
            begin: Instant::now(),
            threads,
            scripts,
        }))
    }

    fn pool(&self) -> &dyn Pool {
        &**self.pool.get().expect("the first thread makes it before all others begin")
    }

    fn note(&self, what: &'static str, who: i64, step: Option<Step>, text: &str) {
        let text = text.to_string(); // an empty one takes no memory
        let mut log = lock(&self.log);
        if log.len() >= self.most {
            if !self.full.swap(true, SeqCst) {
                say(json!({"seq": self.seq, "full": true}).to_string());
            }
            return;
        }
        let at = self.begin.elapsed().as_nanos() as u64;
        log.push(Note { what, who, step, at, text });
    }

    /// What thread i outside does. The first one makes the scheduler before, and closes it behind.
    fn outside(self: &Arc<Run>, i: usize) {
        assemble(&self.there, self.threads.len());
        let who = !(i as i64);
        for &step in &self.threads[i] {
            if step.letter == b'a' {
                self.happens(step, who);
            } else if step.letter == b'c' {
                self.close(who);
            } else {
                self.note("does", who, Some(step), "");
                let text = self.does(step);
                self.note("did", who, Some(step), &text);
            }
        }
        self.note("ends", who, None, "");
        if i > 0 {
            return self.others.done();
        }
        self.others.wait(true);
        self.pending.wait(true);
        if !self.closes {
            self.close(DRIVER);
        }
        self.others.wait(false);
        self.pending.wait(false);
    }

    /// Does a step of a thread outside, and returns the text for the log.
    fn does(self: &Arc<Run>, step: Step) -> String {
        let arg = step.arg;
        match step.letter {
            b's' => return self.submits(arg, |task| self.pool().submit(task)),
            b'w' => self.events[arg].waits(),
            b'm' => {
                self.arrives(arg);
                self.events[arg].waits()
            }
            b'j' => self.ends[arg].waits(),
            b'z' => thread::sleep(Duration::from_micros(arg as u64)),
            b'v' => {
                return called(|| {
                    self.pool().wait();
                    Ok(())
                })
                .err()
                .unwrap_or_default();
            }
            b'r' => return refusal(called(|| self.pool().resize(arg))),
            _ => unreachable!("the script was read"),
        }
        String::new()
    }

    /// Submits a task. The text is for the log.
    fn submits(self: &Arc<Run>, number: usize, submit: impl FnOnce(Task) -> Result<(), String>) -> String {
        self.submitted(number);
        let task = Task { run: self.clone(), number };
        let answer =
            if self.last && self.closed.load(SeqCst) { Err("it is not asked, since Close has returned".into()) } else { called(|| submit(task)) };
        if answer.is_err() {
            self.refused(number);
        }
        refusal(answer)
    }

    fn happens(&self, step: Step, who: i64) {
        self.events[step.arg].happens();
        self.note("did", who, Some(step), "");
    }

    fn arrives(&self, event: usize) {
        if self.events[event].came.fetch_add(1, SeqCst) + 1 == self.meets[event] {
            self.events[event].happens();
        }
    }

    /// A task counts once, though the task that submits it may run twice.
    fn submitted(&self, number: usize) {
        if !self.submitted[number].swap(true, SeqCst) {
            self.pending.add();
        }
    }

    fn ended(&self, number: usize) {
        self.ends[number].happens();
        if self.ends[number].came.fetch_add(1, SeqCst) == 0 {
            self.pending.done(); // else it has run twice
        }
    }

    /// Does for a task that will not run what others may wait for.
    fn refused(&self, number: usize) {
        for step in &self.scripts[number] {
            match step.letter {
                b'a' => self.events[step.arg].happens(),
                b'm' => self.arrives(step.arg),
                b's' | b'f' => {
                    self.submitted(step.arg);
                    self.refused(step.arg);
                }
                _ => {}
            }
        }
        self.ended(number);
    }

    fn close(&self, who: i64) {
        let step = Some(Step { letter: b'c', arg: 0 });
        self.note("does", who, step, "");
        let error = called(|| {
            self.pool().close();
            Ok(())
        })
        .err();
        self.closed.store(true, SeqCst);
        self.note("did", who, step, &error.unwrap_or_default());
    }

    /// Lets all go on that wait by the driver's means.
    fn release(&self) {
        self.note("release", DRIVER, None, "");
        self.released.store(true, SeqCst);
        self.events.iter().chain(&self.ends).for_each(Event::happens);
        self.others.release();
        self.pending.release();
    }

    /// Writes the log as JSON, and returns the clock.
    fn write(&self, line: &mut String) -> u64 {
        use fmt::Write;
        let log = lock(&self.log);
        line.push('[');
        for (i, n) in log.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let step = n.step.map(|s| s.to_string()).unwrap_or_default();
            _ = write!(line, "{comma}[\"{}\",{},\"{step}\",{}", n.what, n.who, n.at);
            if !n.text.is_empty() {
                _ = write!(line, ",{}", json!(n.text));
            }
            line.push(']');
        }
        line.push(']');
        self.begin.elapsed().as_nanos() as u64
    }
}

/// Spins until so many threads are there, as far as none is late: else the first would have ended before the last begins.
pub fn assemble(there: &AtomicUsize, all: usize) {
    there.fetch_add(1, SeqCst);
    for looks in 1..=1_000_000 {
        if there.load(SeqCst) >= all {
            return;
        }
        if looks % 100 == 0 { thread::yield_now() } else { std::hint::spin_loop() }
    }
}

/// Calls the scheduler. A panic refuses as an error does.
fn called(call: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(answer) => answer,
        Err(panic) if panic.is::<OnPurpose>() => resume_unwind(panic), // of a task that runs inside the call
        Err(panic) => Err(format!("panic: {}", said(&*panic))),
    }
}

/// The text for the log.
fn refusal(answer: Result<(), String>) -> String {
    answer.err().map(|why| format!("refused: {why}")).unwrap_or_default()
}

/// What a panic says.
pub fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}

/// The version of a package that is built in, as Cargo.lock has it; that of this crate if its name is "".
pub fn version(package: &str) -> &'static str {
    if package.is_empty() {
        return env!("CARGO_PKG_VERSION");
    }
    let lock = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"));
    match lock.split_once(&format!("name = \"{package}\"\nversion = \"")) {
        Some((_, rest)) => rest.split('"').next().unwrap_or_default(),
        None => ends(&format!("package: expected a name in Cargo.lock, saw {package:?}")),
    }
}

// ---- Questions and answers -----------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct Question {
    seq: u64,
    cmd: String,
    graph: Option<Graph>,
}

/// The threads outside are kept from run to run.
#[derive(Default)]
pub struct Threads(Mutex<Vec<Sender<Job>>>);

pub type Job = Box<dyn FnOnce() + Send>;

impl Threads {
    /// Has thread i do the job, behind what it was given before.
    pub fn does(&self, i: usize, job: Job) {
        let mut list = lock(&self.0);
        while list.len() <= i {
            let (sender, jobs) = channel::<Job>();
            let name = format!("outside-{}", list.len());
            thread::Builder::new().name(name).spawn(move || jobs.into_iter().for_each(|job| job())).expect("a thread outside");
            list.push(sender);
        }
        list[i].send(job).expect("the thread lives");
    }
}

/// Answers questions until the input ends.
pub fn serve(adapter: &'static Adapter) {
    say(json!({"hello": {
        "protocol": 3, "subject": "scheduler", "name": format!("rust-{}", adapter.name), "version": version(adapter.package),
        "profile": adapter.profile,
        "contract": adapter.contract.iter().copied().collect::<std::collections::BTreeMap<_, _>>(),
        "capabilities": adapter.capabilities.iter().map(|&what| (what, true)).collect::<std::collections::BTreeMap<_, _>>(),
    }})
    .to_string());
    let threads = Arc::new(Threads::default());
    let going = Arc::new(AtomicBool::new(false)); // a run is
    let mut last: Option<Arc<Run>> = None;
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let question: Question = match serde_json::from_str(&line) {
            Ok(question) => question,
            Err(why) => {
                say(json!({"seq": seq(&line), "error": format!("expected a question, saw {why}")}).to_string());
                continue;
            }
        };
        let seq = question.seq;
        match (question.cmd.as_str(), question.graph, &last) {
            ("run", Some(_), _) if going.load(SeqCst) => say(json!({"seq": seq, "error": "another run goes on"}).to_string()),
            ("run", Some(graph), _) => match Run::new(adapter, seq, &graph) {
                Ok(run) => {
                    going.store(true, SeqCst);
                    last = Some(run.clone());
                    let (all, going) = (threads.clone(), going.clone());
                    threads.does(0, Box::new(move || first(adapter, &run, &all, &going)));
                }
                Err(why) => say(json!({"seq": seq, "error": why}).to_string()),
            },
            ("look", _, run) => {
                let mut line = format!("{{\"seq\":{seq},\"sofar\":");
                let now = run.as_ref().map(|run| run.write(&mut line));
                if now.is_none() {
                    line += "[]";
                }
                let turns = run.as_ref().map_or(0, |run| run.turns.load(SeqCst));
                say(format!("{line},\"now\":{},\"turns\":{turns}}}", now.unwrap_or(0)));
            }
            ("release", _, run) => {
                if let Some(run) = run {
                    run.release();
                }
                say(json!({"seq": seq}).to_string());
            }
            (cmd, _, _) => say(json!({"seq": seq, "error": format!("expected run with a graph, look or release, saw {cmd:?}")}).to_string()),
        }
    }
}

/// The number of a question that is none; 0 if it has none.
pub fn seq(line: &str) -> u64 {
    serde_json::from_str::<Value>(line).ok().and_then(|line| line["seq"].as_u64()).unwrap_or(0)
}

/// What the first thread outside does in a run.
fn first(adapter: &Adapter, run: &Arc<Run>, threads: &Threads, going: &AtomicBool) {
    let answer = match catch_unwind(AssertUnwindSafe(|| (adapter.make)(run.workers))) {
        Err(panic) => json!({"seq": run.seq, "error": format!("there is no scheduler: {}", said(&*panic))}).to_string(),
        Ok(pool) => {
            _ = run.pool.set(pool);
            for i in 1..run.threads.len() {
                run.others.add();
                let run = run.clone();
                threads.does(i, Box::new(move || run.outside(i)));
            }
            run.outside(0);
            let mut line = format!("{{\"seq\":{},\"events\":", run.seq);
            run.write(&mut line);
            line + "}"
        }
    };
    going.store(false, SeqCst);
    if !run.full.load(SeqCst) {
        say(answer);
    }
}

/// Says a line, in one write.
pub fn say(mut line: String) {
    line.push('\n');
    let mut out = std::io::stdout().lock();
    if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0); // the suite has gone
    }
}

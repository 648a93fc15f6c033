//! Schedulers and queues of Rust, as children of Spindle.
//!
//!     child NAME      runs one: its input and output are the protocol's
//!     child --list    prints the names, a line each

mod deques;
mod driver;
mod functions;
mod futures;
mod queue;
mod wrong;

fn main() {
    let lists: [&'static [driver::Adapter]; 3] = [functions::ADAPTERS, futures::ADAPTERS, wrong::ADAPTERS];
    let adapters = || lists.into_iter().flatten();
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "--list" {
        adapters().map(|a| a.name).chain(deques::ADAPTERS.iter().map(|a| a.name)).for_each(|name| println!("{name}"));
        return;
    }
    match (adapters().find(|a| a.name == name), deques::ADAPTERS.iter().find(|a| a.name == name)) {
        (Some(scheduler), _) => driver::serve(scheduler),
        (_, Some(queue)) => (queue.serve)(queue),
        _ => {
            eprintln!("child: expected a name that `child --list` prints, saw {name:?}");
            std::process::exit(2);
        }
    }
    std::process::exit(0); // whatever threads are left
}

//! The accesses of the ring whose order the runtime chose, and that order.

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};

macro_rules! sites {
    ($($site:ident $call:literal $what:literal $order:ident;)*) => {
        #[derive(Clone, Copy)]
        pub enum Site { $($site),* }
        pub const SITES: &[(&str, &str, Ordering)] = &[$(($call, $what, $order)),*];
    };
}

// A CAS of runnext and the loads of runqempty are sequentially consistent in the
// runtime. loom treats that as acquire and release, so this is what is weakened here.
sites! {
    PutNext "runqput" "CAS runnext" AcqRel;
    PutHead "runqput" "load head" Acquire;
    PutTail "runqput" "store tail" Release;
    SlowCas "runqputslow" "CAS head" Release;
    BatchHead "runqputbatch" "load head" Acquire;
    BatchTail "runqputbatch" "store tail" Release;
    GetNext "runqget" "CAS runnext" AcqRel;
    GetHead "runqget" "load head" Acquire;
    GetCas "runqget" "CAS head" Release;
    DrainNext "runqdrain" "CAS runnext" AcqRel;
    DrainHead "runqdrain" "load head" Acquire;
    DrainCas "runqdrain" "CAS head" Release;
    GrabHead "runqgrab" "load head" Acquire;
    GrabTail "runqgrab" "load tail" Acquire;
    GrabNext "runqgrab" "CAS runnext" AcqRel;
    GrabCas "runqgrab" "CAS head" Release;
    StealHead "runqsteal" "load own head" Acquire;
    StealTail "runqsteal" "store own tail" Release;
    EmptyHead "runqempty" "load head" Acquire;
    EmptyTail "runqempty" "load tail" Acquire;
    EmptyNext "runqempty" "load runnext" Acquire;
    EmptyAgain "runqempty" "load tail again" Acquire;
}

const NAMES: [(&str, Ordering); 4] =
    [("relaxed", Relaxed), ("acquire", Acquire), ("release", Release), ("acq_rel", AcqRel)];

pub fn name(order: Ordering) -> &'static str {
    NAMES.iter().find(|(_, o)| *o == order).unwrap().0
}

/// What is left if one half of an order is taken away.
pub fn weaker(order: Ordering) -> &'static [Ordering] {
    match order {
        AcqRel => &[Release, Acquire],
        _ => &[Relaxed],
    }
}

/// The order of each site.
pub struct Orders(Vec<Ordering>);

impl Orders {
    /// The runtime's, but for arguments such as "3=relaxed".
    pub fn parse(args: &[String]) -> Option<Orders> {
        let mut orders: Vec<_> = SITES.iter().map(|s| s.2).collect();
        for a in args {
            let (site, to) = a.split_once('=')?;
            *orders.get_mut(site.parse::<usize>().ok()?)? = NAMES.iter().find(|(n, _)| *n == to)?.1;
        }
        Some(Orders(orders))
    }

    pub fn of(&self, site: Site) -> Ordering {
        self.0[site as usize]
    }
}

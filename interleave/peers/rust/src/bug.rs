//! The bugs that can be seeded, one at a time.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    None,
    /// A thief claims the slots first and reads them when the owner may already
    /// have put something else there.
    SlotsAfterCas,
    /// The owner publishes a slot that it has yet to fill.
    TailBeforeSlot,
    /// A thief loads the tail before the head, and does not look whether they
    /// fit together.
    TailLoadedFirst,
    /// The owner moves the head with a store.
    GetWithoutCas,
    /// A thief empties `next` with a store.
    NextStolenByStore,
    /// The owner replaces `next` with a store.
    NextKickedByStore,
    /// The owner moves the head of a full ring with a store.
    PutslowWithoutCas,
}

const NAMES: [(&str, Bug); 8] = [
    ("none", Bug::None),
    ("slots-after-cas", Bug::SlotsAfterCas),
    ("tail-before-slot", Bug::TailBeforeSlot),
    ("tail-loaded-first", Bug::TailLoadedFirst),
    ("get-without-cas", Bug::GetWithoutCas),
    ("next-stolen-by-store", Bug::NextStolenByStore),
    ("next-kicked-by-store", Bug::NextKickedByStore),
    ("putslow-without-cas", Bug::PutslowWithoutCas),
];

impl Bug {
    pub fn parse(name: &str) -> Option<Bug> {
        NAMES.iter().find(|(n, _)| *n == name).map(|(_, b)| *b)
    }

    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, b)| *b == self).unwrap().0
    }
}
